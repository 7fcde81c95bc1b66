"""Assessments of tasks: each is two rows of the journal, which are read as one.

A folder and a task name an assessment in its project. The newest scores before count until there
are scores after; then the task is over, and new work needs a name of its own.
"""

from secrets import token_bytes
from typing import Any, Final

import msgspec

from actors.intake.rows import JournalRow
from actors.intake.writes import Journaled
from actors.policy.evaluation.learning_index import Scores, band, learning_index, mean, trend
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
    project = project_meant(parts, request.project)
    folder, task = _clean(parts, [request.folder, request.task])
    known = (await _known(parts, project)).get((folder, task))
    if known is not None and known.ended_at is not None:
        raise BadRequest(
            f"the task {task!r} is over and keeps its scores: give new work another name"
        )
    said = {"gaps": _clean(parts, request.gaps), "session": request.session}
    return await _noted(parts, project, {**_scored(request, folder, task), **said, "after": False})


async def postflight(parts: Parts, request: Postflight) -> Assessed:
    """Note the scores after a task."""
    project = project_meant(parts, request.project)
    folder, task = _clean(parts, [request.folder, request.task])
    if (folder, task) not in await _known(parts, project):
        raise BadRequest(
            f"no scores before the task {task!r} of {folder!r} are known: preflight first"
        )
    said = {"closed": _clean(parts, request.closed), "found": _clean(parts, request.found)}
    return await _noted(parts, project, {**_scored(request, folder, task), **said, "after": True})


async def learning_history(parts: Parts, request: LearningHistory) -> Assessments:
    """Tasks of a project that were assessed, newest first."""
    check_limit(request.limit)
    known = await _known(parts, project_meant(parts, request.project))
    wanted = [
        one
        for one in known.values()
        if (request.folder is None or one.folder == request.folder)
        and (request.session is None or one.session == request.session)
        and (one.ended_at is not None or not request.complete)
    ]
    newest = sorted(wanted, key=lambda one: one.ended_at or one.at, reverse=True)
    return Assessments(
        assessments=newest[: request.limit],
        total=len(newest),
        summary=_summary(newest) if request.summary else None,
    )


def _summary(newest: list[AssessmentView]) -> Summary:
    done = [one for one in reversed(newest) if one.index is not None]
    indexes = [one.index for one in done if one.index is not None]
    bands = [one.band for one in done]
    return Summary(
        tasks=len(done),
        index=round(mean(indexes), 2),
        bands={name: bands.count(name) for name in dict.fromkeys(bands)},
        trend=trend(indexes),
    )


def _clean(parts: Parts, texts: list[str]) -> list[str]:
    """Texts without secrets."""
    return [parts.redact(text.encode("utf-8", "replace").decode())[0] for text in texts]


def _scored(request: Preflight | Postflight, folder: str, task: str) -> dict[str, Any]:
    return {
        "hook_event_name": EVENT,
        "folder": folder,
        "task": task,
        "scores": {
            "knowledge": request.knowledge,
            "uncertainty": request.uncertainty,
            "context": request.context,
        },
    }


async def _noted(parts: Parts, project: str | None, body: dict[str, Any]) -> Assessed:
    row = Journaled(
        token_bytes(16), AGENT, parts.clock.now(), journal.ASSESSMENT, journal.ASSESSMENT, project,
        msgspec.msgpack.encode(body), done=True,
    )  # fmt: skip
    await commit(parts, (row,))
    known = await _known(parts, project)
    return Assessed(assessment=known[body["folder"], body["task"]])


async def _known(parts: Parts, project: str | None) -> dict[tuple[str, str], AssessmentView]:
    """Assessments of a project, by folder and task."""
    found: dict[tuple[str, str], AssessmentView] = {}
    for row in await parts.reader.read(journal.assessments, project, MOST):
        if row.body:  # else it was erased
            _take_in(found, row, msgspec.msgpack.decode(row.body))
    return found


def _take_in(
    found: dict[tuple[str, str], AssessmentView], row: JournalRow, body: dict[str, Any]
) -> None:
    folder, task, at = body["folder"], body["task"], row.received_at
    begun = found.get((folder, task))
    if not body["after"]:
        found[folder, task] = AssessmentView(
            folder=folder, task=task, session=body["session"], at=at, before=body["scores"],
            gaps=body["gaps"],
        )  # fmt: skip
    elif begun is not None:  # else its beginning is gone
        index = learning_index(Scores(**begun.before), Scores(**body["scores"]))
        found[folder, task] = msgspec.structs.replace(
            begun, ended_at=at, after=body["scores"], closed=body["closed"], found=body["found"],
            index=index, band=band(index).value,
        )  # fmt: skip


ANSWERS = table(preflight, postflight, learning_history)
