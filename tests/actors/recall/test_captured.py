"""What capture and dreams wrote is not taken for more than it is, as real sessions showed."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from actors.memory.writes import Origin
from daemon.storage.store import OpenStore
from tests.actors.fakes import without_model
from tests.actors.recall.bench import Bench, open_bench
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

EDITED = "The cache size of the gateway is 40 entries."
QUOTED = "Two memories contradict each other: the cache size of the gateway is now 40 entries."


@pytest.fixture
async def wordy(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Recall without a model, over an empty store."""
    async with open_bench(store, without_model(), clock) as opened:
        yield opened


async def met(bench: Bench, query: str, text: str) -> set[str]:
    """The names of the terms that this memory met in a search."""
    found = await bench.search(query)
    (note,) = [one for one in found.notes if one.memory.text == text]
    return {term.name for term in note.terms}


@pytest.mark.parametrize(("source", "rises"), [("hand", True), ("dream", False)])
async def test_an_insight_takes_the_place_of_no_memory_that_it_quotes(
    wordy: Bench, source: str, rises: bool
) -> None:
    await wordy.house.keep(EDITED, judged=False)
    later, origin = BEGINNING + 60, Origin(source)
    await wordy.house.keep(QUOTED, judged=False, at=later, origin=origin)

    assert ("successor" in await met(wordy, "the cache size of the gateway is", QUOTED)) is rises


SUMMARY = "Session about: the eviction of entries."
MESSAGE = "Evict by age. Previously, entries were evicted by size."


@pytest.mark.parametrize(
    ("query", "text", "source", "term", "is_met"),
    [
        ("eviction at session end", SUMMARY, "hand", "label", True),
        ("eviction at session end", SUMMARY, "session-summary", "label", False),
        ("eviction of entries", MESSAGE, "hand", "past", True),
        ("eviction of entries", MESSAGE, "commit", "past", False),
    ],
)
async def test_a_beginning_that_capture_wrote_is_no_name_and_a_commit_is_not_about_the_past(
    wordy: Bench, query: str, text: str, source: str, term: str, is_met: bool
) -> None:
    await wordy.house.keep(text, judged=False, origin=Origin(source))

    assert (term in await met(wordy, query, text)) is is_met
