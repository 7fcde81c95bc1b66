"""What a dream noticed does not get in the way of what people told: docs/dreaming.md."""

from __future__ import annotations

import pytest

from actors.memory.writes import Connected
from actors.night.shapes import DreamBegun, InsightFound
from actors.policy.graph.link_graph import Link
from actors.policy.night.insights import Insight, InsightKind
from daemon.storage.store import OpenStore
from tests.writing import new, written

pytestmark = pytest.mark.trio


async def noticed(store: OpenStore, *sources: int, at: float) -> int:
    """An insight of these memories."""
    text = "It keeps coming up: jam"
    told = Insight(InsightKind.RECURRING_PATTERN, text, sources, (), 0.7)
    found = InsightFound(1, told, at)
    _, number = await written(store, DreamBegun("a test", len(sources), at), found)
    return number


async def test_what_an_insight_was_drawn_from_is_not_linked_by_that(store: OpenStore) -> None:
    """Else everything that a dream told of in one breath would lead to everything else."""
    one, two = await written(store, new("one"), new("two"))
    insight = await noticed(store, one, two, at=9.0)
    await written(store, Connected(two, one, "derived_from", 0.5, "", 1.0))

    said = Link(two, one, "derived_from", 0.5)
    assert await store.reading.links_of([one, insight], 9, False) == [said]


async def test_an_insight_stands_beside_nothing_in_time(store: OpenStore) -> None:
    """What was told before and after it are neighbours."""
    one, two = await written(store, new("one", at=1.0), new("two", at=5.0))
    insight = await noticed(store, one, two, at=3.0)

    assert await store.reading.around([one], 3) == [[one, two]]
    assert await store.reading.around([insight], 3) == []
