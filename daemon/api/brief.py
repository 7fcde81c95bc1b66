"""Questions of an agent taking work up: the state of the work, known memories, the state of the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from daemon.api.intentions import IntentionView
from daemon.api.operation import HERE, Offer, Operation
from daemon.api.recall import Recall
from daemon.api.status import Status
from daemon.shapes.replies import BadRequest, Reply
from daemon.shapes.results import SEEN, Scored
from daemon.shapes.sessions import SessionResumed

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

QUERIES: Final = 5


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """A question, and what is known about it."""

    query: str
    results: list[Scored]  # best first
    confidence: float  # 0…1, that the first answers it


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """State of the memory."""

    memories: int | None  # None: the database cannot be read
    vectors: str  # ready, building or off
    degraded: list[str]  # what does not work, in words
    plans: int  # that wait for the user
    backup: float | None  # seconds UTC of the newest
    due: list[str]  # background work whose time has come


class Briefed(Reply, frozen=True, kw_only=True):
    """Brief of where the work of a project stands."""

    this: SessionResumed | None  # the session that asks, where its hooks told of it
    before: SessionResumed | None  # the project's session that stopped last
    intentions: list[IntentionView]  # open ones, most urgent first
    answers: list[Answered]
    health: Health


class Brief(Operation[Briefed], frozen=True, kw_only=True):
    """Request for where the work of a project stands; intentions of a session stand beside it."""

    NAME = "brief"
    session: str
    project: Annotated[str, HERE]
    queries: list[str] = msgspec.field(default_factory=list[str])  # at most five
    k: int = 5  # results of each
    tokens: int = 1_000  # of the texts of each

    OFFERS = (
        Offer(
            "session_context",
            "Take up the work",
            "Where the work stands, what is intended and what is known about up to five questions, in"
            " one answer.",
            "queries",
            here="session",
            unused="context include_status include_intentions include_predictions",
            leaves=SEEN,
            tokens="token_budget",
            reads_only=True,
        ),
    )

    async def answer(self, parts: Parts, progress: Progress) -> Briefed:
        from actors.recall.opening import QUIET, RECENT
        from daemon.api.intentions import open_in

        if len(self.queries) > QUERIES:
            raise BadRequest(f"{len(self.queries)} queries: at most {QUERIES} are answered at once")
        project = parts.project_meant(self.project)
        answers = [await self._answered(parts, query, project, progress) for query in self.queries]
        now = parts.clock.now()
        last = await parts.reader.session_before(self.session, project, now - RECENT, now - QUIET)
        return Briefed(
            this=await _resumed(parts, self.session),
            before=await _resumed(parts, last.session) if last is not None else None,
            intentions=await open_in(parts, project),
            answers=answers,
            health=await _health(parts, progress),
        )

    async def _answered(
        self, parts: Parts, query: str, project: str | None, progress: Progress
    ) -> Answered:
        asked = Recall(query=query, k=self.k, project=project, tokens=self.tokens, detail="summary")
        found = await asked.answer(parts, progress)
        return Answered(query=query, results=found.results, confidence=round(found.confidence, 2))


async def _resumed(parts: Parts, session: str) -> SessionResumed | None:
    """The session of exactly this name; its intentions are told beside it."""
    from daemon.answers.sessions import resumed
    from daemon.storage import sessions

    rows = await parts.reader.read(sessions.sessions_called, session, 1)
    if not rows or rows[0]["session"] != session:
        return None
    return msgspec.structs.replace(await resumed(parts, rows[0]), intentions=[])


async def _health(parts: Parts, progress: Progress) -> Health:
    state, now = await Status().answer(parts, progress), parts.clock.now()
    return Health(
        memories=state.memories,
        vectors=state.vectors,
        degraded=state.degraded,
        plans=state.plans,
        backup=state.backup,
        due=[name for name, job in state.schedule.items() if job["due"] <= now],
    )
