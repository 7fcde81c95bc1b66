"""A passage as it is stored, and the reads of the archive."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from actors.intake.rows import JournalRow
from actors.memory.rows import Scope


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
    """A passage with its score, 0..1, and its cosine with the query, where that is known."""

    passage: Passage
    score: float
    cosine: float = 0.0


class FoundPassages(NamedTuple):
    """Passages that a search found, best first, and why an answer goes by words alone."""

    passages: tuple[RankedPassage, ...]
    without_vectors: str = ""


class PassageCounts(NamedTuple):
    """The size of the archive."""

    passages: int
    bytes: int  # of titles and texts
    chunks: int  # vectors


class PassageReader(Protocol):
    """Reads of passages; every call keeps the caller's deadline."""

    async def passages(self, ids: Sequence[int]) -> dict[int, Passage]:
        """Those of these passages that are there."""
        ...

    async def captured_without_vectors(self, without: Sequence[int], limit: int) -> list[int]:
        """Passages of captured turns that have no vectors, but for these."""
        ...

    async def passages_without_vectors(self, after: int, limit: int) -> list[int]:
        """Passages with an id over ``after`` that have no vectors, in the order of ids."""
        ...

    async def passage_words(
        self, terms: Sequence[str], scope: Scope, limit: int
    ) -> Mapping[int, float]:
        """The best full-text matches and their bm25, best first; more is better."""
        ...

    async def passage_nearest(self, vector: bytes, scope: Scope, limit: int) -> Mapping[int, float]:
        """The nearest passages and their cosines, best first."""
        ...

    async def passage_cosines(self, vector: bytes, ids: Sequence[int]) -> Mapping[int, float]:
        """The cosine of each of these passages that has vectors."""
        ...

    async def cached_vectors(self, model: str, hashes: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Vectors made before, by the hash of the text that they are of."""
        ...

    async def events_of(
        self, session: str, since: float, before: int | None, limit: int
    ) -> list[JournalRow]:
        """The last events of a session since then, those before this one; oldest first."""
        ...
