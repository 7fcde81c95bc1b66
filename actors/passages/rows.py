"""A passage as it is stored, and the reads of the archive."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Passage:
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
