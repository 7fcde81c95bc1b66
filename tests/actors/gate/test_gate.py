"""The gate: what becomes of a text, with vectors and without, once and audited."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from actors.core.failures import Unwritable
from actors.core.mailbox import Crashed, SwitchedOff
from actors.gate.drafts import title_of
from actors.gate.messages import Keep, NoSuchMemory, Proposed, WhatWouldYouDo
from actors.gate.neighbours import PATIENCE
from actors.memory.commit import Commit
from actors.memory.rows import EmbeddingState, EmbeddingUnavailable, VectorsArrived
from actors.memory.use import Review
from actors.memory.writes import Ended
from actors.memory.writes import Origin as Source
from actors.policy.decay.curve import Use
from actors.policy.statements.statement_rules import Candidate
from daemon.storage import gate
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, without_model
from tests.actors.house import PORT, PORTS, House, gate_of, open_house
from tests.actors.post import answering, mail, queue, running
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import draft, event, new, written

pytestmark = VIRTUAL_TIME

TABLE = PORTS
UPDATED, OPPOSITE, RELATED, NEAR = list(TABLE)[1:]


@pytest.fixture
async def house(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[House]:
    """A house whose embedding follows the table."""
    async with open_house(store, TableEmbedding(TABLE), clock) as opened:
        yield opened


@pytest.fixture
async def blind(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[House]:
    """A house without vectors."""
    async with open_house(store, without_model(TABLE), clock) as opened:
        yield opened


async def test_the_same_text_again_reinforces_and_keeps_nothing_new(house: House) -> None:
    first = await house.keep(PORT)
    mail(house.strength)
    again = await house.keep(f"  {PORT.upper()}. ")

    assert (again.action, again.memory_id) == ("REINFORCE", first.memory_id)
    assert await house.texts() == [PORT]
    assert mail(house.strength) == [Review(first.memory_id, Use.REINFORCED, BEGINNING)]


@pytest.mark.parametrize("text", [PORT, "a text without vectors so far"])
async def test_a_copy_that_arrives_at_once_is_still_one_memory(house: House, text: str) -> None:
    verdicts = await house.keep_all(draft(text), draft(text), draft(text))

    assert [verdict.action for verdict in verdicts] == ["CREATE", "REINFORCE", "REINFORCE"]
    assert len({verdict.memory_id for verdict in verdicts}) == 1


async def test_a_fuller_wording_is_a_new_version(house: House) -> None:
    """Never put together silently."""
    first = await house.keep(PORT, triggers=("db",))
    await house.vectored()
    verdict = await house.keep(UPDATED, triggers=("hosts",))
    memory = await house.memory(first.memory_id)

    assert (verdict.action, verdict.memory_id) == ("UPDATE", first.memory_id)
    assert verdict.similarity == pytest.approx(0.9, abs=1e-4)
    assert (memory.text, memory.versions) == (UPDATED, 2)
    assert set(memory.triggers) == {"db", "hosts"}


async def test_what_was_kept_a_moment_ago_is_known_before_its_vectors_are_stored(
    house: House,
) -> None:
    """An import gives the same store whether or not the model was there when it began."""
    first, second = await house.keep_all(draft(PORT), draft(OPPOSITE))

    assert (first.action, second.action) == ("CREATE", "SUPERSEDE")
    assert (await house.memory(first.memory_id)).superseded_by == second.memory_id


async def test_what_a_dream_noticed_is_not_ended_by_what_it_tells_of(house: House) -> None:
    """It only quotes: it is neither the statement that is repeated nor the one that is denied."""
    noticed = await house.keep(PORT, origin=Source("dream"), kind="insight")
    await house.vectored()
    verdict = await house.keep(OPPOSITE)

    assert verdict.action == "CREATE"
    assert (await house.memory(noticed.memory_id)).ended is None


async def test_other_projects_and_the_users_scope_are_not_touched(house: House) -> None:
    for project in ("/a", "/b", None):
        assert (await house.keep(PORT, project=project)).action == "CREATE"
    await house.vectored()
    verdict = await house.keep(UPDATED, project="/a")

    assert verdict.action == "UPDATE"
    assert await house.texts() == [UPDATED, PORT, PORT]


# -- orders


async def test_an_order_to_supersede_a_memory_is_obeyed(house: House) -> None:
    first = await house.keep("something else")
    verdict = await house.keep(PORT, intent="supersede", target=first.memory_id)

    assert verdict.action == "SUPERSEDE"
    assert await house.texts() == [PORT]


@pytest.mark.parametrize("intent", ["update", "supersede"])
async def test_an_order_about_no_living_memory_is_refused(house: House, intent: str) -> None:
    first = await house.keep("something else")
    await written(house.store, Ended(first.memory_id, "forgotten", BEGINNING))
    for target in (first.memory_id, 999):
        with pytest.raises(NoSuchMemory):
            await house.keep(PORT, intent=intent, target=target)

    assert await house.texts() == []


async def test_keeping_without_a_look_copies_only_what_has_another_key(house: House) -> None:
    first = await house.keep_all(draft(PORT, key="a"), draft(PORT), judged=False)
    again = await house.keep_all(draft(PORT, key="a"), draft(PORT, key="b"), judged=False)

    assert [verdict.action for verdict in first] == ["CREATE", "CREATE"]
    assert [verdict.action for verdict in again] == ["REINFORCE", "CREATE"]
    assert again[0].memory_id == first[0].memory_id
    assert len(await house.texts()) == 3


# -- without vectors


async def test_without_vectors_only_an_exact_copy_is_known(blind: House) -> None:
    first = await blind.keep(PORT)
    copy = await blind.keep(PORT)
    other = await blind.keep(OPPOSITE)

    assert [v.action for v in (first, copy, other)] == ["CREATE", "REINFORCE", "CREATE"]
    assert (await blind.memory(first.memory_id)).unjudged
    assert (await blind.memory(other.memory_id)).unjudged
    assert other.similarity is None


@pytest.mark.parametrize(
    ("later", "left"),
    [
        (UPDATED, [UPDATED]),
        (OPPOSITE, [OPPOSITE]),
        (RELATED, [PORT, RELATED]),
        (NEAR, [PORT, NEAR]),
    ],
)
async def test_what_was_kept_without_vectors_is_judged_when_they_arrive(
    blind: House, later: str, left: list[str]
) -> None:
    await blind.keep(PORT)
    await blind.keep(later)
    blind.embedding.state = TableEmbedding().state
    await blind.vectored()
    await blind.judged()

    assert await blind.texts() == left


async def test_what_waits_to_be_judged_is_judged_after_a_restart(
    store: OpenStore, clock: FollowingClock
) -> None:
    embedding = without_model(TABLE)
    async with open_house(store, embedding, clock) as house:
        await house.keep(PORT)
        await house.keep(UPDATED)
    embedding.state = TableEmbedding().state
    async with open_house(store, embedding, clock) as house:
        await house.vectored()
        await house.judged()

        assert await house.texts() == [UPDATED]


async def test_an_embedder_that_does_not_answer_delays_a_text_but_does_not_lose_it(
    store: OpenStore, clock: FollowingClock
) -> None:
    async with open_house(store, TableEmbedding(TABLE, takes=1000), clock) as house:
        verdict = await house.keep(PORT)

        assert (await house.memory(verdict.memory_id)).unjudged


# -- pairs


async def judged(house: House, *pairs: tuple[str, str]) -> list[Any]:
    return await house.gate.mailbox.ask(WhatWouldYouDo(pairs), within=60)


async def test_a_pair_is_judged_and_nothing_is_stored(house: House) -> None:
    pairs = ((PORT, PORT), (PORT, UPDATED), (PORT, OPPOSITE), (PORT, RELATED), (PORT, NEAR))
    verdicts = await judged(house, *pairs)

    assert [verdict.action for verdict in verdicts] == [
        "REINFORCE", "UPDATE", "SUPERSEDE", "CREATE_LINKED", "CREATE",
    ]  # fmt: skip
    assert [verdict.similarity for verdict in verdicts] == pytest.approx(
        [1, 0.9, 0.88, 0.75, 0.6], abs=1e-4
    )
    assert await house.texts() == []


async def test_the_texts_of_several_pairs_are_embedded_together_and_once(house: House) -> None:
    await judged(house, (PORT, UPDATED), (PORT, RELATED))

    assert [texts for texts, _, _ in house.embedding.asked] == [(PORT, UPDATED, RELATED)]


async def test_a_question_about_pairs_waits_for_a_model_that_was_just_started(
    blind: House, nursery: trio.Nursery
) -> None:
    async def load() -> None:
        await trio.sleep(1)
        blind.embedding.state = EmbeddingState("ready", "", "table-64", 64)

    nursery.start_soon(load)
    (verdict,) = await judged(blind, (PORT, UPDATED))

    assert verdict.similarity == pytest.approx(0.9, abs=1e-4)


async def test_without_a_model_only_the_first_question_about_pairs_waits(blind: House) -> None:
    began = trio.current_time()
    (first,) = await judged(blind, (PORT, UPDATED))
    waited = trio.current_time() - began
    (second,) = await judged(blind, (PORT, PORT))

    assert (first.action, first.similarity) == ("CREATE", None)
    assert (second.action, second.similarity) == ("REINFORCE", None)
    assert waited >= PATIENCE
    assert trio.current_time() - began == pytest.approx(waited)


# -- what extraction proposes


def candidate(text: str, ordinal: int = 0, **other: Any) -> Candidate:
    made = Candidate("remember", text, "fact", "semantic", 0.6, ordinal=ordinal, title=text[:20])
    return replace(made, **other)


async def test_proposals_become_memories_and_end_their_event(house: House) -> None:
    await house.propose(1, candidate("one"), candidate("two", 1, user_scope=True))
    first, second = await house.store.reading.living(0, 9)

    assert (first.text, first.project, first.source, first.session) == (
        "one", "/p", "remember", "s1",
    )  # fmt: skip
    assert (second.text, second.project) == ("two", None)
    assert (first.tier, first.created_at) == ("normal", BEGINNING + 61)
    assert (await house.store.reading.counts()).undone == 0


async def test_an_event_that_is_derived_again_changes_nothing(house: House) -> None:
    await written(house.store, event(1))
    both = (candidate("one"), candidate("two", 1))
    await house.propose(1, *both)
    mail(house.strength)
    await house.propose(1, *both)

    assert await house.texts() == ["one", "two"]
    assert mail(house.strength) == []
    assert (await house.store.reading.counts()).undone == 0
    assert len(await house.store.reading.read(lambda sql: gate.decisions(sql, 1))) == 1


async def test_an_event_that_was_half_derived_is_finished(house: House) -> None:
    await written(house.store, event(1), event(2))
    await house.propose(1, candidate("one"))
    await house.propose(1, candidate("one"), candidate("two", 1))

    assert await house.texts() == ["one", "two"]


async def test_proposals_that_the_store_refuses_come_again(
    store: OpenStore, clock: FollowingClock
) -> None:
    await written(store, event(1))
    long_term, embedder, own = queue("long_term"), queue("embedder"), queue("gate")
    judge = gate_of(store, clock, embedder, long_term, queue("strength"), own)
    refusals = [Unwritable("the disk is full"), Unwritable("still full"), [5, 5, 1]]

    def answer(message: Any) -> object:
        return refusals.pop(0) if isinstance(message, Commit) else EmbeddingUnavailable("off")

    async with (
        answering(long_term, answer) as orders,
        answering(embedder, answer),
        running(judge, own),
    ):
        await own.mailbox.tell(Proposed(1, BEGINNING, "s1", "/p", (candidate("one"),)))
        await trio.sleep(60)

    assert refusals == []
    assert len(orders) == 3
    assert judge.postponed == 0


# -- a store that cannot be written


@pytest.mark.parametrize("error", [Unwritable("full"), Crashed("x"), SwitchedOff("off")])
async def test_who_asks_is_told_that_the_store_refused_and_nothing_is_told_on(
    store: OpenStore, clock: FollowingClock, error: Exception
) -> None:
    await written(store, new(PORT))  # which the same text again would make stronger
    long_term, embedder, own, strength = (queue(name) for name in ("l", "e", "g", "s"))
    judge = gate_of(store, clock, embedder, long_term, strength, own)

    def answer(message: Any) -> object:
        return error if isinstance(message, Commit) else EmbeddingUnavailable("off")

    async with answering(long_term, answer), answering(embedder, answer), running(judge, own):
        with pytest.raises(type(error)):
            await own.mailbox.ask(Keep((draft(PORT),)), within=60)
        await own.mailbox.tell(VectorsArrived((1,)))
        await wait_all_tasks_blocked()

    assert mail(strength) == []


async def test_a_text_without_a_title_is_called_by_its_first_line() -> None:
    assert title_of("\n  the port is 5432  \nand more") == "the port is 5432"
    assert len(title_of("word " * 100)) <= 80


# -- what is learnt long after it was said


@pytest.mark.parametrize("text", [PORT, UPDATED, OPPOSITE])
async def test_what_was_said_long_ago_changes_and_strengthens_nothing_that_was_said_later(
    house: House, text: str
) -> None:
    first = await house.keep(PORT, origin=Source("wish"))
    await house.vectored()
    mail(house.strength)
    before = await house.memory(first.memory_id)
    late = await house.keep(text, at=BEGINNING - 60, past=True, origin=Source("wish"))

    assert (late.action, late.memory_id) == ("REINFORCE", first.memory_id)
    assert await house.memory(first.memory_id) == before
    assert mail(house.strength) == []


async def test_what_was_said_long_ago_ends_what_was_said_before_it(house: House) -> None:
    first = await house.keep(PORT, at=BEGINNING - 60)
    await house.vectored()

    assert (await house.keep(OPPOSITE, at=BEGINNING - 30, past=True)).action == "SUPERSEDE"
    assert (await house.memory(first.memory_id)).ended == "deprecated"


async def test_what_was_said_long_ago_and_is_judged_late_ends_nothing_that_was_said_later(
    blind: House,
) -> None:
    await blind.keep(PORT)
    await blind.keep(OPPOSITE, at=BEGINNING - 9 * 86_400, past=True)
    mail(blind.strength)
    blind.embedding.state = TableEmbedding().state
    await blind.vectored()
    await blind.judged()

    assert await blind.texts() == [PORT]
    assert mail(blind.strength) == []
