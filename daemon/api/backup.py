"""Backups made by the daemon, of a day or by a name; a person alone brings one back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from daemon.api.operation import Argument, Line, Operation, Verb
from daemon.commands.terminal.words import counted, megabytes
from daemon.shapes.replies import BadRequest, Done, NotThere, Reply
from daemon.views import view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress
    from daemon.durability.copies import Copy


# ---- making one


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
    SLOW = True
    name: Annotated[str | None, Argument("[NAME]")] = None  # letters, digits, dots and dashes

    VERBS = (Verb("backup now"),)

    async def answer(self, parts: Parts, _: Progress) -> BackedUp:
        from daemon.durability.copies import NAME

        name = self.name or ""
        if name and not NAME.fullmatch(name):
            raise BadRequest(
                "the name of a backup is of letters, digits, '.', '_' and '-', and begins with a"
                " letter or a digit: 40 at most"
            )
        if any(copy.name == name for copy in await _named(parts)):
            raise BadRequest(f"there is a backup {name!r}: give another name, or delete it first")
        backups = parts.backups
        if backups is None:
            raise NotThere("no_backups", "no backups are made here")
        made = await backups.make(name=name)
        copy, memories = made.copy, made.found.memories
        return view(BackedUp, copy, file=str(copy.path), memories=memories, removed=made.removed)

    def lines(self, done: BackedUp) -> list[Line]:
        memories = counted(done.memories, "memory", "memories")
        return [f"{done.file}: {memories}, {megabytes(done.size)}, sound"]


async def _named(parts: Parts) -> list[Copy]:
    import trio

    from daemon.durability.copies import copies

    return [copy for copy in await trio.to_thread.run_sync(copies, parts.home) if copy.name]


class DeleteBackup(Operation[Done], frozen=True, kw_only=True):
    """Delete a backup that has a name."""

    NAME = "delete-backup"
    name: Annotated[str, Argument("NAME")]

    VERBS = (Verb("backup delete"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        import trio

        found = [copy.path for copy in await _named(parts) if copy.name == self.name]
        if not found:
            raise BadRequest(f"there is no backup {self.name[:60]!r}: list them")
        for path in found:
            await trio.Path(path).unlink(missing_ok=True)
        return Done(count=len(found), note=f"deleted {self.name}")

    def lines(self, done: Done) -> list[Line]:
        return [done.note]
