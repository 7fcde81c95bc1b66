"""Consolidation on the real store: thirty days of it, links, plans, and erasing."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from trio.testing import MockClock

from actors.consolidation.consolidation import Consolidation, Settings
from actors.consolidation.messages import CYCLES, Consolidate, CycleReport
from actors.consolidation.writes import RelevanceComputed
from actors.core.mailbox import Queue
from actors.dreams.writes import ConnectionsDrawn
from actors.links.writes import Connected
from actors.memory.rows import Memory
from actors.memory.writes import Ended, Erased, Pinned
from actors.policy.decay.relevance import Use, relevances
from actors.policy.dreams.connection_graph import Connection, ConnectionKind
from actors.strength.writes import Retiered
from daemon.storage import consolidation as consolidation_stored
from daemon.storage.graph import connections_of
from daemon.storage.store import OpenStore
from tests.actors.consolidation.test_consolidation import AS_IT_IS, DAY, WATCHED, asked, due
from tests.actors.fakes import TableEmbedding
from tests.actors.house import House, open_house
from tests.actors.post import queue, running
from tests.clock import BEGINNING, FollowingClock
from tests.writing import MODEL, new, vectors, written


@asynccontextmanager
async def bench(
    store: OpenStore, clock: FollowingClock, chosen: Settings = AS_IT_IS
) -> AsyncGenerator[tuple[House, Queue[Any]]]:
    """Consolidation on a real store with its real owner."""
    async with open_house(store, TableEmbedding(), clock) as house:
        actor = Consolidation(
            chosen, store.reading, house.long_term.mailbox, WATCHED, random.Random(1)
        )
        async with running(actor, queue("consolidation")) as inbox:
            yield house, inbox


async def relevances_of(store: OpenStore) -> dict[int, float]:
    rows = await store.reading.read(lambda sql: sql.rows("SELECT memory_id, value FROM relevance"))
    return dict(rows)


async def everything(store: OpenStore) -> Sequence[Memory]:
    ids = await store.reading.read(lambda sql: [i for (i,) in sql.rows("SELECT id FROM memory")])
    return sorted((await store.reading.memories(ids)).values(), key=lambda memory: memory.id)


@pytest.mark.trio
async def test_thirty_days_of_decay_leave_every_memory_as_it_was(
    store: OpenStore, clock: FollowingClock, autojump_clock: MockClock
) -> None:
    """What was important stays protected, whatever its relevance."""
    await written(store, new("one", importance=0.9), new("two"), new("three"))
    await written(store, Ended(3, "archived", BEGINNING))
    before = await everything(store)
    async with bench(store, clock) as (_, inbox):
        for day in range(30):
            await due(inbox, "decay", BEGINNING + day * DAY)

    assert await everything(store) == before
    assert (await relevances_of(store)).keys() == {1, 2}
    assert (await relevances_of(store))[2] == pytest.approx(relevances([Use(29, 0.5)])[0])


@pytest.mark.trio
async def test_relations_count_for_both_ends_of_links_and_connections(
    store: OpenStore, clock: FollowingClock, autojump_clock: MockClock
) -> None:
    await written(store, new("one"), new("two"), new("three"))
    shared = Connection(1, 3, ConnectionKind.SHARES_THEME, 1.5, "cosine 0.9")
    await written(
        store,
        Connected(1, 2, "caused", 0.4, "", BEGINNING),
        ConnectionsDrawn((shared,), "consolidation", BEGINNING),
    )
    rows = await store.reading.uses_of_living(0, 10)

    assert [row.relations for row in rows] == [2, 1, 1]
    assert [row.confidence for row in rows] == pytest.approx([0.7, 0.4, 1.0])  # 1.5 counts as 1


@pytest.mark.trio
async def test_associations_go_into_the_connection_graph(
    store: OpenStore, clock: FollowingClock, autojump_clock: MockClock
) -> None:
    async with bench(store, clock) as (house, inbox):
        # The owner's embedder has made a table for the model; these vectors lie in it.
        for number, kind in ((1, "discovery"), (2, "feature"), (3, "fact")):
            text = f"text {number}"
            await written(store, new(text, kind=kind, project="/p"))
        await house.vectored()
        for number, way in ((1, 1), (2, 1), (3, 5)):
            await written(store, vectors(number, f"text {number}", way))
        first = await asked(inbox, "associations")
        again = await asked(inbox, "associations")
    stored = await store.reading.read(lambda sql: connections_of(sql, [1, 2, 3], 10))

    assert house.embedding.state.model == MODEL
    assert [(one.one, one.other, one.kind) for one in stored] == [(1, 2, ConnectionKind.EXPLAINS)]
    assert (first[0].changed, again[0].changed) == (1, 0)
    assert stored[0].strength == pytest.approx(0.7)  # found again: as strong as before


@pytest.mark.trio
async def test_forgetting_on_the_real_store_proposes_and_ends_nothing(
    store: OpenStore, clock: FollowingClock, autojump_clock: MockClock
) -> None:
    old = BEGINNING - 200 * DAY
    await written(store, *(new(f"change {n}", kind="change", at=old) for n in range(40)))
    await written(store, Pinned(1, True, old), Retiered(2, "critical", old))
    before = await everything(store)
    async with bench(store, clock, Settings(forget=True)) as (_, inbox):
        reports: tuple[CycleReport, ...] = await inbox.mailbox.ask(
            lambda reply: Consolidate(CYCLES, BEGINNING, reply), within=60
        )
    forgot = reports[2]

    assert forgot.plan_id is not None
    assert forgot.memory_ids == (3, 4)  # a twentieth of forty, without the protected
    assert await everything(store) == before


@pytest.mark.trio
async def test_erasing_a_memory_takes_its_relevance_along(
    store: OpenStore, clock: FollowingClock, autojump_clock: MockClock
) -> None:
    await written(store, new("one"), new("two"))
    await written(store, RelevanceComputed(((1, 0.4), (2, 0.3), (99, 0.2)), BEGINNING))
    await written(store, Erased((1,)))

    assert await relevances_of(store) == {2: 0.3}
    assert await store.reading.read(lambda sql: consolidation_stored.relevance_of(sql, 2)) == (
        0.3,
        BEGINNING,
    )
