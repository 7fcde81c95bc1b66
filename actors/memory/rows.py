"""A memory as it is stored, and the scope of a question."""

from dataclasses import dataclass
from typing import NamedTuple

from actors.memory.particulars import UNSAID, Particulars
from actors.policy.times.validity import Validity


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as it is stored."""

    id: int
    key: str | None
    text: str
    title: str
    kind: str
    tier: str
    memory_type: str
    context_type: str
    project: str | None
    created_at: float
    updated_at: float
    content_hash: bytes
    stability: float
    difficulty: float
    importance: float
    confidence: float
    last_review: float | None
    reviews: int
    lapses: int
    last_implicit: float | None  # the cap of one inferred use a day counts from here
    last_use: float | None
    uses: int
    exposures: int
    pinned: bool
    ended: str | None
    superseded_by: int | None
    versions: int
    unjudged: bool
    source: str
    session: str | None
    triggers: tuple[str, ...]  # phrases that a person set
    derived: tuple[str, ...]  # phrases that its text offers
    status: str  # of its claim: hypothesis, noticed, confirmed, refuted
    valid_from: float | None  # seconds UTC, included
    valid_until: float | None  # seconds UTC, not included
    subject: str | None  # the X of "the current X is Y"
    stale: str = ""  # remark while its files or symbols are gone or changed
    freshness: float = 1.0  # factor of its stability, 0.25..1
    commit: str = ""  # the hash of the one that says it, as git told it
    author: str = ""  # the name of who made that
    particulars: Particulars = UNSAID

    @property
    def validity(self) -> Validity:
        """Interval in which it is true."""
        return Validity(self.valid_from, self.valid_until)


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope of a question: a project's memories and the user's, or everyone's."""

    project: str | None = None
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of the store."""

    memories: int  # living ones
    ended: int
    undone: int  # journaled events not derived yet
    unvectored: int
    chunks: int


class Keyed(NamedTuple):
    """A memory under its caller's own key."""

    id: int
    key: str
    project: str | None
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class MemoriesChanged:
    """These memories were created, rewritten, ended or revived."""

    memory_ids: tuple[int, ...]
