"""The embedder: every living memory has its vectors, sooner or later."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any, ClassVar

import pytest
import trio

from actors.memory.embedder import QUESTIONS, TOGETHER, TRIES
from actors.memory.rows import Embed, Embedded, EmbeddingState, EmbeddingUnavailable
from actors.memory.writes import Ended
from actors.policy.text.chunking import embedded_text
from daemon.storage.store import OpenStore
from tests.actors.fakes import DIMENSIONS, TableEmbedding, without_model
from tests.actors.house import House, open_house, until
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import new, written

pytestmark = VIRTUAL_TIME


@pytest.fixture
async def house(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[House]:
    """A house with an embedding that takes half a second."""
    async with open_house(store, TableEmbedding(takes=0.5), clock) as opened:
        yield opened


def documents(house: House) -> list[str]:
    """The texts that were embedded as documents in the background, in order."""
    return [
        text
        for texts, role, interactive in house.embedding.asked
        if role == "document" and not interactive
        for text in texts
    ]


async def ask(house: House, text: str, within: float = 30.0) -> list[bytes]:
    made = await house.embedder.mailbox.ask(Embed((text,), "query", True), within=within)
    return [one.vector for one in made]


async def test_a_question_is_answered_with_its_vectors(house: House) -> None:
    assert await ask(house, "a") == [house.embedding.vector("a")]
    assert house.embedding.asked[-1] == (("a",), "query", True)


async def test_missing_vectors_are_made_newest_first(
    store: OpenStore, clock: FollowingClock
) -> None:
    await written(store, new("one"), new("two"), new("three"), Ended(2, "archived", BEGINNING))
    async with open_house(store, TableEmbedding(), clock) as house:
        await house.vectored()

        assert documents(house) == ["three", "one"]
        assert (await store.reading.counts()).chunks == 2


async def test_a_new_memory_has_vectors_before_the_next_look_around(
    store: OpenStore, clock: FollowingClock
) -> None:
    async with open_house(store, TableEmbedding(), clock) as house:
        await house.keep("one", judged=False)
        began = trio.current_time()
        await house.vectored()

        assert trio.current_time() - began < 1


async def test_a_long_memory_is_split_and_each_piece_gets_its_vector(house: House) -> None:
    sentence = "The harbour master keeps one ledger of tides for every pier of the port. "
    text = " ".join(f"{number}. {sentence}" for number in range(100))
    verdict = await house.keep(text, judged=False)
    await house.vectored()
    chunks = (await house.store.reading.counts()).chunks

    assert chunks > 1
    assert len(documents(house)) == chunks
    assert verdict.memory_id == 1


async def test_another_model_makes_all_vectors_anew(house: House) -> None:
    await house.keep("one", judged=False)
    await house.keep("two", judged=False)
    await house.vectored()
    house.embedding.state = EmbeddingState("ready", "", "other-64", DIMENSIONS)

    async def made_again() -> bool:
        return documents(house).count("one") == 2 and documents(house).count("two") == 2

    await until(made_again)
    await house.vectored()
    rows = await house.store.reading.read(
        lambda sql: sql.rows("SELECT value FROM store WHERE name = 'model'")
    )

    assert rows == [("other-64",)]


async def test_no_question_is_answered_in_the_space_of_another_model(house: House) -> None:
    await house.keep("one", judged=False)
    await house.vectored()
    house.embedding.state = EmbeddingState("ready", "", "other-64", DIMENSIONS)
    with pytest.raises(EmbeddingUnavailable, match="another model"):
        await ask(house, "one")
    await trio.sleep(10)

    assert len(await ask(house, "one")) == 1


async def test_without_a_model_a_question_is_refused_and_memories_wait(
    store: OpenStore, clock: FollowingClock
) -> None:
    embedding = without_model()
    async with open_house(store, embedding, clock) as house:
        await house.keep("one", judged=False)
        with pytest.raises(EmbeddingUnavailable, match="no model"):
            await ask(house, "one")
        await trio.sleep(100)
        missing = (await store.reading.counts()).unvectored
        embedding.state = TableEmbedding().state
        await house.vectored()

    assert missing == 1


async def test_a_worker_that_stops_in_between_is_asked_again(house: House) -> None:
    house.embedding.failures = TRIES - 1
    await house.keep("one", judged=False)
    await trio.sleep(200)

    assert (await house.store.reading.counts()).unvectored == 0
    assert house.maker.statistics()["given_up"] == 0


async def test_a_text_that_stops_the_worker_every_time_does_not_keep_the_others_back(
    store: OpenStore, clock: FollowingClock
) -> None:
    class Choking(TableEmbedding):
        async def embed(self, texts: Sequence[str], **how: Any) -> list[Embedded]:
            self.failures = int("poison" in texts)
            return await super().embed(texts, **how)

    await written(store, new("old"), new("poison"))
    async with open_house(store, Choking(), clock) as house:
        await trio.sleep(600)
        counts = await store.reading.counts()

        assert counts.unvectored == 1
        assert house.maker.statistics()["given_up"] == 1
        assert documents(house).count("poison") == TRIES
        assert documents(house).count("old") == 2  # once beside the poison, then by itself


async def test_short_texts_are_embedded_together_and_a_long_one_by_itself(
    store: OpenStore, clock: FollowingClock
) -> None:
    class Listed(TableEmbedding):
        lists: ClassVar[list[int]] = []

        async def embed(self, texts: Sequence[str], **how: Any) -> list[Embedded]:
            self.lists.append(len(texts))
            return await super().embed(texts, **how)

    long = " ".join(f"word{n} stands in a long text." for n in range(600))
    await written(store, *(new(f"short {n}") for n in range(10)), new(long))
    async with open_house(store, Listed(), clock):
        await trio.sleep(60)

    assert Listed.lists[0] > TOGETHER
    assert Listed.lists[1:] == [TOGETHER, 2]
    assert (await store.reading.counts()).unvectored == 0


async def test_questions_side_by_side_are_bounded_and_all_are_answered(house: House) -> None:
    answers: list[int] = []
    began = trio.current_time()

    async def one(number: int) -> None:
        answers.append(len(await ask(house, f"text {number}")))

    async with trio.open_nursery() as nursery:
        for number in range(2 * QUESTIONS):
            nursery.start_soon(one, number)

    assert answers == [1] * 2 * QUESTIONS
    assert trio.current_time() - began == pytest.approx(1.0, abs=0.1)  # two turns of half a second


async def test_a_memory_rewritten_while_its_vectors_were_made_gets_those_of_its_new_text(
    house: House,
) -> None:
    verdict = await house.keep("one", judged=False)
    await trio.sleep(0.1)  # the old text is at the worker
    await house.keep("two", intent="update", target=verdict.memory_id)
    await house.vectored()
    vector = house.embedding.vector("two")

    assert await house.store.reading.cosines(vector, [1]) == pytest.approx({1: 1.0})


async def test_a_title_leads_the_text_unless_the_text_begins_with_it() -> None:
    assert embedded_text("Ports", "5432") == "Ports. 5432"
    assert embedded_text("the port", "the port is 5432") == "the port is 5432"
    assert embedded_text("the port…", "the port is 5432") == "the port is 5432"
    assert embedded_text("", "5432") == "5432"
