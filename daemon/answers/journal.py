"""A day, a session and a failure, as the journal tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import trio
from msgspec import Struct
from msgspec.structs import astuple

from actors.intake.intake import recalled
from actors.intake.messages import FailureEnded
from actors.memory.rows import Memory, Scope
from actors.memory.use import origin_of
from actors.policy.decay import capture
from actors.policy.decay.capture import Cause
from actors.policy.events.commands import signature
from actors.policy.events.events import EventKind
from actors.policy.events.trail import SessionTrail, followed
from actors.reader.messages import NoteRow
from actors.session.shapes import WhatItHas
from daemon.api.intentions import open_in
from daemon.context import Parts
from daemon.shapes.journal import (
    Day,
    DayEntry,
    DayPrompt,
    DeliveredView,
    FailureView,
    HeldView,
    SessionShown,
    SessionView,
    Undo,
)
from daemon.shapes.replies import NotThere
from daemon.storage import episodes, files, journal, memories, read_notes, sessions
from daemon.views import memory_view, short_id, view

BACK: Final = ("forgotten", "archived", "expired")  # endings that ``unforget`` undoes
REPLACED: Final = "deprecated"
REFUTED: Final = "refuted"
DROPPED: Final = "dropped"


class Span(Struct, frozen=True):
    """A span of time, and the project of the memories; everywhere: all."""

    since: float  # seconds UTC, included
    until: float  # not included
    project: str | None
    everywhere: bool


class _Known(Struct, frozen=True):
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


async def happened(parts: Parts, span: Span, limit: int, told: list[DayPrompt]) -> Day:
    """The day, with at most so many entries a heading."""
    read = parts.reader.read
    moments = await read(journal.moments_between, *astuple(span))
    made = [one for one in moments if one.how in {"made", "read"}]
    reworded = [one for one in moments if one.how == "edited"]
    over = [one for one in moments if one.how not in {"made", "read", "edited"}]
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
    headings: dict[str, list[Any]] = {
        "learnt": learnt, "corrected": corrected, "forgotten": _gone(over, known), "told": told,
    }  # fmt: skip
    for entries in headings.values():
        entries.sort(key=lambda one: -one.at)
    more = {name: max(0, len(entries) - limit) for name, entries in headings.items()}
    more["learnt"] += max(0, len(made) - limit)
    shown = {name: entries[:limit] for name, entries in headings.items()}
    at = parts.clock.now()
    return Day(at=at, since=span.since, until=span.until, more=more, **shown)


def _made(made: Sequence[journal.Moment], known: _Known) -> list[DayEntry]:
    found: list[DayEntry] = []
    for one in made:
        memory = known.memories.get(one.memory_id)
        if memory is None:
            continue
        ids, is_read = [short_id(memory.id)], memory.id in known.notes
        undo = Undo(name="forget", body={"ids": ids}, words="forget it")
        if is_read:
            body = {"verdict": DROPPED, "ids": ids}
            undo = Undo(name="inbox-judge", body=body, words="drop it")
        lives, how = memory.ended is None, "read" if is_read else "learnt"
        found.append(known.entry(memory.id, one.at, how, undo if lives else None))
    return found


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
    found: list[DayEntry] = []
    for one in over:
        note = known.notes.get(one.memory_id)
        if one.how not in BACK or one.memory_id not in known.memories:
            continue
        ids = [short_id(one.memory_id)]
        undo = Undo(name="unforget", body={"ids": ids}, words="bring it back")
        if note is not None and note.verdict == DROPPED:
            undo = Undo(name="inbox-judge", body={"verdict": "", "ids": ids}, words="bring it back")
        found.append(known.entry(one.memory_id, one.at, one.how, undo))
    return found


# ---- sessions by their names, with the attention and the open ends of each


LOOK_DEADLINE = 5.0  # seconds
EVENTS = 2_000  # of a session that are looked at, from the end


async def session_meant(parts: Parts, name: str | None, project: str | None) -> dict[str, Any]:
    """The session of this name, else the last one of the project.

    Raises ``NotThere`` when there is none, or more than one goes by this name.
    """
    if name is None and project is not None:
        name = await parts.reader.read(sessions.last_session, project)
        if name is None:
            raise NotThere(
                "no_such_session",
                "no session of this project is known yet: reverie session list shows all",
            )
    meant = await parts.reader.read(sessions.sessions_called, name, 2) if name else []
    if not meant:
        raise NotThere(
            "no_such_session", "there is no session of this name: reverie session list shows them"
        )
    if len(meant) > 1:
        raise NotThere("no_such_session", "more than one session's name begins so: give more of it")
    return meant[0]


async def shown(parts: Parts, row: dict[str, Any]) -> SessionShown:
    """Task of the session of this row, the notes before it, and its open ends."""
    session = str(row["session"])
    stored = await parts.reader.session(session)
    trail = await _trail(parts, session)
    asked = WhatItHas(session, None, parts.clock.now(), attends=True)
    context = await parts.mailboxes.working_memory.ask(asked, within=LOOK_DEADLINE)
    memories = await parts.reader.memories(sorted(context.held))
    delivered = await parts.reader.read(sessions.deliveries, session)
    # The actor knows what it holds; the store may be a moment behind.
    row.update(delivered=len(delivered))
    return SessionShown(
        session=SessionView(**row),
        summary=stored.summary if stored is not None else "",
        working_memory=[
            memory_view(HeldView, memory, attention=round(much.attention, 6), tier=much.tier.value)
            for number, much in context.held.items()
            if (memory := memories.get(number)) is not None and memory.ended is None
        ],
        delivered=[
            DeliveredView(
                id=None if number is None else short_id(number),
                title=title,
                at=at,
                faded=content not in context.told,
            )
            for number, title, at, content in delivered
        ],
        failures=[view(FailureView, one) for one in trail.failures],
        edited=list(trail.edits),
        intentions=await open_in(parts, row["project"]),
    )


async def _trail(parts: Parts, session: str) -> SessionTrail:
    """The session's trail by the journal: failures not mended, edits."""
    rows = await parts.reader.read(journal.events_of, session, 0.0, None, EVENTS)
    trail = SessionTrail()
    for row in rows:
        happened = recalled(row)
        # The end of a session forgets; whoever resumes it wants to know what was open.
        if happened is not None and happened.event.kind is not EventKind.SESSION_END:
            trail = followed(trail, happened.event)
        await trio.lowlevel.checkpoint()
    return trail


# ---- memories that may explain a failure, and the last fix of it


async def earlier(
    parts: Parts, failure: str, names: Sequence[str], project: str | None, *, everywhere: bool
) -> list[tuple[Memory, Cause]]:
    """Memories with these names from the time before now, the likeliest cause of a failure first."""
    scope, now = Scope(project, everywhere=everywhere), parts.clock.now()
    known = await parts.reader.read(episodes.earlier, names, scope, now, capture.REACH)
    causes = await trio.to_thread.run_sync(capture.causes, failure, now, known)
    memories = await parts.reader.memories([cause.memory_id for cause in causes])
    return [(memories[one.memory_id], one) for one in causes if one.memory_id in memories]


async def ended(parts: Parts, failure: str, project: str | None) -> FailureEnded | None:
    """Look up the last fix of a failure with the same signature."""
    said = signature(failure)
    if project is None or not said:
        return None
    return await parts.reader.read(files.ended_failure, project, said)
