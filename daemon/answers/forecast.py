"""Forecasts: memories that will have faded by then."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from actors.memory.rows import Memory
from actors.policy.decay import forecast as rules
from daemon.context import PAGE_LIMIT, Parts, Progress, project_meant, table
from daemon.requests.forecast import Forecast, Foretold, Moved
from daemon.requests.shapes import BadRequest
from daemon.states import fading_of
from daemon.views import memory_view

DAY = 86_400.0  # seconds
LONGEST = 36_500.0  # days: no stability is longer (A13)


async def living(parts: Parts) -> AsyncGenerator[list[Memory]]:
    """Every living memory, in pages, so that others get their turns between them."""
    after = 0
    while page := await parts.reader.living(after, PAGE_LIMIT):
        yield page
        after = page[-1].id


async def forecast(parts: Parts, request: Forecast, _: Progress) -> Foretold:
    """What will have faded by then, from what is stored."""
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


ANSWERS = table(forecast)
