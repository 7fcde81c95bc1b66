"""What is said of readings: messages to the reader of sessions, rows of the store, writes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from actors.core.mailbox import Question
from actors.policy.reader.digest import Digest
from actors.policy.reader.exchange import Engine
from actors.policy.reader.next_session import PastReading, Unread

# ---- rows of the store as the reader of sessions sees them


# In the body of an event that was journaled later than it happened: when that was, seconds UTC.
HAPPENED_AT: Final = "happened_at"


class Journaled(Struct, frozen=True):
    """An event of a session as the journal has it."""

    seq: int
    at: float  # seconds UTC
    agent: str
    body: bytes


class NoteRow(Struct, frozen=True):
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
    is_living: bool
    seen_at: float | None
    verdict: str  # of a person
    before: str  # the verdict until then


class Mark(Struct, frozen=True):
    """Facts of a living note of the reader beside its memory."""

    kind: str  # as the reader calls it
    scope: str  # always, when
    verdict: str  # of a person: kept, edited or empty


# ---- writes of readings: progress in a session, the cost of a request, its notes


class ReadingBegun(Struct, frozen=True):
    """A request is about to be sent to an engine. Outcome: its number.

    It counts from now on, with its highest cost: a daemon dying in the middle has spent it.
    """

    session: str  # "" for a request of a dream
    project: str | None
    engine: str
    why: str  # one line: why this session is read now
    began_at: float  # of the whole reading of this session
    at: float
    first_seq: int
    last_seq: int
    tokens: int  # of the request, as they are estimated


class ReadingEnded(Struct, frozen=True):
    """A request was answered, or failed. Outcome: 1, or 0 when there is no such reading."""

    reading: int
    at: float
    tokens: int
    dollars: float | None
    failure: str  # "": it was read
    written: int = 0
    dropped: Mapping[str, int] | None = None  # notes by the reason


class SessionRead(Struct, frozen=True):
    """A session was read to this event, and whatever failed before is over. Outcome: 1."""

    session: str
    upto: int


class SessionFailed(Struct, frozen=True):
    """A session could not be read. Outcome: its number of failures in a row."""

    session: str
    failure: str
    next_try: float  # seconds UTC
    given_up: bool


class Consented(Struct, frozen=True):
    """A person agreed to this engine; an earlier agreement to the same stands. Outcome: 1 when new."""

    engine: str
    at: float


class ConsentEnded(Struct, frozen=True):
    """No engine reads any more: a person's agreement is over. Outcome: how many there were."""


class ReaderLookedAt(Struct, frozen=True):
    """A person looked at the reader: a stopped engine goes on. Outcome: 1, or 0."""

    engine: str
    at: float


class Cue(Struct, frozen=True):
    """Cue for bringing a note up: a prompt, a file, a symbol, a command or an error line."""

    kind: str
    text: str
    vector: bytes | None = None  # of a prompt
    model: str = ""  # of the vector


class NoteRead(Struct, frozen=True):
    """The words proving a memory of the reader, and its cues.

    ``memory_id`` 0 means the one just created. Outcome: 1, or 0 when there is no such memory.
    """

    memory_id: int
    reading: int
    session: str
    seq: int  # the event of the quotation
    kind: str  # as the reader calls it
    said_by: str  # user, agent, tool
    scope: str  # always, when
    quotation: str
    at: float
    agreed_to: str = ""  # the sentence that a short quotation answers
    relation: str = "none"  # none, refines, contradicts
    named: int | None = None  # the memory that the relation is to
    ended: bool = False  # whether it ended that one
    refusal: str = ""  # why it may not
    cues: tuple[Cue, ...] = ()


class CueVectored(Struct, frozen=True):
    """The vector of a prompt among the cues. Outcome: how many notes have this cue."""

    text: str
    vector: bytes
    model: str


class NotesSeen(Struct, frozen=True):
    """A person saw these notes in the inbox. Outcome: how many were new."""

    memory_ids: tuple[int, ...]
    at: float


class NoteJudged(Struct, frozen=True):
    """A person kept, edited or dropped a note, or takes it back (""). Outcome: 0 when there is none."""

    memory_id: int
    verdict: str
    at: float
    ended: bool  # whether the memory that it names has ended by it
    undoes: bool = False  # it takes back the verdict before


class StoppedAt(Struct, frozen=True):
    """Place where a session stopped, as the reader says; "" when nothing of it is open. Outcome: 1."""

    session: str
    text: str


NoteWrite = NoteRead | CueVectored | NotesSeen | NoteJudged | StoppedAt
ReadingWrite = (
    ReadingBegun | ReadingEnded | SessionRead | SessionFailed
    | Consented | ConsentEnded | ReaderLookedAt
)  # fmt: skip


# ---- messages to the reader of sessions


class ReadingEngine(Struct, frozen=True):
    """The engine a person agreed to, as the reader uses it."""

    name: str  # with what it is run by: program, address or model
    answer: Engine
    is_local: bool = False  # it runs on this machine: only while nobody is there
    agents: frozenset[str] | None = None  # whose sessions it may read; None: everybody's
    tokens: int = 40_000  # of one request's text, at most
    # Why a session of this agent in these folders went elsewhere than the engine would send it, else
    # empty; last are the endpoints that its hooks saw. It reads files: on a thread. None: it goes
    # where the session went.
    elsewhere: Callable[[str, Sequence[str], Collection[str]], str] | None = None


class ReadingStep(Struct, frozen=True):
    """Progress of a reading for a waiting person."""

    done: int  # sessions that were read
    sessions: int
    notes: int
    tokens: int


class ReadingReport(Struct, frozen=True):
    """Outcome of a reading ordered by a person; of a dry one its price."""

    sessions: int
    notes: int
    tokens: int
    dollars: float | None
    failures: tuple[str, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])


class ReaderState(Struct, frozen=True):
    """The reader as a person sees it."""

    engine: str  # "": none
    since: float | None  # when a person agreed
    stopped: str  # why the engine is not asked any more; "" when it is
    reading: str  # the session that is being read
    next: str  # the session that is read next
    why: str  # why that one, or what it waits for
    waiting: int  # sessions that are to be read
    sessions: int  # already read
    notes: int
    tokens: int  # of all time
    tokens_today: int
    dollars: float | None  # of all time; None: no engine told any
    unread: tuple[str, ...]  # sessions that are not read, and why not, the newest first
    past: tuple[PastReading, ...]  # the newest first


class Look(Struct, frozen=True):
    """It may be time to read a session."""

    at: float


class ReadNow(Question[ReadingReport], frozen=True):
    """A person orders to read these sessions, or all new ones since the last reading."""

    sessions: tuple[str, ...] | None
    dry_run: bool
    progress: Callable[[ReadingStep], None]
    past: tuple[Unread, ...] = ()  # sessions that were journaled to be read: of these instead


class StopReading(Question[bool], frozen=True):
    """Stop the reading under way; its results so far stay. Answer: whether there was one."""


class HowItReads(Question[ReaderState], frozen=True):
    """Question for the reader's state; a person's question starts a stopped engine again."""

    at: float
    by_person: bool


class Chosen(Question[None], frozen=True):
    """A person agreed to an engine, or to none any more."""

    engine: ReadingEngine | None
    at: float


class WouldShow(Question[Digest], frozen=True):
    """Question for the digest of a session, read or not."""

    session: str


SessionReaderMessage = Look | ReadNow | StopReading | HowItReads | Chosen | WouldShow
