"""Memories that leave as notes of a repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from daemon.api.operation import HERE, Argument, Aside, Line, Operation, Option, Terminal, Verb
from daemon.api.shared import SharedNotes, Trust, Untrust
from daemon.commands.terminal.words import counted, one_line
from daemon.projects import checkout_of
from daemon.shapes.replies import Reply
from daemon.views import short_id

if TYPE_CHECKING:
    from daemon.context import Parts, Progress
    from daemon.share.leaving import Going

FOLDER: Final = ".reverie/notes"


class GoingView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that leaves."""

    id: str
    file: str  # in the folder of notes
    is_new: bool  # else the file is there and says something else
    content: str  # of the file


class StayingView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that stays."""

    id: str
    reason: str


class Leaving(Reply, frozen=True, kw_only=True):
    """Memories of a share: leaving ones, ones there already, and staying ones with the reason."""

    going: list[GoingView]
    same: list[str]  # ids
    staying: list[StayingView]
    taken_out: list[str]  # files
    written: bool


class Share(Operation[Leaving], frozen=True, kw_only=True):
    """Write memories into this repository, as notes for those who work on it.

    One Markdown file a note below .reverie/notes, to be reviewed and committed as any other; nothing
    is committed by reverie. Only what you said or kept leaves: no wish of yours, no secret, nothing
    of another project. It shows each file and asks first.

    'reverie share' alone lists what is shared, and what of the folder is not read and why.
    'reverie share trust' has the notes of others in this repository read here, and those that each
    pull brings; 'reverie share untrust' ends it, and theirs with it.
    """

    NAME = "share"
    REFUSED = "nothing was written"
    ids: Annotated[list[str], Argument("[ID]...")] = msgspec.field(default_factory=list[str])
    all_of_it: Annotated[
        bool, Option("--project", "Every decision, rule and trap of this project that may leave.")
    ] = False
    back: Annotated[bool, Option("--back", "Take the files of these memories out again.")] = False
    yes: Annotated[bool, Option("--yes", "Do not ask.")] = False
    by: str = ""  # the name of who shares
    project: Annotated[str | None, HERE] = None

    VERBS = (Verb("share"),)

    def prepared(self, _: Terminal, /) -> Operation[Any]:
        if self.ids == ["trust"]:
            return Trust(project=self.project, yes=self.yes)
        if self.ids == ["untrust"]:
            return Untrust(project=self.project)
        if self.ids and self.all_of_it:
            raise ValueError("Give ids or --project.")
        if self.back and not self.ids:
            raise ValueError("--back goes with the ids of what is shared.")
        if not (self.ids or self.all_of_it):
            return SharedNotes(project=self.project)
        if self.project and checkout_of(self.project, str(Path.cwd())) != self.project:
            raise ValueError(f"This is a worktree: share in the main checkout, {self.project}.")
        return msgspec.structs.replace(self, by=_own_name(self.project))

    async def answer(self, parts: Parts, _: Progress) -> Leaving:
        from daemon.share import leaving

        project = parts.project_meant(self.project) or ""
        if self.back:
            memories = await parts.known_memories(self.ids)
            gone = await leaving.taken_out(parts, [one.id for one in memories])
            return Leaving(going=[], same=[], staying=[], taken_out=gone, written=True)
        memories = (
            await parts.known_memories(self.ids)
            if self.ids
            else await leaving.shareable(parts, project)
        )
        there, staying = await leaving.departure(
            parts, project, memories, self.by, named=bool(self.ids)
        )
        going = [one for one in there if not one.is_same]
        if self.yes:
            await leaving.written_out(parts, project, there)
        return Leaving(
            going=[_going(one) for one in going],
            same=[short_id(one.memory.id) for one in there if one.is_same],
            staying=[StayingView(id=short_id(one), reason=why) for one, why in staying.items()],
            taken_out=[],
            written=self.yes,
        )

    def question(self, done: Leaving) -> str:
        if done.written or not done.going:
            return ""
        return f"Write {counted(len(done.going), 'note')} into {FOLDER}?"

    def has_failed(self, done: Leaving) -> bool:
        return bool(self.question(done)) or bool(self.ids and done.staying)

    def lines(self, done: Leaving) -> Iterator[Line]:
        if self.back:
            yield from (f"took {one} out" for one in done.taken_out)
            if done.taken_out:
                yield f"commit when you want: git add {FOLDER}"
            else:
                yield "none of them is shared"
            return
        for one in done.going:
            yield f"{one.id}  {FOLDER}/{one.file}{'' if one.is_new else ' (changed)'}"
            if not done.written:
                yield from (f"    {line}" for line in one.content.splitlines())
        for kept in done.staying:
            yield Aside(f"{kept.id} stays: {one_line(kept.reason)}")
        if done.same:
            yield Aside(f"{', '.join(done.same)}: shared already, as it is")
        if done.written and done.going:
            much = counted(len(done.going), "note")
            yield f"wrote {much}; commit when you want: git add {FOLDER}"
        elif not (done.going or done.staying or done.same):
            yield "nothing here may be shared yet: what you said or kept of this project does"


def _own_name(project: str | None) -> str:
    """The user's name by git, else the account's."""
    import getpass
    import subprocess

    try:
        said = subprocess.run(
            ["git", "-C", project or ".", "config", "user.name"],
            capture_output=True, timeout=2.0, check=False,
        ).stdout.decode("utf-8", "replace").strip()  # fmt: skip
        return said or getpass.getuser()
    except (OSError, KeyError, subprocess.SubprocessError):
        return ""


def _going(one: Going) -> GoingView:
    from daemon.share.note import written

    return GoingView(
        id=short_id(one.memory.id), file=one.file, is_new=one.before is None,
        content=written(one.note).decode(),
    )  # fmt: skip
