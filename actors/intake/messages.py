"""Messages to intake and extraction, and the news that intake tells every listener."""

from dataclasses import dataclass

from actors.core.mailbox import Question
from actors.intake.rows import EndedFailure
from actors.policy.events.events import Event, Upcoming
from actors.policy.events.switch import Off


@dataclass(frozen=True, slots=True)
class Accepted:
    """The event is durable. ``event`` is ``None`` for one that says nothing to a memory.

    A call that is ``upcoming`` is answered and not kept: it may never be made. ``off``: a session
    starts where a person switched recording off, by this.
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
    """An agent's hook reports an event too large to be sent: note that it was."""

    agent: str
    event_id: bytes
    at: float
    size: int


@dataclass(frozen=True, slots=True)
class DrainSpool:
    """Take in what hooks spooled while nobody answered them."""


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
    """Question for what ended this failure the last time; each is told once a session."""

    event: Event
    project: str


@dataclass(frozen=True, slots=True)
class Untold:
    """Note that what ended this failure was not told after all: it may be, the next time."""

    event: Event


ExtractionMessage = Happened | WhatEndedIt | Untold
