"""Tags as they are now, and memories that may explain a failure."""

from __future__ import annotations

import math

from actors.capture.messages import Backfill, WhatCaused
from actors.capture.tagging import is_in_scope, tag_of
from actors.gate.messages import NoSuchMemory
from actors.memory.rows import Scope
from actors.policy.capture import backfill, capture
from actors.policy.capture.backfill import Cause, Failure
from daemon.answers.episodes import viewed
from daemon.answers.recall import PAGE_LIMIT, project_meant
from daemon.context import Parts, Progress, Table
from daemon.requests.backfill import LookBack, LookedBack, PossibleCause
from daemon.requests.episodes import EpisodesOf, EpisodesPage, ListTags, Tagged, TagsPage
from daemon.requests.shapes import BadRequest
from daemon.states import memory_number, short_id
from daemon.storage import episodes

ANSWER_WITHIN = 30.0  # seconds
FAILURE_LIMIT = 16_384  # characters of a failure that are read


async def list_tags(parts: Parts, request: ListTags, _: Progress) -> TagsPage:
    """Active and captured tags, or the candidates of a time (H11)."""
    if not 0 < request.limit <= PAGE_LIMIT:
        raise BadRequest(f"the limit is {request.limit}: it must be between 1 and {PAGE_LIMIT}")
    scope = Scope(project_meant(parts, request.project), everywhere=request.everywhere)
    settings, now = parts.settings.tagging, parts.clock.now()
    rows = {
        str(row.memory_id): row for row in await parts.reader.tags(None) if is_in_scope(row, scope)
    }
    held = [tag_of(row) for row in rows.values()]
    active = capture.active_tags(held, now, settings)
    taken = capture.captured_tags(held)
    chosen = (*active, *taken)
    if request.begin is not None or request.end is not None:
        chosen = capture.candidate_tags(active, request.begin or 0.0, request.end or math.inf)
    listed = sorted(chosen, key=lambda one: (-one.at, one.memory_id))[: request.limit]
    memories = await parts.reader.memories([int(one.memory_id) for one in listed])
    return TagsPage(
        tags=[
            Tagged(
                id=short_id(memory.id),
                title=memory.title,
                at=one.at,
                strength=capture.tag_strength(one, now, settings),
                captured_at=one.captured_at,
                episode=one.captured_by,
                project=memory.project,
            )
            for one in listed
            if (memory := memories.get(int(one.memory_id))) is not None
        ],
        active=len(active),
        captured=len(taken),
    )


async def episodes_of(parts: Parts, request: EpisodesOf, _: Progress) -> EpisodesPage:
    """The clusters that a memory belongs to (H11)."""
    number = memory_number(request.id)
    if number not in await parts.reader.memories([number]):
        raise NoSuchMemory
    members = parts.settings.tagging.members
    found = await parts.reader.read(lambda sql: episodes.episodes_of(sql, number, members))
    return EpisodesPage(episodes=await viewed(parts, found), total=len(found))


async def look_back(parts: Parts, request: LookBack, _: Progress) -> LookedBack:
    """What may explain a failure; a preview unless it is to be applied (H17)."""
    failure, project = await _failure(parts, request)
    scope = Scope(project, everywhere=request.everywhere)
    box, now = parts.mailboxes.tagging, parts.clock.now()
    found: tuple[Cause, ...] = await box.ask(
        lambda reply: (
            Backfill(failure, scope, now, reply)
            if request.apply
            else WhatCaused(failure, scope, reply)
        ),
        within=ANSWER_WITHIN,
    )
    memories = await parts.reader.memories([int(cause.memory_id) for cause in found])
    causes = [
        PossibleCause(
            id=short_id(memory.id),
            title=memory.title,
            created_at=memory.created_at,
            shared=list(cause.shared),
            stability=cause.stability,
            proposed=cause.proposed,
        )
        for cause in found
        if (memory := memories.get(int(cause.memory_id))) is not None
    ]
    names = sorted(backfill.entities(failure.text))
    return LookedBack(causes=causes, names=names, applied=request.apply)


async def _failure(parts: Parts, request: LookBack) -> tuple[Failure, str | None]:
    """The failure as the policy sees it, and whose memories are looked at."""
    project = project_meant(parts, request.project)
    if (request.id is None) == (request.failure is None):
        raise BadRequest("name either a memory that tells of the failure, or the failure itself")
    if request.failure is not None:
        text = request.failure[:FAILURE_LIMIT]
        return Failure("", text, parts.clock.now(), manual=True), project
    number = memory_number(request.id or "")
    memory = (await parts.reader.memories([number])).get(number)
    if memory is None:
        raise NoSuchMemory
    told = Failure(str(memory.id), memory.text, memory.created_at, manual=True)
    return told, project if request.project is not None else memory.project


ANSWERS: Table = {ListTags: list_tags, EpisodesOf: episodes_of, LookBack: look_back}
