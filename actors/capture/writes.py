"""Writes of important moments, of turns' tags and of captures."""

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
    touched: bytes = b""  # digests of what it has to do with


@dataclass(frozen=True, slots=True)
class TurnTagged:
    """A turn ended, and what it touched; told twice it is one."""

    first_seq: int
    seq: int
    session: str
    project: str | None
    at: float
    touched: bytes


@dataclass(frozen=True, slots=True)
class TurnCaptured:
    """A moment captured a turn. Outcome: 1, or 0 when the turn is gone or was captured by it already."""

    first_seq: int
    event_id: str
    score: float
    hours: float  # from the turn to the moment; negative: it ended after it


@dataclass(frozen=True, slots=True)
class Faded:
    """Tags from before this time have faded, and so have moments that captured nothing.

    Of captured turns the newest ``kept`` stay. Outcome: how many tags left.
    """

    before: float
    kept: int


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


CaptureWrite = Raised | TurnTagged | TurnCaptured | Faded | Backfilled
