"""Events that arrived; the log of what was learnt, changed and shown; following it."""

from typing import Any

from daemon.requests.shapes import Reply, Request, Row


class JournalPage(Reply, frozen=True, kw_only=True):
    """Journaled events, oldest first, without their contents."""

    events: list[dict[str, Any]]
    after: int | None


class Journal(Request[JournalPage], frozen=True, kw_only=True):
    """Request for the events that arrived."""

    NAME = "journal"
    after: Row = 0
    limit: int = 1000


class LogPage(Reply, frozen=True, kw_only=True):
    """Entries of what was learnt, changed and shown, oldest first."""

    entries: list[dict[str, Any]]


class Log(Request[LogPage], frozen=True, kw_only=True):
    """Request for what was learnt, changed and shown."""

    NAME = "log"
    since: float = 0.0
    session: str | None = None
    limit: int = 200


class FollowEnded(Reply, frozen=True, kw_only=True):
    """The daemon stops: nothing more will happen in it."""


class Follow(Request[FollowEnded], frozen=True, kw_only=True):
    """Tell me what happens.

    Each progress frame is ``{"events": [{"number", "at", "type", "data"}], "dropped"}``:
    what happened since the frame before, and how much of it was not kept for one who reads so
    slowly. A frame with a ``Heartbeat`` comes when nothing else did for a minute.
    """

    NAME = "follow"
    ASKED_BY = "onlooker"
    recent: bool = False  # begin with what is still kept, not with what comes
    titles: bool = False  # with the titles of the memories, for a person
