"""Notes that a repository carries: what leaves for it, which repositories are trusted, what came."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from daemon.api.operation import HERE, Argument, Aside, Line, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import counted, one_line
from daemon.shapes.replies import BadRequest, Reply
from daemon.views import short_id

if TYPE_CHECKING:
    from daemon.context import Parts, Progress
    from daemon.share.leaving import Departure, Going

FOLDER: Final = ".reverie/notes"
BY_PERSON: Final = "what leaves, and whose notes are trusted, a person says: reverie share"


def _check_person(agent_in: str | None) -> None:
    if agent_in is not None:
        raise BadRequest(BY_PERSON)


# ---- out


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
    """What leaves, what is there as it is, and what stays."""

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
    """

    NAME = "share"
    REFUSED = "nothing was written"
    ids: Annotated[list[str], Argument("[ID]...")] = msgspec.field(default_factory=list[str])
    all_of_it: Annotated[
        bool, Option("--project", "Everything of this project that may leave, by --kinds.")
    ] = False
    kinds: Annotated[
        str,
        Option(
            "--kinds",
            "With --project or --watch: which ones, of decision, rule, trap, fact, fix and feature.",
            shows_default=True,
            metavar="KIND,…",
        ),
    ] = "decision,rule,trap"
    watch: Annotated[
        bool, Option("--watch", "Only propose what the next commit could take along.")
    ] = False
    back: Annotated[bool, Option("--back", "Take the files of these memories out again.")] = False
    yes: Annotated[bool, Option("--yes", "Do not ask.")] = False
    by: str = ""  # the name of who shares
    project: Annotated[str | None, HERE] = None

    VERBS = (Verb("share"),)

    def prepared(self, _: Terminal, /) -> Operation[Any]:
        """One way to say what leaves, or another request in a word."""
        if sum((bool(self.ids), self.all_of_it, self.watch)) != 1:
            raise ValueError("Give ids, --project or --watch.")
        if self.back and not self.ids:
            raise ValueError("--back goes with the ids of what is shared.")
        return msgspec.structs.replace(self, by=_own_name(self.project))

    async def answer(self, parts: Parts, _: Progress) -> Leaving:
        from daemon.share import leaving

        _check_person(self.agent_in)
        project = parts.project_meant(self.project) or ""
        if self.back:
            memories = await parts.known_memories(self.ids)
            gone = await leaving.taken_out(parts, [one.id for one in memories])
            return Leaving(going=[], same=[], staying=[], taken_out=gone, written=True)
        words = [one.strip() for one in self.kinds.split(",") if one.strip()]
        memories = (
            await parts.known_memories(self.ids)
            if self.ids
            else await leaving.shareable(parts, project, words)
        )
        found = await leaving.departure(parts, project, memories, self.by)
        if self.yes and not self.watch:
            await leaving.written_out(parts, project, found.going)
        return _leaving(found, written=self.yes and not self.watch)

    def question(self, done: Leaving) -> str:
        if done.written or self.watch or not done.going:
            return ""
        return f"Write {counted(len(done.going), 'note')} into {FOLDER}?"

    def has_failed(self, done: Leaving) -> bool:
        return bool(self.question(done)) or bool(self.ids and done.staying)

    def lines(self, done: Leaving) -> Iterator[Line]:
        """Each file as it would be, and why the others stay."""
        if self.back:
            yield from (f"took {one} out" for one in done.taken_out)
            if not done.taken_out:
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
        elif self.watch and done.going:
            named = " ".join(one.id for one in done.going)
            yield f"nothing was written: reverie share {named}"
        elif not (done.going or done.staying or done.same):
            yield "nothing here may be shared yet: what you said or kept of this project does"


def _own_name(project: str | None) -> str:
    """The name by which git knows who works here, else that of the account."""
    import getpass

    try:
        said = subprocess.run(
            ["git", "-C", project or ".", "config", "user.name"],
            capture_output=True, text=True, timeout=2.0, check=False,
        ).stdout.strip()  # fmt: skip
        return said or getpass.getuser()
    except (OSError, KeyError, subprocess.SubprocessError):
        return ""


def _leaving(found: Departure, *, written: bool) -> Leaving:
    return Leaving(
        going=[_going(one) for one in found.going],
        same=[short_id(one.memory.id) for one in found.same],
        staying=[
            StayingView(id=short_id(one.memory.id), reason=one.reason) for one in found.staying
        ],
        taken_out=[],
        written=written,
    )


def _going(one: Going) -> GoingView:
    from daemon.share.note import written

    return GoingView(
        id=short_id(one.memory.id), file=one.file, is_new=one.is_new,
        content=written(one.note).decode(),
    )  # fmt: skip
