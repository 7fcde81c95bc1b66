"""What a night in four phases leaves of the connection graph: I13, I15."""

from __future__ import annotations

import pytest

from actors.dreams.writes import ConnectionsDrawn, ConnectionsSettled
from actors.policy.dreams.connection_graph import Connection, ConnectionKind
from daemon.storage import connections
from daemon.storage.store import OpenStore
from tests.writing import new, written

pytestmark = pytest.mark.trio

KIND = ConnectionKind.SEMANTIC


async def drawn(store: OpenStore) -> None:
    """Three of dreaming, 1-2, 1-3 and 2-3, and one of consolidation, 1-4."""
    await written(store, *(new(f"text {n}") for n in range(4)))
    mine = tuple(
        Connection(*ends, KIND, strength, "")
        for ends, strength in (((1, 2), 0.8), ((1, 3), 0.6), ((2, 3), 0.5))
    )
    theirs = (Connection(1, 4, KIND, 0.6, ""),)
    await written(
        store,
        ConnectionsDrawn(mine, "dreaming", 7.0),
        ConnectionsDrawn(theirs, "consolidation", 7.0),
    )


async def held(store: OpenStore) -> dict[tuple[int, int], float]:
    found = await store.reading.read(lambda sql: connections.connections_of(sql, [1, 2, 3, 4], 99))
    return {(one.one, one.other): one.strength for one in found}


async def test_those_named_are_weaker_or_gone_and_no_others(store: OpenStore) -> None:
    await drawn(store)
    order = ConnectionsSettled("dreaming", ((1, 2, "semantic"),), 0.5, ((1, 3, "semantic"),))

    assert await written(store, order) == [1]
    assert await held(store) == {(1, 2): 0.4, (2, 3): 0.5, (1, 4): 0.6}


async def test_what_somebody_else_found_or_is_of_another_kind_stays(store: OpenStore) -> None:
    await drawn(store)
    before = await held(store)
    gone = ((1, 4, "semantic"), (1, 2, "temporal"), (2, 1, "semantic"))

    assert await written(store, ConnectionsSettled("dreaming", gone, 0.5, gone)) == [0]
    assert await held(store) == before


async def test_beyond_so_many_the_weakest_go(store: OpenStore) -> None:
    await drawn(store)

    assert await written(store, ConnectionsSettled("dreaming", (), 0.95, (), kept=1)) == [2]
    assert await held(store) == {(1, 2): 0.8, (1, 4): 0.6}
