"""What an agent asks as it takes work up: where the work stands, what is known, how the memory is."""

import msgspec

from daemon.requests.intentions import IntentionView
from daemon.requests.recall import Scored
from daemon.requests.sessions import SessionResumed
from daemon.requests.shapes import Reply, Request


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """A question, and what is known about it."""

    query: str
    results: list[Scored]  # best first
    confidence: float  # 0…1, that the first answers it


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """State of the memory."""

    memories: int | None  # None: the database cannot be read
    vectors: str  # ready, building or off
    degraded: list[str]  # what does not work, in words
    plans: int  # that wait for the user
    backup: float | None  # seconds UTC of the newest
    due: list[str]  # background work whose time has come


class Briefed(Reply, frozen=True, kw_only=True):
    """Brief of where the work of a project stands."""

    this: SessionResumed | None  # the session that asks, where its hooks told of it
    before: SessionResumed | None  # the project's session that stopped last
    intentions: list[IntentionView]  # open ones, most urgent first
    answers: list[Answered]
    health: Health


class Brief(Request[Briefed], frozen=True, kw_only=True):
    """Request for where the work of a project stands; intentions of a session stand beside it."""

    NAME = "brief"
    session: str
    project: str
    queries: list[str] = msgspec.field(default_factory=list[str])  # at most five
    k: int = 5  # results of each
    tokens: int = 1_000  # of the texts of each
