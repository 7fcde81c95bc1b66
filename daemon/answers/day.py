"""Events of memories in a span of time, and the request for taking each of them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from actors.memory.rows import Memory
from actors.reader.rows import NoteRow
from daemon.context import Parts
from daemon.shapes.day import DayEntry, Undo
from daemon.states import origin_of
from daemon.storage import journal, memories, read_notes
from daemon.views import memory_view, short_id

BACK: Final = ("forgotten", "archived", "expired")  # endings that ``unforget`` undoes
REPLACED: Final = "deprecated"
REFUTED: Final = "refuted"
DROPPED: Final = "dropped"


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time, and the project of the memories; everywhere: all."""

    since: float  # seconds UTC, included
    until: float  # not included
    project: str | None
    everywhere: bool


@dataclass(frozen=True, slots=True)
class Happened:
    """Entries of each heading, the newest first, and how many are left out."""

    learnt: list[DayEntry]
    corrected: list[DayEntry]
    forgotten: list[DayEntry]
    more: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Known:
    """Facts of the memories of a day."""

    memories: Mapping[int, Memory]
    notes: Mapping[int, NoteRow]
    said_by: Mapping[int, str]

    def entry(
        self, memory_id: int, at: float, how: str, undo: Undo | None, **given: Any
    ) -> DayEntry:
        """Event of a memory."""
        memory, note = self.memories[memory_id], self.notes.get(memory_id)
        given = {"before": "", "before_id": None, **given}
        return memory_view(
            DayEntry,
            memory,
            at=at,
            said_at=memory.created_at,
            how=how,
            said_by=self.said_by[memory_id],
            origin=origin_of(memory),
            quotation=note.quotation if note is not None else "",
            undo=undo,
            **given,
        )


async def happened(parts: Parts, span: Span, limit: int) -> Happened:
    """At most so many entries a heading."""
    read = parts.reader.read
    where = (span.since, span.until, span.project, span.everywhere)
    made = await read(journal.made_between, *where)
    over = await read(journal.ended_between, *where)
    reworded = await read(journal.reworded_between, *where)
    named = {one.memory_id for one in (*made[:limit], *over, *reworded[:limit])}
    named |= {one.successor for one in over if one.successor is not None}
    known = _Known(
        await parts.reader.memories(sorted(named)),
        await read(read_notes.notes_of, sorted(named)),
        await read(memories.said_by, sorted(named)),
    )
    corrected = [*_replaced(over, known), *_reworded(reworded, known)]
    successors = {one.id for one in corrected}
    learnt = [one for one in _made(made, known) if one.id not in successors]
    forgotten = list(_gone(over, known))
    headings = {"learnt": learnt, "corrected": corrected, "forgotten": forgotten}
    for entries in headings.values():
        entries.sort(key=lambda one: -one.at)
    left = {name: max(0, len(entries) - limit) for name, entries in headings.items()}
    left["learnt"] += max(0, len(made) - limit)
    return Happened(learnt[:limit], corrected[:limit], forgotten[:limit], left)


def _made(made: Sequence[journal.Moment], known: _Known) -> list[DayEntry]:
    return [
        known.entry(one.memory_id, one.at, "read" if note is not None else "learnt", undo)
        for one in made
        if (memory := known.memories.get(one.memory_id)) is not None
        for note in (known.notes.get(one.memory_id),)
        if note is None or not note.waits  # that is in the inbox
        for undo in (_dropped(memory, note),)
    ]


def _dropped(memory: Memory, note: NoteRow | None) -> Undo | None:
    """Request for taking a living memory out of recall."""
    name = short_id(memory.id)
    if memory.ended is not None:
        return None
    if note is not None:
        return Undo(name="inbox-judge", body={"verdict": DROPPED, "ids": [name]}, words="drop it")
    return Undo(name="forget", body={"ids": [name]}, words="forget it")


def _replaced(over: Sequence[journal.Moment], known: _Known) -> list[DayEntry]:
    """Memories in place of others, and memories a person called not so."""
    found: list[DayEntry] = []
    for one in over:
        memory = known.memories.get(one.memory_id)
        if memory is None:
            continue
        name = short_id(memory.id)
        if one.how == REFUTED:
            undo = Undo(name="confirm", body={"ids": [name]}, words="it is so")
            found.append(known.entry(memory.id, one.at, REFUTED, undo))
        elif one.how == REPLACED and one.successor in known.memories:
            assert one.successor is not None
            undo = _given_back(memory, known.notes.get(one.successor))
            before = {"before": memory.text, "before_id": name}
            found.append(known.entry(one.successor, one.at, "replaced", undo, **before))
    return found


def _given_back(replaced: Memory, note: NoteRow | None) -> Undo:
    """Request for bringing a replaced memory back, and taking its successor out."""
    words = "bring the former one back"
    if note is not None and note.ended and note.verdict != DROPPED:
        body = {"verdict": DROPPED, "ids": [short_id(note.memory_id)]}
        return Undo(name="inbox-judge", body=body, words=words)
    return Undo(name="reinstate", body={"ids": [short_id(replaced.id)]}, words=words)


def _reworded(reworded: Sequence[journal.Moment], known: _Known) -> list[DayEntry]:
    found: list[DayEntry] = []
    for one in reworded:
        memory = known.memories.get(one.memory_id)
        if memory is None:
            continue
        name = short_id(memory.id)
        is_last = one.version == memory.versions - 1 and memory.ended is None
        undo = Undo(name="edit", body={"id": name, "undo": True}, words="say it as before")
        entry = known.entry(memory.id, one.at, "edited", undo if is_last else None, before=one.text)
        found.append(entry)
    return found


def _gone(over: Sequence[journal.Moment], known: _Known) -> list[DayEntry]:
    """Memories out of recall, able to come back."""
    found: list[DayEntry] = []
    for one in over:
        note = known.notes.get(one.memory_id)
        if one.how not in BACK or one.memory_id not in known.memories:
            continue
        if note is not None and note.waits:
            continue
        ids = [short_id(one.memory_id)]
        undo = Undo(name="unforget", body={"ids": ids}, words="bring it back")
        if note is not None and note.verdict == DROPPED:
            undo = Undo(name="inbox-judge", body={"verdict": "", "ids": ids}, words="bring it back")
        found.append(known.entry(one.memory_id, one.at, one.how, undo))
    return found
