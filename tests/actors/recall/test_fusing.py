"""Another way of fusing in the running recall."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
from trio.testing import MockClock

from actors.policy.recall.ways import FUSIONS
from actors.recall.messages import Found
from daemon.host import ranking_settings
from daemon.settings import Recall
from daemon.settings import Settings as DaemonSettings
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.post import mail
from tests.actors.recall.bench import Bench, open_bench
from tests.clock import FollowingClock

pytestmark = pytest.mark.trio

BY_WORDS = "Fix the crash of the login page first."
BY_MEANING = "Signing in breaks when the session is stale."
QUERY = "fix the crash of the login"


@pytest.fixture
async def bench(
    store: OpenStore, clock: FollowingClock, autojump_clock: MockClock
) -> AsyncGenerator[Bench]:
    """Words and vectors disagree about which of two notes answers."""
    _ = autojump_clock
    table = {QUERY: at(1.0), BY_WORDS: at(0.1), BY_MEANING: at(0.9)}
    async with open_bench(store, TableEmbedding(table), clock) as opened:
        for text in (BY_WORDS, BY_MEANING):
            await opened.house.keep(text, judged=False)
        await opened.house.vectored()
        mail(opened.house.strength)
        yield opened


async def asked(bench: Bench, method: str, *on: str) -> Found:
    return await bench.search(QUERY, track=False, also=frozenset({method, *on}))


@pytest.mark.parametrize("method", FUSIONS)
async def test_every_way_answers_and_its_terms_give_the_scores(
    bench: Bench, method: str, autojump_clock: MockClock
) -> None:
    found = await asked(bench, method, "expansion")

    assert {note.memory.text for note in found.notes} == {BY_WORDS, BY_MEANING}
    assert found.degraded is None
    for note in found.notes:
        score = 0.0
        for term in note.terms:
            score = term.applied(score)
        assert min(score, 1.0) == note.score


async def test_the_weights_of_an_intent_are_used_and_said(
    bench: Bench, autojump_clock: MockClock
) -> None:
    shipped = await asked(bench, "scores")
    by_intent = await asked(bench, "by_intent")

    def share(found: Found, name: str) -> float:
        (note,) = (note for note in found.notes if note.memory.text == BY_WORDS)
        return note.parts[name]

    assert share(by_intent, "words") > share(shipped, "words")
    assert [line for line in by_intent.said if "words weigh 0.375, vectors 0.375" in line]
    assert shipped.said == ()


async def test_the_setting_is_handed_on(bench: Bench, autojump_clock: MockClock) -> None:
    _ = bench
    settings = replace(DaemonSettings(), recall=Recall(with_=("ranks",), without=("past",)))

    assert ranking_settings(settings).method == "ranks"
    assert "past" not in ranking_settings(settings).on
    assert ranking_settings(DaemonSettings()).method == "scores"
