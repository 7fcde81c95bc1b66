"""A session without notes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from msgspec import Struct

from actors.core.mailbox import Queue
from actors.intake.messages import Happened
from actors.policy.events.events import Event, EventKind
from actors.recall.shapes import Bring
from actors.session.shapes import IsSilent
from actors.session.working_memory import LEDGERS
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.recall import bench as recall
from tests.actors.recall.bench import ASKED, WHALE
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import new, written

pytestmark = VIRTUAL_TIME

STANDING = "Never push to the main branch."


class Bench(Struct):
    """Recall, sessions and working memory at work on a real store."""

    recall: Queue[Any]
    working_memory: Queue[Any]

    async def bring(self, kind: EventKind, session: str, **fields: Any) -> str:
        """The block that this event gets; afterwards it is told on, as intake does."""
        event = Event("claude", kind, session, **fields)
        at = BEGINNING + trio.current_time()
        found = await self.recall.mailbox.ask(Bring(event, None, at, 10.0), within=60)
        await self.working_memory.mailbox.tell(Happened(1, at, event, None))
        await trio.sleep(1)
        return found.block

    async def prompt(self, text: str, session: str = "s1") -> str:
        return await self.bring(EventKind.PROMPT, session, prompt=text)

    async def start(self, session: str = "s1") -> str:
        return await self.bring(EventKind.SESSION_START, session, source="startup")

    async def silent(self, session: str = "s1") -> bool:
        return await self.working_memory.mailbox.ask(IsSilent(session), within=5)


@asynccontextmanager
async def open_bench(store: OpenStore) -> AsyncGenerator[Bench]:
    """Everything at work, by words alone."""
    async with recall.open_bench(store, TableEmbedding(), FollowingClock()) as opened:
        yield Bench(opened.recall, opened.working_memory)
        await trio.sleep(1)  # what was told is durable


@pytest.fixture
async def filled(store: OpenStore) -> OpenStore:
    """A store with a memory that a prompt calls, and one that every session starts with."""
    await written(store, new(WHALE, triggers=("blue whale",)), new(STANDING, tier="constitutional"))
    return store


@pytest.fixture
async def bench(filled: OpenStore) -> AsyncGenerator[Bench]:
    """The actors at work."""
    async with open_bench(filled) as opened:
        yield opened


@pytest.mark.parametrize("switch", ["/memory off", ".nomemory", f"{ASKED}\n.nomemory"])
async def test_a_session_that_wants_no_notes_gets_none(bench: Bench, switch: str) -> None:
    assert await bench.prompt(switch) == ""
    assert await bench.prompt(ASKED) == ""
    assert await bench.start() == ""
    assert WHALE in await bench.prompt(ASKED, session="another")


async def test_an_opt_out_survives_a_restart(filled: OpenStore) -> None:
    async with open_bench(filled) as bench:
        await bench.prompt("/memory off")
        await bench.prompt("/memory off", session="s2")
        await bench.prompt("/memory on", session="s2")
    async with open_bench(filled) as bench:
        assert await bench.start() == ""
        assert await bench.prompt(ASKED) == ""
        assert [await bench.silent("s1"), await bench.silent("s2")] == [True, False]


async def test_an_opt_out_survives_being_crowded_out(bench: Bench) -> None:
    await bench.prompt("/memory off", session="first")
    for number in range(LEDGERS + 1):
        assert not await bench.silent(f"other {number}")

    assert await bench.silent("first")


async def test_an_opt_out_that_was_spooled_counts_although_the_session_was_seen_since(
    filled: OpenStore,
) -> None:
    later = Event("claude", EventKind.PROMPT, "s1", prompt="fix the port")
    earlier = Event("claude", EventKind.PROMPT, "s1", prompt="/memory off")
    async with open_bench(filled) as bench:
        await bench.working_memory.mailbox.tell(Happened(1, BEGINNING + 60, later, None))
        await bench.working_memory.mailbox.tell(Happened(2, BEGINNING, earlier, None))
        await trio.sleep(1)
    row = await filled.reading.session("s1")

    assert row is not None
    assert (row.silent, row.task, row.seen_at) == (True, "fix the port", BEGINNING + 60)


async def test_when_nobody_can_tell_whether_notes_are_wanted_there_are_none(bench: Bench) -> None:
    bench.working_memory.switch_off("working_memory is off")
    event = Event("claude", EventKind.SESSION_START, "s1", source="startup")
    found = await bench.recall.mailbox.ask(Bring(event, None, BEGINNING, 10.0), within=60)

    assert found.block == ""
