"""Events as they are read: from the journal, and from the hooks' spool."""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from actors.intake.writes import FailureEnded, Journaled
from actors.policy.events.events import Event, parsed


@dataclass(frozen=True, slots=True)
class JournalRow(Journaled):
    """A journaled event with its number."""

    seq: int = 0


def event_of(row: JournalRow) -> Event | None:
    """The event of a journal row; ``None`` when it was erased or says nothing."""
    if not row.body:
        return None
    event = parsed(row.agent, msgspec.msgpack.decode(row.body))
    return event if isinstance(event, Event) else None


@dataclass(frozen=True, slots=True)
class SpooledEvent:
    """An event redacted and spooled by a hook while nobody answered it."""

    agent: str
    event_id: bytes
    at: float
    event: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EndedFailure(FailureEnded):
    """How a failure was ended the last time."""

    commit: str = ""  # the hash of the commit that took one of these files in; empty when unknown
