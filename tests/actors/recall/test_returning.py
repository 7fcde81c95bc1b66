"""A session that goes on: it is told what was learnt and what ended since, and else nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import msgpack
import pytest
import trio

from actors.memory.writes import Ended, Ending
from actors.policy.events.events import Event, EventKind
from actors.policy.recall.notes import GONE_HEADING
from actors.session.shapes import SessionSeen
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.recall.bench import Bench, open_bench, texts
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import event

pytestmark = VIRTUAL_TIME

SHOP = "/shop"
OLD = "The user wants the tests of the shop to run with tox."
NEW = "The user wants the tests of the shop to run with nox."
HOUR = 3_600.0
STARTED = BEGINNING - 10 * HOUR
LATER = BEGINNING - 5 * HOUR


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """A session of the shop that started ten hours ago, when a wish of the user was known."""
    async with open_bench(store, TableEmbedding(), clock) as made:
        await started(made, "s1", STARTED)
        await made.read(OLD, scope="always", at=STARTED - HOUR)
        yield made


async def started(bench: Bench, session: str, at: float) -> None:
    """A session starts, and answers a second later."""
    seen = SessionSeen(session, "claude", SHOP, at, "open", "Test the shop", None, None)
    number = int(at)
    of_shop = {"session": session, "project": SHOP}
    await bench.house.commit(
        seen,
        event(number, kind="session_start", received_at=at, **of_shop),
        event(number + 1, kind="turn_end", received_at=at + 1, body=msgpack.packb({}), **of_shop),
    )


async def noted(bench: Bench, text: str, **other: str) -> int:
    """A wish for all work that the reader read in a session, after ours started."""
    return await bench.read(text, scope="always", at=LATER, **other)


async def gone(bench: Bench, how: Ending, at: float = LATER, heir: int | None = None) -> None:
    """The old wish ends."""
    await bench.house.commit(Ended(1, how, at, heir))


async def test_a_resumed_session_is_told_what_was_learnt_since_and_nothing_else(
    bench: Bench,
) -> None:
    before = await bench.start("resume", project=SHOP)
    await noted(bench, NEW)
    after = await bench.start("resume", project=SHOP)

    assert before.block == ""
    assert texts(after) == [NEW]
    assert OLD not in after.block


async def test_it_is_told_which_note_holds_in_place_of_one_that_ended(bench: Bench) -> None:
    heir = await noted(bench, NEW)
    await gone(bench, "deprecated", heir=heir)
    found = await bench.start("resume", project=SHOP)

    assert GONE_HEADING in found.block
    assert f"- m1 no longer holds: m{heir} " in found.block
    assert texts(found) == [NEW]


async def test_words_of_another_project_are_not_told_in_place_of_what_ended(bench: Bench) -> None:
    elsewhere = await noted(bench, NEW, project="/clients/acme")
    await gone(bench, "deprecated", heir=elsewhere)

    assert (await bench.start("resume", project=SHOP)).block == ""


async def test_of_a_chain_of_successors_the_one_that_holds_is_named(bench: Bench) -> None:
    first = await noted(bench, NEW)
    last = await noted(bench, "The user wants the tests of the shop to run with make.")
    await gone(bench, "deprecated", heir=first)
    await bench.house.commit(Ended(first, "deprecated", LATER + 1, last))
    block = (await bench.start("resume", project=SHOP)).block

    assert f"- m1 no longer holds: m{last} " in block
    assert f"m{first} " not in block


@pytest.mark.parametrize(
    ("how", "told"),
    [("refuted", True), ("expired", True), ("forgotten", False), ("archived", False)],
)
async def test_what_a_person_forgot_or_nobody_used_is_not_said_to_hold_no_longer(
    bench: Bench, how: Ending, told: bool
) -> None:
    await gone(bench, how)

    assert ("- m1 no longer holds\n" in (await bench.start("resume", project=SHOP)).block) is told


async def test_what_ended_before_it_was_last_told_is_not_told_again(bench: Bench) -> None:
    await gone(bench, "refuted")
    await started(bench, "s1", LATER + HOUR)

    assert (await bench.start("resume", project=SHOP)).block == ""


async def test_what_the_session_learnt_and_replaced_itself_is_not_told_to_it(bench: Bench) -> None:
    heir = await noted(bench, NEW, session="s1")
    await gone(bench, "deprecated", heir=heir)

    assert (await bench.start("resume", project=SHOP)).block == ""


async def test_a_session_that_was_never_heard_of_is_told_nothing(bench: Bench) -> None:
    await noted(bench, NEW)

    assert (await bench.start("resume", "s9", SHOP)).block == ""


@pytest.mark.parametrize(("answered", "told"), [(STARTED + 1, True), (LATER, False)])
async def test_a_fork_is_told_what_changed_since_the_session_that_answered_then(
    bench: Bench, answered: float, told: bool
) -> None:
    await noted(bench, NEW)
    ago = int(BEGINNING + trio.current_time() + 1 - answered)
    fork = Event("claude", EventKind.SESSION_START, "s9", source="fork", answered_ago=ago)
    found = await bench.bring(fork, SHOP)

    assert texts(found) == ([NEW] if told else [])
