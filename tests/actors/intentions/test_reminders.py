"""Reminders on their way into a prompt, through recall."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from actors.core.failures import Unwritable
from actors.core.mailbox import Crashed
from actors.policy.night.intentions import Intention
from actors.policy.text import wording
from actors.session.shapes import WereReminded, WhatIsDue
from daemon.storage.store import OpenStore
from tests.actors.fakes import without_model
from tests.actors.recall.bench import ASKED, UNRELATED, WHALE, Bench, open_bench
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

CALL = Intention("7", "call the harbour", {"at": BEGINNING}, BEGINNING - 3 * 86_400)
LINE = "Reminder set by the user 3 days ago: call the harbour [i7]"


@pytest.fixture
async def bench(
    store: OpenStore,
    clock: FollowingClock,
) -> AsyncGenerator[Bench]:
    """Recall over one memory, without vectors, and one intention that is due."""
    async with open_bench(store, without_model(), clock) as opened:
        await opened.house.keep(WHALE)
        opened.due = (CALL,)
        yield opened


def reminded(bench: Bench) -> list[WereReminded]:
    return [message for message in bench.told if isinstance(message, WereReminded)]


async def test_a_prompt_gets_what_is_due_and_it_is_counted(bench: Bench) -> None:
    found = await bench.prompt(UNRELATED, project="/p")

    (asked,) = [message for message in bench.told if isinstance(message, WhatIsDue)]
    assert (asked.session, asked.project, asked.turn.text) == ("s1", "/p", UNRELATED)
    assert found.block.count(LINE) == 1
    assert found.notes == ()
    (told,) = reminded(bench)
    assert (told.intention_ids, told.session) == (("7",), "s1")


async def test_reminders_stand_beside_notes_within_the_budget(
    store: OpenStore, clock: FollowingClock
) -> None:
    embedding = without_model()
    small = wording.Settings(characters=700)
    async with open_bench(store, embedding, clock, budget=small) as bench:
        await bench.house.keep(WHALE)
        bench.due = (CALL,)
        both = await bench.prompt(ASKED)
        bench.due = tuple(Intention(str(i), "x" * 350, {"at": 0}, 0.0) for i in range(3))
        full = await bench.prompt(ASKED, session="s2")

    assert LINE in both.block
    assert WHALE in both.block
    assert len(full.block) <= 700
    assert WHALE not in full.block
    assert [len(told.intention_ids) for told in reminded(bench)] == [1, 1]


@pytest.mark.parametrize("trouble", [Crashed("prospective"), Unwritable("disk full")])
async def test_without_an_answer_the_prompt_gets_its_notes_alone(
    bench: Bench, trouble: Exception
) -> None:
    bench.due = trouble

    found = await bench.prompt(ASKED)

    assert WHALE in found.block
    assert "Reminder" not in found.block
    assert reminded(bench) == []


async def test_a_silent_session_is_not_reminded(bench: Bench) -> None:
    await bench.prompt("/memory off")

    assert bench.told == []


async def test_a_session_is_reminded_as_it_starts_but_not_as_it_is_resumed(
    bench: Bench,
) -> None:
    resumed = await bench.start("resume")
    started = await bench.start("startup")

    assert resumed.block == ""
    assert LINE in started.block
    assert len(reminded(bench)) == 1
