"""Events as they are read: from the journal, and from the spool that hooks leave."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

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
    """An event that a hook redacted and spooled while nobody answered it."""

    agent: str
    event_id: bytes
    at: float
    event: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EndedFailure(FailureEnded):
    """How a failure was ended the last time."""

    commit: str = ""  # the hash of the commit that took one of these files in; empty when unknown


class Spool(Protocol):
    """The events that hooks left, oldest first."""

    async def waiting(self, limit: int) -> list[str]:
        """The names of the oldest ones."""
        ...

    async def read(self, name: str) -> SpooledEvent | None:
        """The event, or ``None`` when the file is not one."""
        ...

    async def drop(self, name: str) -> None:
        """Remove it: its event is durable."""
        ...

    async def set_aside(self, name: str) -> None:
        """Keep it where it is not read again."""
        ...
