"""Notes of others that a repository carries: trusted or not, and the list of what is shared there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec

from daemon.api.operation import Alarm, Aside, Line, Operation
from daemon.commands.terminal.words import age, counted, now, one_line
from daemon.shapes.replies import Fault, Reply
from daemon.views import short_id, view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress
    from daemon.share.folder import Seen
    from daemon.storage.shared_notes import HeldNote

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
    """What is shared in a repository, and what of its folder is not read."""

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
