"""Messages to the embedder, and the news of vectors."""

from dataclasses import dataclass

from actors.core.mailbox import Question
from actors.memory.embedding_rows import Embedded, Role
from actors.memory.rows import MemoriesChanged


@dataclass(frozen=True, slots=True)
class VectorsArrived:
    """These memories have vectors now."""

    memory_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Embed(Question[list[Embedded]]):
    """Question for the vectors of these texts, and their tokens as far as tokens are made."""

    texts: tuple[str, ...]
    role: Role
    interactive: bool
    tokens: bool = False  # whether they are wanted


EmbedderMessage = Embed | MemoriesChanged
