"""Working memory: what each session attends to, and that it survives."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from actors.core.mailbox import Queue
from actors.intake.messages import Happened
from actors.policy.events.events import Event, EventKind
from actors.policy.session.attention import Settings
from actors.session.messages import Focused, WhatIsHeld
from actors.session.working_memory import SESSIONS, WorkingMemory
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.house import open_house
from tests.actors.post import queue
from tests.clock import BEGINNING, FollowingClock
from tests.writing import new, written

pytestmark = pytest.mark.trio


@dataclass
class Bench:
    """Working memory at work on a real store with memories 1 to 20."""

    actor: WorkingMemory
    inbox: Queue[Any]

    async def focus(self, *memories: tuple[int, float], session: str = "s1") -> None:
        await self.inbox.mailbox.tell(Focused(session, memories, BEGINNING + trio.current_time()))
        await trio.sleep(1)

    async def happen(self, kind: EventKind = EventKind.PROMPT, session: str = "s1") -> None:
        event = Event("claude", kind, session)
        await self.inbox.mailbox.tell(Happened(1, BEGINNING, event, None))

    async def held(self, session: str = "s1") -> dict[int, float]:
        found: dict[int, float] = await self.inbox.mailbox.ask(
            lambda reply: WhatIsHeld(session, reply), within=5
        )
        return found


@asynccontextmanager
async def open_bench(store: OpenStore, **changes: Any) -> AsyncGenerator[Bench]:
    """Working memory and long-term memory."""
    clock, inbox = FollowingClock(), queue("working_memory", room=500)
    async with open_house(store, TableEmbedding(), clock) as house:
        settings = replace(Settings(), **changes)
        actor = WorkingMemory(settings, store.reading, clock, house.long_term.mailbox)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(actor.run, inbox.inbox)
            yield Bench(actor, inbox)
            await trio.sleep(1)  # what it told is durable
            nursery.cancel_scope.cancel()


@pytest.fixture
async def filled(store: OpenStore) -> OpenStore:
    """A store with twenty memories."""
    await written(store, *(new(f"memory {number}") for number in range(20)))
    return store


@pytest.fixture
async def bench(filled: OpenStore) -> AsyncGenerator[Bench]:
    """Working memory at work."""
    async with open_bench(filled) as opened:
        yield opened


async def test_attention_fades_with_every_event_of_the_session(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.focus((1, 0.9))
    before = await bench.held()
    for _ in range(3):
        await bench.happen()

    assert before == {1: 0.9}
    assert await bench.held() == pytest.approx({1: 0.9 * 0.85**3})


async def test_looking_does_not_change_what_is_held(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.focus((1, 0.9))
    await bench.happen()

    assert [await bench.held() for _ in range(3)] == [pytest.approx({1: 0.9 * 0.85})] * 3


@pytest.mark.parametrize(
    ("kind", "counts"),
    [
        (EventKind.PROMPT, True),
        (EventKind.TOOL, True),
        (EventKind.TOOL_ERROR, True),
        (EventKind.SESSION_START, False),
        (EventKind.TURN_END, False),
    ],
)
async def test_only_what_is_said_and_done_counts_as_an_event(
    bench: Bench, autojump_clock: MockClock, kind: EventKind, counts: bool
) -> None:
    await bench.focus((1, 1.0))
    await bench.happen(kind)

    assert await bench.held() == pytest.approx({1: 0.85 if counts else 1.0})


async def test_sessions_do_not_share_their_attention(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.focus((1, 1.0), session="s1")
    await bench.happen(session="s2")

    assert await bench.held("s2") == {}
    assert await bench.held("s1") == {1: 1.0}


async def test_more_than_seven_are_not_held_and_the_least_recent_goes(
    bench: Bench, autojump_clock: MockClock
) -> None:
    for memory_id in range(1, 10):
        await bench.focus((memory_id, 1.0))

    assert sorted(await bench.held()) == [3, 4, 5, 6, 7, 8, 9]
    assert bench.actor.statistics()["evicted"] == 2


async def test_what_is_held_survives_a_restart_with_its_events(
    filled: OpenStore, autojump_clock: MockClock
) -> None:
    async with open_bench(filled) as bench:
        await bench.focus((1, 0.9), (2, 0.5))
        await bench.happen()
        await bench.focus((3, 1.0))
    async with open_bench(filled) as bench:
        assert await bench.held() == pytest.approx({1: 0.9 * 0.85, 2: 0.5 * 0.85, 3: 1.0})


async def test_a_session_that_was_crowded_out_comes_back_from_the_store(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.focus((1, 0.9), session="first")
    for number in range(SESSIONS + 1):
        await bench.held(f"other {number}")

    assert len(bench.actor.sessions) == SESSIONS
    assert await bench.held("first") == {1: 0.9}


async def test_a_memory_that_is_gone_is_not_stored(
    filled: OpenStore, autojump_clock: MockClock
) -> None:
    async with open_bench(filled) as bench:
        await bench.focus((1, 0.9), (999, 0.9))
    async with open_bench(filled) as bench:
        assert await bench.held() == {1: 0.9}
