"""Questions to the passage archive, and their answers."""

from dataclasses import dataclass

from actors.core.mailbox import Reply
from actors.intake.messages import Happened
from actors.memory.rows import Scope
from actors.passages.rows import RankedPassage
from actors.policy.passages.turns import Turn


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """Passages that a search found, best first, and why an answer goes by words alone."""

    passages: tuple[RankedPassage, ...]
    without_vectors: str = ""


@dataclass(frozen=True, slots=True)
class SearchPassages:
    """Question for the passages about this, by words and vectors."""

    query: str
    k: int
    scope: Scope
    track: bool  # whether what is found counts as used
    reply: Reply[FoundPassages]
    vector: bytes = b""  # of the query, from whoever has it; else it is made


@dataclass(frozen=True, slots=True)
class DocumentRead:
    """A document was looked at when a turn was over; ``text`` is what is known of it."""

    happened: Happened  # that the turn is over
    place: str  # in its project
    text: str
    is_whole: bool  # what it does not say was removed


@dataclass(frozen=True, slots=True)
class KeepDocument:
    """Keep this document now: a person waits; what is there already stays of whoever brought it."""

    read: DocumentRead
    reply: Reply[None]


@dataclass(frozen=True, slots=True)
class KeepTurns:
    """Keep what these events settled now, as ``KeepDocument``: of a session from before.

    A summary settles nothing, and is kept itself.
    """

    settled: tuple[tuple[Happened, Turn | None], ...]
    reply: Reply[None]


PassagesMessage = Happened | DocumentRead | KeepDocument | KeepTurns | SearchPassages
"""Messages that the archive takes."""
