"""Backups and snapshots that somebody asks for; a person alone brings one back."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import trio

from daemon.context import NotThere, Parts, Progress, check_limit, project_meant, table
from daemon.durability.copies import NAME, Copy
from daemon.durability.snapshots import snapshots
from daemon.requests.backup import (
    BAD_NAME,
    BackedUp,
    BackupNow,
    DropSnapshot,
    ListSnapshots,
    SnapshotsKept,
    SnapshotView,
)
from daemon.requests.shapes import BadRequest, Done, Request
from daemon.under_way import told

AGENTS: Final = "agent-"  # how the names of agents' snapshots begin
MOST: Final = 10  # snapshots of agents: each is as large as the database


@dataclass(frozen=True, slots=True)
class Copied:
    """Pages that are copied, of how many."""

    done: int
    total: int


async def backup_now(parts: Parts, request: BackupNow, progress: Progress) -> BackedUp:
    """Make a backup, or a snapshot by name, and let go of what is not kept any more."""
    name = _meant(request, request.name)
    if name and not NAME.fullmatch(name):
        raise BadRequest(BAD_NAME)
    if name and request.agent_in is not None:
        await _check_room(parts, name)
    backups = parts.backups
    if backups is None:
        raise NotThere("no_backups", "no backups are made here")
    made = await told(
        progress,
        lambda seen: backups.make(lambda done, total: seen(Copied(done, total)), name=name),
    )
    return BackedUp(
        file=str(made.copy.path),
        at=made.copy.at,
        size=made.copy.size,
        memories=made.found.memories,
        removed=made.removed,
    )


def _meant(request: Request[Any], name: str) -> str:
    """The whole name of a snapshot."""
    if not name or request.agent_in is None or name.startswith(AGENTS):
        return name
    return AGENTS + name


async def _check_room(parts: Parts, name: str) -> None:
    """Raise ``BadRequest`` where an agent has a snapshot of this name, or as many as it may."""
    names = [copy.name for copy in await _kept(parts) if copy.name.startswith(AGENTS)]
    if name in names:
        raise BadRequest(f"there is a snapshot {name!r}: give another name, or delete it first")
    if len(names) >= MOST:
        raise BadRequest(f"agents keep {MOST} snapshots at most: delete one first")


async def _kept(parts: Parts) -> Sequence[Copy]:
    return await trio.to_thread.run_sync(partial(snapshots, parts.home))


async def list_snapshots(parts: Parts, request: ListSnapshots) -> SnapshotsKept:
    """Snapshots, and how a person brings back what is in them."""
    check_limit(request.limit)
    kept = await _kept(parts)
    if request.name:
        names = (request.name, _meant(request, request.name))
        kept = [copy for copy in kept if copy.name in names]
        if not kept:
            raise _none(request.name)
    project = project_meant(parts, request.project)
    scope = f" --project {shlex.quote(project)}" if project else ""
    shown = [
        SnapshotView(
            name=copy.name,
            at=copy.at,
            size=copy.size,
            restore=f"reverie snapshot restore {copy.name}{scope}",
        )
        for copy in kept[: request.limit]
    ]
    return SnapshotsKept(snapshots=shown, total=len(kept))


async def drop_snapshot(parts: Parts, request: DropSnapshot) -> Done:
    """Delete the snapshots of a name."""
    name = _meant(request, request.name)
    found = [copy.path for copy in await _kept(parts) if copy.name == name]
    if not found:
        raise _none(name)
    for path in found:
        await trio.Path(path).unlink(missing_ok=True)
    return Done(count=len(found), note=f"deleted {name}")


def _none(name: str) -> NotThere:
    return NotThere("no_such_snapshot", f"there is no snapshot {name[:60]!r}: list them")


ANSWERS = table(list_snapshots, drop_snapshot, telling=(backup_now,))
