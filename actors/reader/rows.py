"""Rows of the store as the reader of sessions sees them."""

from dataclasses import dataclass
from typing import Final

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
    tries: int  # failed ones in a row
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
    """A memory written by the reader, with its proof and its later fate."""

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
