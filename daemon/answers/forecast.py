"""Every living memory, a page at a time, and the ones faded by a day to come."""

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing

from actors.memory.rows import Memory
from actors.policy.decay.states import Forecast, forecast, joined
from daemon.context import Parts
from daemon.shapes.replies import PAGE_LIMIT
from daemon.states import fading_of


async def living(parts: Parts) -> AsyncGenerator[list[Memory]]:
    """Every living memory, in pages, with turns for others between them."""
    after = 0
    while page := await parts.reader.living(after, PAGE_LIMIT):
        yield page
        after = page[-1].id


async def foretold(
    parts: Parts, now: float, days: float, projects: Collection[str | None] | None
) -> Forecast:
    """Forecast for the memories of these projects, or of all."""
    fading = parts.settings.fading
    found: list[Forecast] = []
    async with aclosing(living(parts)) as pages:
        async for page in pages:
            inside = [
                fading_of(one, fading.decay)
                for one in page
                if projects is None or one.project in projects
            ]
            found.append(forecast(inside, now, days, fading))
    return joined(found)
