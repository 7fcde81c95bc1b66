"""Tags, captures and importances as they are stored."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TagRow:
    """A memory's tag as it is stored, with what decides which events reach it."""

    memory_id: int
    at: float
    strength: float
    captured_at: float | None
    captured_by: str | None
    project: str | None
    session: str | None


@dataclass(frozen=True, slots=True)
class CaptureRow:
    """A memory that an event captured."""

    memory_id: int
    event_id: str
    score: float
    hours: float  # from the memory to the event; negative: it was encoded after the event
    importance: float
    before: float  # importance until then
    at: float


@dataclass(frozen=True, slots=True)
class CaptureTotals:
    """How much of tagging and capture is stored (H13)."""

    tags: int
    captured_tags: int
    events: int
    captures: int
    episodes: int
    average_score: float
    average_importance: float


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """An importance, and from when on it fades."""

    memory_id: int
    value: float  # at the anchor
    at: float
    importance: float  # now
    tier: str
    pinned: bool


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What changed a memory's importance."""

    cause: str
    how: str
    amount: float
    before: float
    after: float
    at: float
