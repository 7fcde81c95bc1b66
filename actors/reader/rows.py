"""Rows of the store as the reader of sessions sees them."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Unread:
    """A session of which something was not read yet."""

    session: str
    agent: str
    project: str | None
    started_at: float  # seconds UTC
    seen_at: float  # when its last event came
    status: str  # of the session: active, ended
    emptied_at: float  # when its context was last cleared or compacted; 0: never
    first_seq: int  # of what was not read
    last_seq: int
    prompts: int  # in what was not read
    tries: int  # that failed in a row
    next_try: float
    given_up: bool
    failure: str
    captured: (
        str  # the kind of the moment by which a turn of it was captured last; "" when none was
    )
    captured_at: float
    unread_since: float  # when the first event came that was not read


@dataclass(frozen=True, slots=True)
class PastReading:
    """A request to an engine."""

    id: int
    session: str
    project: str | None
    engine: str
    why: str
    began_at: float
    ended_at: float
    tokens: int
    dollars: float | None
    failure: str  # "": it was read
    written: int


@dataclass(frozen=True, slots=True)
class Journaled:
    """An event of a session as the journal has it."""

    seq: int
    at: float  # seconds UTC
    agent: str
    body: bytes


class ReadingQuestions(Protocol):
    """Questions of the reader of sessions to the store."""

    async def unread_sessions(self, since: float, limit: int) -> list[Unread]:
        """The newest sessions that began since then and of which something was not read."""
        ...

    async def events_to_read(self, session: str) -> list[Journaled]:
        """Events of a session that were not read, oldest first."""
        ...

    async def events_of_session(self, session: str) -> list[Journaled]:
        """All events of a session, oldest first."""
        ...

    async def captured_turns(self, session: str) -> list[int]:
        """The first events of the turns of a session that a moment captured."""
        ...

    async def readings_since(self, since: float) -> list[PastReading]:
        """Requests that ended since then, oldest first."""
        ...

    async def last_readings(self, limit: int) -> list[PastReading]:
        """The last requests, the newest first."""
        ...

    async def reading_totals(self) -> tuple[int, int, int, float | None]:
        """Sessions that were read, notes, tokens, and dollars as far as engines told them."""
        ...

    async def consent_to(self, engine: str) -> tuple[float, float] | None:
        """When a person agreed to this engine, and when one last looked; None: nobody agreed."""
        ...
