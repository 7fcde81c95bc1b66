"""Late interaction at work: memories get their tokens, and recall orders by them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any, ClassVar

import pytest
import trio
from msgspec.structs import replace

from actors.core.failures import Unreadable
from actors.memory.rows import Embedded
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.house import open_house
from tests.actors.post import mail
from tests.actors.recall.bench import Bench, Troubled, missing, open_bench, texts
from tests.clock import VIRTUAL_TIME, FollowingClock
from tests.writing import token_totals

pytestmark = VIRTUAL_TIME

QUERY = "harbour crane"


class ByTable(TableEmbedding):
    """Tokens by table as well: what means the same has the same direction."""

    meaning: ClassVar = {"hoist": "crane", "port": "harbour"}

    async def embed(
        self, texts: Sequence[str], *, role: Any, interactive: bool, tokens: bool = False
    ) -> list[Embedded]:
        translated = [" ".join(self.meaning.get(w, w) for w in text.split()) for text in texts]
        made = await super().embed(translated, role=role, interactive=interactive, tokens=tokens)
        return [
            replace(one, vector=self.vector(text)) for one, text in zip(made, texts, strict=True)
        ]


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Two memories as near to the query as each other, of which one means the same word by word."""
    table = {"old port hoist": at(0.6), "new road bridge": at(0.6), QUERY: at(1.0)}
    async with open_bench(store, ByTable(table), clock) as opened:
        await opened.house.keep("new road bridge", judged=False)
        await opened.house.keep("old port hoist", judged=False)
        await opened.house.vectored()
        mail(opened.house.strength)
        yield opened


async def test_a_memory_gets_its_tokens_with_its_vector(
    store: OpenStore, clock: FollowingClock
) -> None:
    async with open_house(store, TableEmbedding(), clock) as house:
        await house.keep("the port is 5432", judged=False)
        await house.vectored()
        totals = await token_totals(store)

        assert (totals.chunks, totals.missing, totals.bytes) == (1, 0, 4 * 8)
        assert len([texts for texts, _, _ in house.embedding.asked]) == 1


async def test_what_means_the_same_word_by_word_comes_first(bench: Bench) -> None:
    found = await bench.search(QUERY)

    assert texts(found) == ["old port hoist", "new road bridge"]
    assert found.notes[0].parts["tokens"] > found.notes[1].parts["tokens"]


def failing(bench: Bench, error: Exception | None) -> None:
    side = Troubled(bench.house.store.reading, token_similarities=error)
    bench.actor.searching.channels.reader = bench.actor.briefing.channels.reader = side


async def test_a_failure_is_said_and_leaves_the_order_of_the_others(bench: Bench) -> None:
    failing(bench, Unreadable("check the disk"))
    found = await bench.search(QUERY)

    assert missing(found) == {"late_interaction": "check the disk"}
    assert texts(found) == ["new road bridge", "old port hoist"]


async def test_a_prompt_waits_for_it_no_longer_than_for_a_neighbour(bench: Bench) -> None:
    bench.hurried()
    failing(bench, None)
    began = trio.current_time()
    found = await bench.prompt(QUERY)

    assert missing(found) == {"late_interaction": "there was no answer in time"}
    assert trio.current_time() - began < 2.1  # of which two are the bench's own pauses
