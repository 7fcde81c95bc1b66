"""Notes of a repository: memories that leave, notes of others trusted or not, and the list of what is shared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from daemon.api.operation import (
    HERE,
    Alarm,
    Argument,
    Aside,
    Line,
    Operation,
    Option,
    Terminal,
    Verb,
)
from daemon.commands.terminal.words import age, counted, now, one_line
from daemon.projects import checkout_of
from daemon.shapes.replies import Fault, Reply
from daemon.views import short_id, view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress
    from daemon.share.folder import Seen
    from daemon.share.leaving import Going
    from daemon.storage.shared_notes import HeldNote

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


# ---- the notes of others


SAMPLE: Final = 5  # notes that are shown before they are trusted
TOLD: Final = 20  # files that are not read
GONE: Final = "its file is gone"


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A note, by its title."""

    title: str
    by: str
    kind: str
    at: float  # seconds UTC


class Trusting(Reply, frozen=True, kw_only=True):
    """Notes of a repository before a person trusts them, and after."""

    remote: str  # empty: the repository has none
    before: str | None  # the remote that was trusted until then; none: nobody trusted it
    count: int
    sample: list[Sample]  # the newest ones
    faults: list[Fault]
    taken: int
    trusted: bool


class Trust(Operation[Trusting], frozen=True, kw_only=True):
    """Have the notes of others in this repository read here."""

    NAME = "share-trust"
    REFUSED = "nothing is read"
    yes: bool = False
    project: str | None = None

    async def answer(self, parts: Parts, _: Progress) -> Trusting:
        from actors.memory.writes import RemoteTrusted
        from daemon.share import arriving
        from daemon.share.leaving import looked_into
        from daemon.storage import shared_notes as stored

        project = parts.project_meant(self.project) or ""
        seen = await looked_into(parts, project)
        before = await parts.reader.read(stored.remote, project)
        if not self.yes:
            return _trusting(seen, before, seen.faults)
        await parts.commit((RemoteTrusted(project, seen.remote, parts.clock.now()),))
        looked = await arriving.look(parts, project)
        return _trusting(seen, before, looked.faults, taken=looked.came, trusted=True)

    def question(self, done: Trusting) -> str:
        if done.trusted:
            return ""
        return "Read them here, and those that each pull brings?"

    def has_failed(self, done: Trusting) -> bool:
        return not done.trusted

    def lines(self, done: Trusting) -> Iterator[Line]:
        if done.trusted:
            much = counted(done.taken, "note")
            yield f"the notes of {_from(done.remote)} are read: {much} of others came"
            yield from _fault_lines(done.faults)
            yield Aside("end it: reverie share untrust")
            return
        if done.before is not None and done.before != done.remote:
            yield f"trusted until now: {_from(done.before)}"
        yield f"{counted(done.count, 'note')} from {_from(done.remote)}"
        for one in done.sample:
            yield f"    {one.kind}, {one_line(one.by)}, {age(now() - one.at)}: {one_line(one.title)}"
        yield from _fault_lines(done.faults)


class Untrusted(Reply, frozen=True, kw_only=True):
    """Notes of others that ended here."""

    ended: int


class Untrust(Operation[Untrusted], frozen=True, kw_only=True):
    """Read the notes of others in this repository no longer."""

    NAME = "share-untrust"
    project: str | None = None

    async def answer(self, parts: Parts, _: Progress) -> Untrusted:
        from daemon.share import arriving

        ended = await arriving.untrust(parts, parts.project_meant(self.project) or "")
        return Untrusted(ended=ended)

    def lines(self, done: Untrusted) -> list[Line]:
        much = counted(done.ended, "note")
        return [
            f"notes of this repository are not read any more; {much} of others ended here",
            Aside("what you share yourself stays: reverie share ID --back takes a file out"),
        ]


# ---- what is there


class SharedView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that is a note of the repository."""

    id: str
    by: str  # empty: you share it
    title: str
    file: str
    state: str  # empty while it is told; else why it is not


class SharedPage(Reply, frozen=True, kw_only=True):
    """Shared notes of a repository, and files of its folder that are not read."""

    remote: str
    trusted: str | None  # the remote that is trusted
    busy: str  # why nothing is read now
    unread: int  # notes of others that wait for trust
    notes: list[SharedView]
    faults: list[Fault]


class SharedNotes(Operation[SharedPage], frozen=True, kw_only=True):
    """List what is shared in this repository."""

    NAME = "shared-notes"
    project: str | None = None

    async def answer(self, parts: Parts, _: Progress) -> SharedPage:
        from daemon.share import arriving
        from daemon.storage import shared_notes as stored

        project = parts.project_meant(self.project) or ""
        looked = await arriving.look(parts, project)
        rows = await parts.reader.read(stored.held_notes, project)
        memories = await parts.reader.memories([one.memory_id for one in rows])
        seen = looked.seen
        known = {one.note for one in rows if one.own or not one.is_gone}
        notes = [
            SharedView(
                id=short_id(one.memory_id),
                by="" if one.own else memories[one.memory_id].author,
                title=memories[one.memory_id].title,
                file=one.file,
                state=_state(one, seen),
            )
            for one in rows
        ]
        return SharedPage(
            remote=seen.remote,
            trusted=looked.trusted,
            busy=seen.busy,
            unread=0 if looked.is_trusted else sum(one not in known for one in seen.notes),
            notes=notes,
            faults=looked.faults,
        )

    def lines(self, found: SharedPage) -> Iterator[Line]:
        from actors.policy.text.wording import signature

        if found.busy:
            yield f"nothing is read now: {found.busy}"
        for one in found.notes:
            whose = f"shared by {signature(one.by)}" if one.by else "shared by you"
            yield [one.id, whose, one.state, one_line(one.title)]
        yield from _fault_lines(found.faults)
        if found.trusted is not None and found.trusted != found.remote:
            yield (
                f"the repository came from {_from(found.trusted)} and comes from {_from(found.remote)}:"
                " nothing new is read until 'reverie share trust'"
            )
        elif found.unread:
            yield f"{counted(found.unread, 'note')} of others: reverie share trust reads them"
        if not (found.notes or found.unread or found.faults or found.busy):
            yield "nothing is shared here: reverie share ID, or --project"


def _state(one: HeldNote, seen: Seen) -> str:
    """Say why a note is not as it was shared; empty when it is."""
    if one.file not in seen.names:
        return "not read" if seen.busy else GONE
    if one.is_gone:
        return "not read"
    if one.own and seen.digests.get(one.note, one.digest) != one.digest:
        return "others changed its file"
    return f"{one.ended} here" if one.ended else ""


def _trusting(
    seen: Seen, before: str | None, faults: list[Fault], *, taken: int = 0, trusted: bool = False
) -> Trusting:
    newest = sorted(seen.notes.values(), key=lambda one: (-one.when, one.id))
    return Trusting(
        remote=seen.remote, before=before, count=len(seen.notes),
        sample=[
            view(Sample, one, at=one.when) for one in newest[:SAMPLE]
        ],
        faults=faults,
        taken=taken, trusted=trusted,
    )  # fmt: skip


def _fault_lines(faults: list[Fault]) -> Iterator[Line]:
    for one in faults[:TOLD]:
        yield Alarm(f"not read: {one_line(one.file)}: {one_line(one.reason)}")
    if len(faults) > TOLD:
        yield Alarm(f"not read: {len(faults) - TOLD} more")


def _from(remote: str) -> str:
    return one_line(remote) if remote else "a repository without a remote"
