"""Notes of a trusted repository: they become memories here, change with their files and end with them."""

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.mailbox import Lane
from actors.gate.drafts import kept_as_is
from actors.gate.messages import KeepAll
from actors.memory.commit import PASSING, StoreWrite
from actors.memory.writes import (
    Created,
    Ended,
    Linked,
    NoteHeld,
    ParticularsSet,
    Revived,
    TrustEnded,
)
from actors.policy.references.naming import is_secret
from actors.policy.references.references import Reference
from actors.policy.statements.sources import SHARED, Act, HeldCopy, steps
from actors.staleness.messages import PlaceGiven
from daemon.answers.remember import AllSecret, draft_of
from daemon.context import Parts, sliced
from daemon.shapes.replies import Fault
from daemon.shapes.rows import ImportRow
from daemon.share import folder
from daemon.share.folder import Seen
from daemon.share.note import KEY, KINDS, Note
from daemon.storage import shared_notes as stored
from daemon.storage.shared_notes import HeldNote

log = logging.getLogger(__name__)

GONE: Final = "expired"  # the ending of a memory whose file is gone
PERSONS: Final = frozenset({"forgotten", "refuted"})  # endings by a person, which last
PAGE: Final = 25  # notes that are made at once
WITHIN: Final = 60.0  # seconds for them
PHRASES: Final = 16  # that call a memory


class Looked(Struct, frozen=True):
    """Outcome of a look at a repository."""

    seen: Seen
    trusted: str | None  # the remote that a person trusts
    came: int = 0  # notes that are told from now on
    faults: list[Fault] = field(default_factory=list[Fault])

    @property
    def is_trusted(self) -> bool:
        """Tell whether its notes are read: a person trusts them, and they come from where they did."""
        return self.trusted == self.seen.remote


async def follow(parts: Parts) -> None:
    """Look at repositories in which somebody works, each when its folder has changed."""
    parts.looks.is_followed = True
    while True:
        project, done = await parts.looks.next()
        try:
            work = partial(look_if_changed, parts, project)
            await parts.supervisor.guard("shared-notes", work, PASSING)
        except PASSING as error:
            log.warning("notes_wait why=%s", type(error).__name__)
        finally:
            done.set()


async def look_if_changed(parts: Parts, project: str) -> None:
    """Look at a repository trusted by a person, unless its folder is unchanged."""
    if await parts.reader.read(stored.remote, project) is None:
        return
    mark = await parts.sources.visit(project, lambda there: folder.stamp(there.root))
    if not mark or parts.looks.stamps.get(project) == mark:
        return
    await look(parts, project)
    parts.looks.stamps[project] = mark


async def look(parts: Parts, project: str) -> Looked:
    """Bring the memories of a repository's notes to its folder's state, if a person trusts it."""
    async with parts.looks.one_at_a_time:
        trusted = await parts.reader.read(stored.remote, project)
        there = await parts.sources.visit(project, lambda there: folder.seen(there.root))
        seen = there or Seen(busy="this is no folder")
        found = Looked(seen, trusted, faults=list(seen.faults))
        if not found.is_trusted or seen.busy:
            return found
        return await _taken_in(parts, project, seen, found)


async def _taken_in(parts: Parts, project: str, seen: Seen, found: Looked) -> Looked:
    rows = await parts.reader.read(stored.held_notes, project)
    others = {one.note: one for one in rows if not one.own}
    own = {one.note: one for one in rows if one.own}
    faulty = {one.file for one in seen.faults}
    unreadable = [one.note for one in others.values() if one.file in faulty]
    todo = steps(
        seen.digests,
        {one.note: HeldCopy(one.digest, one.is_gone) for one in others.values()},
        {one.note: one.digest for one in own.values()},
        unreadable,
    )
    named: dict[Act, list[str]] = {act: [] for act in Act}
    for act, note in todo:
        named[act].append(note)
    now = parts.clock.now()
    unit: list[StoreWrite] = []
    for note in named[Act.END]:
        unit += _over(project, others[note], now)
    for note in named[Act.BACK]:
        one = others[note]
        if one.ended == GONE:
            unit.append(Revived(one.memory_id, now))
        unit.append(_held(project, note, one.memory_id, seen))
    if unit:
        await parts.commit(tuple(unit))
    taking = Taking(parts, project, seen, others, own, found.faults)
    taken = 0
    for page in sliced(tuple(named[Act.TAKE]), PAGE):
        taken += await taking.take(page)
    return replace(found, came=taken + len(named[Act.BACK]))


class Taking(Struct, frozen=True):
    """Notes on their way to become memories."""

    parts: Parts
    project: str
    seen: Seen
    others: dict[str, HeldNote]
    own: dict[str, HeldNote]
    faults: list[Fault]  # what is not taken in, and why, comes to these

    async def take(self, page: Sequence[str]) -> int:
        """Take these notes in; how many became memories."""
        notes = [self.seen.notes[one] for one in page]
        gone = await self.parts.reader.read(stored.erased, [one.text for one in notes])
        made: dict[str, Created] = {}
        unit: list[StoreWrite] = []
        for note, is_erased in zip(notes, gone, strict=True):
            before = self.others.get(note.id)
            if is_erased:
                self._refuse(note, "you erased what it says")
            elif before is not None and before.ended in PERSONS:
                self._refuse(note, f"you have {before.ended} it: reverie unforget or confirm")
                unit.append(_held(self.project, note.id, before.memory_id, self.seen))
            elif (new := self._created(note)) is None:
                self._refuse(note, "it is nothing but a secret")
            elif note.id not in self.own and (
                same := await self.parts.reader.read(
                    stored.said_here, self.project, new.content_hash
                )
            ):
                unit.append(_held(self.project, note.id, same, self.seen, own=True))
            else:
                made[note.id] = new
        if made:
            unit += await self._kept(made)
        if unit:
            await self.parts.commit(tuple(unit))
        return len(made)

    def _refuse(self, note: Note, reason: str) -> None:
        self.faults.append(Fault(file=self.seen.files[note.id], reason=reason))

    def _created(self, note: Note) -> Created | None:
        """The memory of a note; ``None`` for one of nothing but a secret.

        A time from a clock ahead counts as now. Its cues count as a text's own phrases.
        """
        said = ImportRow(
            text=note.text,
            title=note.title,
            project=self.project,
            type=KINDS[note.kind],
            why=note.why,
        )
        at = min(note.when, self.parts.clock.now())
        try:
            draft = draft_of(self.parts, said, SHARED, at)
        except AllSecret:
            return None
        by, _ = self.parts.redact(note.by)
        draft = replace(draft, key=f"{KEY}{note.id}", origin=replace(draft.origin, author=by))
        new = kept_as_is(draft, self.parts.settings.strength.decay)
        cues = tuple(self.parts.redact(one)[0] for one in note.cues)
        phrases = tuple(dict.fromkeys((*cues, *new.derived)))[:PHRASES]
        return replace(new, derived=phrases, unjudged=True)

    async def _kept(self, made: dict[str, Created]) -> list[StoreWrite]:
        """Make these memories; returns the further writes about them."""
        verdicts = await self.parts.mailboxes.gate.ask(
            KeepAll(tuple(made.values())), within=WITHIN, lane=Lane.BACKGROUND
        )
        now = self.parts.clock.now()
        unit: list[StoreWrite] = []
        for note, verdict in zip(made, verdicts, strict=True):
            number, before = verdict.memory_id, self.others.get(note)
            unit.append(_held(self.project, note, number, self.seen))
            if verdict.action == "REINFORCE":  # the same words, for another reason
                unit.append(ParticularsSet(number, made[note].draft.particulars, now))
            lives = before is not None and before.ended is None and not before.is_reworded
            if before is not None and lives and before.memory_id != number:
                unit.append(Ended(before.memory_id, "deprecated", now, superseded_by=number))
            if note in self.own:  # what others make of one's own word
                unit.append(Linked(number, self.own[note].memory_id, "contradicts", None, now))
            for path in self.seen.notes[note].about:
                if not is_secret(path):
                    place = PlaceGiven(number, Reference(path, given=True))
                    self.parts.mailboxes.staleness.hint(place)
        return unit


async def untrust(parts: Parts, project: str) -> int:
    """Read the notes of a repository no longer; how many of others end here."""
    async with parts.looks.one_at_a_time:
        rows = await parts.reader.read(stored.held_notes, project)
        now = parts.clock.now()
        over = [one for one in rows if not one.own and not one.is_gone]
        ends = [write for one in over for write in _over(project, one, now)]
        await parts.commit((*ends, TrustEnded(project)))
    return len(over)


def _over(project: str, one: HeldNote, at: float) -> Iterator[StoreWrite]:
    """The writes by which a note is over, until its file is there again."""
    if one.ended is None and not one.is_reworded:
        yield Ended(one.memory_id, GONE, at)
    yield NoteHeld(project, one.note, False, one.memory_id, one.file, one.digest, is_gone=True)


def _held(project: str, note: str, memory_id: int, seen: Seen, *, own: bool = False) -> NoteHeld:
    return NoteHeld(project, note, own, memory_id, seen.files[note], seen.digests[note])
