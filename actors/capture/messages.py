"""Messages to tagging and importance."""

from __future__ import annotations

from dataclasses import dataclass

from actors.capture.rows import UntoldRow
from actors.capture.writes import Raised
from actors.core.mailbox import Reply
from actors.intake.messages import Happened
from actors.memory.messages import MemoriesChanged
from actors.memory.rows import Scope
from actors.policy.capture.backfill import Cause, Failure


@dataclass(frozen=True, slots=True)
class ImportanceRaised:
    """A moment was important: it captures what was encoded around it."""

    event: Raised


@dataclass(frozen=True, slots=True)
class WereAccessed:
    """Somebody asked, and these memories were the answer."""

    memory_ids: tuple[int, ...]
    session: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Fade:
    """Let go of the tags and moments that have served."""

    at: float


@dataclass(frozen=True, slots=True)
class WhatWasCaptured:
    """Which captures of this project has no session been told of?"""

    project: str | None
    at: float
    reply: Reply[list[UntoldRow]]


@dataclass(frozen=True, slots=True)
class WereReported:
    """A session was told of these captures (memory, event)."""

    captures: tuple[tuple[int, str], ...]
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


TaggingMessage = (
    ImportanceRaised
    | MemoriesChanged
    | WereAccessed
    | Fade
    | WhatWasCaptured
    | WereReported
    | WhatCaused
    | Backfill
)


@dataclass(frozen=True, slots=True)
class WereReviewed:
    """These memories were of use, or were found to be of none."""

    memory_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dim:
    """Let importances fade that nothing was heard of."""

    at: float


ImportanceMessage = Happened | MemoriesChanged | WereReviewed | Dim
