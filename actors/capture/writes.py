"""Writes of important moments, of captures and of changed importances."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Raised:
    """A moment was important; told twice it is one. Outcome: 1 when new."""

    id: str
    kind: str
    strength: float  # 0..1
    at: float
    session: str | None
    project: str | None
    reason: str  # one line
    seq: int | None = None  # the journaled event
    memory_id: int | None = None  # the memory it is about


@dataclass(frozen=True, slots=True)
class Captured:
    """An event captured a tagged memory: it fades slower from when it was made.

    Its importance rises to this at least.

    Outcome: 1, or 0 when the memory is gone, ended or captured already.
    """

    memory_id: int
    event_id: str
    score: float
    hours: float  # from the memory to the event; negative: it was encoded after the event
    importance: float
    stability: float  # days, at least
    at: float


@dataclass(frozen=True, slots=True)
class Faded:
    """These tags have served, and so have events before this time that captured nothing.

    Outcome: how many tags left.
    """

    memory_ids: tuple[int, ...]
    before: float


@dataclass(frozen=True, slots=True)
class Backfilled:
    """A memory may explain a failure and is stronger for it, once a failure.

    Outcome: 1, or 0 when it is gone, no longer as strong as ``before``, or was done.
    """

    memory_id: int
    failure: str
    before: float  # days of stability
    after: float
    at: float


CaptureWrite = Raised | Captured | Faded | Backfilled
