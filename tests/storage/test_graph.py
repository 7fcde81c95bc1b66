"""Links of every kind around memories, and the words that memories are written with."""

from __future__ import annotations

import apsw
import pytest

from actors.memory.edges import Associated, Connected
from actors.memory.rows import Scope
from actors.memory.writes import Linked, ModelChosen
from actors.night.shapes import ConnectionsDrawn
from actors.policy.graph.link_graph import Link
from actors.policy.night.connection_graph import Connection, ConnectionKind
from daemon.storage import graph
from daemon.storage.database.sql import Row, Sql, Values
from daemon.storage.store import OpenStore
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
        store,
        Connected(two, one, "caused", 0.5, "", 1.0),
        ConnectionsDrawn((seen,), 1.0),
    )

    caused, shared = Link(two, one, "caused", 0.5), Link(one, three, "shared_concept", 1.5)
    assert await store.reading.links_of([one], 9, False) == [shared, caused]
    assert await store.reading.links_of([two], 9, False) == [caused]
    assert await store.reading.links_of([three], 9, False) == [shared]


async def test_likeness_is_read_only_when_it_is_asked_for(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    one, two = await written(store, new("one"), new("two"))
    await written(store, vectors(one, "one", 1))
    chunk = await store.reading.read(lambda sql: sql.number("SELECT id FROM chunk"))
    alike = Connection(one, two, ConnectionKind.SEMANTIC, 0.9, "")
    await written(
        store,
        Associated(one, chunk, 50, ((two, 0.8),), 1.0),
        ConnectionsDrawn((alike,), 1.0),
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


async def test_pairs_that_are_alike_are_told_once_the_most_alike_first(store: OpenStore) -> None:
    one, two, three = await written(
        store, *(new(text, project="/p") for text in ("one", "two", "three"))
    )
    (far,) = await written(store, new("far", project="/q"))
    await written(store, ModelChosen(MODEL, DIMENSIONS), vectors(one, "one", 1))
    chunk = await store.reading.read(lambda sql: sql.number("SELECT id FROM chunk"))
    await written(
        store,
        Associated(one, chunk, 9, ((two, 0.85), (three, 0.95), (far, 0.99)), 1.0),
        Linked(three, one, "related", 0.9, 1.0),
        Linked(three, two, "related", 0.7, 1.0),
    )

    found = await store.reading.read(graph.alike, Scope("/p"), 0.8, 1)
    weaker = await store.reading.read(graph.alike, Scope("/p"), 0.6, 9)

    assert found == ([(one, three, 0.95)], 2)
    assert weaker == ([(one, three, 0.95), (one, two, 0.85), (two, three, 0.7)], 3)
