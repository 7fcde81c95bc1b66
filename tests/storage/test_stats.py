"""What agents were shown and made use of, week by week."""

from __future__ import annotations

import pytest

from actors.memory.use import Credited, Exposed
from daemon.home import Home
from daemon.storage import stats
from daemon.storage.store import open_store
from tests.clock import BEGINNING
from tests.writing import new, written

pytestmark = pytest.mark.trio

DAY = 86_400.0
NOW = BEGINNING + 30 * DAY


def shown(memory_id: int, session: str, days_ago: float, place: str = "prompt") -> Exposed:
    return Exposed((memory_id,), session, place, NOW - days_ago * DAY)


def credit(memory_id: int, session: str, cause: str) -> Credited:
    return Credited(memory_id, session, cause, NOW)


async def test_a_memory_counts_once_a_session_in_the_week_it_was_first_shown(home: Home) -> None:
    async with open_store(home) as store:
        await written(store, new("a"), new("b"))
        await written(store, shown(1, "s1", 8), shown(1, "s1", 1), shown(1, "s2", 1))

        weeks = await store.reading.read(lambda sql: stats.weeks(sql, NOW, 8))

    assert weeks == [(0, 1, 1, 0, 0), (1, 1, 1, 0, 0)]


async def test_cited_used_and_ignored_are_told_apart(home: Home) -> None:
    async with open_store(home) as store:
        await written(store, new("a"), new("b"), new("c"))
        await written(store, *(shown(one, "s1", 1) for one in (1, 2, 3)))
        await written(store, credit(1, "s1", "cited"), credit(2, "s1", "edited_after"))

        weeks = await store.reading.read(lambda sql: stats.weeks(sql, NOW, 8))
        ignored = await store.reading.read(lambda sql: stats.most_ignored(sql, NOW, 8, 5))

    assert weeks == [(0, 1, 3, 1, 2)]
    assert ignored == [(3, "c", 1)]


async def test_what_a_person_asked_for_is_not_an_agents(home: Home) -> None:
    async with open_store(home) as store:
        await written(store, new("a"))
        await written(store, shown(1, "s1", 1, place="recall"))

        weeks = await store.reading.read(lambda sql: stats.weeks(sql, NOW, 8))

    assert weeks == []


async def test_what_is_older_than_the_weeks_asked_for_is_left_out(home: Home) -> None:
    async with open_store(home) as store:
        await written(store, new("a"))
        await written(store, shown(1, "s1", 15))

        lately = await store.reading.read(lambda sql: stats.weeks(sql, NOW, 2))
        longer = await store.reading.read(lambda sql: stats.weeks(sql, NOW, 3))

    assert lately == []
    assert longer == [(2, 1, 1, 0, 0)]
