"""Claims and time as they live, on the real gate, recall and store."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from actors.core.failures import Unwritable
from actors.gate.drafts import refuted
from actors.gate.messages import Audited, Keep
from actors.memory.commit import Tidy
from actors.memory.writes import Created, Pinned, ValiditySet
from actors.policy.statements.statement_rules import Candidate
from actors.policy.times.stated_times import DAY, STATE_LIFETIME
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at, without_model
from tests.actors.house import House, gate_of, open_house, until
from tests.actors.post import answering, mail, queue, running
from tests.actors.recall.bench import Bench, open_bench, texts
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import draft, written

pytestmark = VIRTUAL_TIME

MYSQL = "The current database is MySQL 8."
POSTGRES = "The current database is Postgres 16."
GUESS = "The failure is probably caused by the stale TTL in src/cache.py."


@pytest.fixture
async def house(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[House]:
    """Without vectors: what a subject decides needs none."""
    async with open_house(store, without_model(), clock) as opened:
        yield opened


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    async with open_bench(store, without_model(), clock) as opened:
        yield opened


def told(text: str) -> Candidate:
    return Candidate(
        "document", text, "discovery", "declarative", 0.4, "discovery", title=text[:40]
    )


# ---- the current X is Y


async def test_the_newer_current_value_takes_the_place_of_the_older(house: House) -> None:
    old = await house.keep(MYSQL, at=BEGINNING)
    new = await house.keep(POSTGRES, at=BEGINNING + 60)
    before, after = await house.memory(old.memory_id), await house.memory(new.memory_id)

    assert new.action == "SUPERSEDE"
    assert "“database”" in new.reason
    assert (before.ended, before.superseded_by) == ("deprecated", after.id)
    assert (before.valid_from, before.valid_until) == (None, BEGINNING + 60)
    assert (after.subject, after.valid_from) == ("database", BEGINNING + 60)


async def test_a_value_said_late_held_until_the_first_one_after_it(house: House) -> None:
    new = await house.keep(POSTGRES, at=BEGINNING + 60)
    late = await house.keep(MYSQL, at=BEGINNING)
    held, now = await house.memory(late.memory_id), await house.memory(new.memory_id)

    assert late.action == "CREATE"
    assert (held.valid_until, now.ended, now.valid_until) == (BEGINNING + 60, None, None)


async def test_the_end_of_the_older_and_the_newer_are_one_unit(
    house: House, clock: FollowingClock
) -> None:
    """Whatever dies before its commit leaves the older one as it was."""
    old = await house.keep(MYSQL, at=BEGINNING)
    full, own = queue("long_term"), queue("gate")
    gate = gate_of(house.store, clock, house.embedder, full, house.strength, own)
    async with answering(full, lambda _: Unwritable("full")) as noted, running(gate, own):
        with pytest.raises(Unwritable):
            await own.mailbox.ask(Keep((draft(POSTGRES, at=BEGINNING + 60),)), within=60)
    (commit,) = noted
    before = await house.memory(old.memory_id)

    assert [type(write) for write in commit.unit] == [Created, Audited, ValiditySet]
    assert commit.unit[0].supersedes == old.memory_id
    assert (before.ended, before.valid_until) == (None, None)
    assert await house.texts() == [MYSQL]


# ---- when something is true


async def test_what_is_not_true_now_is_told_to_no_prompt(bench: Bench) -> None:
    said = "The blue whale database listens on port 5432 in staging."
    asked = "which port does the blue whale database listen on in staging?"
    kept = await bench.house.keep(said, valid_until=BEGINNING + 1.0)
    over = await bench.prompt(asked)
    as_prompt = await bench.rehearsed(asked)
    await bench.house.keep_all(
        draft(said, intent="update", target=kept.memory_id, at=BEGINNING + 60), judged=True
    )

    assert texts(over) == []
    assert as_prompt.block == ""
    assert texts(await bench.prompt(asked)) == [said]


async def test_a_state_that_is_said_again_lives_as_long_again(house: House) -> None:
    kept = await house.keep("The release branch is frozen.", kind="state", at=BEGINNING)
    await house.keep("The release branch is frozen.", kind="state", at=BEGINNING + DAY)
    memory = await house.memory(kept.memory_id)

    assert memory.valid_until == BEGINNING + DAY + STATE_LIFETIME


async def test_temporary_memories_expire_but_for_pinned_ones(house: House) -> None:
    old = BEGINNING - 8 * DAY
    gone = await house.keep("a temporary note about lunch", tier="temporary", at=old)
    held = await house.keep("a pinned note about supper", tier="temporary", at=old)
    young = await house.keep("a young note about tea", tier="temporary")
    state = await house.keep("the oven is off", kind="state", at=BEGINNING - 99 * DAY)
    await written(house.store, Pinned(held.memory_id, True, BEGINNING))
    mail(house.staleness)
    await house.long_term.mailbox.tell(Tidy(BEGINNING))

    async def over() -> bool:
        return (await house.memory(gone.memory_id)).ended == "expired"

    await until(over)
    kept = [await house.memory(one.memory_id) for one in (held, young, state)]
    assert [memory.ended for memory in kept] == [None, None, None]
    assert [message.memory_ids for message in mail(house.staleness)] == [(gone.memory_id,)]


# ---- what is only supposed


async def test_what_was_refuted_is_no_fact_when_a_document_says_it_again(house: House) -> None:
    stated = "The failure is caused by the stale TTL in src/cache.py."
    kept = await house.keep(stated, project="/p")
    await written(house.store, *refuted(await house.memory(kept.memory_id), "wrong", BEGINNING))
    await house.propose(1, told(stated), session="s2")
    (again,) = await house.store.reading.living(0, 9)

    assert (again.text, again.status) == (stated, "hypothesis")


FACT = "The failure comes from the stale TTL in src/cache.py."
GUESSED = "Probably the failure comes from the stale TTL in src/cache.py, after every restart."


@pytest.fixture
async def seeing(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[House]:
    """A house to which fact and guesses are near copies."""
    table = {FACT: at(1.0), GUESSED: at(0.94), GUESS: at(0.97)}
    async with open_house(store, TableEmbedding(table), clock) as opened:
        yield opened


async def test_a_guess_stands_beside_a_fact_and_never_rewrites_it(seeing: House) -> None:
    kept = await seeing.keep(FACT, project="/p")
    await seeing.vectored()
    guess = await seeing.keep(GUESSED, project="/p", status="hypothesis")

    assert guess.action == "CREATE_LINKED"
    assert (await seeing.memory(kept.memory_id)).text == FACT


async def test_what_was_supposed_and_is_stated_now_becomes_the_statement(seeing: House) -> None:
    guess = await seeing.keep(GUESS, status="hypothesis")
    await seeing.vectored()
    stated = await seeing.keep(FACT)
    memory = await seeing.memory(guess.memory_id)

    assert (stated.action, stated.memory_id) == ("UPDATE", guess.memory_id)
    assert (memory.text, memory.status) == (FACT, "confirmed")
