"""Corrections as they live: a prompt, the gate, and what is known afterwards."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from actors.memory.use import Exposed
from actors.memory.writes import Origin
from actors.policy.gate.correcting_sentence import said_in
from actors.policy.statements.statement_rules import Candidate, numbered
from actors.policy.text.turn import Turn
from daemon.storage.store import OpenStore
from tests.actors.fakes import without_model
from tests.actors.house import House, open_house
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import written

pytestmark = VIRTUAL_TIME

COOKIE = "The session cookie lives for 24 hours."


@pytest.fixture
async def house(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[House]:
    """Without vectors: a correction is found by its words."""
    async with open_house(store, without_model(), clock) as opened:
        yield opened


async def prompt(house: House, text: str, seq: int = 1, *candidates: Candidate) -> None:
    """Words of a prompt reach the gate."""
    await house.propose(seq, *candidates, said=said_in(Turn(text)))


async def test_the_old_value_ends_and_the_new_one_is_what_is_known(house: House) -> None:
    old = await house.keep(COOKIE, project="/p", kind="decision", at=BEGINNING)
    await prompt(house, "No, actually the session cookie lives for 8 hours")
    before = await house.memory(old.memory_id)
    assert before.superseded_by is not None
    after = await house.memory(before.superseded_by)

    assert before.ended == "deprecated"
    assert (after.text, after.kind) == ("The session cookie lives for 8 hours.", "decision")
    assert after.importance == before.importance


async def test_the_same_prompt_twice_corrects_once(house: House) -> None:
    await house.keep(COOKIE, project="/p", at=BEGINNING)
    await prompt(house, "No, the session cookie lives for 8 hours", 1)
    await prompt(house, "No, the session cookie lives for 8 hours", 2)

    assert await house.texts() == ["The session cookie lives for 8 hours."]


async def test_a_sentence_that_sets_a_memory_right_makes_none_beside_it(house: House) -> None:
    await house.keep("The load balancer is HAProxy.", project="/p", at=BEGINNING)
    said = "We're using Envoy as the load balancer instead of HAProxy"
    texts = f"{said}.", "Always run the benchmarks on staging."
    candidates = [Candidate("decision", text, "decision", "semantic", 0.8) for text in texts]
    await prompt(house, said, 1, *numbered(candidates, None))

    assert sorted(await house.texts()) == [texts[1], "The load balancer is Envoy."]


async def test_another_project_s_memory_is_left_alone(house: House) -> None:
    await house.keep(COOKIE, project="/other", at=BEGINNING)
    await prompt(house, "No, the session cookie lives for 8 hours")

    assert await house.texts() == [COOKIE]


@pytest.mark.parametrize("source", ["reader", "noticed-reader"])
async def test_a_note_of_the_reader_who_reads_the_prompt_too_is_left_alone(
    house: House, source: str
) -> None:
    await house.keep(COOKIE, project="/p", at=BEGINNING, origin=Origin(source), judged=False)
    await prompt(house, "No, the session cookie lives for 8 hours")

    assert await house.texts() == [COOKIE]


async def test_what_the_session_was_shown_is_what_a_sentence_without_a_subject_is_about(
    house: House,
) -> None:
    standup = await house.keep("The standup is on Tuesday.", project="/p", at=BEGINNING)
    retro = await house.keep("The retro is on Thursday.", project="/p", at=BEGINNING)
    await prompt(house, "it moved to Wednesday", 1)
    unshown = sorted(await house.texts())
    await written(house.store, Exposed((standup.memory_id,), "s1", "prompt", BEGINNING + 30))
    await prompt(house, "it moved to Wednesday", 2)

    assert unshown == ["The retro is on Thursday.", "The standup is on Tuesday."]
    assert sorted(await house.texts()) == [
        "The retro is on Thursday.",
        "The standup is on Wednesday.",
    ]
    assert (await house.memory(retro.memory_id)).ended is None
