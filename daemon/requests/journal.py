"""Events that arrived, without their contents."""

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
