"""A backup of the database, or a snapshot by name, now."""

from typing import Final

import msgspec

from daemon.requests.shapes import Done, Reply, Request

BAD_NAME: Final = (
    "the name of a snapshot is of letters, digits, '.', '_' and '-', and begins with a letter or a"
    " digit: 40 at most"
)


class BackedUp(Reply, frozen=True, kw_only=True):
    """A backup that was made, looked through and found sound."""

    file: str
    at: float  # seconds UTC
    size: int  # bytes
    memories: int
    removed: int  # older ones that are not kept any more


class BackupNow(Request[BackedUp], frozen=True, kw_only=True):
    """Make a backup, or a snapshot when it has a name; nobody waits for it but whoever asked.

    Progress frames are ``{"done", "total"}``, in pages of the database. The name that an agent gives
    is prefixed with ``agent-``.
    """

    NAME = "backup-now"
    name: str = ""  # letters, digits, dots and dashes; 40 at most


class SnapshotView(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot, and the command by which a person brings back what is in it."""

    name: str
    at: float  # seconds UTC
    size: int  # bytes
    restore: str


class SnapshotsKept(Reply, frozen=True, kw_only=True):
    """Snapshots, the newest first."""

    snapshots: list[SnapshotView]
    total: int


class ListSnapshots(Request[SnapshotsKept], frozen=True, kw_only=True):
    """Request for the snapshots there are, or for the one of a name. Bringing back stops the daemon."""

    NAME = "snapshots"
    name: str = ""
    project: str | None = None  # that a person would bring back
    limit: int = 50


class DropSnapshot(Request[Done], frozen=True, kw_only=True):
    """Delete the snapshots of a name; an agent, those that agents made."""

    NAME = "drop-snapshot"
    name: str
