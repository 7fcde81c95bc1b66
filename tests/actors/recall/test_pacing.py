"""A prompt waits for its vector while it may be expected, and not for a worker that hangs."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import trio

from actors.core.mailbox import Queue
from actors.memory.rows import EmbeddingUnavailable
from actors.policy.recall.answers import FRESH, LEAST
from actors.recall.ordering import Settings
from actors.recall.shapes import Answer
from daemon.settings import Injection
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.recall.bench import ASKED, SQUID, WHALE, Bench, missing, open_bench, texts
from tests.clock import VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

MOST = Settings().embedding_wait
VECTORS = {"vectors": "the query's vector was not ready in time"}


@pytest.fixture
def embedding() -> TableEmbedding:
    return TableEmbedding({WHALE: at(1), ASKED: at(0.8)})


@pytest.fixture
async def bench(
    store: OpenStore, embedding: TableEmbedding, clock: FollowingClock
) -> AsyncGenerator[Bench]:
    """Recall over two memories with vectors; what follows takes the embedding's time."""
    async with open_bench(store, embedding, clock) as opened:
        await opened.house.keep(WHALE)
        await opened.house.keep(SQUID)
        await opened.house.vectored()
        opened.hurried()
        yield opened


async def prompted(bench: Bench, session: str, text: str = ASKED) -> tuple[Answer, float]:
    """A prompt of a session of its own, with all of the time that a setting gives it."""
    return await bench.timed(text, session, Injection().deadline)


async def test_a_prompt_waits_for_its_vector_as_long_as_that_takes(
    bench: Bench, embedding: TableEmbedding
) -> None:
    for number, takes in enumerate((0.02, 0.05, 0.14)):
        embedding.takes, question = takes, f"{ASKED} {number}"
        embedding.table[question] = at(0.8)
        found, took = await prompted(bench, f"s{number}", question)

        assert (missing(found), texts(found)) == ({}, [WHALE])
        assert took == pytest.approx(takes, abs=0.001)
    assert bench.actor.briefing.by_words_alone == 0


async def test_a_vector_that_never_comes_is_waited_for_once(bench: Bench) -> None:
    hung: Queue[object] = Queue("hung", room=64)
    bench.actor.briefing.channels.pacing.embedder = hung.mailbox  # type: ignore[assignment]
    took = [await prompted(bench, f"s{number}") for number in range(4)]

    assert [missing(found) for found, _ in took] == [VECTORS] * 4
    assert [spent for _, spent in took] == pytest.approx([MOST, LEAST, LEAST, LEAST], abs=0.001)
    assert bench.actor.briefing.by_words_alone == 4
    await trio.sleep(FRESH)  # the worker was started again meanwhile
    assert (await prompted(bench, "later"))[1] == pytest.approx(MOST, abs=0.001)


async def test_a_vector_that_came_too_late_is_there_when_the_same_is_asked_again(
    bench: Bench, embedding: TableEmbedding
) -> None:
    embedding.takes = 0.4
    first, again = await prompted(bench, "s1"), await prompted(bench, "s2")

    assert (missing(first[0]), missing(again[0])) == (VECTORS, {})
    assert texts(again[0]) == [WHALE]
    assert again[1] == pytest.approx(0, abs=0.001)
    assert len([asked for asked, _, _ in embedding.asked if asked == (ASKED,)]) == 1


async def test_a_model_that_is_not_loaded_yet_is_not_waited_for_at_all(
    bench: Bench, embedding: TableEmbedding
) -> None:
    embedding.failures = 1
    found, took = await prompted(bench, "s1")

    assert missing(found) == {"vectors": str(EmbeddingUnavailable("the worker was stopped"))}
    assert took == pytest.approx(0, abs=0.001)
    assert (await prompted(bench, "s2"))[0].missing == ()
