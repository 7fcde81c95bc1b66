"""Sessions of agents: the attention, the notes and the task of each, and where the work of a project stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec

from daemon.api.intentions import IntentionView
from daemon.api.operation import HERE, Argument, Here, Limit, Line, Operation, Verb
from daemon.api.status import Status, StatusReply
from daemon.commands.terminal.words import age, now, shown_of
from daemon.shapes.journal import SessionShown, SessionView
from daemon.shapes.replies import Reply

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

GROUPS = {
    "session": "Show the sessions of agents.\n\nA session's name may be shortened while no"
    " other one begins the same."
}


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
    limit: Limit = 20

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


class ShowSession(Operation[SessionShown], frozen=True, kw_only=True):
    """Tell what a session was doing.

    The last one of the current project, unless named: its task, what it attends to, which notes it has
    in its context, what failed and was not mended, and what is still intended.
    """

    NAME = "show-session"
    VERBS = (Verb("session show"), Verb("session resume"))
    session: Annotated[str | None, Argument("[ID]")] = None
    project: Annotated[
        str | None,
        Here(
            "--project",
            "The last session of this project instead of the current one.",
            unless="session",
        ),
    ] = None

    async def answer(self, parts: Parts, _: Progress) -> SessionShown:
        from daemon.answers.journal import session_meant, shown

        return await shown(parts, await session_meant(parts, self.session, self.project))

    def lines(self, found: SessionShown) -> Iterator[Line]:
        one, moment = found.session, now()
        yield ["session", one.session]
        yield ["agent", one.agent]
        yield ["project", one.project or "none"]
        yield ["started", age(moment - one.started_at)]
        yield ["seen", f"{age(moment - one.seen_at)}, {one.status}"]
        yield ["notes", "switched off in this session" if one.silent else "on"]
        yield ["asked for", one.task or "none"]
        if found.summary:
            yield ["summary", found.summary]
        sections: dict[str, list[list[str]]] = {
            "working memory": [
                [held.id, f"{held.attention:.2f}", held.tier, held.title]
                for held in found.working_memory
            ],
            "delivered": [
                [
                    told.id or "gone",
                    age(moment - told.at),
                    "may be told again" if told.faded else "",
                    told.title,
                ]
                for told in found.delivered
            ],
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


# ---- what an agent asks that takes work up


class Briefed(Reply, frozen=True, kw_only=True):
    """Brief of where the work of a project stands."""

    this: SessionShown | None  # the session that asks, where its hooks told of it
    before: SessionShown | None  # the project's session that stopped last
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
            this=await _shown(parts, self.session),
            before=await _shown(parts, last.session) if last is not None else None,
            intentions=await open_in(parts, project),
            health=await Status().answer(parts, progress),
        )


async def _shown(parts: Parts, session: str) -> SessionShown | None:
    """The session of exactly this name; its intentions are told beside it."""
    from daemon.answers.journal import shown
    from daemon.storage import sessions

    rows = await parts.reader.read(sessions.sessions_called, session, 1)
    if not rows or rows[0]["session"] != session:
        return None
    return msgspec.structs.replace(await shown(parts, rows[0]), intentions=[])
