"""A backup of the database, now."""

from daemon.requests.shapes import Reply, Request


class BackedUp(Reply, frozen=True, kw_only=True):
    """A backup that was made, looked through and found sound."""

    file: str
    at: float  # seconds UTC
    size: int  # bytes
    memories: int
    removed: int  # older ones that are not kept any more


class BackupNow(Request[BackedUp], frozen=True, kw_only=True):
    """Make a backup; nobody waits for it but whoever asked.

    Progress frames are ``{"done", "total"}``, in pages of the database.
    """

    NAME = "backup-now"
