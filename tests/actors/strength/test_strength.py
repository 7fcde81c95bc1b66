"""Strength: use strengthens, once a day when it is only inferred; being shown does not."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from msgspec import Struct
from trio.testing import wait_all_tasks_blocked

from actors.core.failures import Unwritable
from actors.core.mailbox import Queue
from actors.gate.drafts import confirmed
from actors.gate.messages import NoSuchMemory
from actors.memory.rows import Memory
from actors.memory.strength import StrengthKeeper
from actors.memory.use import Review, factor_of
from actors.memory.writes import Origin
from actors.policy.decay.curve import Settings, Use
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.house import open_house
from tests.actors.post import answering, queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import new, written

pytestmark = VIRTUAL_TIME

DAY = 86_400.0


class Bench(Struct):
    """Strength at work on a real store with one memory."""

    actor: StrengthKeeper
    inbox: Queue[Any]
    store: OpenStore

    async def review(self, use: Use, after: float, memory_id: int = 1) -> bool:
        """Whether this use, so many seconds after the memory was made, changed anything."""
        return await self.inbox.mailbox.ask(Review(memory_id, use, BEGINNING + after), within=20)

    async def memory(self) -> Memory:
        return (await self.store.reading.memories([1]))[1]


@asynccontextmanager
async def open_bench(store: OpenStore) -> AsyncGenerator[Bench]:
    """Strength and long-term memory."""
    inbox = queue("strength")
    async with open_house(store, TableEmbedding(), FollowingClock()) as house:
        actor = StrengthKeeper(Settings(), store.reading, house.long_term.mailbox)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(actor.run, inbox.inbox)
            yield Bench(actor, inbox, store)
            nursery.cancel_scope.cancel()


@pytest.fixture
async def bench(store: OpenStore) -> AsyncGenerator[Bench]:
    """Strength at work."""
    await written(store, new("a"))
    async with open_bench(store) as opened:
        yield opened


async def test_use_strengthens_and_is_recorded(bench: Bench) -> None:
    before = await bench.memory()
    changed = await bench.review(Use.REINFORCED, 3 * DAY)
    after = await bench.memory()

    assert changed
    assert after.stability > before.stability
    assert (after.reviews, after.uses, after.last_review) == (1, 1, BEGINNING + 3 * DAY)


async def test_the_cap_survives_a_restart(store: OpenStore) -> None:
    await written(store, new("a"))
    async with open_bench(store) as bench:
        await bench.review(Use.CITED, DAY)
    async with open_bench(store) as bench:
        assert not await bench.review(Use.CITED, DAY + 60)


async def test_a_noticed_decision_never_fades_once_it_is_confirmed(store: OpenStore) -> None:
    """Until then it counts like research."""
    for source in ("conclusion", "decision", "hand"):
        await written(store, new(source, origin=Origin(source), context_type="decision"))
    noticed, *stated = (await store.reading.memories([1, 2, 3])).values()

    assert factor_of(noticed) == 2
    assert [factor_of(memory) for memory in stated] == [math.inf] * 2

    await written(store, *confirmed(noticed, "a person said so", BEGINNING))

    assert factor_of((await store.reading.memories([1]))[1]) == math.inf


async def test_a_memory_that_does_not_exist_is_named(bench: Bench) -> None:
    with pytest.raises(NoSuchMemory):
        await bench.review(Use.CITED, DAY, memory_id=99)
    await bench.inbox.mailbox.tell(Review(99, Use.REINFORCED, BEGINNING))

    assert await bench.review(Use.CITED, DAY)


async def test_a_store_that_refuses_fails_the_question_and_a_use_is_let_go(
    store: OpenStore,
) -> None:
    await written(store, new("a"))
    long_term, inbox = queue("long_term"), queue("strength")
    actor = StrengthKeeper(Settings(), store.reading, long_term.mailbox)
    async with (
        answering(long_term, lambda _: Unwritable("the disk is full")),
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(actor.run, inbox.inbox)
        for again in range(8):
            await inbox.mailbox.tell(Review(1, Use.REINFORCED, BEGINNING + DAY + again))
        with pytest.raises(Unwritable):
            await inbox.mailbox.ask(Review(1, Use.REINFORCED, BEGINNING + DAY), within=30)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
