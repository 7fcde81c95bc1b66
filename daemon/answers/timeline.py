"""Memories by the time they were made, and the neighbours of one."""

from collections import defaultdict
from collections.abc import Sequence

from actors.memory.rows import Scope
from actors.policy.times import temporal
from daemon.context import (
    Parts,
    Progress,
    check_limit,
    known_memories,
    project_meant,
    table,
)
from daemon.requests.shapes import BadRequest
from daemon.requests.timeline import Past, Remembered, Timeline, TimelinePage
from daemon.states import state_of
from daemon.storage import timeline as timeline_stored
from daemon.views import memory_view, view

WINDOW_LIMIT = 366 * 86_400.0  # seconds


async def timeline(parts: Parts, request: Timeline, _: Progress) -> TimelinePage:
    """Memories by their time, or the neighbours of one (row G05)."""
    check_limit(request.limit)
    if not 0 < request.window <= WINDOW_LIMIT:
        raise BadRequest(f"a window of {request.window:g} s: it must be between 0 and a year")
    scope = Scope(project_meant(parts, request.project), everywhere=request.everywhere)
    if request.id is not None:
        return await _around(parts, request, request.id, scope)
    total, moments = await parts.reader.read(timeline_stored.newest, scope, request.limit)
    order = temporal.timeline(moments)
    return TimelinePage(
        memories=await _remembered(parts, [(number, None) for number in order]),
        total=total,
        about=None,
    )


async def _around(parts: Parts, request: Timeline, short: str, scope: Scope) -> TimelinePage:
    (memory,) = await known_memories(parts, [short])
    if request.project is None:
        scope = Scope(memory.project, everywhere=request.everywhere)
    begin, end = memory.created_at - request.window, memory.created_at + request.window
    moments = await parts.reader.read(timeline_stored.moments, scope, begin, end)
    there = dict([*moments, (memory.id, memory.created_at)])
    near = temporal.neighbours(memory.id, there, request.window)
    (about,) = await _remembered(parts, [(memory.id, None)])
    first = await _remembered(parts, near[: request.limit])
    return TimelinePage(memories=first, total=len(near), about=about)


async def _remembered(parts: Parts, wanted: Sequence[tuple[int, float | None]]) -> list[Remembered]:
    ids = [number for number, _ in wanted]
    memories = await parts.reader.memories(ids)
    happened: dict[int, list[Past]] = defaultdict(list)
    for one in await parts.reader.read(timeline_stored.happened, ids):
        happened[one.memory_id].append(view(Past, one))
    now = parts.clock.now()
    return [
        memory_view(
            Remembered,
            memory,
            state=state_of(memory, now, parts.settings.fading),
            apart=apart,
            past=happened[number],
        )
        for number, apart in wanted
        if (memory := memories.get(number)) is not None  # erased meanwhile
    ]


ANSWERS = table(timeline)
