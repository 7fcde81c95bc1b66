"""The graph channel in recall: what is linked with what was found.

``tests/data/linked.json`` is a small store with causal links and connections as dreaming draws
them; half of its questions need what only a link leads to.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import trio
from msgspec import Struct

from actors.core.failures import Unreadable
from actors.memory.commit import Write
from actors.memory.rows import Scope
from actors.memory.writes import Connected, Ended
from actors.night.shapes import ConnectionsDrawn
from actors.policy.night.replay import Connection, ConnectionKind
from actors.policy.text.short_ids import short_id
from actors.recall.shapes import Answer
from daemon.storage.store import OpenStore
from tests.actors.fakes import without_model
from tests.actors.recall.bench import Bench, Troubled, missing, open_bench
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import draft

pytestmark = VIRTUAL_TIME

LINKED = json.loads(
    (Path(__file__).parents[2] / "data" / "linked.json").read_text(encoding="utf-8")
)
DAY = 86_400.0
ASKED: list[dict[str, Any]] = LINKED["questions"]


class Linked(Struct):
    """The store of the file, and a recall that searches it by words."""

    bench: Bench
    ids: dict[str, int]

    async def ask(self, text: str, *without: str, k: int = 5) -> Answer:
        return await self.bench.search(
            text, k, scope=Scope("shop"), track=False, without=frozenset(without)
        )

    async def names(self, text: str, *without: str) -> list[str]:
        names = {number: name for name, number in self.ids.items()}
        return [names[note.memory.id] for note in (await self.ask(text, *without)).notes]

    async def recall_at_5(self, hops: int, *without: str) -> float:
        shares = [
            len(set(await self.names(one["text"], *without)) & set(one["rel"])) / len(one["rel"])
            for one in ASKED
            if one["hops"] == hops
        ]
        return sum(shares) / len(shares)

    async def write(self, *writes: Any) -> None:
        await self.bench.house.long_term.mailbox.tell(Write(tuple(writes)))
        await trio.sleep(1)


@pytest.fixture
async def linked(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Linked]:
    """Everything of the file in the project ``shop``, without vectors."""
    async with open_bench(store, without_model(), clock) as bench:
        texts: dict[str, str] = LINKED["memories"]
        verdicts = await bench.house.keep_all(
            *(
                # Scattered, so that what is linked is not told next to each other as well.
                draft(text, project="shop", at=BEGINNING - DAY * (place * 17 % len(texts)))
                for place, text in enumerate(texts.values())
            ),
            judged=False,
        )
        ids = {name: one.memory_id for name, one in zip(texts, verdicts, strict=True)}
        linked = Linked(bench, ids)
        edges = [
            Connected(ids[one], ids[two], how, strength, "", BEGINNING)
            for one, how, two, strength in LINKED["links"]
        ]
        drawn = [
            Connection(ids[one], ids[two], ConnectionKind(kind), strength, "")
            for one, two, kind, strength in LINKED["connections"]
        ]
        await linked.write(*edges, ConnectionsDrawn(tuple(drawn), BEGINNING))
        yield linked


async def test_questions_of_two_facts_find_both_over_their_link(linked: Linked) -> None:
    """Recall@5 with the graph against without, in the same store."""
    without = await linked.recall_at_5(2, "graph")
    with_it = await linked.recall_at_5(2)

    assert with_it >= without + 0.4


async def test_questions_of_one_fact_lose_nothing_to_links(linked: Linked) -> None:
    with_it = await linked.recall_at_5(1)

    assert with_it >= await linked.recall_at_5(1, "graph")


async def test_what_a_link_led_to_says_over_which(linked: Linked) -> None:
    found = await linked.ask("Why was sign-in refused on staging?")

    (clock,) = (note for note in found.notes if note.memory.id == linked.ids["clock"])
    assert f"linked with {short_id(linked.ids['tokens'])} (caused)" in [
        term.name for term in clock.terms
    ]


async def test_dreamt_connections_lead_where_no_word_does(linked: Linked) -> None:
    """Issue 5: the graph before and after the connections were drawn."""
    asked = "What cured the password circle of the extension?"

    assert "cookie" in await linked.names(asked)
    assert "cookie" not in await linked.names(asked, "graph")


async def test_ended_memories_are_not_reached_and_lead_nowhere(linked: Linked) -> None:
    await linked.write(Ended(linked.ids["retry"], "forgotten", BEGINNING))

    found = await linked.names("What did we change after customers were charged twice?")

    assert "retry" not in found
    assert "idempotency" in found


async def test_another_projects_memories_are_not_reached(linked: Linked) -> None:
    verdict = await linked.bench.house.keep("An outsider note.", project="elsewhere", judged=False)
    tokens = linked.ids["tokens"]
    await linked.write(Connected(verdict.memory_id, tokens, "caused", 1.0, "", BEGINNING))

    found = await linked.ask("Why was sign-in refused on staging?", k=40)

    assert verdict.memory_id not in [note.memory.id for note in found.notes]


async def test_a_graph_that_cannot_be_read_costs_that_channel_and_is_said(linked: Linked) -> None:
    """The other channels answer."""
    damaged = Unreadable("the links are damaged")
    side = Troubled(linked.bench.house.store.reading, links_of=damaged)
    linked.bench.actor.searching.channels.reader = side

    found = await linked.ask("Why was sign-in refused on staging?")

    assert found.notes[0].memory.id == linked.ids["tokens"]
    assert "graph" in missing(found)
