"""The log of what was learnt, changed and shown."""

from typing import Any

from daemon.requests.shapes import Reply, Request


class LogPage(Reply, frozen=True, kw_only=True):
    """What was learnt, changed and shown, oldest first."""

    entries: list[dict[str, Any]]


class Log(Request[LogPage], frozen=True, kw_only=True):
    """What did you learn, change and show?"""

    NAME = "log"
    since: float = 0.0
    session: str | None = None
    limit: int = 200
