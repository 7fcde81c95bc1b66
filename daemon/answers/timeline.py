"""Memories by the time they were made, the neighbours of one, and what will have faded by then."""

import math
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from actors.memory.rows import Memory, Scope
from actors.policy.decay import forecast as rules
from daemon.context import (
    PAGE_LIMIT,
    Parts,
    check_limit,
    known_memories,
    project_meant,
    table,
)
from daemon.requests.acceptance import moment
from daemon.requests.shapes import BadRequest
from daemon.requests.timeline import (
    Forecast,
    Foretold,
    Moved,
    Past,
    Remembered,
    Timeline,
    TimelinePage,
)
from daemon.states import fading_of, state_of
from daemon.storage import timeline as timeline_stored
from daemon.views import memory_view, view

WINDOW_LIMIT = 366 * 86_400.0  # seconds


async def timeline(parts: Parts, request: Timeline) -> TimelinePage:
    """Memories by their time, or the neighbours of one."""
    check_limit(request.limit)
    if not 0 < request.window <= WINDOW_LIMIT:
        raise BadRequest(f"a window of {request.window:g} s: it must be between 0 and a year")
    scope = Scope(project_meant(parts, request.project), everywhere=request.everywhere)
    if request.id is not None:
        return await _around(parts, request, request.id, scope)
    span = (moment(request.begin, -math.inf, "begin"), moment(request.end, math.inf, "end"))
    total, moments = await parts.reader.read(
        timeline_stored.newest, scope, request.limit, span, request.type
    )
    return TimelinePage(
        memories=await _remembered(parts, [(number, None) for number, _ in moments]),
        total=total,
        about=None,
    )


async def _around(parts: Parts, request: Timeline, short: str, scope: Scope) -> TimelinePage:
    (memory,) = await known_memories(parts, [short])
    if request.project is None:
        scope = Scope(memory.project, everywhere=request.everywhere)
    begin, end = memory.created_at - request.window, memory.created_at + request.window
    moments = await parts.reader.read(timeline_stored.moments, scope, begin, end)
    apart = [(number, at - memory.created_at) for number, at in moments if number != memory.id]
    near = sorted(apart, key=lambda one: (abs(one[1]), one[0]))
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


DAY = 86_400.0  # seconds
LONGEST = 36_500.0  # days: no stability is longer


async def living(parts: Parts) -> AsyncGenerator[list[Memory]]:
    """Every living memory, in pages, so that others get their turns between them."""
    after = 0
    while page := await parts.reader.living(after, PAGE_LIMIT):
        yield page
        after = page[-1].id


async def forecast(parts: Parts, request: Forecast) -> Foretold:
    """Forecast of what will have faded by then, from what is stored."""
    if not 0 < request.days <= LONGEST:
        raise BadRequest(f"{request.days:g} days: it must be between 0 and {LONGEST:g}")
    project, now = project_meant(parts, request.project), parts.clock.now()
    found: list[rules.Forecast] = []
    fading = parts.settings.fading
    async with aclosing(living(parts)) as pages:
        async for page in pages:
            inside = (m for m in page if request.everywhere or m.project in (None, project))
            found.append(
                rules.forecast(
                    (fading_of(memory, fading.decay) for memory in inside),
                    now,
                    request.days,
                    fading,
                )
            )
    whole = rules.joined(found)
    first = whole.falls[: max(0, min(request.limit, PAGE_LIMIT))]
    memories = await parts.reader.memories([fall.memory_id for fall in first])
    return Foretold(
        at=now,
        until=now + request.days * DAY,
        memories=sum(whole.now.values()),
        now=dict(whole.now),
        then=dict(whole.then),
        changing=len(whole.falls),
        changes=[
            memory_view(Moved, memories[fall.memory_id], now=fall.now, then=fall.then, at=fall.at)
            for fall in first
            if fall.memory_id in memories
        ],
    )


ANSWERS = table(timeline, forecast)
