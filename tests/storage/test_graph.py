"""Links of every kind around memories: edges, associations, the connections of dreams."""

from __future__ import annotations

import apsw
import pytest

from actors.memory.writes import Associated, Connected, Erased, ErasedEverything, ModelChosen
from actors.night.shapes import ConnectionsDrawn, ConnectionsFaded, ConnectionsStrengthened
from actors.policy.graph.link_graph import Link
from actors.policy.night.replay import Connection, ConnectionKind
from daemon.home import Home
from daemon.storage import graph
from daemon.storage.database.sql import Row, Sql, Values
from daemon.storage.store import OpenStore
from tests.holders import holders
from tests.storage.test_plans import altered
from tests.writing import DIMENSIONS, MODEL, new, vectors, written

pytestmark = pytest.mark.trio


class Hasty(Sql):
    """A deadline that ends before the texts are read."""

    def rows(self, statement: str, values: Values = ()) -> list[Row]:
        """Whatever is no text."""
        if "text" in statement:
            raise apsw.InterruptError
        return super().rows(statement, values)


async def test_every_kind_of_link_is_read_from_either_end_in_its_direction(
    store: OpenStore,
) -> None:
    one, two, three = await written(store, new("one"), new("two"), new("three"))
    seen = Connection(one, three, ConnectionKind.SHARED_CONCEPT, 1.5, "")
    await written(
        store, Connected(two, one, "caused", 0.5, "", 1.0), ConnectionsDrawn((seen,), 1.0)
    )

    caused, shared = Link(two, one, "caused", 0.5), Link(one, three, "shared_concept", 1.5)
    assert await store.reading.links_of([one], 9, False) == [shared, caused]
    assert await store.reading.links_of([two], 9, False) == [caused]
    assert await store.reading.links_of([three], 9, False) == [shared]


async def test_likeness_is_read_only_when_it_is_asked_for(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    one, two = await written(store, new("one"), new("two"))
    await written(store, vectors(one, "one", 1))
    chunk = await store.reading.read(Sql.number, "SELECT id FROM chunk")
    alike = Connection(one, two, ConnectionKind.SEMANTIC, 0.9, "")
    await written(
        store, Associated(one, chunk, 50, ((two, 0.8),), 1.0), ConnectionsDrawn((alike,), 1.0)
    )

    assert await store.reading.links_of([one], 9, False) == []
    assert await store.reading.links_of([two], 9, True) == [
        Link(one, two, "semantic", 0.9),
        Link(one, two, "similar", 0.8),
    ]


async def test_of_many_links_the_strongest_are_read(store: OpenStore) -> None:
    hub, *others = await written(store, new("hub"), *(new(f"n {n}") for n in range(6)))
    await written(
        store,
        *(
            Connected(hub, other, "enabled", place / 10, "", 1.0)
            for place, other in enumerate(others)
        ),
    )

    links = await store.reading.links_of([hub], 2, False)

    assert [link.other for link in links] == [others[5], others[4]]


# ---- the connection graph on disk


SEMANTIC = ConnectionKind.SEMANTIC


async def connections(store: OpenStore, *ids: int) -> list[Connection]:
    return await store.reading.read(graph.connections_of, ids, 99)


def drawn(*connections: Connection) -> ConnectionsDrawn:
    return ConnectionsDrawn(connections, 7.0)


@pytest.mark.trio
async def test_a_connection_found_again_keeps_the_greater_strength(store: OpenStore) -> None:
    one, other = await written(store, new("one"), new("other"))
    first = await written(store, drawn(Connection(one, other, SEMANTIC, 0.9, "cosine 0.90")))
    again = await written(store, drawn(Connection(one, other, SEMANTIC, 0.6, "cosine 0.60")))

    assert (first, again) == ([1], [0])
    assert await connections(store, other) == [Connection(one, other, SEMANTIC, 0.9, "cosine 0.60")]


@pytest.mark.trio
async def test_strength_is_capped_and_whichever_way_round_the_pair_is_named(
    store: OpenStore,
) -> None:
    one, other = await written(store, new("one"), new("other"))
    await written(store, drawn(Connection(one, other, SEMANTIC, 1.95, "")))
    await written(store, ConnectionsStrengthened(((other, one, 0.1),), 2.0, 8.0))

    assert [found.strength for found in await connections(store, one)] == [2.0]


@pytest.mark.trio
async def test_all_connections_fade_and_the_weakest_go(store: OpenStore) -> None:
    one, other, third = await written(store, new("one"), new("other"), new("third"))
    await written(
        store,
        drawn(
            Connection(one, other, SEMANTIC, 0.5, ""),
            Connection(other, third, SEMANTIC, 0.1, ""),
            Connection(one, third, ConnectionKind.TEMPORAL, 0.7, ""),
        ),
    )
    weak = await written(store, ConnectionsFaded(0.95, 0.1))
    left = await connections(store, one)
    beyond = await written(store, ConnectionsFaded(1.0, 0.1, kept=1))

    assert (weak, beyond) == ([1], [1])
    assert [found.strength for found in left] == pytest.approx([0.665, 0.475])
    assert [found.kind for found in await connections(store, one)] == [ConnectionKind.TEMPORAL]


@pytest.mark.trio
async def test_what_earlier_versions_drew_is_read_by_no_dream_and_fades(store: OpenStore) -> None:
    one, other = await written(store, new("one"), new("other"))
    await altered(
        store,
        "INSERT INTO connection VALUES"
        f" ({one}, {other}, 'explains', 'consolidation', 0.7, 'rule 2', 1.0, 1.0)",
    )
    read = await connections(store, one)

    assert read == []
    assert await written(store, ConnectionsFaded(0.1, 0.1)) == [1]


@pytest.mark.trio
async def test_a_memory_that_is_gone_is_not_connected(store: OpenStore) -> None:
    (one,) = await written(store, new("one"))

    assert await written(store, drawn(Connection(one, 99, SEMANTIC, 0.9, ""))) == [0]


@pytest.mark.trio
@pytest.mark.parametrize("purged", [False, True])
async def test_erasing_takes_the_connections_and_their_evidence(
    store: OpenStore, home: Home, purged: bool
) -> None:
    one, other = await written(store, new("one"), new("other"))
    await written(store, drawn(Connection(one, other, SEMANTIC, 0.9, "marzipan")))
    await written(store, ErasedEverything(whole_store=True) if purged else Erased((one,)))
    await store.writing.scrub()

    assert holders(home.root, "marzipan") == []


# ---- edges and associations on disk: what a migration keeps, and what erasing takes


@pytest.mark.trio
@pytest.mark.parametrize("purged", [False, True])
async def test_no_byte_of_the_evidence_of_an_erased_memory_stays(
    store: OpenStore, home: Home, purged: bool
) -> None:
    one, other = await written(store, new("one"), new("the other"))
    await written(store, Connected(one, other, "caused", 0.5, "marzipan says so", 1.0))
    await written(store, ErasedEverything(whole_store=True) if purged else Erased((one,)))
    await store.writing.scrub()

    assert holders(home.root, "marzipan") == []
