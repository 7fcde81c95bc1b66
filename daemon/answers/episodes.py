"""Important moments: what they captured and may still capture; what may explain a failure."""

import math
from typing import Any

from actors.capture.messages import Backfill
from actors.capture.tagging import tag_of
from actors.memory.rows import Scope
from actors.policy.capture import backfill, capture
from actors.policy.capture.backfill import Cause, Failure
from actors.policy.capture.capture import HOUR
from actors.policy.events.signatures import signature
from daemon.answers.about import ended_view
from daemon.context import (
    NotThere,
    Parts,
    check_limit,
    known_memories,
    project_meant,
    table,
)
from daemon.requests import episodes as asked
from daemon.requests.about import EndedView
from daemon.requests.shapes import BadRequest
from daemon.storage import changes, episodes
from daemon.views import memory_view, short_id, view

ANSWER_WITHIN = 30.0  # seconds
FAILURE_LIMIT = 16_384  # characters of a failure that are read


async def list_episodes(parts: Parts, request: asked.ListEpisodes) -> asked.EpisodesPage:
    """Episodes, newest first."""
    check_limit(request.limit)
    project = None if request.everywhere else project_meant(parts, request.project)
    total, found = await parts.reader.read(episodes.episodes, project, request.limit)
    return _page(parts, found, total)


async def show_episode(parts: Parts, request: asked.ShowEpisode) -> asked.EpisodeShown:
    """One episode."""
    found = await parts.reader.read(episodes.episode, request.id)
    if found is None:
        raise NotThere(
            "no_such_episode",
            f"there is no episode {request.id[:60]!r}: reverie episodes lists them",
        )
    return asked.EpisodeShown(episode=_view(found))


async def captures_of(parts: Parts, memory_id: int) -> list[dict[str, Any]]:
    """The captured turns that a memory was made in: the moment, its score, the hours between."""
    found = await parts.reader.read(episodes.captures_of, memory_id)
    return [
        {
            "episode": moment.id,
            "kind": moment.kind,
            "reason": moment.reason,
            "score": taken.score,
            "hours": taken.hours,
            "at": moment.at,
        }
        for taken, moment in found
    ]


def _view(found: episodes.Episode) -> asked.Episode:
    hours = [one.capture.hours for one in found.members]
    members = [
        asked.Member(
            said=one.said,
            session=one.tag.session,
            at=one.tag.at,
            score=one.capture.score,
            hours=one.capture.hours,
            memories=[short_id(memory_id) for memory_id in one.memory_ids],
        )
        for one in found.members
    ]
    return view(asked.Episode, found.moment, span=max(hours) - min(hours), members=members)


async def list_tags(parts: Parts, request: asked.ListTags) -> asked.TagsPage:
    """Turns that may still be captured, and those that were, between two times."""
    check_limit(request.limit)
    project = None if request.everywhere else project_meant(parts, request.project)
    settings, now = parts.settings.tagging, parts.clock.now()
    begin = now - settings.lifetime * HOUR if request.begin is None else request.begin
    end = math.inf if request.end is None else request.end
    rows = await parts.reader.read(episodes.tags_listed, project, begin, end, request.limit)
    tags = [
        asked.Tagged(
            said=await parts.reader.read(episodes.said_in, row),
            session=row.session,
            at=row.at,
            strength=capture.tag_strength(tag_of(row), now, settings),
            episode=await parts.reader.read(episodes.captured_by, row),
            project=row.project,
        )
        for row in rows
    ]
    open_ones = sum(one.episode is None and one.strength > 0 for one in tags)
    taken = sum(one.episode is not None for one in tags)
    return asked.TagsPage(tags=tags, active=open_ones, captured=taken)


async def episodes_of(parts: Parts, request: asked.EpisodesOf) -> asked.EpisodesPage:
    """The episodes that a memory belongs to."""
    (memory,) = await known_memories(parts, [request.id])
    found = await parts.reader.read(episodes.episodes_of, memory.id)
    return _page(parts, found, len(found))


def _page(parts: Parts, found: list[episodes.Episode], total: int) -> asked.EpisodesPage:
    capturing = parts.settings.tagging.enabled
    return asked.EpisodesPage(episodes=[*map(_view, found)], total=total, capturing=capturing)


async def look_back(parts: Parts, request: asked.LookBack) -> asked.LookedBack:
    """Memories that may explain a failure; a preview unless it is to be applied."""
    failure, project = await _failure(parts, request)
    scope = Scope(project, everywhere=request.everywhere)
    at = parts.clock.now() if request.apply else None
    found: tuple[Cause, ...] = await parts.mailboxes.tagging.ask(
        lambda reply: Backfill(failure, scope, at, reply), within=ANSWER_WITHIN
    )
    memories = await parts.reader.memories([int(cause.memory_id) for cause in found])
    causes = [
        memory_view(
            asked.PossibleCause,
            memory,
            shared=list(cause.shared),
            stability=cause.stability,
            proposed=cause.proposed,
        )
        for cause in found
        if (memory := memories.get(int(cause.memory_id))) is not None
    ]
    names = sorted(backfill.entities(failure.text))
    ended = await _ended(parts, failure, project)
    return asked.LookedBack(causes=causes, names=names, applied=request.apply, ended=ended)


async def _ended(parts: Parts, failure: Failure, project: str | None) -> EndedView | None:
    """Look up what ended a failure that says the same, the last time."""
    said = signature(failure.text)
    if project is None or not said:
        return None
    found = await parts.reader.read(changes.ended_failure, project, said)
    return ended_view(found) if found is not None else None


async def _failure(parts: Parts, request: asked.LookBack) -> tuple[Failure, str | None]:
    """The failure as the policy sees it, and whose memories are looked at."""
    project = project_meant(parts, request.project)
    if (request.id is None) == (request.failure is None):
        raise BadRequest("name either a memory that tells of the failure, or the failure itself")
    if request.failure is not None:
        text = request.failure[:FAILURE_LIMIT]
        return Failure("", text, parts.clock.now()), project
    (memory,) = await known_memories(parts, [request.id or ""])
    told = Failure(str(memory.id), memory.text, memory.created_at)
    return told, project if request.project is not None else memory.project


ANSWERS = table(list_episodes, show_episode, list_tags, episodes_of, look_back)
