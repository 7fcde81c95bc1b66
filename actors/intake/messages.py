"""Messages to intake and extraction, and intake's news to every listener."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from actors.core.mailbox import Question
from actors.intake.rows import EndedFailure
from actors.policy.events.events import Event, Upcoming
from actors.policy.events.switch import Off

# The path of a file (second) in its checkout of a project (first); None: it is of another.
Place: TypeAlias = Callable[[str, str], str | None]


@dataclass(frozen=True, slots=True)
class Accepted:
    """The event is durable. ``event`` is ``None`` for one of no meaning to a memory.

    An ``upcoming`` call is answered and not kept: it may never be made. ``off``: a session starts
    where a person switched recording off, by this switch.
    """

    seq: int
    event: Event | None
    project: str | None
    duplicate: bool
    upcoming: Upcoming | None = None
    off: Off | None = None


@dataclass(frozen=True, slots=True)
class Receive(Question[Accepted]):
    """An agent's hook reports an event: make it durable."""

    agent: str
    event_id: bytes
    at: float
    raw: bytes


@dataclass(frozen=True, slots=True)
class ReceiveOversized(Question[Accepted]):
    """An agent's hook reports an event too large to be sent: note its size."""

    agent: str
    event_id: bytes
    at: float
    size: int


@dataclass(frozen=True, slots=True)
class DrainSpool:
    """Take in events spooled by hooks while nobody answered them."""


IntakeMessage = Receive | ReceiveOversized | DrainSpool


@dataclass(frozen=True, slots=True)
class Happened:
    """An event was journaled; told in the order of the journal."""

    seq: int
    at: float
    event: Event
    project: str | None


@dataclass(frozen=True, slots=True)
class WhatEndedIt(Question[EndedFailure | None]):
    """Question for the last fix of this failure; each is told once a session."""

    event: Event
    project: str


@dataclass(frozen=True, slots=True)
class Untold:
    """Note the fix of this failure was not told after all: it may be, the next time."""

    event: Event


ExtractionMessage = Happened | WhatEndedIt | Untold
