"""Sessions, and what each attends to."""

from __future__ import annotations

from typing import Any

import msgspec

from daemon.requests.shapes import Done, Reply, Request


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """A session of an agent."""

    session: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    status: str  # open, ended
    task: str  # the last prompt, shortened
    silent: bool  # a person wants no notes in it
    held: int  # memories it attends to
    delivered: int  # notes it has in its context


class SessionsListed(Reply, frozen=True, kw_only=True):
    """Sessions, the one seen last first."""

    sessions: list[SessionView]
    total: int


class ListSessions(Request[SessionsListed], frozen=True, kw_only=True):
    """Which sessions are known?"""

    NAME = "list-sessions"
    limit: int = 20


class HeldView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that a session attends to."""

    id: str
    title: str
    attention: float  # 0…1
    tier: str  # focused, active, peripheral, fading


class DeliveredView(msgspec.Struct, frozen=True, kw_only=True):
    """A note that a session has in its context."""

    id: str | None  # None: its memory says something else by now, or is erased
    title: str
    at: float


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


ASKED: tuple[type[Request[Any]], ...] = (
    ListSessions,
    ShowSession,
    ClearSession,
)
