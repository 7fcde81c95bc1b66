"""Sessions, and what each attends to."""

import msgspec

from daemon.requests.intentions import IntentionView
from daemon.requests.shapes import Done, Reply, Request


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """A session of an agent."""

    session: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    status: str  # open, ended
    task: str  # the last prompt that tells what it is at, shortened
    silent: bool  # a person wants no notes in it
    held: int  # memories it attends to
    delivered: int  # notes it has in its context


class SessionsListed(Reply, frozen=True, kw_only=True):
    """Sessions, the one seen last first."""

    sessions: list[SessionView]
    total: int


class ListSessions(Request[SessionsListed], frozen=True, kw_only=True):
    """Request for the sessions that are known."""

    NAME = "list-sessions"
    limit: int = 20


class HeldView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that a session attends to."""

    id: str
    title: str
    attention: float  # 0…1
    tier: str  # hot, warm


class DeliveredView(msgspec.Struct, frozen=True, kw_only=True):
    """A note that a session has in its context."""

    id: str | None  # None: its memory says something else by now, or is erased
    title: str
    at: float
    faded: bool  # out of the session's attention: it may be told again


class SessionShown(Reply, frozen=True, kw_only=True):
    """A session with its working memory, strongest first, and its deliveries, oldest first."""

    session: SessionView
    working_memory: list[HeldView]
    delivered: list[DeliveredView]


class ShowSession(Request[SessionShown], frozen=True, kw_only=True):
    """Show me this session; the beginning of its name is enough when it is the only one."""

    NAME = "show-session"
    session: str


class ClearSession(Request[Done], frozen=True, kw_only=True):
    """Empty this session's working memory and its ledger of deliveries."""

    NAME = "clear-session"
    session: str


class AttendedView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that a session attends to, with its text."""

    id: str
    text: str
    attention: float  # 0…1


class FailureView(msgspec.Struct, frozen=True, kw_only=True):
    """A command that failed and has not worked since."""

    command: str
    error: str  # one line


class SessionResumed(Reply, frozen=True, kw_only=True):
    """Task of a session, and what is left to do."""

    session: SessionView
    summary: str  # of its last compaction; empty when there was none
    working_memory: list[AttendedView]  # strongest first
    failures: list[FailureView]  # oldest first
    edited: list[str]  # files, the last one last
    intentions: list[IntentionView]  # open ones of its project and of none, most urgent first


class ResumeSession(Request[SessionResumed], frozen=True, kw_only=True):
    """Request for the task of a session. Without a name: the last one of the project."""

    NAME = "resume-session"
    session: str | None = None
    project: str | None = None
