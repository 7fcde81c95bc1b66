"""Associations: memories that are alike are joined as their vectors come, and call each other to
mind."""

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
from actors.memory import links
from actors.memory.commit import Commit, EraseNow, StoreWrite, Unit
from actors.memory.links import MISSED_AFTER, Links, associations
from actors.memory.rows import Scope
from actors.memory.writes import Associated, Connected, Ended, Erased, ModelChosen, Revived
from actors.policy.graph.link_graph import RELATED, Way
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.house import House, open_house
from tests.actors.post import answering, queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import DIMENSIONS, MODEL, new, vectors, written

pytestmark = VIRTUAL_TIME

HERE = Scope("/p")


class Bench(Struct):
    """The links, the embedder and long-term memory at work on a real store."""

    house: House
    actor: Links

    async def keep(self, text: str, *, project: str | None = "/p") -> int:
        """A memory that has its vectors and was compared with the others."""
        (memory_id,) = await self.commit(new(text, project=project))
        await self.settled()
        return memory_id

    async def commit(self, *unit: StoreWrite) -> list[int]:
        done = await self.house.long_term.mailbox.ask(Commit(unit), within=30)
        await trio.sleep(0.1)  # whoever lives on changes is told after the answer
        return done

    async def settled(self) -> None:
        await self.house.vectored()
        await trio.sleep(5)
        await wait_all_tasks_blocked()

    async def comes(self, seed: int, *, scope: Scope = HERE, limit: int = 20) -> list[Way]:
        return await associations(self.house.store.reading, seed, scope, limit)

    async def scores(self, seed: int, *, scope: Scope = HERE) -> dict[int, float]:
        return {way.memories[-1]: round(way.sure, 3) for way in await self.comes(seed, scope=scope)}

    async def pairs(self) -> dict[tuple[int, int], float]:
        return await pairs_in(self.house.store)


async def pairs_in(store: OpenStore) -> dict[tuple[int, int], float]:
    rows = await store.reading.read(
        lambda sql: sql.rows("SELECT one_id, other_id, strength FROM association ORDER BY 1, 2")
    )
    return {(one, other): round(strength, 4) for one, other, strength in rows}


@asynccontextmanager
async def open_bench(
    store: OpenStore, table: dict[str, tuple[float, ...]] | None = None
) -> AsyncGenerator[Bench]:
    clock = FollowingClock()
    async with open_house(store, TableEmbedding(table), clock) as house:
        yield Bench(house, house.links)


# ---- who is like whom


async def test_each_memory_is_joined_with_its_five_nearest(store: OpenStore) -> None:
    """Also where they came one by one, and a later one is nearer than an earlier one."""
    angles = {f"text {n}": at(math.cos(math.radians(9.0 * n))) for n in range(8)}
    async with open_bench(store, angles) as bench:
        kept = [await bench.keep(text) for text in angles]

        rows = await store.reading.associations(kept, HERE, RELATED)

    there = {one: {row.other for row in rows if row.one == one} for one in kept}
    assert there[kept[0]] == set(kept[1:6])
    assert there[kept[3]] >= {kept[1], kept[2], kept[4], kept[5]}
    assert {len(each) for each in there.values()} == {5}
    assert all(row.strength >= 0.7 for row in rows)


async def test_a_memory_of_another_project_is_not_joined(store: OpenStore) -> None:
    table = {"one": at(1.0), "near": at(0.9)}
    async with open_bench(store, table) as bench:
        await bench.keep("one")
        await bench.keep("near", project="/other")

        assert await bench.pairs() == {}


async def test_what_holds_everywhere_is_joined_and_comes_to_mind_only_in_scope(
    store: OpenStore,
) -> None:
    table = {"everywhere": at(1.0), "here": at(0.9), "there": at(0.8)}
    async with open_bench(store, table) as bench:
        user = await bench.keep("everywhere", project=None)
        here = await bench.keep("here")
        there = await bench.keep("there", project="/other")

        assert await bench.scores(user) == {here: 0.45}
        assert await bench.scores(user, scope=Scope("/other")) == {there: 0.4}
        assert await bench.scores(user, scope=Scope(everywhere=True)) == {here: 0.45, there: 0.4}


async def test_a_rewritten_memory_is_compared_anew(store: OpenStore) -> None:
    """Pairs that no longer hold leave."""
    table = {"one": at(1.0), "near": at(0.9)}
    async with open_bench(store, table) as bench:
        one, near = await bench.keep("one"), await bench.keep("near")
        assert await bench.scores(one) == {near: 0.45}

        verdict = await bench.house.keep("something else", intent="update", target=near)
        await bench.settled()

        assert verdict.action == "UPDATE"
        assert await bench.scores(one) == {}


async def test_a_hub_that_is_compared_anew_keeps_those_that_chose_it(store: OpenStore) -> None:
    """Seven are like one; it seeks five, and still has all seven pairs."""
    table = {"hub": at(1.0)} | {f"spoke {n}": (0.9, *[0.0] * n, 0.4359) for n in range(1, 8)}
    async with open_bench(store, table) as bench:
        hub = await bench.keep("hub")
        for text in list(table)[1:]:
            await bench.keep(text)
        before = [pair for pair in await bench.pairs() if hub in pair]

        await bench.commit(Ended(hub, "forgotten", BEGINNING))
        await bench.commit(Revived(hub, BEGINNING))
        await bench.settled()

        assert len(before) == 7
        assert [pair for pair in await bench.pairs() if hub in pair] == before
        assert len(await store.reading.associations([hub], HERE, RELATED)) == 5


# ---- what comes to mind


async def test_a_causal_edge_carries_activation_as_well(store: OpenStore) -> None:
    """Similarity and causal neighbours merge by the heavier one, in both directions."""
    async with open_bench(store, {"one": at(1.0), "near": at(0.8)}) as bench:
        one, near = await bench.keep("one"), await bench.keep("near")
        other = await bench.keep("unlike both")
        assert await bench.scores(one) == {near: 0.4}

        await bench.commit(Connected(near, one, "caused", 0.9, "", BEGINNING))
        await bench.commit(Connected(one, other, "supports", 0.5, "", BEGINNING))

        assert await bench.scores(one) == {near: 0.45, other: 0.25}


# ---- endings


async def test_an_ended_memory_does_not_come_to_mind_until_it_is_brought_back(
    store: OpenStore,
) -> None:
    """Parted when it ends; ``unforget`` brings its associations back."""
    async with open_bench(store, {"one": at(1.0), "near": at(0.9)}) as bench:
        one, near = await bench.keep("one"), await bench.keep("near")
        assert await bench.scores(one) == {near: 0.45}

        await bench.commit(Ended(near, "forgotten", BEGINNING))
        ended = await bench.scores(one)
        await bench.commit(Revived(near, BEGINNING))

        assert ended == {}
        assert await bench.scores(one) == {near: 0.45}


async def test_an_erased_memory_leaves_no_pair(store: OpenStore) -> None:
    async with open_bench(store, {"one": at(1.0), "near": at(0.9)}) as bench:
        one, near = await bench.keep("one"), await bench.keep("near")
        await bench.comes(one)

        await bench.house.long_term.mailbox.ask(EraseNow((Erased((near,)),)), within=60)

        assert await bench.scores(one) == {}
        assert await bench.pairs() == {}


# ---- restarts, imports and trouble


async def test_what_was_there_before_is_compared_after_a_start(store: OpenStore) -> None:
    """An import, or a store from before: in the background, each once, also what is like none."""
    many = {f"pair {n} {side}": n for n in range(20) for side in ("a", "b")}
    many["like nothing else"] = 20
    ids = await written(store, *(new(text, project="/p") for text in many))
    by_hand = (vectors(one, *pair) for one, pair in zip(ids, many.items(), strict=True))
    await written(store, ModelChosen(MODEL, DIMENSIONS), *by_hand)

    async with open_bench(store) as bench:
        await trio.sleep(600)
        assert len(await bench.pairs()) == 20
        assert bench.actor.compared == 41

    async with open_bench(store) as bench:
        await trio.sleep(600)
        assert bench.actor.compared == 0


async def test_a_store_that_cannot_be_written_is_tried_again(store: OpenStore) -> None:
    actor, owner, (one, near) = await with_a_pair(store)
    outcomes: list[object] = [Unwritable("the disk is full")]

    async with answering(owner, lambda _: outcomes.pop() if outcomes else [1]) as noted:
        actor.compare((one, near))
        with pytest.raises(Unwritable):
            await actor.compare_some()
        while await actor.compare_some():
            pass

    units = [message.unit for message in noted]
    assert len(units) == 2
    assert alike(units[0]) == alike(units[1]) == [(near, ((one, 1.0),)), (one, ((near, 1.0),))]
    assert actor.compared == 2


async def test_what_was_heard_in_vain_does_not_keep_a_look_through_the_store_waiting(
    store: OpenStore,
) -> None:
    actor, owner, _ = await with_a_pair(store)
    await actor.compare_some()
    await trio.sleep(MISSED_AFTER)
    actor.compare((99,))  # erased meanwhile

    async with answering(owner, lambda _: [1]):
        while await actor.compare_some():
            pass

    assert actor.compared == 2


async def test_more_news_than_are_remembered_are_found_in_the_store(
    store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "WAITING", 3)
    actor, owner, pair = await with_a_pair(store)
    actor.compare((*pair, 98, 99))

    async with answering(owner, lambda _: [1]):
        while await actor.compare_some():
            pass

    assert actor.compared == 2


async def with_a_pair(store: OpenStore) -> tuple[Links, Queue[Any], list[int]]:
    """Links by themselves, the owner of the writes, and two memories to be compared."""
    pair = await written(store, new("one", project="/p"), new("near", project="/p"))
    await vectored_by_hand(store, *pair)
    owner = queue("long_term")
    return Links(store.reading, FollowingClock(), owner.mailbox), owner, pair


def alike(unit: Unit) -> list[tuple[object, ...]]:
    return [(w.memory_id, w.alike) for w in unit if isinstance(w, Associated)]


async def vectored_by_hand(store: OpenStore, *ids: int) -> None:
    memories = await store.reading.memories(ids)
    await written(
        store,
        ModelChosen(MODEL, DIMENSIONS),
        *(vectors(memory.id, memory.text, 1) for memory in memories.values()),
    )


async def test_an_end_between_comparison_and_storing_loses_nothing_else(store: OpenStore) -> None:
    """A pair with a memory that was erased meanwhile is left out, the others stand."""
    one, near, gone = await written(store, new("one"), new("near"), new("gone"))
    await vectored_by_hand(store, one, near, gone)
    chunk = await store.reading.read(
        lambda sql: sql.number("SELECT id FROM chunk WHERE memory_id = ?", (one,))
    )
    await written(store, Erased((gone,)))

    outcome = await written(store, Associated(one, chunk, 5, ((near, 0.9), (gone, 0.8)), 1.0))
    stale = await written(store, Associated(one, chunk + 99, 5, (), 2.0))

    assert (outcome, stale) == ([1], [0])
    assert await pairs_in(store) == {(one, near): 0.9}
