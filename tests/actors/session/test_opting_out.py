"""A session without notes."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio

from actors.intake.messages import Happened
from actors.policy.events.events import Event, EventKind
from actors.recall.shapes import Bring
from actors.session.shapes import IsSilent
from actors.session.working_memory import LEDGERS
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.recall.bench import ASKED, WHALE, Bench, open_bench
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import new, written

pytestmark = VIRTUAL_TIME

STANDING = "Never push to the main branch."


@asynccontextmanager
async def at_work(store: OpenStore) -> AsyncGenerator[Bench]:
    """Recall, sessions and working memory, by words alone."""
    async with open_bench(store, TableEmbedding(), FollowingClock()) as opened:
        yield opened
        await trio.sleep(1)  # what was told is durable


async def prompt(bench: Bench, text: str, session: str = "s1") -> str:
    """The block that a prompt gets; afterwards it is told on, as intake does."""
    found = await bench.prompt(text, session)
    event = Event("claude", EventKind.PROMPT, session, prompt=text)
    now = BEGINNING + trio.current_time()
    await bench.working_memory.mailbox.tell(Happened(1, now, event, None))
    await trio.sleep(1)
    return found.block


async def silent(bench: Bench, session: str) -> bool:
    return await bench.working_memory.mailbox.ask(IsSilent(session), within=5)


@pytest.fixture
async def filled(store: OpenStore) -> OpenStore:
    """A store with a memory that a prompt calls, and one that every session starts with."""
    await written(store, new(WHALE, triggers=("blue whale",)), new(STANDING, tier="constitutional"))
    return store


@pytest.fixture
async def bench(filled: OpenStore) -> AsyncGenerator[Bench]:
    """The actors at work."""
    async with at_work(filled) as opened:
        yield opened


@pytest.mark.parametrize("switch", ["/memory off", ".nomemory", f"{ASKED}\n.nomemory"])
async def test_a_session_that_wants_no_notes_gets_none(bench: Bench, switch: str) -> None:
    assert await prompt(bench, switch) == ""
    assert await prompt(bench, ASKED) == ""
    assert (await bench.start("startup")).block == ""
    assert WHALE in await prompt(bench, ASKED, session="another")


async def test_an_opt_out_survives_a_restart(filled: OpenStore) -> None:
    async with at_work(filled) as bench:
        await prompt(bench, "/memory off")
        await prompt(bench, "/memory off", session="s2")
        await prompt(bench, "/memory on", session="s2")
    async with at_work(filled) as bench:
        assert (await bench.start("startup")).block == ""
        assert await prompt(bench, ASKED) == ""
        assert [await silent(bench, "s1"), await silent(bench, "s2")] == [True, False]


async def test_an_opt_out_survives_being_crowded_out(bench: Bench) -> None:
    await prompt(bench, "/memory off", session="first")
    for number in range(LEDGERS + 1):
        assert not await silent(bench, f"other {number}")

    assert await silent(bench, "first")


async def test_an_opt_out_that_was_spooled_counts_although_the_session_was_seen_since(
    filled: OpenStore,
) -> None:
    later = Event("claude", EventKind.PROMPT, "s1", prompt="fix the port")
    earlier = Event("claude", EventKind.PROMPT, "s1", prompt="/memory off")
    async with at_work(filled) as bench:
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
