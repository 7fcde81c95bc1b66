"""Brief of where the work of a project stands: one answer in place of five."""

import msgspec

from actors.recall.opening import QUIET, RECENT
from daemon.answers.intentions import open_in
from daemon.answers.recall import recall
from daemon.answers.sessions import resumed
from daemon.answers.status import status
from daemon.context import Parts, project_meant, table
from daemon.requests.brief import Answered, Brief, Briefed, Health
from daemon.requests.recall import Recall
from daemon.requests.sessions import SessionResumed
from daemon.requests.shapes import BadRequest
from daemon.requests.status import Status
from daemon.storage import sessions

QUERIES = 5


async def brief(parts: Parts, request: Brief) -> Briefed:
    """The session that asks and the one before, what is intended and known."""
    if len(request.queries) > QUERIES:
        raise BadRequest(f"{len(request.queries)} queries: at most {QUERIES} are answered at once")
    project = project_meant(parts, request.project)
    asked = Recall(query="", k=request.k, project=project, tokens=request.tokens, detail="summary")
    answers: list[Answered] = []
    for query in request.queries:
        found = await recall(parts, msgspec.structs.replace(asked, query=query))
        answers.append(
            Answered(query=query, results=found.results, confidence=round(found.confidence, 2))
        )
    now = parts.clock.now()
    last = await parts.reader.session_before(request.session, project, now - RECENT, now - QUIET)
    return Briefed(
        this=await _resumed(parts, request.session),
        before=await _resumed(parts, last.session) if last is not None else None,
        intentions=await open_in(parts, project),
        answers=answers,
        health=await _health(parts),
    )


async def _resumed(parts: Parts, session: str) -> SessionResumed | None:
    """The session of exactly this name; its intentions are told beside it."""
    rows = await parts.reader.read(sessions.sessions_called, session, 1)
    if not rows or rows[0]["session"] != session:
        return None
    return msgspec.structs.replace(await resumed(parts, rows[0]), intentions=[])


async def _health(parts: Parts) -> Health:
    state, now = await status(parts, Status()), parts.clock.now()
    return Health(
        memories=state.memories,
        vectors=state.vectors,
        degraded=state.degraded,
        plans=state.plans,
        backup=state.backup,
        due=[name for name, job in state.schedule.items() if job["due"] <= now],
    )


ANSWERS = table(brief)
