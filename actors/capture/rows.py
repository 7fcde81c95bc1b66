"""Tags and importances as they are stored."""

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
class AnchorRow:
    """An importance, and from when on it fades."""

    memory_id: int
    value: float  # at the anchor
    at: float
    importance: float  # now
    tier: str
    pinned: bool
