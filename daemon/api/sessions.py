"""Sessions of agents: the attention, the notes and the task of each, and where the work of a project stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec

from daemon.api.intentions import IntentionView
from daemon.api.operation import HERE, Argument, Here, Line, Operation, Option, Verb
from daemon.api.status import Status, StatusReply
from daemon.commands.terminal.words import age, now, shown_of
from daemon.shapes.journal import HeldView, SessionResumed, SessionView
from daemon.shapes.replies import Count, Reply
from daemon.views import short_id

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

GROUPS = {
    "session": "Show the sessions of agents.\n\nA session's name may be shortened while no"
    " other one begins the same."
}


# ---- which there are


class SessionsListed(Reply, frozen=True, kw_only=True):
    """Sessions, the one seen last first."""

    sessions: list[SessionView]
    total: int


class ListSessions(Operation[SessionsListed], frozen=True, kw_only=True):
    """Show which sessions are known.

    The one seen last first.
    """

    NAME = "list-sessions"
    VERBS = (Verb("session list"),)
    limit: Annotated[
        Count, Option("--limit", "How many at most.", shows_default=True, within=(1, 1_000))
    ] = 20

    async def answer(self, parts: Parts, _: Progress) -> SessionsListed:
        from daemon.storage import sessions

        total, rows = await parts.reader.read(sessions.sessions, self.limit)
        return SessionsListed(sessions=[SessionView(**row) for row in rows], total=total)

    def lines(self, found: SessionsListed) -> Iterator[Line]:
        for one in found.sessions:
            status = f"{one.status}, silent" if one.silent else one.status
            yield [one.session, age(now() - one.seen_at), one.agent, status, one.task]
        if not found.sessions:
            yield "no session is known yet"
        elif more := shown_of(found.sessions, found.total):
            yield more


# ---- one


class DeliveredView(msgspec.Struct, frozen=True, kw_only=True):
    """A note that a session has in its context."""

    id: str | None  # None: its memory says something else by now, or is erased
    title: str
    at: float
    faded: bool  # out of the session's attention: it may be told again


class SessionShown(Reply, frozen=True, kw_only=True):
    """A session with its working memory, strongest first, and its deliveries, oldest first."""

    session: SessionView
    working_memory: list[HeldView]
    delivered: list[DeliveredView]


class ShowSession(Operation[SessionShown], frozen=True, kw_only=True):
    """Show one session.

    What it attends to now, and which notes it has in its context.
    """

    NAME = "show-session"
    VERBS = (Verb("session show"),)
    session: Annotated[str, Argument("ID")]

    async def answer(self, parts: Parts, _: Progress) -> SessionShown:
        from actors.session.shapes import WhatItHas
        from daemon.answers.journal import LOOK_DEADLINE, called, held_by
        from daemon.storage import sessions

        row = await called(parts, self.session)
        session, at = str(row["session"]), parts.clock.now()
        delivered = await parts.reader.read(sessions.deliveries, session)
        context = await parts.mailboxes.working_memory.ask(
            WhatItHas(session, row["project"], at), within=LOOK_DEADLINE
        )
        # The actor knows what it holds; the store may be a moment behind.
        row.update(delivered=len(delivered))
        return SessionShown(
            session=SessionView(**row),
            working_memory=await held_by(parts, session),
            delivered=[
                DeliveredView(
                    id=short_id(number) if number is not None else None,
                    title=title,
                    at=at,
                    faded=content not in context.told,
                )
                for number, title, at, content in delivered
            ],
        )

    def lines(self, shown: SessionShown) -> Iterator[Line]:
        one, moment = shown.session, now()
        yield ["session", one.session]
        yield ["agent", one.agent]
        yield ["project", one.project or "none"]
        yield ["started", age(moment - one.started_at)]
        yield ["seen", f"{age(moment - one.seen_at)}, {one.status}"]
        yield ["notes", "switched off in this session" if one.silent else "on"]
        yield ["asked for", one.task or "none"]
        yield f"\nworking memory{'' if shown.working_memory else ': empty'}"
        for note in shown.working_memory:
            yield ["", note.id, f"{note.attention:.2f}", note.tier, note.title]
        yield f"\ndelivered{'' if shown.delivered else ': empty'}"
        for told in shown.delivered:
            again = "may be told again" if told.faded else ""
            yield ["", told.id or "gone", age(moment - told.at), again, told.title]


# ---- where it stands


class ResumeSession(Operation[SessionResumed], frozen=True, kw_only=True):
    """Tell what a session was doing.

    The last one of the current project, unless named: its task, what it attended to, what
    failed and was not mended, and what is still intended.
    """

    NAME = "resume-session"
    VERBS = (Verb("session resume"),)
    session: Annotated[str | None, Argument("[ID]")] = None
    project: Annotated[
        str | None,
        Here(
            "--project",
            "The last session of this project instead of the current one.",
            unless="session",
        ),
    ] = None

    async def answer(self, parts: Parts, _: Progress) -> SessionResumed:
        from daemon.answers.journal import resumed, session_meant

        return await resumed(parts, await session_meant(parts, self.session, self.project))

    def lines(self, found: SessionResumed) -> Iterator[Line]:
        one = found.session
        yield f"{one.session}, {one.status}, seen {age(now() - one.seen_at)}"
        if one.task:
            yield f"asked for: {' '.join(one.task.split())}"
        if found.summary:
            yield f"summary: {' '.join(found.summary.split())}"
        sections: dict[str, list[list[str]]] = {
            "attended to": [[held.id, held.text] for held in found.working_memory],
            "failed, and not mended": [[gone.command, gone.error] for gone in found.failures],
            "edited": [[path] for path in found.edited],
            "intended": [
                [open_.id, "due" if open_.due else open_.status, open_.text, open_.when]
                for open_ in found.intentions
            ],
        }
        for title, rows in sections.items():
            if rows:
                yield f"\n{title}"
                yield from (["", *row] for row in rows)
        if not any(sections.values()):
            yield "nothing is left open"


# ---- what an agent asks that takes work up


class Briefed(Reply, frozen=True, kw_only=True):
    """Brief of where the work of a project stands."""

    this: SessionResumed | None  # the session that asks, where its hooks told of it
    before: SessionResumed | None  # the project's session that stopped last
    intentions: list[IntentionView]  # open ones, most urgent first
    health: StatusReply


class Brief(Operation[Briefed], frozen=True, kw_only=True):
    """Request for where the work of a project stands; intentions of a session stand beside it."""

    NAME = "brief"
    FOR_AGENTS = True
    session: str
    project: Annotated[str, HERE]

    async def answer(self, parts: Parts, progress: Progress) -> Briefed:
        from actors.recall.opening import QUIET, RECENT
        from daemon.api.intentions import open_in

        project, now = parts.project_meant(self.project), parts.clock.now()
        last = await parts.reader.session_before(self.session, project, now - RECENT, now - QUIET)
        return Briefed(
            this=await _resumed(parts, self.session),
            before=await _resumed(parts, last.session) if last is not None else None,
            intentions=await open_in(parts, project),
            health=await Status().answer(parts, progress),
        )


async def _resumed(parts: Parts, session: str) -> SessionResumed | None:
    """The session of exactly this name; its intentions are told beside it."""
    from daemon.answers.journal import resumed
    from daemon.storage import sessions

    rows = await parts.reader.read(sessions.sessions_called, session, 1)
    if not rows or rows[0]["session"] != session:
        return None
    return msgspec.structs.replace(await resumed(parts, rows[0]), intentions=[])
