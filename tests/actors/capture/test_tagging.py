"""Tagging: an important moment keeps the turns around it that share something with it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.core.failures import Unwritable
from actors.night.shapes import Place, Touched
from actors.night.tagging import Tagging, faded
from actors.policy.decay.capture import STRENGTHS, EventKind, Raised, Settings, touched
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.house import House, open_house
from tests.actors.post import answering, queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

HOUR = 3600.0
NOON = BEGINNING + 12 * HOUR


class Bench(Struct):
    """Tagging and long-term memory at work on a real store."""

    house: House
    actor: Tagging
    seq: int = 0

    async def tell(
        self,
        hours: float,
        paths: str = "",
        place: Place = Place.WITHIN,
        kind: EventKind | None = None,
        session: str = "s1",
        project: str | None = "/p",
    ) -> None:
        """An event so many hours from noon that touches these files."""
        self.seq += 1
        at, moment = NOON + hours * HOUR, None
        if kind is not None:
            moment = Raised(
                f"{self.seq}-{kind.value}", kind.value, STRENGTHS[kind], at, session, project,
                "why", self.seq,
            )  # fmt: skip
        files = touched("", paths.split())
        told = Touched(self.seq, at, session, project, files, place, moment)
        await self.house.tagging.mailbox.tell(told)
        await self.house.settled()

    async def turn(self, hours: float, paths: str, **other: Any) -> int:
        """A turn that touches these files and ends then; the event that began it."""
        await self.tell(hours, paths, Place.ASKED, **other)
        first = self.seq
        await self.tell(hours, "", Place.ENDED, **other)
        return first

    async def kept(self) -> dict[str, list[int]]:
        """Turns of each episode by its kind, the highest score first."""
        rows = await self.house.store.reading.read(
            lambda sql: sql.rows(
                "SELECT e.kind, c.first_seq FROM turn_capture c"
                " JOIN importance_event e ON e.id = c.event_id"
                " ORDER BY c.score DESC, c.first_seq DESC"
            )
        )
        found: dict[str, list[int]] = {}
        for kind, first_seq in rows:
            found.setdefault(kind, []).append(first_seq)
        return found


@asynccontextmanager
async def open_bench(store: OpenStore, settings: Settings | None = None) -> AsyncGenerator[Bench]:
    """Tagging at work until the end of the block."""
    async with open_house(store, TableEmbedding(), FollowingClock()) as house:
        actor = Tagging(settings or Settings(), store.reading, house.long_term.mailbox)
        async with house.joined_by(actor, house.tagging):
            yield Bench(house, actor)


@pytest.fixture
async def bench(store: OpenStore) -> AsyncGenerator[Bench]:
    """Tagging at work on an empty store."""
    async with open_bench(store) as opened:
        yield opened


async def test_a_moment_keeps_the_turns_before_it_that_share_something_the_nearest_first(
    bench: Bench,
) -> None:
    early = await bench.turn(-8, "src/pay.py docs/a.md")
    late = await bench.turn(-1, "src/pay.py")
    await bench.turn(-1, "src/other.py")
    await bench.tell(0, "src/pay.py", Place.ASKED, EventKind.CORRECTION)

    assert await bench.kept() == {"correction": [late, early]}


async def test_what_is_too_long_ago_or_of_another_project_is_not_kept(bench: Bench) -> None:
    await bench.turn(-9.1, "src/pay.py")
    await bench.turn(-1, "src/pay.py", project="/q")
    await bench.tell(0, "src/pay.py", Place.ASKED, EventKind.CORRECTION)

    assert await bench.kept() == {}


async def test_a_turn_of_another_session_of_the_project_is_kept_as_well(bench: Bench) -> None:
    other = await bench.turn(-1, "src/pay.py", session="s2")
    await bench.tell(0, "src/pay.py", Place.ASKED, EventKind.USER_FLAG)

    assert await bench.kept() == {"user_flag": [other]}


async def test_a_turn_that_ends_within_two_hours_after_a_moment_is_kept_even_after_a_restart(
    store: OpenStore,
) -> None:
    async with open_bench(store) as bench:
        await bench.turn(-1, "src/pay.py")
        await bench.tell(0, "src/pay.py", Place.ASKED, EventKind.CORRECTION)
        seq = bench.seq
    async with open_bench(store) as bench:
        bench.seq = seq
        soon = await bench.turn(1.9, "src/pay.py")
        await bench.turn(2.1, "src/pay.py")

        assert await bench.kept() == {"correction": [1, soon]}


async def test_a_prompt_that_names_nothing_is_about_the_turn_before_it(bench: Bench) -> None:
    await bench.turn(-2, "src/other.py")
    before = await bench.turn(-1, "src/pay.py")
    await bench.tell(0, "", Place.ASKED, EventKind.CORRECTION)

    assert await bench.kept() == {"correction": [before]}


async def test_a_moment_within_a_turn_keeps_that_turn_by_all_that_it_touched(bench: Bench) -> None:
    await bench.tell(-1, "src/pay.py", Place.ASKED)
    await bench.tell(-0.5, "", Place.WITHIN, EventKind.TEST_FIXED)
    await bench.tell(0, "", Place.ENDED)

    assert await bench.kept() == {"test_fixed": [1]}


async def test_switched_off_nothing_is_tagged(store: OpenStore) -> None:
    async with open_bench(store, Settings(enabled=False)) as bench:
        await bench.turn(-1, "src/pay.py")

        assert await store.reading.turn_tags("/p", "s1", 0.0, 9) == []


async def test_tags_leave_when_they_have_faded(bench: Bench) -> None:
    await bench.turn(-9.5, "src/pay.py")
    last = await bench.turn(-8.5, "src/pay.py")
    await bench.house.commit(faded(NOON))
    left = await bench.house.store.reading.turn_tags("/p", "s1", 0.0, 9)

    assert [one.first_seq for one in left] == [last]


async def test_a_store_that_refuses_loses_an_episode_and_nothing_else(store: OpenStore) -> None:
    long_term, inbox = queue("long_term"), queue("tagging")
    actor = Tagging(Settings(), store.reading, long_term.mailbox)
    end = Touched(1, NOON, "s1", "/p", touched("", ["a.py"]), Place.ENDED)
    async with (
        answering(long_term, lambda _: Unwritable("the disk is full")),
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(actor.run, inbox.inbox)
        await inbox.mailbox.tell(end)
        await inbox.mailbox.tell(replace(end, seq=2))
        await trio.sleep(60)
        nursery.cancel_scope.cancel()

    assert actor.before["s1"] == touched("", ["a.py"])
