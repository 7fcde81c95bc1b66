"""A backup that a person asks for."""

from dataclasses import dataclass

from daemon.context import NotThere, Parts, Progress, table
from daemon.requests.backup import BackedUp, BackupNow
from daemon.under_way import told


@dataclass(frozen=True, slots=True)
class Copied:
    """Pages that are copied, of how many."""

    done: int
    total: int


async def backup_now(parts: Parts, _: BackupNow, progress: Progress) -> BackedUp:
    """Make a backup and let go of what is not kept any more."""
    backups = parts.backups
    if backups is None:
        raise NotThere("no_backups", "no backups are made here")
    made = await told(
        progress, lambda seen: backups.make(lambda done, total: seen(Copied(done, total)))
    )
    return BackedUp(
        file=str(made.copy.path),
        at=made.copy.at,
        size=made.copy.size,
        memories=made.found.memories,
        removed=made.removed,
    )


ANSWERS = table(backup_now)
