"""Messages to intake and extraction, rows of the journal, and writes of events."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct

from actors.core.mailbox import Question
from actors.policy.events.events import Event, Upcoming, parsed
from actors.policy.events.switch import Off

# ---- writes: the arrival of an event, the end of its derivation, the end of a failure


class Journaled(Struct, frozen=True):
    """An event arrived. Outcome: its sequence number, 0 when it was known already."""

    event_id: bytes
    agent: str
    received_at: float
    kind: str
    session: str
    project: str | None
    body: bytes  # the cut and redacted event as MessagePack
    done: bool = False  # nothing will be derived from it


class Derived(Struct, frozen=True):
    """Everything derived from this event is in the store with this unit."""

    seq: int


class FailureEnded(Struct, frozen=True):
    """A failure of this signature was ended: by edits of these files."""

    project: str
    signature: str
    family: str  # of the command that failed
    paths: tuple[str, ...]  # in their checkout
    session: str
    seq: int
    at: float


class RunTakenBack(Struct, frozen=True):
    """Undoing of a run over documents in bulk: its memories leave, memories ended by it are back.

    Outcome: how many memories left. Memories also said by others, or kept by a person, stay.
    """

    run: str  # the session that its memories and passages are of
    project: str
    began: float  # the time of everything that it wrote
    at: float


IntakeWrite = Journaled | Derived | RunTakenBack | FailureEnded


# ---- rows: events as they are read from the journal, and from the hooks' spool


class JournalRow(Journaled, frozen=True):
    """A journaled event with its number."""

    seq: int = 0


def event_of(row: JournalRow) -> Event | None:
    """The event of a journal row; ``None`` when it was erased or says nothing."""
    if not row.body:
        return None
    event = parsed(row.agent, msgspec.msgpack.decode(row.body))
    return event if isinstance(event, Event) else None


class SpooledEvent(Struct, frozen=True):
    """An event redacted and spooled by a hook while nobody answered it."""

    agent: str
    event_id: bytes
    at: float
    event: Mapping[str, object]


# ---- messages to intake and extraction, and intake's news to every listener


# The path of a file (second) in its checkout of a project (first); None: it is of another.
Place: TypeAlias = Callable[[str, str], str | None]


class Accepted(Struct, frozen=True):
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


class Receive(Question[Accepted], frozen=True):
    """An agent's hook reports an event: make it durable."""

    agent: str
    event_id: bytes
    at: float
    raw: bytes


class ReceiveOversized(Question[Accepted], frozen=True):
    """An agent's hook reports an event too large to be sent: note its size."""

    agent: str
    event_id: bytes
    at: float
    size: int


class DrainSpool(Struct, frozen=True):
    """Take in events spooled by hooks while nobody answered them."""


IntakeMessage = Receive | ReceiveOversized | DrainSpool


class Happened(Struct, frozen=True):
    """An event was journaled; told in the order of the journal."""

    seq: int
    at: float
    event: Event
    project: str | None


class WhatEndedIt(Question[FailureEnded | None], frozen=True):
    """Question for the last fix of this failure; each is told once a session."""

    event: Event
    project: str


ExtractionMessage = Happened | WhatEndedIt
