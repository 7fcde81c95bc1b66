"""The graph channel in recall: what is linked with what was found.

``tests/data/linked.json`` is a small store with causal links and connections as dreaming draws
them; half of its questions need what only a link leads to.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from actors.core.mailbox import Queue
from actors.dreams.writes import ConnectionsDrawn
from actors.embedding.rows import EmbeddingState
from actors.links.writes import Connected
from actors.memory.messages import Write
from actors.memory.ports import Unreadable
from actors.memory.rows import Scope
from actors.memory.writes import Ended
from actors.observatory.observatory import Observatory
from actors.policy.decay.fsrs import FSRS6_DECAY
from actors.policy.dreams.connection_graph import Connection, ConnectionKind
from actors.policy.recall import ranking
from actors.policy.text.short_ids import short_id
from actors.recall.channels import Channels
from actors.recall.last_answers import LastAnswers
from actors.recall.messages import Found, Search
from actors.recall.ordering import Settings
from actors.recall.recall import assembled
from daemon.states import ranked_reach
from daemon.storage.store import OpenStore
from tests.actors.fakes import FixedPhrases, TableEmbedding
from tests.actors.house import House, draft, open_house
from tests.actors.post import queue
from tests.clock import BEGINNING, FollowingClock

pytestmark = pytest.mark.trio

LINKED = json.loads(
    (Path(__file__).parents[2] / "data" / "linked.json").read_text(encoding="utf-8")
)
DAY = 86_400.0
ASKED: list[dict[str, Any]] = LINKED["questions"]
EVERYTHING = ranking.asked_with(ranking.Settings(), {"degree", "boosts"})


@dataclass
class Bench:
    """The store of the file, and a recall that searches it by words."""

    house: House
    ids: dict[str, int]
    recall: Queue[Any]
    channels: Channels
    actor: Any

    async def ask(self, text: str, *without: str, k: int = 5) -> Found:
        answer: Found = await self.recall.mailbox.ask(
            lambda reply: Search(
                text, k, Scope("shop"), False, 30.0, reply, without=frozenset(without)
            ),
            within=60,
        )
        return answer

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
        await self.house.long_term.mailbox.tell(Write(tuple(writes)))
        await trio.sleep(1)


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Everything of the file in the project ``shop``, without vectors."""
    embedding = TableEmbedding()
    embedding.state = EmbeddingState("off", "no model", "", 0)
    recall, working_memory, other = queue("recall"), queue("wm"), queue("other", room=500)
    async with open_house(store, embedding, clock) as house, trio.open_nursery() as nursery:
        settings = EVERYTHING
        channels = Channels(
            settings, store.reading, house.embedder.mailbox, FixedPhrases(),
            working_memory.mailbox, LastAnswers(lambda: store.writing.revision),
        )  # fmt: skip
        actor = assembled(
            Settings(ranking=settings), store.reading, clock, channels,
            working_memory.mailbox, other.mailbox, other.mailbox, house.strength.mailbox,
            other.mailbox, other.mailbox, Observatory(),
            partial(ranked_reach, decay=FSRS6_DECAY),
        )  # fmt: skip
        nursery.start_soon(actor.run, recall.inbox)
        texts: dict[str, str] = LINKED["memories"]
        verdicts = await house.keep_all(
            *(
                # Scattered, so that what is linked is not told next to each other as well.
                draft(text, project="shop", at=BEGINNING - DAY * (place * 17 % len(texts)))
                for place, text in enumerate(texts.values())
            ),
            judged=False,
        )
        ids = {name: one.memory_id for name, one in zip(texts, verdicts, strict=True)}
        bench = Bench(house, ids, recall, channels, actor)
        edges = [
            Connected(ids[one], ids[two], how, strength, "", BEGINNING)
            for one, how, two, strength in LINKED["links"]
        ]
        drawn = [
            Connection(ids[one], ids[two], ConnectionKind(kind), strength, "")
            for one, two, kind, strength in LINKED["connections"]
        ]
        await bench.write(*edges, ConnectionsDrawn(tuple(drawn), "dreaming", BEGINNING))
        yield bench
        nursery.cancel_scope.cancel()


async def test_questions_of_two_facts_find_both_over_their_link(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Recall@5 with the graph against without, in the same store."""
    without = await bench.recall_at_5(2, "graph", "causes", "degree")
    with_it = await bench.recall_at_5(2, "degree", "causes")

    assert with_it >= without + 0.4


async def test_questions_of_one_fact_lose_nothing_to_links(
    bench: Bench, autojump_clock: MockClock
) -> None:
    with_it = await bench.recall_at_5(1, "degree", "causes")

    assert with_it >= await bench.recall_at_5(1, "graph", "causes", "degree")


async def test_what_a_link_led_to_says_over_which(bench: Bench, autojump_clock: MockClock) -> None:
    found = await bench.ask("Why was sign-in refused on staging?")

    (clock,) = (note for note in found.notes if note.memory.id == bench.ids["clock"])
    assert f"linked with {short_id(bench.ids['tokens'])} (caused)" in [
        term.name for term in clock.terms
    ]


async def test_the_terms_of_a_linked_memory_give_its_score_again(
    bench: Bench, autojump_clock: MockClock
) -> None:
    found = await bench.ask("Why do names from Gdansk come last?")

    for note in found.notes:
        score = 0.0
        for term in note.terms:
            score = term.applied(score)
        assert min(score, 1.0) == note.score or not note.terms


async def test_dreamt_connections_lead_where_no_word_does(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Issue 5: the graph before and after the connections were drawn."""
    asked = "What cured the password circle of the extension?"

    assert "cookie" in await bench.names(asked)
    assert "cookie" not in await bench.names(asked, "graph")


async def test_every_channel_of_the_graph_reports_its_time(
    bench: Bench, autojump_clock: MockClock
) -> None:
    found = await bench.ask("Why was sign-in refused on staging?")

    assert {"graph", "degree", "causes"} <= found.timings.keys()
    assert {"graph", "degree", "causes"} <= {report.channel for report in found.channels}


async def test_a_question_without_a_channel_does_not_look_there(
    bench: Bench, autojump_clock: MockClock
) -> None:
    found = await bench.ask("Why was sign-in refused on staging?", "graph", "degree", "causes")

    assert not {"graph", "degree", "causes"} & found.timings.keys()


async def test_ended_memories_are_not_reached_and_lead_nowhere(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.write(Ended(bench.ids["retry"], "forgotten", BEGINNING))

    found = await bench.names("What did we change after customers were charged twice?")

    assert "retry" not in found
    assert "idempotency" in found


async def test_another_projects_memories_are_not_reached(
    bench: Bench, autojump_clock: MockClock
) -> None:
    verdict = await bench.house.keep("An outsider note.", project="elsewhere", judged=False)
    tokens = bench.ids["tokens"]
    await bench.write(Connected(verdict.memory_id, tokens, "caused", 1.0, "", BEGINNING))

    found = await bench.ask("Why was sign-in refused on staging?", k=40)

    assert verdict.memory_id not in [note.memory.id for note in found.notes]


class Failing:
    """A store whose links cannot be read."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    async def links_of(self, ids: Sequence[int], each: int, likeness: bool) -> list[Any]:
        raise Unreadable("the links are damaged")


async def test_a_graph_that_cannot_be_read_costs_that_channel_and_is_said(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """The other channels answer."""
    bench.actor.searching.channels.reader = Failing(bench.house.store.reading)

    found = await bench.ask("Why was sign-in refused on staging?")

    assert found.notes[0].memory.id == bench.ids["tokens"]
    failures = [report.channel for report in found.channels if report.failure is not None]
    assert "graph" in failures
