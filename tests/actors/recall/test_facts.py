"""Stages that are off by default, in the running recall: each does what it says."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from msgspec.structs import replace

from actors.memory.rows import Scope
from actors.policy.recall import ranking
from actors.recall.shapes import Answer
from daemon.assembly import recall_settings
from daemon.settings import Recall
from daemon.settings import Settings as DaemonSettings
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.post import mail
from tests.actors.recall.bench import Bench, open_bench, texts
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

KEEL = "The keel of the boat is painted green."
COPY = "The keel of the boat was painted a dark green."
SAIL = "The sail of the boat is white, and the mast of the boat is made of spruce."
OARS = "Oars lie in the shed."
ASKED = "what do we know of the boat and its keel?"
DAY = 86_400.0


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Two notes that say the same, one beside them and one that has nothing to do with them."""
    table = {ASKED: at(1.0), KEEL: at(0.9), COPY: at(0.89), SAIL: (0.7, -0.714), OARS: at(0.1)}
    async with open_bench(store, TableEmbedding(table), clock) as opened:
        for days, text in enumerate((KEEL, COPY, SAIL, OARS)):
            await opened.house.keep(text, at=BEGINNING - DAY * days, judged=False)
        await opened.house.vectored()
        mail(opened.house.strength)
        yield opened


async def asked(bench: Bench, *also: str, k: int = 4) -> Answer:
    return await bench.search(ASKED, k, also=frozenset(also), track=False)


def terms(found: Answer) -> set[str]:
    return {term.name for note in found.notes for term in note.terms}


def ran(found: Answer) -> set[str]:
    return {passed.stage for passed in found.stages}


async def test_a_prompt_follows_the_stages_that_are_set(bench: Bench) -> None:
    on = ranking.asked_with(ranking.Settings(), {"rerank"})
    bench.actor.briefing.settings = replace(bench.actor.briefing.settings, ranking=on)

    found = await bench.prompt(ASKED)

    assert found.notes
    assert "lexical" in terms(found)


async def test_behind_a_steep_fall_nothing_follows_unread_either(bench: Bench) -> None:
    for text in ("Ropes hang in the shed.", "Nets dry in the sun.", "Gulls cry."):
        await bench.house.keep(text, at=BEGINNING - 9 * DAY, judged=False)
    await bench.house.vectored()
    searching = bench.actor.searching
    searching.settings = replace(searching.settings, search_read=6)
    usual, cut = await asked(bench, k=7), await asked(bench, "confidence", k=7)

    assert [note.why for note in usual.notes].count(ranking.UNREAD) == 1
    assert "confidence" in {one.stage for one in cut.stages if len(one.left) < len(one.entered)}
    assert ranking.UNREAD not in {note.why for note in cut.notes}


async def test_a_question_does_without_a_stage_that_is_on(bench: Bench) -> None:
    usual = await bench.search("what was the keel painted?", 4, track=False)
    without = await bench.search(
        "what was the keel painted?", 4, track=False, without=frozenset({"label"})
    )

    assert "label" in ran(usual)
    assert "label" not in ran(without)


async def test_what_bears_the_name_that_is_asked_for_comes_first(bench: Bench) -> None:
    await bench.house.keep("Ada: I have told Grace about the rudder.", judged=False)
    await bench.house.keep("Grace: I have told Ada about the rudder.", judged=False)
    await bench.house.vectored()

    found = await bench.search("what did Grace tell about the rudder?", 2, scope=Scope())

    assert texts(found)[0].startswith("Grace:")
    assert "label" in terms(found)


async def test_settings_are_handed_on() -> None:
    chosen = Recall(with_=("ranks", "composite"), without=("past",))
    ours = recall_settings(replace(DaemonSettings(), recall=chosen)).ranking
    usual = recall_settings(DaemonSettings()).ranking

    asked = {"ranks", "scores", "composite", "fused", "past"}
    assert ours.on & asked == {"ranks", "composite"}
    assert usual.on & asked == {"scores", "fused", "past"}
