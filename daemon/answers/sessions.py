"""Sessions by their names, with the attention and the open ends of each, for several answers."""

from collections.abc import Sequence
from typing import Any, TypeVar

import trio

from actors.intake.intake import recalled
from actors.memory.rows import Memory
from actors.policy.events.events import EventKind
from actors.policy.events.trail import SessionTrail, followed
from actors.policy.session.ledger import Attended
from actors.session.shapes import WhatIsHeld
from daemon.api.intentions import open_in
from daemon.context import Parts
from daemon.shapes.replies import NotThere
from daemon.shapes.sessions import AttendedView, FailureView, SessionResumed, SessionView
from daemon.storage import journal, sessions
from daemon.views import memory_view, view

T = TypeVar("T")

LOOK_DEADLINE = 5.0  # seconds
EVENTS = 2_000  # of a session that are looked at, from the end


def session_view(row: dict[str, Any], held: Sequence[tuple[Memory, Attended]]) -> SessionView:
    return SessionView(**row, held=len(held))


async def session_meant(parts: Parts, name: str | None, project: str | None) -> dict[str, Any]:
    """The session of this name, else the last one of the project. Raises ``NotThere``."""
    if name is None and project is not None:
        name = await parts.reader.read(sessions.last_session, project)
        if name is None:
            raise NotThere(
                "no_such_session",
                "no session of this project is known yet: reverie session list shows all",
            )
    return await called(parts, name or "")


async def called(parts: Parts, name: str) -> dict[str, Any]:
    """Raises ``NotThere`` when no session, or more than one, goes by this name."""
    return only(await parts.reader.read(sessions.sessions_called, name, 2) if name else [])


def only(meant: Sequence[T]) -> T:
    """The session of a name. Raises ``NotThere`` when there is none, or more than one."""
    if not meant:
        raise NotThere(
            "no_such_session", "there is no session of this name: reverie session list shows them"
        )
    if len(meant) > 1:
        raise NotThere("no_such_session", "more than one session's name begins so: give more of it")
    return meant[0]


async def attended_memories(parts: Parts, session: str) -> list[tuple[Memory, Attended]]:
    """Memories in a session's attention and its degree, the strongest first."""
    held = await parts.mailboxes.working_memory.ask(WhatIsHeld(session), within=LOOK_DEADLINE)
    memories = await parts.reader.memories(sorted(held))
    return [(memories[number], much) for number, much in held.items() if number in memories]


async def resumed(parts: Parts, row: dict[str, Any]) -> SessionResumed:
    """Task of the session of this row, and its open ends."""
    session = str(row["session"])
    stored = await parts.reader.session(session)
    attended = await attended_memories(parts, session)
    trail = await _trail(parts, session)
    return SessionResumed(
        session=session_view(row, attended),
        summary=stored.summary if stored is not None else "",
        working_memory=[
            memory_view(AttendedView, one, attention=round(much.attention, 6))
            for one, much in attended
            if one.ended is None
        ],
        failures=[view(FailureView, one) for one in trail.failures],
        edited=[edit.path for edit in trail.edits],
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
