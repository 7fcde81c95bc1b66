"""Writes of readings: progress in a session, the cost of a request, its notes."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingBegun:
    """A request is about to be sent to an engine. Outcome: its number.

    It counts from now on, with its highest cost: a daemon dying in the middle has spent it.
    """

    session: str  # "" for a request of a dream or of a trial
    project: str | None
    engine: str
    why: str  # one line: why this session is read now
    began_at: float  # of the whole reading of this session
    at: float
    first_seq: int
    last_seq: int
    tokens: int  # of the request, as they are estimated


@dataclass(frozen=True, slots=True)
class ReadingEnded:
    """A request was answered, or failed. Outcome: 1, or 0 when there is no such reading."""

    reading: int
    at: float
    tokens: int
    dollars: float | None
    failure: str  # "": it was read
    written: int = 0
    dropped: Mapping[str, int] | None = None  # notes by the reason


@dataclass(frozen=True, slots=True)
class SessionRead:
    """A session was read to this event, and whatever failed before is over. Outcome: 1."""

    session: str
    upto: int


@dataclass(frozen=True, slots=True)
class SessionFailed:
    """A session could not be read. Outcome: its number of failures in a row."""

    session: str
    failure: str
    next_try: float  # seconds UTC
    given_up: bool


@dataclass(frozen=True, slots=True)
class Consented:
    """A person agreed to this engine; an earlier agreement to the same stands. Outcome: 1 when new."""

    engine: str
    at: float


@dataclass(frozen=True, slots=True)
class ConsentEnded:
    """No engine reads any more: a person's agreement is over. Outcome: how many there were."""


@dataclass(frozen=True, slots=True)
class ReaderLookedAt:
    """A person looked at the reader: a stopped engine goes on. Outcome: 1, or 0."""

    engine: str
    at: float


@dataclass(frozen=True, slots=True)
class Cue:
    """Cue for bringing a note up: a prompt, a file, a symbol, a command or an error line."""

    kind: str
    text: str
    vector: bytes | None = None  # of a prompt
    model: str = ""  # of the vector


@dataclass(frozen=True, slots=True)
class NoteRead:
    """The words proving a memory of the reader, and its cues.

    ``memory_id`` 0 means the one just created. One with ``waits`` ends with this, until a person
    keeps it. Outcome: 1, or 0 when there is no such memory.
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
    waits: bool = False
    cues: tuple[Cue, ...] = ()


@dataclass(frozen=True, slots=True)
class CueVectored:
    """The vector of a prompt among the cues. Outcome: how many notes have this cue."""

    text: str
    vector: bytes
    model: str


@dataclass(frozen=True, slots=True)
class NotesSeen:
    """A person saw these notes in the inbox. Outcome: how many were new."""

    memory_ids: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class NoteJudged:
    """A person kept, edited or dropped a note, or takes it back ("").

    Outcome: 1, or 0 when the reader wrote no such note.
    """

    memory_id: int
    verdict: str
    at: float
    ended: bool  # whether the memory that it names has ended by it
    undoes: bool = False  # it takes back the verdict before


@dataclass(frozen=True, slots=True)
class StoppedAt:
    """Place where a session stopped, as the reader says; "" when nothing of it is open. Outcome: 1."""

    session: str
    text: str


NoteWrite = NoteRead | CueVectored | NotesSeen | NoteJudged | StoppedAt
ReadingWrite = (
    ReadingBegun
    | ReadingEnded
    | SessionRead
    | SessionFailed
    | Consented
    | ConsentEnded
    | ReaderLookedAt
)
