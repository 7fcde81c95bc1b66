"""Memories are put away as they are."""

from typing import Any

import msgspec

from daemon.requests.shapes import Done, Reply, Request


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
