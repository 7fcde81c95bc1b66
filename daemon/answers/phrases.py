"""Phrases of memories in a text that an editor shows."""

from pathlib import Path

from actors.memory.rows import Scope
from actors.policy.times.validity import is_valid
from actors.recall.messages import Called, WhatMatches
from daemon.answers.about import project_of_file
from daemon.context import PAGE, Parts, Progress, table
from daemon.requests.phrases import Match, Matched, MatchView
from daemon.states import origin_of, state_of
from daemon.views import memory_view

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


ANSWERS = table(match)
