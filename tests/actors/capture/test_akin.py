"""What has to do with a moment: a phrase, file or symbol that it says, or its turn."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.capture.tagging import Tagging
from actors.capture.writes import Raised
from actors.intake.writes import Journaled
from actors.memory.writes import Origin
from actors.policy.capture.capture import DEFAULT, LASTING, PROFILES, EventKind
from actors.policy.decay.fsrs import FSRS6_DECAY, initial_stability
from daemon.storage import episodes
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.house import House, open_house
from tests.clock import BEGINNING, FollowingClock
from tests.writing import new

pytestmark = pytest.mark.trio

FLAG = EventKind.USER_FLAG
NIGHT = "The cart is emptied by cart/expiry.py at night."


@dataclass
class Bench:
    """Tagging and triggers at work; everything happens in one session within minutes."""

    house: House
    seq: int = 0

    async def prompt(self, text: str) -> None:
        self.seq += 1
        body = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt": text}
        await self.house.commit(
            Journaled(
                self.seq.to_bytes(16, "big"), "claude", self.now, "prompt", "s1", "/p",
                msgspec.msgpack.encode(body), done=True,
            )
        )  # fmt: skip

    @property
    def now(self) -> float:
        return BEGINNING + 60 * self.seq

    async def learn(self, text: str, **other: Any) -> int:
        """A memory made of the last prompt's turn."""
        origin = Origin("conclusion", "s1", self.seq)
        (number,) = await self.house.commit(
            new(text, at=self.now, project="/p", origin=origin, **other)
        )
        return number

    async def happen(self, kind: EventKind = FLAG) -> None:
        """The last prompt is a moment."""
        name = f"{self.seq}-{kind.value}"
        await self.house.tagging.mailbox.tell(
            Raised(name, kind.value, PROFILES[kind].strength, self.now, "s1", "/p", "why", self.seq)
        )
        await trio.sleep(1)
        await self.house.settled()

    async def captured(self) -> list[int]:
        ids = list(range(1, 20))
        return await self.house.store.reading.read(lambda sql: episodes.captured_among(sql, ids))


@pytest.fixture(params=[True])
async def bench(store: OpenStore, request: pytest.FixtureRequest) -> AsyncGenerator[Bench]:
    async with open_house(store, TableEmbedding(), FollowingClock()) as house:
        settings = replace(DEFAULT, enabled=request.param)
        reader = store.reading
        actor = Tagging(settings, reader, house.long_term.mailbox, house.triggers)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(house.triggers.run)
            async with house.joined_by(actor, house.tagging):
                yield Bench(house)
            nursery.cancel_scope.cancel()


async def hour(bench: Bench) -> tuple[int, int, int]:
    """Three memories of two turns, and "remember" in the second."""
    await bench.prompt("look at the cart")
    named = await bench.learn(NIGHT, derived=("cart/expiry.py",))
    other = await bench.learn("Invoices are numbered by year and month.")
    await bench.prompt("Remember: never touch cart/expiry.py on a Friday.")
    made = await bench.learn("Releases wait until Monday.")
    await bench.happen()
    return named, other, made


async def test_a_moment_captures_what_it_names_and_what_was_made_in_its_turn(
    bench: Bench, autojump_clock: MockClock
) -> None:
    named, other, made = await hour(bench)

    assert await bench.captured() == [named, made]
    assert other not in await bench.captured()


async def test_what_a_correction_corrects_is_not_captured(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """By no kind of moment that the correcting prompt is."""
    await bench.prompt("look at the cart")
    old = await bench.learn(NIGHT, derived=("cart/expiry.py",))
    await bench.prompt("No, actually cart/expiry.py runs at noon. Remember that!")
    made = await bench.learn("cart/expiry.py runs at noon.")
    before = (await bench.house.memory(old)).importance
    await bench.happen(EventKind.CORRECTION)
    await bench.happen(FLAG)

    assert await bench.captured() == [made]
    assert (await bench.house.memory(old)).importance == before


async def test_what_is_captured_fades_slower_from_when_it_was_made(
    bench: Bench, autojump_clock: MockClock
) -> None:
    named, other, _ = await hour(bench)
    taken, left = await bench.house.memory(named), await bench.house.memory(other)
    usual = initial_stability("declarative", FSRS6_DECAY)

    assert taken.stability == pytest.approx(max(2.0, usual * LASTING))
    assert taken.last_review == taken.created_at
    assert left.last_review is None


@pytest.mark.parametrize("bench", [False], indirect=True)
async def test_switched_off_a_moment_captures_nothing(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await hour(bench)

    assert await bench.captured() == []
