"""Sessions of agents: what each attends to, what it has been told, and letting go of both."""

from collections.abc import Sequence
from typing import Any

import trio

from actors.intake.intake import recalled
from actors.memory.rows import Memory
from actors.policy.events.events import EventKind
from actors.policy.events.trail import SessionTrail, followed
from actors.policy.session.attention import Attended
from actors.policy.session.ledger import Context
from actors.session.messages import ForgetSession, WhatIsHeld, WhatItHas
from daemon.answers.intentions import open_in
from daemon.context import WRITE_DEADLINE, NotThere, Parts, check_limit, table
from daemon.requests import sessions as asked
from daemon.requests.shapes import Done
from daemon.storage import journal, sessions
from daemon.views import memory_view, short_id, view

LOOK_DEADLINE = 5.0  # seconds
EVENTS = 2_000  # of a session that are looked at, from the end


async def list_sessions(parts: Parts, request: asked.ListSessions) -> asked.SessionsListed:
    """The sessions seen last."""
    check_limit(request.limit)
    total, rows = await parts.reader.read(sessions.sessions, request.limit)
    views = [_view(row, await _held(parts, str(row["session"]))) for row in rows]
    return asked.SessionsListed(sessions=views, total=total)


def _view(row: dict[str, Any], held: Sequence[tuple[Memory, Attended]]) -> asked.SessionView:
    return asked.SessionView(**row, held=len(held))


async def session_meant(parts: Parts, name: str | None, project: str | None) -> dict[str, Any]:
    """The session of this name, else the last one of the project. Raises ``NotThere``."""
    if name is None and project is not None:
        name = await parts.reader.read(sessions.last_session, project)
        if name is None:
            raise NotThere(
                "no_such_session",
                "no session of this project is known yet: reverie session list shows all",
            )
    return await _session(parts, name or "")


async def _session(parts: Parts, name: str) -> dict[str, Any]:
    """Raises ``NotThere`` when no session, or more than one, goes by this name."""
    rows = await parts.reader.read(sessions.sessions_called, name, 2)
    if not name or not rows:
        raise NotThere(
            "no_such_session", "there is no session of this name: reverie session list shows them"
        )
    if len(rows) > 1:
        raise NotThere("no_such_session", "more than one session's name begins so: give more of it")
    return rows[0]


async def show_session(parts: Parts, request: asked.ShowSession) -> asked.SessionShown:
    """A session with what it attends to now, and what it was told."""
    row = await _session(parts, request.session)
    session = str(row["session"])
    held = await _held(parts, session)
    delivered = await parts.reader.read(sessions.deliveries, session)
    context: Context = await parts.mailboxes.working_memory.ask(
        lambda reply: WhatItHas(session, row["project"], parts.clock.now(), reply),
        within=LOOK_DEADLINE,
    )
    # The actor knows what it holds; the store may be a moment behind.
    row.update(delivered=len(delivered))
    return asked.SessionShown(
        session=_view(row, held),
        working_memory=[
            memory_view(
                asked.HeldView, one, attention=round(much.attention, 6), tier=much.tier.value
            )
            for one, much in held
        ],
        delivered=[
            asked.DeliveredView(
                id=short_id(number) if number is not None else None,
                title=title,
                at=at,
                faded=content not in context.told,
            )
            for number, title, at, content in delivered
        ],
    )


async def _held(parts: Parts, session: str) -> list[tuple[Memory, Attended]]:
    """What a session attends to and how much, the strongest first."""
    held: dict[int, Attended] = await parts.mailboxes.working_memory.ask(
        lambda reply: WhatIsHeld(session, reply), within=LOOK_DEADLINE
    )
    memories = await parts.reader.memories(sorted(held))
    return [(memories[number], much) for number, much in held.items() if number in memories]


async def clear_session(parts: Parts, request: asked.ClearSession) -> Done:
    """Empty a session's working memory; durable when answered."""
    row = await _session(parts, request.session)
    session = str(row["session"])
    count: int = await parts.mailboxes.working_memory.ask(
        lambda reply: ForgetSession(session, reply), within=WRITE_DEADLINE
    )
    return Done(count=count, note="notes may come again")


async def resume_session(parts: Parts, request: asked.ResumeSession) -> asked.SessionResumed:
    """Task of a session, and what is left to do."""
    row = await session_meant(parts, request.session, request.project)
    return await resumed(parts, row)


async def resumed(parts: Parts, row: dict[str, Any]) -> asked.SessionResumed:
    """Task of the session of this row, and what is left to do."""
    session = str(row["session"])
    stored = await parts.reader.session(session)
    held = await _held(parts, session)
    trail = await _trail(parts, session)
    return asked.SessionResumed(
        session=_view(row, held),
        summary=stored.summary if stored is not None else "",
        working_memory=[
            memory_view(asked.AttendedView, one, attention=round(much.attention, 6))
            for one, much in held
            if one.ended is None
        ],
        failures=[view(asked.FailureView, one) for one in trail.failures],
        edited=[edit.path for edit in trail.edits],
        intentions=await open_in(parts, row["project"]),
    )


async def _trail(parts: Parts, session: str) -> SessionTrail:
    """What the journal tells of the session: what failed and was not mended, what was edited."""
    rows = await parts.reader.read(journal.events_of, session, 0.0, None, EVENTS)
    trail = SessionTrail()
    for row in rows:
        happened = recalled(row)
        # The end of a session forgets; whoever resumes it wants to know what was open.
        if happened is not None and happened.event.kind is not EventKind.SESSION_END:
            trail = followed(trail, happened.event)
        await trio.lowlevel.checkpoint()
    return trail


ANSWERS = table(list_sessions, show_session, clear_session, resume_session)
