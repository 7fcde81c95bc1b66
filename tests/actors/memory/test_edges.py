"""The causal graph: edges by people, by the gate and by texts, walked and counted."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
from msgspec import Struct

from actors.memory import links
from actors.memory.commit import StoreWrite
from actors.memory.edges import Connected, Disconnected
from actors.memory.writes import Ended, Erased
from actors.policy.graph.causal import Lineage
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
        edge.to_edge()
        (new,) = await self.commit(edge)
        return bool(new)

    async def unlink(self, source: int, relation: str, target: int) -> bool:
        (gone,) = await self.commit(Disconnected(source, target, relation))
        return bool(gone)

    async def lineage(self, memory_id: int, depth: int = 3) -> Lineage:
        return await links.lineage(self.house.store.reading, memory_id, depth)

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


# ---- walks


async def test_a_lineage_is_grouped_and_ends_in_a_circle(
    bench: Bench,
) -> None:
    """Each edge once, three hops, and whether there is more."""
    a, b, c, d, e = await bench.keep("a 1", "b 2", "c 3", "d 4", "e 5")
    for source, relation, target in (
        (a, "caused", b), (b, "caused", a), (b, "contradicts", c), (c, "enabled", d),
        (d, "supports", e),
    ):  # fmt: skip
        await bench.link(source, relation, target)

    found = await bench.lineage(a)

    assert {relation.value: len(group) for relation, group in found.groups.items()} == {
        "caused": 2, "enabled": 1, "supersedes": 0, "contradicts": 1, "derived_from": 0,
        "supports": 0,
    }  # fmt: skip
    assert found.cut is True
    assert (await bench.lineage(a, 4)).cut is False


# ---- links that texts declare


def declaring(*lines: str) -> str:
    return "\n".join(["The retry budget is three.", "causalLinks:", *lines])


async def test_a_text_draws_the_links_it_declares(bench: Bench) -> None:
    """By key, by short id and by title; caused_by comes in, the others go out."""
    (outage,) = await bench.keep("disk was full", key="incident-42")
    (rule,) = await bench.keep("retry for ever")
    (note,) = await bench.keep("a note on queues", title="Queues")

    (memory,) = await bench.keep(
        declaring(
            "  caused_by: [incident-42]", f"  supersedes: [m{rule}]", "  blocks: [Queues]",
            "  related_to: [nobody knows]",
        )
    )  # fmt: skip

    assert await bench.edges() == {
        (outage, "caused", memory), (memory, "supersedes", rule), (memory, "enabled", note),
    }  # fmt: skip


async def test_a_reference_waits_for_its_memory(bench: Bench) -> None:
    """The rows of an import come in any order."""
    (memory,) = await bench.keep(declaring("  derived_from:", "    - spec-1"))
    before = await bench.edges()

    (spec,) = await bench.keep("what is wanted", key="spec-1")

    assert before == set()
    assert await bench.edges() == {(memory, "derived_from", spec)}


async def test_a_name_of_two_memories_or_of_none_in_reach_is_not_guessed_at(bench: Bench) -> None:
    await bench.keep("one of them", "the other", title="Twins")
    await bench.keep("elsewhere", title="Hidden", project="/other")

    (memory,) = await bench.keep(declaring("  supersedes: [Twins, Hidden, Myself]"), title="Myself")

    assert await bench.edges() == set()
    assert memory


async def test_a_declared_link_that_a_person_took_out_does_not_come_back(store: OpenStore) -> None:
    async with open_bench(store) as bench:
        (old,) = await bench.keep("old rule", key="rule-1")
        (memory,) = await bench.keep(declaring("  supersedes: [rule-1]"))
        assert await bench.edges() == {(memory, "supersedes", old)}
        await bench.unlink(memory, "supersedes", old)
        await bench.keep("something new")

    async with open_bench(store) as bench:
        assert await bench.edges() == set()


async def test_a_rewritten_text_takes_back_what_it_no_longer_declares(bench: Bench) -> None:
    (old,) = await bench.keep("old rule", key="rule-1")
    (other,) = await bench.keep("other rule", key="rule-2")
    (memory,) = await bench.keep(declaring("  supersedes: [rule-1]"))
    by_hand = await bench.link(memory, "caused", old)

    await bench.house.keep(
        declaring("  supersedes: [rule-2]"), intent="update", target=memory, project="/p"
    )
    await trio.sleep(1)

    assert by_hand
    assert await bench.edges() == {(memory, "caused", old), (memory, "supersedes", other)}


async def test_what_was_declared_while_nobody_read_is_read_at_the_start(store: OpenStore) -> None:
    async with open_house(store, TableEmbedding(), FollowingClock()) as house:
        await house.keep("old rule", judged=False, key="rule-1")
        await house.keep(declaring("  supersedes: [rule-1]"), judged=False)

    async with open_bench(store):
        assert len(await edges_in(store)) == 1


# ---- endings and trouble


async def test_an_erased_memory_takes_its_edges_with_it_and_empties_what_quotes_it(
    bench: Bench,
) -> None:
    a, b, c = await bench.keep("the vault is behind the mill", "b second", "c third")
    await bench.link(a, "caused", b, evidence="they lie together")
    await bench.link(b, "caused", c, evidence="since the vault is behind the mill")
    await bench.commit(Ended(c, "forgotten", BEGINNING))

    await bench.house.erase(Erased((a,)))

    assert await bench.house.store.reading.edges_around([b], 1, 9) == [
        Connected(b, c, "caused", 1.0, "", BEGINNING)
    ]
