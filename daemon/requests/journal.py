"""Events that arrived, without their contents; the log of what was learnt, changed and shown."""

from typing import Any

from daemon.requests.shapes import Reply, Request


class JournalPage(Reply, frozen=True, kw_only=True):
    """Journaled events, oldest first, without their contents."""

    events: list[dict[str, Any]]
    after: int | None


class Journal(Request[JournalPage], frozen=True, kw_only=True):
    """Which events arrived?"""

    NAME = "journal"
    after: int = 0
    limit: int = 1000


class LogPage(Reply, frozen=True, kw_only=True):
    """What was learnt, changed and shown, oldest first."""

    entries: list[dict[str, Any]]


class Log(Request[LogPage], frozen=True, kw_only=True):
    """What did you learn, change and show?"""

    NAME = "log"
    since: float = 0.0
    session: str | None = None
    limit: int = 200
