"""Messages to tagging and importance."""

from dataclasses import dataclass

from actors.capture.writes import Raised
from actors.core.mailbox import Reply
from actors.intake.messages import Happened
from actors.memory.messages import MemoriesChanged
from actors.memory.rows import Scope
from actors.policy.capture.backfill import Cause, Failure


@dataclass(frozen=True, slots=True)
class Fade:
    """Let go of the tags and moments that have served."""

    at: float


@dataclass(frozen=True, slots=True)
class WhatCaused:
    """Which memories may explain this failure? Nothing is changed."""

    failure: Failure
    scope: Scope
    reply: Reply[tuple[Cause, ...]]


@dataclass(frozen=True, slots=True)
class Backfill:
    """Strengthen the memories that may explain this failure; the answer is which were."""

    failure: Failure
    scope: Scope
    at: float
    reply: Reply[tuple[Cause, ...]]


TaggingMessage = Raised | MemoriesChanged | Fade | WhatCaused | Backfill


@dataclass(frozen=True, slots=True)
class WereReviewed:
    """Memories were of use, or were found to be of none."""


@dataclass(frozen=True, slots=True)
class Dim:
    """Let importances fade that nothing was heard of."""

    at: float


ImportanceMessage = Happened | MemoriesChanged | WereReviewed | Dim
