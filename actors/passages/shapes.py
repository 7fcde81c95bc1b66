"""Passages as rows: as they are stored, found and written."""

from typing import Literal, NamedTuple

from msgspec import Struct

from actors.policy.passages import Piece


class Passage(Struct, frozen=True):
    """One passage as it is stored."""

    id: int
    kind: str  # document, summary, turn
    project: str | None
    place: str
    ordinal: int
    title: str
    text: str
    content_hash: bytes
    session: str | None
    at: float  # seconds UTC


class RankedPassage(NamedTuple):
    """A passage with its score, 0..1, and its cosine with the query, where known."""

    passage: Passage
    score: float
    cosine: float = 0.0


class FoundPassages(NamedTuple):
    """Passages of a search, best first, and the reason for an answer by words alone."""

    passages: tuple[RankedPassage, ...]
    without_vectors: str = ""


class PassageCounts(NamedTuple):
    """The size of the archive."""

    passages: int
    bytes: int  # of titles and texts
    chunks: int  # vectors


# ---- writes of the passage archive


Kind = Literal["document", "summary", "turn"]


class PassagesKept(Struct, frozen=True):
    """All passages of a place now: earlier ones not among them go.

    One already elsewhere in the project moves here. Outcome: how many are new.
    """

    kind: Kind
    project: str | None
    place: str  # the path of a document in its project; the session and first event of others
    pieces: tuple[Piece, ...]
    session: str | None
    first_seq: int  # journaled events, from the first to the last
    seq: int
    at: float
    is_whole: bool = True  # else only what has the same title gives way
    keeps_origin: bool = False  # what is there already stays of its session and events


class PassagesUsed(Struct, frozen=True):
    """Note the use of passages found by a person."""

    ids: tuple[int, ...]
    at: float


class PassagesPruned(Struct, frozen=True):
    """Passages not written or found since then leave, and the longest unused over so many.

    Outcome: how many left, at most some hundred; 0 when there are no more.
    """

    before: float
    most: int


PassageWrite = PassagesKept | PassagesUsed | PassagesPruned
