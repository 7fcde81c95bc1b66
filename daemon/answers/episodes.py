"""Important moments: what they captured and may still capture; what may explain a failure."""

import math
from typing import Any

from actors.capture.messages import Backfill
from actors.capture.tagging import is_in_scope
from actors.memory.rows import Scope
from actors.policy.capture import backfill, capture
from actors.policy.capture.backfill import Cause, Failure
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
    members = parts.settings.tagging.members
    total, found = await parts.reader.read(episodes.episodes, project, members, request.limit)
    return await _page(parts, found, total)


async def show_episode(parts: Parts, request: asked.ShowEpisode) -> asked.EpisodeShown:
    """One episode."""
    members = parts.settings.tagging.members
    found = await parts.reader.read(episodes.episode, request.id, members)
    if found is None:
        raise NotThere(
            "no_such_episode",
            f"there is no episode {request.id[:60]!r}: reverie episodes lists them",
        )
    (episode,) = await viewed(parts, [found])
    return asked.EpisodeShown(episode=episode)


async def captures_of(parts: Parts, memory_id: int) -> list[dict[str, Any]]:
    """Captures of a memory, oldest first: the moment, its score, the hours between."""
    found = await parts.reader.read(episodes.captures_of, memory_id)
    return [
        {
            "episode": event.id,
            "kind": event.kind,
            "reason": event.reason,
            "score": taken.score,
            "hours": taken.hours,
            "importance": taken.importance,
            "at": taken.at,
        }
        for taken, event in found
    ]


async def viewed(parts: Parts, found: list[episodes.Episode]) -> list[asked.Episode]:
    """Episodes with the titles of their memories."""
    ids = sorted({row.memory_id for one in found for row in one.members})
    memories = await parts.reader.memories(ids)
    titles = {memory.id: memory.title for memory in memories.values()}
    return [_view(one, titles) for one in found]


def _view(found: episodes.Episode, titles: dict[int, str]) -> asked.Episode:
    event = found.event
    captures = (
        capture.Capture(str(row.memory_id), row.event_id, row.score, row.hours, row.importance)
        for row in found.members
    )
    kind = capture.EventKind(event.kind)
    cluster = capture.Cluster(event.id, kind, event.at, tuple(captures))
    return view(
        asked.Episode,
        event,
        captured=found.total,
        average_importance=capture.average_importance(cluster),
        span=capture.span(cluster),
        members=[
            view(
                asked.Member,
                row,
                id=short_id(row.memory_id),
                title=titles.get(row.memory_id, ""),
            )
            for row in found.members
        ],
    )


async def list_tags(parts: Parts, request: asked.ListTags) -> asked.TagsPage:
    """Active and captured tags, or the candidates of a time."""
    check_limit(request.limit)
    scope = Scope(project_meant(parts, request.project), everywhere=request.everywhere)
    settings, now = parts.settings.tagging, parts.clock.now()
    held = [row.tag for row in await parts.reader.tags(None) if is_in_scope(row, scope)]
    active = capture.active_tags(held, now, settings)
    taken = [one for one in held if one.captured_at is not None]
    chosen = (*active, *taken)
    if request.begin is not None or request.end is not None:
        times = request.begin or 0.0, request.end or math.inf
        chosen = capture.active_tags(held, now, settings, *times)
    listed = sorted(chosen, key=lambda one: (-one.at, one.memory_id))[: request.limit]
    memories = await parts.reader.memories([int(one.memory_id) for one in listed])
    return asked.TagsPage(
        tags=[
            memory_view(
                asked.Tagged,
                memory,
                at=one.at,
                strength=capture.tag_strength(one, now, settings),
                captured_at=one.captured_at,
                episode=one.captured_by,
            )
            for one in listed
            if (memory := memories.get(int(one.memory_id))) is not None
        ],
        active=len(active),
        captured=len(taken),
    )


async def episodes_of(parts: Parts, request: asked.EpisodesOf) -> asked.EpisodesPage:
    """The clusters that a memory belongs to."""
    (memory,) = await known_memories(parts, [request.id])
    members = parts.settings.tagging.members
    found = await parts.reader.read(episodes.episodes_of, memory.id, members)
    return await _page(parts, found, len(found))


async def _page(parts: Parts, found: list[episodes.Episode], total: int) -> asked.EpisodesPage:
    capturing = parts.settings.tagging.enabled
    shown = await viewed(parts, found)
    return asked.EpisodesPage(episodes=shown, total=total, capturing=capturing)


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
