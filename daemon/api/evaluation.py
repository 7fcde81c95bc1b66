"""Use of memories by agents, and how an agent scores itself before a task and after."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import token_bytes
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from daemon.api.operation import HERE, Line, Operation
from daemon.commands.terminal.words import age, counted, now
from daemon.shapes.replies import BadRequest, Count, Reply
from daemon.views import short_id

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

LONGEST: Final = 520  # weeks
NAMED: Final = 5  # memories


class Week(msgspec.Struct, frozen=True, kw_only=True):
    """Seven days. A memory counts once a session, in the week in which it was first shown there."""

    begins: float  # seconds since the epoch, UTC
    sessions: int  # that were shown anything
    shown: int
    cited: int
    used: int  # cited, edited after, or confirmed
    ignored: int  # shown, and no sign of use


class Ignored(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that was shown and of which there is no sign of use."""

    id: str
    title: str
    sessions: int


class AgentsFigures(Reply, frozen=True, kw_only=True):
    """The weeks, newest first, and what was most often shown for nothing."""

    weeks: list[Week]
    ignored: list[Ignored]


class Agents(Operation[AgentsFigures], frozen=True, kw_only=True):
    """Request for the use that agents made of what they were shown, week by week."""

    NAME = "agents"
    weeks: Annotated[int, Meta(ge=1, le=LONGEST)] = 8

    async def answer(self, parts: Parts, _: Progress) -> AgentsFigures:
        from daemon.storage import stats

        at = parts.clock.now()
        rows = await parts.reader.read(stats.weeks, at, self.weeks)
        ignored = await parts.reader.read(stats.most_ignored, at, self.weeks, NAMED)
        return AgentsFigures(
            weeks=[
                Week(
                    begins=at - (back + 1) * stats.WEEK,
                    sessions=sessions,
                    shown=shown,
                    cited=cited,
                    used=used,
                    ignored=shown - used,
                )
                for back, sessions, shown, cited, used in rows
            ],
            ignored=[
                Ignored(id=short_id(number), title=title, sessions=sessions)
                for number, title, sessions in ignored
            ],
        )

    def lines(self, found: AgentsFigures) -> Iterator[Line]:
        if not found.weeks:
            yield "no agent was shown a memory in the last eight weeks"
            return
        yield ["week from", "sessions", "shown", "cited", "used", "ignored"]
        for week in found.weeks:
            begun, shown = age(now() - week.begins), week.shown
            parts = (f"{n:,} ({n / shown:.0%})" for n in (week.cited, week.used, week.ignored))
            yield [begun, f"{week.sessions:,}", f"{shown:,}", *parts]
        if found.ignored:
            yield "\nshown most often and never used:"
        for one in found.ignored:
            yield ["", one.id, f"in {counted(one.sessions, 'session')}", one.title]


# ---- how an agent scores itself before a task and after, and its gain
#
# Each is two rows of the journal, which are read as one. A folder and a task name an assessment in its
# project. The newest scores before count until there are scores after; then the task is over, and new
# work needs a name of its own.


AGENT: Final = "reverie"  # who is journaled to have noted them
MOST: Final = 1_000  # rows of a project that are read, the newest
EVENT: Final = "TaskAssessed"
Score = Annotated[float, Meta(ge=0, le=100)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Gaps = Annotated[list[Annotated[str, Meta(max_length=500)]], Meta(max_length=20)]


class AssessmentView(msgspec.Struct, frozen=True, kw_only=True):
    """A task, as the agent that did it scored itself."""

    folder: str
    task: str
    session: str
    at: float  # seconds UTC, of the scores before it
    before: dict[str, float]  # knowledge, uncertainty, context: 0 to 100
    gaps: list[str]  # in what was known
    ended_at: float | None = None  # None: it is under way
    after: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    closed: list[str] = msgspec.field(default_factory=list[str])
    found: list[str] = msgspec.field(default_factory=list[str])  # new gaps
    index: float | None = None  # learning index, -100 to 100
    band: str = ""  # significant, moderate, incremental, execution, regression


class Assessed(Reply, frozen=True, kw_only=True):
    """The assessment of a task as it is now."""

    assessment: AssessmentView


class Preflight(Operation[Assessed], frozen=True, kw_only=True):
    """Note the scores before a task; while it is under way, in place of those noted before."""

    NAME = "preflight"
    folder: Name
    task: Name
    knowledge: Score
    uncertainty: Score
    context: Score
    gaps: Gaps = msgspec.field(default_factory=list[str])
    session: str = ""
    project: Annotated[str | None, HERE] = None

    async def answer(self, parts: Parts, _: Progress) -> Assessed:
        return await _noted(parts, self, after=False)


class Postflight(Operation[Assessed], frozen=True, kw_only=True):
    """Note the scores after a task whose scores before it are known."""

    NAME = "postflight"
    folder: Name
    task: Name
    knowledge: Score
    uncertainty: Score
    context: Score
    closed: Gaps = msgspec.field(default_factory=list[str])
    found: Gaps = msgspec.field(default_factory=list[str])
    project: Annotated[str | None, HERE] = None

    async def answer(self, parts: Parts, _: Progress) -> Assessed:
        return await _noted(parts, self, after=True)


async def _noted(parts: Parts, request: Preflight | Postflight, *, after: bool) -> Assessed:
    from actors.intake.messages import Journaled
    from actors.policy.session.tasks import WEIGHTS
    from daemon.storage import journal

    project = parts.project_meant(request.project)
    said: dict[str, Any] = msgspec.to_builtins(request)
    texts = ("folder", "task", "gaps", "closed", "found")
    body: dict[str, Any] = {name: _clean(parts, said[name]) for name in texts if name in said}
    key: tuple[str, str] = (body["folder"], body["task"])
    task = (await _known(parts, project)).get(key)
    if after and task is None:
        raise BadRequest(
            f"no scores before the task {key[1]!r} of {key[0]!r} are known: preflight first"
        )
    if not after and task is not None and task.ended_at is not None:
        raise BadRequest(
            f"the task {key[1]!r} is over and keeps its scores: give new work another name"
        )
    body |= {"hook_event_name": EVENT, "after": after, "session": said.get("session", "")}
    body["scores"] = {name: said[name] for name in WEIGHTS}
    row = Journaled(
        token_bytes(16), AGENT, parts.clock.now(), journal.ASSESSMENT, journal.ASSESSMENT, project,
        msgspec.msgpack.encode(body), done=True,
    )  # fmt: skip
    await parts.commit((row,))
    return Assessed(assessment=(await _known(parts, project))[key])


def _clean(parts: Parts, said: str | list[str]) -> str | list[str]:
    """A text, or several, without secrets."""
    if isinstance(said, str):
        return parts.redact(said.encode("utf-8", "replace").decode())[0]
    return [parts.redact(text.encode("utf-8", "replace").decode())[0] for text in said]


async def _known(parts: Parts, project: str | None) -> dict[tuple[str, str], AssessmentView]:
    """Assessments of a project, by folder and task."""
    from actors.policy.session.tasks import band, learning_index
    from daemon.storage import journal

    tasks: dict[tuple[str, str], AssessmentView] = {}
    for row in await parts.reader.read(journal.assessments, project, MOST):
        if not row.body:
            continue  # it was erased
        body = msgspec.msgpack.decode(row.body)
        key, scores = (body["folder"], body["task"]), body["scores"]
        begun = tasks.get(key)
        if not body["after"]:
            tasks[key] = AssessmentView(
                folder=key[0], task=key[1], session=body["session"], at=row.received_at,
                before=scores, gaps=body["gaps"],
            )  # fmt: skip
        elif begun is not None:  # else its beginning is gone
            index = learning_index(begun.before, scores)
            tasks[key] = msgspec.structs.replace(
                begun, ended_at=row.received_at, after=scores, closed=body["closed"],
                found=body["found"], index=index, band=band(index),
            )  # fmt: skip
    return tasks


# ---- what was learnt


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Finished tasks on the average."""

    tasks: int
    index: float
    bands: dict[str, int]
    trend: str  # rising, falling, steady; empty for fewer than four tasks


class Assessments(Reply, frozen=True, kw_only=True):
    """Tasks that were assessed, newest first."""

    assessments: list[AssessmentView]
    total: int
    summary: Summary | None


class LearningHistory(Operation[Assessments], frozen=True, kw_only=True):
    """Request for the tasks that were assessed in a project. They are known for a year."""

    NAME = "learning-history"
    folder: str | None = None
    session: str | None = None
    complete: bool = False  # those that are finished alone
    summary: bool = True
    limit: Count = 10
    project: Annotated[str | None, HERE] = None

    async def answer(self, parts: Parts, _: Progress) -> Assessments:
        known = await _known(parts, parts.project_meant(self.project))
        wanted = [
            one
            for one in known.values()
            if self.folder in (None, one.folder)
            and self.session in (None, one.session)
            and (one.ended_at is not None or not self.complete)
        ]
        newest = sorted(wanted, key=lambda one: one.ended_at or one.at, reverse=True)
        return Assessments(
            assessments=newest[: self.limit],
            total=len(newest),
            summary=_summary(newest) if self.summary else None,
        )


def _summary(newest: list[AssessmentView]) -> Summary:
    from actors.policy.session.tasks import band, trend

    indexes = [one.index for one in reversed(newest) if one.index is not None]
    bands = [band(index) for index in indexes]
    return Summary(
        tasks=len(indexes),
        index=round(fmean(indexes), 2) if indexes else 0.0,
        bands={name: bands.count(name) for name in dict.fromkeys(bands)},
        trend=trend(indexes),
    )
