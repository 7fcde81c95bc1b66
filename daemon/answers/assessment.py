"""Assessments of tasks: each is two rows of the journal, which are read as one.

A folder and a task name an assessment in its project. The newest scores before count until there
are scores after; then the task is over, and new work needs a name of its own.
"""

from secrets import token_bytes
from statistics import fmean
from typing import Any, Final

import msgspec

from actors.intake.writes import Journaled
from actors.policy.evaluation.learning_index import WEIGHTS, band, learning_index, trend
from daemon.context import Parts, check_limit, commit, project_meant, table
from daemon.requests.assessment import (
    Assessed,
    Assessments,
    AssessmentView,
    LearningHistory,
    Postflight,
    Preflight,
    Summary,
)
from daemon.requests.shapes import BadRequest
from daemon.storage import journal

AGENT: Final = "reverie"  # who is journaled to have noted them
MOST: Final = 1_000  # rows of a project that are read, the newest
EVENT: Final = "TaskAssessed"


async def preflight(parts: Parts, request: Preflight) -> Assessed:
    """Note the scores before a task."""
    return await _noted(parts, request, after=False)


async def postflight(parts: Parts, request: Postflight) -> Assessed:
    """Note the scores after a task."""
    return await _noted(parts, request, after=True)


async def _noted(parts: Parts, request: Preflight | Postflight, *, after: bool) -> Assessed:
    project = project_meant(parts, request.project)
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
    await commit(parts, (row,))
    return Assessed(assessment=(await _known(parts, project))[key])


async def learning_history(parts: Parts, request: LearningHistory) -> Assessments:
    """Tasks of a project that were assessed, newest first."""
    check_limit(request.limit)
    known = await _known(parts, project_meant(parts, request.project))
    wanted = [
        one
        for one in known.values()
        if request.folder in (None, one.folder)
        and request.session in (None, one.session)
        and (one.ended_at is not None or not request.complete)
    ]
    newest = sorted(wanted, key=lambda one: one.ended_at or one.at, reverse=True)
    return Assessments(
        assessments=newest[: request.limit],
        total=len(newest),
        summary=_summary(newest) if request.summary else None,
    )


def _summary(newest: list[AssessmentView]) -> Summary:
    indexes = [one.index for one in reversed(newest) if one.index is not None]
    bands = [band(index) for index in indexes]
    return Summary(
        tasks=len(indexes),
        index=round(fmean(indexes), 2) if indexes else 0.0,
        bands={name: bands.count(name) for name in dict.fromkeys(bands)},
        trend=trend(indexes),
    )


def _clean(parts: Parts, said: str | list[str]) -> str | list[str]:
    """A text, or several, without secrets."""
    if isinstance(said, str):
        return parts.redact(said.encode("utf-8", "replace").decode())[0]
    return [parts.redact(text.encode("utf-8", "replace").decode())[0] for text in said]


async def _known(parts: Parts, project: str | None) -> dict[tuple[str, str], AssessmentView]:
    """Assessments of a project, by folder and task."""
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


ANSWERS = table(preflight, postflight, learning_history)
