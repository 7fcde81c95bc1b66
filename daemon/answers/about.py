"""Memories that bear on an open file or stand in its text, and what is made ready for it."""

from pathlib import Path

import msgspec

from actors.core.mailbox import Lane, MailboxFull
from actors.intake.rows import EndedFailure
from actors.memory.rows import Scope
from actors.policy.recall.evidence import Reason
from actors.policy.recall.ranking import UNREAD
from actors.policy.session.prefetch import question_about
from actors.policy.times.validity import is_valid
from actors.recall.messages import Called, Expectation, Expected, Found, Opened, Search, WhatMatches
from actors.staleness.messages import FileOpened
from daemon.answers.recall import RECALL_DEADLINE, recalled
from daemon.context import PAGE, PAGE_LIMIT, Parts, Progress, table
from daemon.projects import place_in
from daemon.requests.about import (
    About,
    Bearing,
    CompanionView,
    EndedView,
    Foreseen,
    Match,
    Matched,
    MatchView,
    Open,
)
from daemon.requests.shapes import BadRequest, Done
from daemon.states import origin_of, state_of
from daemon.storage import changes, memories
from daemon.views import memory_view, short_id, view

EXPECTED_WITHIN = 2.0  # seconds
COMPANIONS = 8  # files that were changed together with one
ENDED = 3  # failures that an edit of it ended
FAR = frozenset({str(Reason.DISTANT), UNREAD})  # reasons of results that nobody would miss


async def opened(parts: Parts, request: Open, _: Progress) -> Done:
    """An editor shows a file; what it is likely to call for is made ready in the background."""
    project = await project_of_file(parts, Path(request.path))
    if project is not None:
        parts.mailboxes.staleness.hint(FileOpened(request.path, project))
    try:
        parts.mailboxes.recall.offer(Opened(request.path, project), lane=Lane.BACKGROUND)
    except MailboxFull:
        return Done(count=0, note="too much is going on: nothing is made ready")
    return Done()


async def about(parts: Parts, request: About, _: Progress) -> Bearing:
    """Memories that bear on a file, closely, and what is expected to be asked there."""
    if not 1 <= request.k <= PAGE_LIMIT:
        raise BadRequest(f"k is {request.k}: it must be between 1 and {PAGE_LIMIT}")
    project = await project_of_file(parts, Path(request.path))
    question = question_about(request.path, project)
    found: Found = await parts.mailboxes.recall.ask(
        lambda reply: Search(
            question, request.k, Scope(project), request.track, RECALL_DEADLINE, reply
        ),
        within=RECALL_DEADLINE,
    )
    expected: tuple[Expectation, ...] = await parts.mailboxes.recall.ask(
        lambda reply: Expected(request.path, project, reply), within=EXPECTED_WITHIN
    )
    answer = recalled(found, explain=True, at=parts.clock.now())
    near = [one for one in answer.results if one.why not in FAR]
    together, ended = await _changes(parts, project, request.path)
    return Bearing(
        together=together,
        ended=ended,
        question=question,
        project=project,
        found=msgspec.structs.replace(answer, results=near),
        ready="prepared" in found.timings,
        expected=[_foreseen(one) for one in expected],
    )


async def _changes(
    parts: Parts, project: str | None, path: str
) -> tuple[list[CompanionView], list[EndedView]]:
    """Look up what was changed together with a file, and which failures an edit of it ended."""
    place = place_in(project, path) if project is not None else None
    if project is None or place is None:
        return [], []
    together = await parts.reader.read(changes.companions, project, place, COMPANIONS)
    ended = await parts.reader.read(changes.ended_by, project, place, ENDED)
    return (
        [view(CompanionView, one) for one in together],
        [ended_view(one) for one in ended],
    )


def ended_view(one: EndedFailure) -> EndedView:
    """Return how a failure was ended, for clients."""
    return view(EndedView, one, paths=list(one.paths), repairs=list(one.repairs))


def _foreseen(one: Expectation) -> Foreseen:
    memory = isinstance(one.what, int)
    return view(
        Foreseen,
        one,
        memory=short_id(one.what) if isinstance(one.what, int) else None,
        question=None if memory else str(one.what),
    )


async def project_of_file(parts: Parts, path: Path) -> str | None:
    """The project a file lies in: its repository, else the nearest folder with memories."""
    folder = parts.project_of(str(path.parent))
    if folder is None or Path(folder) != path.parent:
        return folder
    above = [str(parent) for parent in (path.parent, *path.parent.parents)]
    known = await parts.reader.read(memories.known_project, above)
    return known or folder


MATCH_DEADLINE = 5.0  # seconds


async def match(parts: Parts, request: Match, _: Progress) -> Matched:
    """The memories that a text in an editor mentions."""
    project = await project_of_file(parts, Path(request.path)) if request.path else None
    revision = parts.changes.revision
    found: list[Called] = await parts.mailboxes.triggers.ask(
        lambda reply: WhatMatches(
            request.text, Scope(project), max(1, min(request.limit, PAGE)), reply
        ),
        within=MATCH_DEADLINE,
    )
    memories = await parts.reader.memories(sorted({called.match.owner for called in found}))
    now = parts.clock.now()
    views = [
        memory_view(
            MatchView,
            memory,
            start=called.match.start,
            end=called.match.end,
            phrase=called.match.phrase,
            score=_match_score(called),
            state=state_of(memory, now, parts.settings.fading),
            origin=origin_of(memory),
            valid=is_valid(memory.validity, now),
        )
        for called in found
        if (memory := memories.get(called.match.owner)) is not None and memory.ended is None
    ]
    return Matched(matches=views, revision=revision)


def _match_score(called: Called) -> float:
    """How telling a match is, 0..1: a phrase that was set is, a derived one by its length.

    The scale is a choice.
    """
    if called.given:
        return 1.0
    phrase = called.match.phrase
    return min(0.95, 0.7 + 0.1 * (len(phrase.split()) - 1) + 0.01 * min(len(phrase), 20))


ANSWERS = table(opened, about, match)
