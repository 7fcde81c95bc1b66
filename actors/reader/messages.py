"""Messages to the reader of sessions."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from actors.core.mailbox import Question
from actors.policy.reader.digest import Digest
from actors.policy.reader.exchange import Engine
from actors.reader.rows import PastReading, Unread

Unlike: TypeAlias = Callable[[str, str, Collection[str]], str]
"""Reason why a session of this agent in this folder went elsewhere than the engine would send it; else empty.

Last are the endpoints that the session's hooks saw. It reads files: on a thread.
"""


def alike(_: str, __: str, ___: Collection[str]) -> str:
    """It goes where the session went."""
    return ""


@dataclass(frozen=True, slots=True)
class ReadingEngine:
    """The engine a person agreed to, as the reader uses it."""

    name: str  # with what it is run by: program, address or model
    answer: Engine
    is_local: bool = False  # it runs on this machine: only while nobody is there
    agents: frozenset[str] | None = None  # whose sessions it may read; None: everybody's
    tokens: int = 40_000  # of one request's text, at most
    waits: bool = False  # its notes wait until a person keeps them
    unlike: Unlike = alike


@dataclass(frozen=True, slots=True)
class ReadingStep:
    """Progress of a reading for a waiting person."""

    done: int
    sessions: int
    session: str  # the one that is read now
    notes: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """Outcome of a reading ordered by a person; of a dry one its price."""

    sessions: int
    notes: int
    tokens: int
    dollars: float | None
    failures: tuple[str, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class ReaderState:
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


@dataclass(frozen=True, slots=True)
class Look:
    """It may be time to read a session."""

    at: float


@dataclass(frozen=True, slots=True)
class ReadNow(Question[ReadingReport]):
    """A person orders to read these sessions, or all new ones since the last reading."""

    sessions: tuple[str, ...] | None
    dry_run: bool
    progress: Callable[[ReadingStep], None]
    past: tuple[Unread, ...] = ()  # sessions that were journaled to be read: of these instead


@dataclass(frozen=True, slots=True)
class StopReading(Question[bool]):
    """Stop the reading under way; its results so far stay. Answer: whether there was one."""


@dataclass(frozen=True, slots=True)
class HowItReads(Question[ReaderState]):
    """Question for the reader's state; a person's question starts a stopped engine again."""

    at: float
    by_person: bool


@dataclass(frozen=True, slots=True)
class Chosen(Question[None]):
    """A person agreed to an engine, or to none any more."""

    engine: ReadingEngine | None
    at: float


@dataclass(frozen=True, slots=True)
class WouldShow(Question[Digest]):
    """Question for the digest of a session, read or not."""

    session: str


SessionReaderMessage = Look | ReadNow | StopReading | HowItReads | Chosen | WouldShow
