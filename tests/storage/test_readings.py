"""Readings in the store: what was not read, what was spent, and how far a session was read."""

from __future__ import annotations

import pytest

from actors.policy.decay.capture import Raised
from actors.policy.reader.next_session import Unread
from actors.reader.messages import (
    Consented,
    ConsentEnded,
    ReaderLookedAt,
    ReadingBegun,
    ReadingEnded,
    SessionFailed,
    SessionRead,
)
from actors.session.shapes import SessionSeen
from daemon.storage import readings
from daemon.storage.store import OpenStore
from tests.writing import event, written

pytestmark = pytest.mark.trio

BEGUN = ReadingBegun("s1", "/p", "claude", "read because it is of today", 50.0, 50.0, 1, 3, 900)


async def a_session(store: OpenStore, session: str = "s1", at: float = 10.0) -> None:
    await written(store, SessionSeen(session, "claude", "/p", at, "open", None, None, None))


async def unread(store: OpenStore, since: float = 0.0) -> list[Unread]:
    return await store.reading.unread_sessions(since, 9)


async def test_what_came_since_the_last_reading_is_unread(store: OpenStore) -> None:
    await a_session(store)
    await written(store, event(1), event(2, kind="tool"), event(3))
    await written(store, SessionRead("s1", 1))

    (one,) = await unread(store)

    assert (one.first_seq, one.last_seq, one.prompts) == (2, 3, 1)
    assert [row.seq for row in await store.reading.events_of_session("s1", unread=True)] == [2, 3]


async def test_a_session_that_was_read_to_its_end_is_not_unread(store: OpenStore) -> None:
    await a_session(store)
    await written(store, event(1), SessionRead("s1", 1))

    assert await unread(store) == []


async def test_the_mark_of_a_session_never_goes_back(store: OpenStore) -> None:
    await a_session(store)
    await written(store, event(1), event(2), SessionRead("s1", 2), SessionRead("s1", 1))

    assert await unread(store) == []


async def test_sessions_from_before_a_time_are_not_looked_at(store: OpenStore) -> None:
    await a_session(store, at=10.0)
    await written(store, event(1))

    assert await unread(store, since=11.0) == []


async def test_the_last_moment_of_what_was_not_read_says_why_it_is_urgent(store: OpenStore) -> None:
    await a_session(store)
    await written(store, event(1), event(2), event(3))
    for seq, kind in ((1, "decision"), (2, "correction")):
        await written(store, Raised(f"{seq}-{kind}", kind, 0.8, 10.0 * seq, "s1", "/p", "no", seq))

    (one,) = await unread(store)
    assert (one.captured, one.captured_at) == ("correction", 20.0)

    await written(store, SessionRead("s1", 2))
    (one,) = await unread(store)
    assert one.captured == ""


async def test_a_request_counts_from_before_it_is_sent(store: OpenStore) -> None:
    await written(store, BEGUN)

    (one,) = await store.reading.readings_since(0.0)

    assert (one.tokens, one.failure) == (900, "not finished")


async def test_a_request_that_was_answered_tells_what_it_cost(store: OpenStore) -> None:
    (number,) = await written(store, BEGUN)
    await written(store, ReadingEnded(number, 60.0, 1_200, 0.01, "", 3, {"no such quotation": 1}))

    assert await store.reading.reading_totals() == (1, 3, 1_200, 0.01)
    assert [one.failure for one in await store.reading.last_readings(5)] == [""]


async def test_nothing_is_said_of_a_cost_that_no_engine_told(store: OpenStore) -> None:
    (number,) = await written(store, BEGUN)
    await written(store, ReadingEnded(number, 60.0, 1_200, None, ""))

    assert (await store.reading.reading_totals())[3] is None


async def test_failures_of_a_session_are_counted_until_it_is_read(store: OpenStore) -> None:
    await a_session(store)
    await written(store, event(1))
    failed = SessionFailed("s1", "its limit is reached", 99.0, False)

    assert await written(store, failed, failed) == [1, 2]
    (one,) = await unread(store)
    assert (one.tries, one.next_try, one.given_up) == (2, 99.0, False)

    await written(store, SessionRead("s1", 0))
    (one,) = await unread(store)
    assert (one.tries, one.next_try, one.failure) == (0, 0.0, "")


async def test_an_agreement_stands_until_another_engine_is_chosen(store: OpenStore) -> None:
    await written(store, Consented("claude", 10.0), Consented("claude", 20.0))
    assert await store.reading.consent_to("claude") == (10.0, 10.0)

    await written(store, Consented("codex", 30.0))
    assert await store.reading.consent_to("claude") is None

    await written(store, ConsentEnded())
    assert await store.reading.consent_to("codex") is None


async def test_a_look_of_a_person_is_noted_beside_the_agreement(store: OpenStore) -> None:
    await written(store, Consented("claude", 10.0), ReaderLookedAt("claude", 40.0))

    assert await store.reading.consent_to("claude") == (10.0, 40.0)


async def test_sessions_that_could_not_be_read_are_counted_with_the_last_reason(
    store: OpenStore,
) -> None:
    first = SessionFailed("s1", "it is not logged in", 100.0, given_up=False)
    await written(store, first, SessionFailed("s2", "its limit is reached", 200.0, given_up=False))

    assert await store.reading.read(readings.failing) == (2, "its limit is reached")
