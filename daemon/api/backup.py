"""Backups made by the daemon, of a day or by a name; a person alone brings one back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from daemon.api.operation import Argument, Line, Operation, Verb
from daemon.commands.terminal.words import counted, megabytes
from daemon.shapes.replies import BadRequest, Count, Done, NotThere, Reply
from daemon.views import view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress
    from daemon.durability.copies import Copy

AGENTS: Final = "agent-"  # how the names of agents' backups begin
MOST: Final = 10  # backups of agents: each is as large as the database


class BackedUp(Reply, frozen=True, kw_only=True):
    """A backup that was made, looked through and found sound."""

    file: str
    at: float  # seconds UTC
    size: int  # bytes
    memories: int
    removed: int  # older ones that are not kept any more


class BackupNow(Operation[BackedUp], frozen=True, kw_only=True):
    """Make a backup now.

    The daemon makes it, beside its other work, and looks it through before it counts. One with a
    NAME stays until you delete it, or erase something: that takes every copy.
    """

    NAME = "backup-now"
    FOR_AGENTS = True
    SLOW = True
    name: Annotated[str | None, Argument("[NAME]")] = None  # letters, digits, dots and dashes

    VERBS = (Verb("backup now"),)

    async def answer(self, parts: Parts, _: Progress) -> BackedUp:
        from daemon.durability.copies import NAME

        name = _meant(self.name or "", self.agent_in)
        if name and not NAME.fullmatch(name):
            raise BadRequest(
                "the name of a backup is of letters, digits, '.', '_' and '-', and begins with a"
                " letter or a digit: 40 at most"
            )
        kept = await _named(parts)
        if any(copy.name == name for copy in kept):
            raise BadRequest(f"there is a backup {name!r}: give another name, or delete it first")
        agents = [copy for copy in kept if copy.name.startswith(AGENTS)]
        if name and self.agent_in is not None and len(agents) >= MOST:
            raise BadRequest(f"agents keep {MOST} backups at most: delete one first")
        if parts.backups is None:
            raise NotThere("no_backups", "no backups are made here")
        made = await parts.backups.make(name=name)
        copy, memories = made.copy, made.found.memories
        return view(BackedUp, copy, file=str(copy.path), memories=memories, removed=made.removed)

    def lines(self, done: BackedUp) -> list[Line]:
        memories = counted(done.memories, "memory", "memories")
        return [f"{done.file}: {memories}, {megabytes(done.size)}, sound"]


def _meant(name: str, agent_in: str | None) -> str:
    """The whole name of a backup: an agent's has a prefix."""
    if not name or agent_in is None or name.startswith(AGENTS):
        return name
    return AGENTS + name


async def _named(parts: Parts) -> list[Copy]:
    import trio

    from daemon.durability.copies import copies

    return [copy for copy in await trio.to_thread.run_sync(copies, parts.home) if copy.name]


class NamedView(msgspec.Struct, frozen=True, kw_only=True):
    """A backup with a name, and the command by which a person brings it back."""

    name: str
    at: float  # seconds UTC
    size: int  # bytes
    restore: str


class NamedBackups(Reply, frozen=True, kw_only=True):
    """Backups with a name, the newest first."""

    backups: list[NamedView]
    total: int


class ListNamed(Operation[NamedBackups], frozen=True, kw_only=True):
    """Request for the backups with a name. Bringing one back stops the daemon: a person does that."""

    NAME = "backups"
    FOR_AGENTS = True
    limit: Count = 50

    async def answer(self, parts: Parts, _: Progress) -> NamedBackups:
        kept = await _named(parts)
        shown = [
            view(NamedView, copy, restore=f"reverie backup restore {copy.name}")
            for copy in kept[: self.limit]
        ]
        return NamedBackups(backups=shown, total=len(kept))


class DeleteBackup(Operation[Done], frozen=True, kw_only=True):
    """Delete a backup that has a name.

    An agent deletes those that agents made.
    """

    NAME = "delete-backup"
    FOR_AGENTS = True
    name: Annotated[str, Argument("NAME")]

    VERBS = (Verb("backup delete"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        import trio

        name = _meant(self.name, self.agent_in)
        found = [copy.path for copy in await _named(parts) if copy.name == name]
        if not found:
            raise BadRequest(f"there is no backup {name[:60]!r}: list them")
        for path in found:
            await trio.Path(path).unlink(missing_ok=True)
        return Done(count=len(found), note=f"deleted {name}")

    def lines(self, done: Done) -> list[Line]:
        return [done.note]
