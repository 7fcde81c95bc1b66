"""Other ways to put a query, in the running recall, and each of them when it fails."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from actors.memory.rows import Role, Scope
from actors.policy.recall import ranking, ways
from actors.recall.shapes import Answer
from daemon.storage.reader import ReadingSide
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at, without_model
from tests.actors.post import mail
from tests.actors.recall.bench import Bench, open_bench, texts
from tests.clock import VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

LOGIN = "Login needs a second factor from the hardware key."
OVEN = "The bakery oven is preheated at dawn."
QUERY = "authentication timeout"
WHAT = "what is a hardware key?"
BEGUN = ("hardware key is",)
LONG = "which of the hardware keys is the one that the bakery bought"
NEW = ("expansion", "hyde", "routing", "by_intent")


class Counting(ReadingSide):
    """A reading side that notes what is looked for."""

    def __init__(self, side: ReadingSide) -> None:
        vars(self).update(vars(side))
        self.words_asked: list[tuple[str, ...]] = []
        self.nearest_asked = 0

    async def words(self, terms: Sequence[str], scope: Scope, limit: int) -> dict[int, float]:
        self.words_asked.append(tuple(terms))
        return await super().words(terms, scope, limit)

    async def nearest(self, vector: bytes, scope: Scope, limit: int) -> Any:
        self.nearest_asked += 1
        return await super().nearest(vector, scope, limit)


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Two notes with vectors; each question is far from the first, the beginning of an answer near."""
    table = {LOGIN: at(1.0), QUERY: at(0.0), WHAT: at(0.6)}
    table |= dict.fromkeys(BEGUN, at(1.0))
    async with open_bench(store, TableEmbedding(table), clock) as opened:
        await opened.house.keep(LOGIN)
        await opened.house.keep(OVEN)
        await opened.house.vectored()
        mail(opened.house.strength)
        yield opened


@pytest.fixture
async def wordy(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """The same without a model."""
    async with open_bench(store, without_model(), clock) as opened:
        await opened.house.keep(LOGIN)
        await opened.house.keep(OVEN)
        mail(opened.house.strength)
        yield opened


def switch(bench: Bench, *on: str) -> None:
    """From now on these are on beside what is shipped."""
    settings = replace(
        bench.actor.searching.settings, ranking=ranking.asked_with(ranking.Settings(), on)
    )
    bench.actor.searching.settings = bench.actor.briefing.settings = settings


def counting(bench: Bench) -> Counting:
    reader = Counting(bench.house.store.reading)
    bench.actor.searching.channels.reader = reader
    return reader


def embedded(bench: Bench) -> list[tuple[tuple[str, ...], Role]]:
    """What the model was asked since the last look."""
    asked: list[tuple[tuple[str, ...], Role]] = [
        (texts, role) for texts, role, _ in bench.house.embedding.asked
    ]
    bench.house.embedding.asked.clear()
    return asked


def cosine_of(found: Answer, text: str) -> float:
    (note,) = (note for note in found.notes if note.memory.text == text)
    return note.parts["cosine"]


# ---- off


async def test_off_by_default_and_nothing_more_is_asked(bench: Bench) -> None:
    assert not ways.DEFAULT & {*NEW}
    embedded(bench)
    reader = counting(bench)
    found = await bench.search(QUERY)

    assert embedded(bench) == [((QUERY,), "query")]
    assert (len(reader.words_asked), reader.nearest_asked) == (0, 1)  # ``counted`` finds the words
    assert found.said == ()


async def test_a_prompt_asks_nothing_more_whatever_is_on(bench: Bench) -> None:
    switch(bench, *NEW)
    embedded(bench)
    reader = counting(bench)
    await bench.prompt(QUERY)

    assert embedded(bench) == [((QUERY,), "query")]
    assert reader.words_asked == []


# ---- expansion


async def test_expansion_finds_what_says_it_in_another_word(wordy: Bench) -> None:
    assert texts(await wordy.search(QUERY)) == []
    switch(wordy, "expansion")
    found = await wordy.search(QUERY)

    assert texts(found)[0] == LOGIN  # what was told beside it follows
    assert found.said == ("searched also for auth, login, signin",)


async def test_a_variant_finds_nothing_of_another_project(bench: Bench) -> None:
    await bench.house.keep("Login is by badge.", project="/theirs", judged=False)
    await bench.house.vectored()
    switch(bench, "expansion", "hyde")
    found = await bench.search(QUERY, scope=Scope("/mine"), k=9)

    assert LOGIN in texts(found)
    assert all(note.memory.project is None for note in found.notes)


# ---- beginnings of answers


async def test_hyde_searches_by_beginnings_of_answers_as_well(bench: Bench) -> None:
    """Half way between .6 and 1 is at .894."""
    switch(bench, "hyde")
    embedded(bench)
    found = await bench.search(WHAT)

    assert embedded(bench) == [((WHAT,), "query"), (BEGUN, "document")]
    assert cosine_of(found, LOGIN) == pytest.approx(1.6 / (1.6**2 + 0.8**2) ** 0.5, abs=1e-3)
    assert found.said == ("searched also by the beginning of an answer: “hardware key is ...”",)
    assert found.missing == ()


# ---- routing


async def test_a_question_of_few_words_is_not_asked_of_the_graph_and_that_is_said(
    bench: Bench,
) -> None:
    """It is no failure."""
    switch(bench, "routing")
    found = await bench.search("hardware key")

    assert found.said == ("a question of few words: no links are followed",)
    assert found.missing == ()
    assert "graph" not in {passed.stage for passed in found.stages}
    assert texts(found)[0] == LOGIN


# ---- what is asked for


async def test_words_and_vectors_weigh_by_what_is_asked_for_and_that_is_said(bench: Bench) -> None:
    switch(bench, "by_intent")
    found = await bench.search("fix the crash of the login")

    assert found.said == ("taken for mending: words weigh 0.375, vectors 0.375",)
