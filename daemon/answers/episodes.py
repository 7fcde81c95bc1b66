"""Important moments: what they captured and may still capture; what may explain a failure."""

from collections.abc import Mapping
from typing import Any

import msgspec
import trio

from actors.memory.rows import Memory, Scope
from actors.policy.capture import backfill
from actors.policy.capture.backfill import DAY, Cause, Failure
from actors.policy.capture.capture import HOUR, LIFETIME, Decay, faded
from actors.policy.events.signatures import signature
from actors.strength.writes import Rated
from daemon.api.about import EndedView, ended_view
from daemon.context import (
    NotThere,
    Parts,
    check_limit,
    commit,
    known_memories,
    project_meant,
    table,
)
from daemon.requests import episodes as asked
from daemon.requests.shapes import BadRequest
from daemon.storage import changes, episodes
from daemon.views import short_id, view

FAILURE_LIMIT = 16_384  # characters of a failure that are read


async def list_episodes(parts: Parts, request: asked.ListEpisodes) -> asked.EpisodesPage:
    """Episodes, newest first."""
    check_limit(request.limit)
    project = None if request.everywhere else project_meant(parts, request.project)
    total, found = await parts.reader.read(episodes.episodes, project, request.limit)
    capturing = parts.settings.tagging.enabled
    return asked.EpisodesPage(episodes=[*map(_view, found)], total=total, capturing=capturing)


async def show_episode(parts: Parts, request: asked.ShowEpisode) -> asked.EpisodeShown:
    """One episode."""
    found = await parts.reader.read(episodes.named_episodes, [request.id])
    if not found:
        raise NotThere(
            "no_such_episode",
            f"there is no episode {request.id[:60]!r}: reverie episodes lists them",
        )
    return asked.EpisodeShown(episode=_view(found[0]))


def _view(found: episodes.Episode) -> asked.Episode:
    hours = [one.hours for one in found.members]
    members = [
        view(asked.Member, one, memories=[short_id(memory_id) for memory_id in one.memory_ids])
        for one in found.members
    ]
    return view(asked.Episode, found.moment, span=max(hours) - min(hours), members=members)


async def list_tags(parts: Parts, request: asked.ListTags) -> asked.TagsPage:
    """Turns that may still be captured, and those that were, of a tag's lifetime."""
    check_limit(request.limit)
    project = None if request.everywhere else project_meant(parts, request.project)
    decay, now = parts.settings.tagging.decay, parts.clock.now()
    since = now - LIFETIME * HOUR
    rows = await parts.reader.read(episodes.tags_listed, project, since, request.limit)
    tags = [_tagged(row, now, decay) for row in rows]
    open_ones = sum(one.episode is None and one.strength > 0 for one in tags)
    taken = sum(one.episode is not None for one in tags)
    return asked.TagsPage(tags=tags, active=open_ones, captured=taken)


def _tagged(row: Mapping[str, Any], now: float, decay: Decay) -> asked.Tagged:
    strength = faded((now - row["at"]) / HOUR, LIFETIME, decay)
    return msgspec.convert({**row, "strength": strength}, asked.Tagged)


async def look_back(parts: Parts, request: asked.LookBack) -> asked.LookedBack:
    """Memories that may explain a failure; a preview unless it is to be applied."""
    failure, project = await _failure(parts, request)
    names = sorted(backfill.entities(failure.text))
    scope = Scope(project, everywhere=request.everywhere)
    now = parts.clock.now()
    known = await parts.reader.read(
        episodes.earlier, names, scope, failure.at, backfill.REACH, now - backfill.REACH * DAY
    )
    found = await trio.to_thread.run_sync(backfill.causes, failure, known)
    memories = await parts.reader.memories([int(cause.memory_id) for cause in found])
    if request.apply and found:
        there = ((memories.get(int(one.memory_id)), one) for one in found)
        stronger = (_strengthened(memory, one, now) for memory, one in there if memory is not None)
        await commit(parts, tuple(stronger))
    causes = [
        view(
            asked.PossibleCause,
            cause,
            id=short_id(memory.id),
            title=memory.title,
            created_at=memory.created_at,
            shared=list(cause.shared),
        )
        for cause in found
        if (memory := memories.get(int(cause.memory_id))) is not None
    ]
    ended = await _ended(parts, failure, project)
    return asked.LookedBack(causes=causes, names=names, applied=request.apply, ended=ended)


def _strengthened(memory: Memory, cause: Cause, now: float) -> Rated:
    """As after a review that is no use; one that was never reviewed fades from when it was made."""
    since = memory.created_at if memory.last_review is None else memory.last_review
    return Rated(memory.id, cause.proposed, since, memory.lapses, 0, "backfill", now)


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


ANSWERS = table(list_episodes, show_episode, list_tags, look_back)
