"""The composite score in the running recall, for one question and as a setting."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
from trio.testing import MockClock

from actors.recall.messages import Found
from daemon.host import ranking_settings, recall_settings
from daemon.settings import Recall
from daemon.settings import Settings as DaemonSettings
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.post import mail
from tests.actors.recall.bench import Bench, open_bench
from tests.clock import BEGINNING, FollowingClock

pytestmark = pytest.mark.trio

DAY = 86_400.0
PORT = "The port of the staging service is 8443."
PLACE = "The port of Rotterdam is the largest of Europe."
QUERY = "port of the staging service"
FACTORS = {"temporal", "usage", "importance", "pattern", "citation"}


@pytest.fixture
async def bench(
    store: OpenStore, clock: FollowingClock, autojump_clock: MockClock
) -> AsyncGenerator[Bench]:
    _ = autojump_clock
    table = {QUERY: at(1.0), PORT: at(0.9), PLACE: at(0.3)}
    async with open_bench(store, TableEmbedding(table), clock) as opened:
        await opened.house.keep(PORT, judged=False)
        await opened.house.keep(PLACE, at=BEGINNING - 200 * DAY, judged=False)
        await opened.house.vectored()
        mail(opened.house.strength)
        yield opened


async def asked(bench: Bench, *also: str) -> Found:
    return await bench.search(QUERY, also=frozenset(also), track=False)


async def test_a_question_is_answered_by_the_five_factors_and_shows_each(
    bench: Bench, autojump_clock: MockClock
) -> None:
    usual, found = await asked(bench), await asked(bench, "composite")

    assert not FACTORS & {*usual.notes[0].parts}
    for note in found.notes:
        assert FACTORS | {"folder", "kind"} <= {*note.parts}
        first = [term for term in note.terms if term.name in FACTORS]
        assert [term.name for term in first] == [
            "temporal", "usage", "importance", "pattern", "citation",
        ]  # fmt: skip
    assert found.notes[0].memory.text == PORT


async def test_the_setting_is_handed_on(bench: Bench, autojump_clock: MockClock) -> None:
    _ = bench
    settings = replace(DaemonSettings(), recall=Recall(with_=("composite",)))

    assert ranking_settings(settings).score == "composite"
    assert recall_settings(settings).ranking.score == "composite"
    assert ranking_settings(DaemonSettings()).score == "fused"


async def test_what_stages_change_of_scores_is_told_of_one_question_in_twenty(
    bench: Bench, autojump_clock: MockClock
) -> None:
    for _ in range(60):
        await asked(bench)

    seen = bench.actor.statistics()["scoring"]
    assert seen["questions"] == 60
    assert 0 < seen["observations"] <= 12  # two results of each question that is observed


async def test_a_channel_can_be_left_out_of_one_question(
    bench: Bench, autojump_clock: MockClock
) -> None:
    by_words = await bench.search(QUERY, without=frozenset({"vectors"}), track=False)
    by_vectors = await bench.search(QUERY, without=frozenset({"words"}), track=False)

    assert by_words.degraded is None
    assert all("cosine" not in note.parts for note in by_words.notes)
    assert all("word_score" not in note.parts for note in by_vectors.notes)
