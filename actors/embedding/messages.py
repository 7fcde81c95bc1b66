"""Messages to the embedder, and the news of vectors."""

from dataclasses import dataclass

from actors.core.mailbox import Reply
from actors.embedding.rows import Embedded, Role
from actors.memory.messages import MemoriesChanged


@dataclass(frozen=True, slots=True)
class VectorsArrived:
    """These memories have vectors now."""

    memory_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Embed:
    """What are the vectors of these texts?"""

    texts: tuple[str, ...]
    role: Role
    interactive: bool
    reply: Reply[list[bytes]]


@dataclass(frozen=True, slots=True)
class EmbedQuery:
    """What are the vector and the tokens of this query?"""

    text: str
    interactive: bool
    reply: Reply[Embedded]


EmbedderMessage = Embed | EmbedQuery | MemoriesChanged
