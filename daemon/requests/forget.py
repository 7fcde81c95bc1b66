"""Memories leave recall and come back, are put away, refuted and confirmed, or erased for good."""

from typing import Any, Literal

import msgspec

from daemon.requests.shapes import Done, Reply, Request


class Forget(Request[Done], frozen=True, kw_only=True):
    """Take these out of recall; with ``erase``, out of every file, for good.

    With ``with_events`` every event, passage and session goes too that says one in another form.
    With ``looks`` nothing is done: the note tells what would still say one after an erasure.
    An agent takes out what it may change, and erases nothing.
    """

    NAME = "forget"
    MEMORIES = ("ids",)
    ids: list[str]
    erase: bool = False
    with_events: bool = False
    looks: bool = False


class Unforget(Request[Done], frozen=True, kw_only=True):
    """Bring these back."""

    NAME = "unforget"
    ids: list[str]


class Purge(Request[Done], frozen=True, kw_only=True):
    """Erase everything forgotten, or everything of a project, or everything."""

    NAME = "purge"
    what: Literal["forgotten", "project", "everything"] = "forgotten"
    project: str | None = None


class Confirm(Request[Done], frozen=True, kw_only=True):
    """These are so; refuted ones are back."""

    NAME = "confirm"
    ids: list[str]


class Refute(Request[Done], frozen=True, kw_only=True):
    """These are not so: out of recall, until somebody confirms them."""

    NAME = "refute"
    ids: list[str]
    because: str = ""


class Archive(Request[Done], frozen=True, kw_only=True):
    """Put these away: out of recall and the indexes, as they are."""

    NAME = "archive"
    ids: list[str]


class Archival(msgspec.Struct, frozen=True, kw_only=True):
    """Standing of a memory with the archivist."""

    memory: str
    title: str
    is_archived: bool
    should_archive: bool
    why: str  # why it should, in figures, or why it stays


class ArchivalReply(Reply, frozen=True, kw_only=True):
    """Memories that would be archived, or where these stand."""

    memories: list[Archival]
    total: int  # that the rule holds for
    room: int  # how many of them one run takes at most
    figures: dict[str, Any]  # totalScanned, totalArchived, totalUnarchived, lastScanTime, errors


class WhichWouldBeArchived(Request[ArchivalReply], frozen=True, kw_only=True):
    """Request for what the archivist would put away now; with ids, where these stand."""

    NAME = "archival"
    ids: list[str] = msgspec.field(default_factory=list[str])
    limit: int = 100
