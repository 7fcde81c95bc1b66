"""Backups and snapshots made by the daemon; a person alone brings one back."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Struct

from daemon.api.operation import HERE, Line, Operation, Verb
from daemon.commands.terminal.words import counted, megabytes
from daemon.shapes.replies import BadRequest, Count, Done, NotThere, Reply
from daemon.views import view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress
    from daemon.durability.copies import Copy

BAD_NAME: Final = (
    "the name of a snapshot is of letters, digits, '.', '_' and '-', and begins with a letter or a"
    " digit: 40 at most"
)
AGENTS: Final = "agent-"  # how the names of agents' snapshots begin
MOST: Final = 10  # snapshots of agents: each is as large as the database


# ---- making one


class BackedUp(Reply, frozen=True, kw_only=True):
    """A backup that was made, looked through and found sound."""

    file: str
    at: float  # seconds UTC
    size: int  # bytes
    memories: int
    removed: int  # older ones that are not kept any more


class Copied(Struct, frozen=True):
    """Pages that are copied, of how many."""

    done: int
    total: int


class BackupNow(Operation[BackedUp], frozen=True, kw_only=True):
    """Make a backup now.

    The daemon makes it, beside its other work, and looks it through before it counts.
    """

    NAME = "backup-now"
    SLOW = True
    name: str = ""  # makes it a snapshot: letters, digits, dots and dashes; 40 at most

    VERBS = (Verb("backup now"),)

    async def answer(self, parts: Parts, progress: Progress) -> BackedUp:
        from daemon.context import with_progress
        from daemon.durability.copies import NAME

        name = _meant(self.name, self.agent_in)
        if name and not NAME.fullmatch(name):
            raise BadRequest(BAD_NAME)
        if name and self.agent_in is not None:
            await _check_room(parts, name)
        backups = parts.backups
        if backups is None:
            raise NotThere("no_backups", "no backups are made here")
        made = await with_progress(
            progress,
            lambda seen: backups.make(lambda done, total: seen(Copied(done, total)), name=name),
        )
        copy, memories = made.copy, made.found.memories
        return view(BackedUp, copy, file=str(copy.path), memories=memories, removed=made.removed)

    def step(self, frame: Mapping[str, Any]) -> str:
        return f"copying the database: {frame['done']:,} of {frame['total']:,} pages"

    def lines(self, done: BackedUp) -> list[Line]:
        memories = counted(done.memories, "memory", "memories")
        sound = f"{memories}, {megabytes(done.size)}, sound"
        return [f"{self.name}: {sound} ({done.file})" if self.name else f"{done.file}: {sound}"]


async def _check_room(parts: Parts, name: str) -> None:
    """Raise ``BadRequest`` where an agent has a snapshot of this name, or as many as it may."""
    names = [copy.name for copy in await _kept(parts) if copy.name.startswith(AGENTS)]
    if name in names:
        raise BadRequest(f"there is a snapshot {name!r}: give another name, or delete it first")
    if len(names) >= MOST:
        raise BadRequest(f"agents keep {MOST} snapshots at most: delete one first")


def _meant(name: str, agent_in: str | None) -> str:
    """The whole name of a snapshot: an agent's has a prefix."""
    if not name or agent_in is None or name.startswith(AGENTS):
        return name
    return AGENTS + name


async def _kept(parts: Parts) -> Sequence[Copy]:
    import trio

    from daemon.durability.copying import snapshots

    return await trio.to_thread.run_sync(snapshots, parts.home)


def _none(name: str) -> NotThere:
    return NotThere("no_such_snapshot", f"there is no snapshot {name[:60]!r}: list them")


# ---- which there are


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


class ListSnapshots(Operation[SnapshotsKept], frozen=True, kw_only=True):
    """Request for the snapshots there are, or for the one of a name. Bringing back stops the daemon."""

    NAME = "snapshots"
    name: str = ""
    project: Annotated[str | None, HERE] = None  # that a person would bring back
    limit: Count = 50

    async def answer(self, parts: Parts, _: Progress) -> SnapshotsKept:
        kept = await _kept(parts)
        if self.name:
            names = (self.name, _meant(self.name, self.agent_in))
            kept = [copy for copy in kept if copy.name in names]
            if not kept:
                raise _none(self.name)
        project = parts.project_meant(self.project)
        scope = f" --project {shlex.quote(project)}" if project else ""
        shown = [
            view(SnapshotView, copy, restore=f"reverie snapshot restore {copy.name}{scope}")
            for copy in kept[: self.limit]
        ]
        return SnapshotsKept(snapshots=shown, total=len(kept))


class DropSnapshot(Operation[Done], frozen=True, kw_only=True):
    """Delete the snapshots of a name; an agent, those that agents made."""

    NAME = "drop-snapshot"
    name: str

    async def answer(self, parts: Parts, _: Progress) -> Done:
        import trio

        name = _meant(self.name, self.agent_in)
        found = [copy.path for copy in await _kept(parts) if copy.name == name]
        if not found:
            raise _none(name)
        for path in found:
            await trio.Path(path).unlink(missing_ok=True)
        return Done(count=len(found), note=f"deleted {name}")
