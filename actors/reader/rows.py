"""Rows of the store as the reader of sessions sees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from actors.policy.reader.order import Spent

# In the body of an event that was journaled later than it happened: when that was, seconds UTC.
HAPPENED_AT: Final = "happened_at"


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


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A memory that the reader wrote, with what proves it and what became of it."""

    memory_id: int
    title: str
    text: str
    kind: str  # as the reader calls it
    said_by: str  # user, agent, tool
    scope: str  # always, when
    project: str | None
    session: str
    seq: int  # the event of the quotation
    at: float  # when that came, seconds UTC
    read_at: float
    engine: str
    why: str  # why the session was read
    quotation: str
    agreed_to: str
    relation: str
    named: int | None  # the memory that the relation is to
    named_text: str
    ended: bool  # whether it ended that one
    refusal: str  # why it may not
    began_waiting: bool  # it lives once a person keeps it
    is_living: bool
    seen_at: float | None
    verdict: str  # of a person
    before: str  # the verdict until then

    @property
    def waits(self) -> bool:
        """Tell whether a person is to keep it before it lives."""
        return self.began_waiting and not self.is_living and self.verdict == ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Facts of a living note of the reader beside its memory."""

    kind: str  # as the reader calls it
    scope: str  # always, when
    verdict: str  # of a person: kept, edited or empty


def spent_by(one: PastReading) -> Spent:
    """Return a request as the limits count it."""
    return Spent(one.began_at, one.ended_at, one.tokens, one.failure, bool(one.session))


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

    async def much_noted(self, new: int) -> str | None:
        """The project with the most notes since they were read together, if it has so many."""
        ...

    async def last_readings(self, limit: int) -> list[PastReading]:
        """The last requests, the newest first."""
        ...

    async def reading_totals(self) -> tuple[int, int, int, float | None]:
        """Sessions that were read, notes, tokens, and dollars as far as engines told them."""
        ...

    async def consent_to(self, engine: str) -> tuple[float, float] | None:
        """Tell when a person agreed to this engine, and when one last looked; None: nobody agreed."""
        ...


class NoteQuestions(Protocol):
    """Questions to the store about notes that were read, or are to be."""

    async def given_by(self, first_seq: int, last_seq: int, limit: int) -> list[int]:
        """Living memories that these events of the first one's session gave, the most important first."""
        ...

    async def unwanted(self, project: str, texts: Sequence[str]) -> list[str]:
        """Select those of these texts that a person forgot, refuted or dropped in a project, or erased."""
        ...

    async def prompts_elsewhere(self, session: str, limit: int) -> list[str]:
        """Tell what persons typed in other sessions, each text once, the newest first."""
        ...

    async def cues_to_embed(self, model: str, limit: int) -> list[str]:
        """Prompts that are cues of living notes and have no vector of this model."""
        ...
