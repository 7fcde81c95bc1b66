"""Messages to dreaming: a dream ordered, stopped, or asked for."""

from collections.abc import Callable
from dataclasses import dataclass

from actors.core.mailbox import Question
from actors.night.dream_writes import Outcome, Stage
from actors.policy.night.due import Occasion


@dataclass(frozen=True, slots=True)
class DreamStep:
    """Progress of a dream."""

    stage: Stage
    done: int  # stages that are done
    total: int
    memories: int  # of the whole dream


@dataclass(frozen=True, slots=True)
class DreamReport:
    """Outcome of a dream."""

    dream_id: int  # 0: there was nothing to dream of
    outcome: Outcome
    why: str


@dataclass(frozen=True, slots=True)
class Dream(Question[DreamReport]):
    """Dream now. An interrupted dream goes on.

    A *patient* dream stops at its next checkpoint when somebody comes, and goes on the next time;
    an ordered one only lets others pass.
    """

    why: str
    at: float
    patient: bool
    seen: Callable[[DreamStep], None]  # told how far it is; must not wait
    # Asked when nobody waits for it any more: whether it is gone on with the next time, as when
    # the daemon stops, or over, as when a person left.
    outlasts: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class CancelDream(Question[bool]):
    """Order to stop the dream at the next checkpoint. The answer is whether one was under way."""


@dataclass(frozen=True, slots=True)
class WouldDream(Question[str]):
    """Question whether a dream is worth it now. The answer names the missing condition; empty: none."""

    at: float
    occasion: Occasion = Occasion.TICK


DreamingMessage = Dream | CancelDream | WouldDream
