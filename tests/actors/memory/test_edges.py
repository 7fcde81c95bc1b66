"""The causal graph: edges by people, by the gate and by texts, walked and counted."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from msgspec import Struct

from actors.memory.commit import StoreWrite
from actors.memory.writes import Connected, Disconnected, Ended, Erased
from actors.policy.graph.link_graph import InvalidLink, check_edge
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.house import House, open_house
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import new

pytestmark = VIRTUAL_TIME


class Bench(Struct):
    """The links and long-term memory at work on a real store."""

    house: House

    async def keep(self, *texts: str, **other: object) -> list[int]:
        kept = [await self.commit(new(text, **{"project": "/p", **other})) for text in texts]
        return [ids[0] for ids in kept]

    async def commit(self, *unit: StoreWrite) -> list[int]:
        return await self.house.commit(*unit)

    async def link(
        self, source: int, relation: str, target: int, strength: float = 1.0, evidence: str = ""
    ) -> bool:
        edge = Connected(source, target, relation, strength, evidence, BEGINNING)
        (new,) = await self.commit(edge)
        return bool(new)

    async def unlink(self, source: int, relation: str, target: int) -> bool:
        (gone,) = await self.commit(Disconnected(source, target, relation))
        return bool(gone)

    async def edges(self) -> set[tuple[int, str, int]]:
        return await edges_in(self.house.store)


async def edges_in(store: OpenStore) -> set[tuple[int, str, int]]:
    rows = await store.reading.read(
        lambda sql: sql.rows("SELECT source_id, relation, target_id FROM memory_link")
    )
    return {(source, relation, target) for source, relation, target in rows}


@asynccontextmanager
async def open_bench(store: OpenStore) -> AsyncGenerator[Bench]:
    clock = FollowingClock()
    async with open_house(store, TableEmbedding(), clock) as house:
        await house.settled()
        yield Bench(house)


@pytest.fixture
async def bench(store: OpenStore) -> AsyncGenerator[Bench]:
    """The graph of an empty store."""
    async with open_bench(store) as opened:
        yield opened


# ---- edges


@pytest.mark.parametrize(
    ("source", "relation", "strength"),
    [
        (1, "related_to", 1.0),
        (2, "caused", 1.0),
        (1, "caused", 1.1),
        (1, "caused", float("nan")),
    ],
)
async def test_other_links_are_rejected(source: int, relation: str, strength: float) -> None:
    with pytest.raises(InvalidLink):
        check_edge(source, 2, relation, strength)


# ---- endings and trouble


async def test_an_erased_memory_takes_its_edges_with_it_and_empties_what_quotes_it(
    bench: Bench,
) -> None:
    a, b, c = await bench.keep("the vault is behind the mill", "b second", "c third")
    await bench.link(a, "caused", b, evidence="they lie together")
    await bench.link(b, "caused", c, evidence="since the vault is behind the mill")
    await bench.commit(Ended(c, "forgotten", BEGINNING))

    await bench.house.erase(Erased((a,)))

    (met,) = await bench.house.store.reading.edges_around(b, 9)
    assert met == Connected(b, c, "caused", 1.0, "", BEGINNING)
