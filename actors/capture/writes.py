"""Writes of important moments, of captures and of changed importances."""

from dataclasses import dataclass
from typing import Literal


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
class ImportanceRated:
    """One change of a memory's importance, once on its occasion.

    It is carried out on what the importance is at that moment, so that nothing that was
    raised meanwhile is lost: ``at_least`` and ``plus`` raise, ``times`` is a use's factor,
    ``stay`` only begins its fading anew. Outcome: 1, or 0 when it was changed on this
    occasion before, or the memory is gone or ended.
    """

    memory_id: int
    cause: str  # channels, a signal, or a use
    occasion: str  # the rating, a session, a review
    how: Literal["at_least", "plus", "times", "stay"]
    amount: float
    at: float
    channels: tuple[float, float, float, float] | None = None  # novelty, arousal, reward, attention
    reward: float | None = None  # what it is now


@dataclass(frozen=True, slots=True)
class Dimmed:
    """Importances that have faded: memory, time of its anchor, value now."""

    memories: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """Everything up to here was looked at for importance."""

    name: Literal["memory", "review", "journal"]
    value: int


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


CaptureWrite = Raised | Captured | Faded | ImportanceRated | Dimmed | Marked | Backfilled
