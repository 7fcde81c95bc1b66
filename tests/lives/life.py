"""Lives for tests: the daemon's inside on virtual time, and what a person and an agent do in it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import trio
from msgspec import Struct
from trio.testing import MockClock

from actors.memory.use import Review
from actors.policy.decay.curve import Use
from daemon.home import Home
from daemon.settings import Settings
from daemon.views import memory_number
from daemon.wire import REPLY
from lab.world import (
    STRIDE,
    FollowingClock,
    World,
    event_id,
    open_embedding,
    open_world,
    repeatable,
)

BEGINS: Final = 1_767_603_600.0  # seconds since the epoch: 2026-01-05 09:00 UTC, a Monday
HOUR: Final = 3_600.0  # seconds
DAY: Final = 86_400.0
SHOP: Final = "/shop"

T = TypeVar("T")


class Life(Struct):
    """A world, and the next event's number in it."""

    world: World
    events: int = 0

    @property
    def now(self) -> float:
        """Seconds since the life began."""
        return self.world.clock.now() - BEGINS

    async def report(self, name: str, session: str = "s", **fields: Any) -> str:
        """Report an event as an agent's hook does; what its session is told."""
        self.events += 1
        common = {"session_id": session, "cwd": SHOP, "hook_event_name": name}
        key = event_id(0, self.events)
        told = await self.world.hook("claude", key, {**common, **fields})
        await self.world.settled()
        return told

    async def ask(self, kind: str, **body: Any) -> Any:
        """Answer to a request. Raises ``AssertionError`` when it is refused."""
        frame = await self.world.ask(kind, body)
        assert frame.kind == REPLY, frame.body
        await self.world.settled()
        return frame.body

    async def remember(self, text: str, **more: Any) -> str:
        """Keep a text as a new memory; its id."""
        kept = await self.ask("remember", text=text, project=SHOP, new=True, **more)
        return str(kept["id"])

    async def memory(self, id_: str) -> dict[str, Any]:
        """A memory as ``reverie show`` tells it."""
        return dict((await self.ask("show", id=id_))["memory"])

    async def use(self, id_: str) -> bool:
        """Cite a memory; whether that strengthened it."""
        strength = self.world.running.parts.mailboxes.strength
        review = Review(memory_number(id_), Use.CITED, self.world.clock.now())
        done: Any = await strength.ask(review, within=30.0)
        return bool(done)

    async def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of the store."""
        return await self.world.store.reading.read(lambda sql: sql.rows(query))

    async def reach(self, moment: float, *, rhythm: float = STRIDE) -> None:
        """Let time pass until so many seconds after the beginning; what is due happens."""
        await self.world.until(BEGINS + moment, rhythm=rhythm)
        await self.world.settled()

    async def asleep(self, seconds: float) -> None:
        """Close the laptop's lid for so long."""
        await self.world.leap(self.world.clock.now() + seconds)


@asynccontextmanager
async def opened(home: Home, settings: Settings) -> AsyncGenerator[Life]:
    """A life on this home, by words alone; it goes on where the clock stands."""
    home.prepare()
    async with (
        open_embedding(None) as embedding,
        open_world(home, settings, FollowingClock(BEGINS), embedding, 0, (SHOP,)) as world,
    ):
        yield Life(world)


def lived(live: Callable[[], Awaitable[T]]) -> T:
    """Value of a run on virtual time that is the same each time."""
    with repeatable(0):
        return trio.run(live, clock=MockClock(autojump_threshold=0.0))


def life_of(home: Home, live: Callable[[Life], Awaitable[T]], settings: Settings) -> T:
    """Value of one life without a restart."""

    async def whole() -> T:
        async with opened(home, settings) as life:
            return await live(life)

    return lived(whole)
