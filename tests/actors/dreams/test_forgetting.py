"""A plan for what nobody would miss, on a real store."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from actors.memory.use import Retiered
from actors.memory.writes import Connected, Ended, Pinned
from actors.night.shapes import ConnectionsDrawn, PlanProposed
from actors.policy.decay.archival import relevance
from actors.policy.night.connection_graph import Connection, ConnectionKind
from daemon.storage.store import OpenStore
from tests.actors.dreams.test_dreaming import DAY, NOW, contents, open_dreaming
from tests.clock import BEGINNING, VIRTUAL_TIME
from tests.writing import new, written

pytestmark = VIRTUAL_TIME


async def test_a_dream_proposes_what_nobody_would_miss_only_when_a_person_wants_it(
    store: OpenStore,
) -> None:
    old = NOW - 200 * DAY
    made = (new(f"change {n}", kind="change", at=old) for n in range(1, 41))
    await written(
        store, *(replace(one, importance=0.1) if "21" in one.text else one for one in made)
    )
    await written(store, Pinned(1, True, old), Retiered(2, "critical", old))
    before = await contents(store)
    async with open_dreaming(store) as bench:
        await bench.dream()
    async with open_dreaming(store, forget=True) as wanting:
        await wanting.dream()
    (plan,) = wanting.written(PlanProposed)
    last, *_ = await store.reading.dreams(9)

    assert bench.written(PlanProposed) == []
    # A twentieth of forty, without the protected, the least important first.
    assert [step.memory_id for step in plan.steps] == [21, 3]
    assert plan.steps[0].evidence == "relevance 0.0010, 100 days old"
    assert last.figures["transfer"]["proposed"] == 1
    assert await contents(store) == before


async def test_relations_count_for_both_ends_of_links_and_connections(store: OpenStore) -> None:
    await written(store, new("one"), new("two"), new("three"), new("four"))
    shared = Connection(1, 3, ConnectionKind.SEMANTIC, 1.5, "cosine 0.9")
    await written(
        store,
        Connected(1, 2, "caused", 0.4, "", BEGINNING),
        ConnectionsDrawn((shared,), BEGINNING),
        Ended(4, "archived", BEGINNING),
    )
    rows = await store.reading.uses_of_living(BEGINNING + 10 * DAY, 0, 10)
    uses = [use for _, use in rows]

    assert [number for number, _ in rows] == [1, 2, 3]
    assert [use.age for use in uses] == [10, 10, 10]
    assert [use.relations for use in uses] == [2, 1, 1]
    assert [use.confidence for use in uses] == pytest.approx([0.7, 0.4, 1.0])  # 1.5 counts as 1
    assert relevance(uses[0]) > relevance(uses[1])
