"""Recall without one of its channels or neighbours, and what each of them may cost a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from actors.core.failures import Unreadable
from actors.core.mailbox import Lane, MailboxFull
from actors.intake.messages import Happened
from actors.memory.rows import Embedded, EmbeddingOff, EmbeddingState, Scope
from actors.policy.events.events import Event, EventKind
from actors.policy.night.intentions import Intention
from actors.policy.recall.answers import FailureMode, mode_of
from actors.recall.channels import Pacing
from actors.recall.ordering import Settings
from actors.recall.recall import SEARCHES
from actors.recall.shapes import Called
from actors.recall.triggers import Triggers
from actors.session.shapes import IsSilent, WereReminded, WhatIsDue, WhatItHas
from tests.actors.fakes import TableEmbedding, at
from tests.actors.post import mail, queue
from tests.actors.recall.bench import (
    ASKED,
    SQUID,
    WHALE,
    Bench,
    SlowLedger,
    Troubled,
    apart,
    missing,
    texts,
)
from tests.clock import BEGINNING, VIRTUAL_TIME

pytestmark = VIRTUAL_TIME

CALL = Intention("7", "call the harbour", {"at": BEGINNING}, BEGINNING - 3 * 86_400)


def trouble(bench: Bench, **how: Exception | None) -> None:
    """From now on these questions to the store fail with this error, or never end."""
    bench.actor.searching.channels.reader = Troubled(bench.house.store.reading, **how)


# -- every channel


LOST = Unreadable("check the disk")


@pytest.mark.parametrize(
    ("channel", "how"),
    [
        ("words", {"counted": LOST}),
        ("vectors", {"nearest": LOST}),
        ("literal", {"literally": LOST}),
        ("neighbours", {"around": LOST}),
        ("words", {"counted": trio.TooSlowError()}),
        ("vectors", {"nearest": trio.TooSlowError()}),
        ("neighbours", {"around": trio.TooSlowError()}),
    ],
)
async def test_a_part_of_the_store_that_fails_costs_its_channel_alone(
    bench: Bench, channel: str, how: dict[str, Exception]
) -> None:
    query = f"`{ASKED[:-1]}`"
    bench.house.embedding.table[query] = at(0.8)
    whole = await bench.search(query)
    trouble(bench, **how)
    found = await bench.search(query)

    (error,) = how.values()
    assert set(missing(found)) == {channel}
    late = isinstance(error, trio.TooSlowError)
    assert mode_of(found.missing) == f"{channel} {'late' if late else 'unreadable'}"
    assert texts(found)[0] == WHALE
    assert found.confidence < whole.confidence


class Lost(Triggers):
    """Phrases that cannot be read, or not in time."""

    error: Exception | None = None

    async def called(self, *_: object, **__: object) -> list[Called]:
        if self.error is not None:
            raise self.error
        await trio.sleep_forever()
        raise AssertionError


@pytest.mark.parametrize(("error", "how"), [(LOST, "unreadable"), (None, "late")])
async def test_phrases_that_cannot_be_read_in_time_are_said(
    bench: Bench, error: Exception | None, how: str
) -> None:
    bench.actor.briefing.channels.triggers = Lost(bench.house.store.reading, error=error)
    found = await bench.prompt(ASKED)

    assert mode_of(found.missing) == f"triggers {how}"
    assert texts(found)[0] == WHALE


async def test_what_stands_beside_an_answer_and_is_of_another_project_is_not_told(
    bench: Bench,
) -> None:
    """Nor what ended while the question was answered: the store's word is checked here."""
    theirs = await bench.house.keep("the whale database of another harbour", project="/other")
    await bench.house.vectored()

    class Beside(Troubled):
        async def around(self, ids: Sequence[int], reach: int) -> list[list[int]]:
            return [[*run, theirs.memory_id] for run in await super().around(ids, reach)]

    bench.actor.searching.channels.reader = Beside(bench.house.store.reading)
    found = await bench.search(ASKED, scope=Scope("/mine"), k=9)

    assert WHALE in texts(found)
    assert all(note.memory.project is None for note in found.notes)


async def test_the_texts_of_a_search_are_read_one_in_a_turn(bench: Bench) -> None:
    """Sixty long ones at once hold everybody up for 30 ms."""
    for number in range(30):
        await bench.house.keep(f"whale log {number}", judged=False)
    await bench.house.vectored()
    first = await turns_of(bench)
    again = await turns_of(bench)

    assert first - again >= 30


class Turns(trio.abc.Instrument):
    """How often some task went on."""

    count = 0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.count += 1


async def turns_of(bench: Bench) -> int:
    turns = Turns()
    trio.lowlevel.add_instrument(turns)
    await bench.search("whale log", track=False)
    trio.lowlevel.remove_instrument(turns)
    return turns.count


async def test_confidence_is_lowered_by_the_impact_and_nothing_else_changes(bench: Bench) -> None:
    whole = await bench.search(ASKED)
    bench.actor.searching.channels.triggers = Lost(bench.house.store.reading, error=LOST)
    found = await bench.search(ASKED)

    assert whole.confidence - found.confidence == pytest.approx(0.05)
    assert [note.score for note in found.notes] == [note.score for note in whole.notes]


async def test_a_channel_that_a_person_switched_off_is_no_failure(bench: Bench) -> None:
    found = await bench.search(ASKED, without=frozenset({"vectors"}))

    assert (found.mode, found.missing) == ("words", ())


async def test_a_model_that_is_not_there_is_not_worth_asking_again(bench: Bench) -> None:

    class Gone(TableEmbedding):
        async def embed(self, texts: Sequence[str], **how: Any) -> list[Embedded]:
            raise EmbeddingOff("no model is here")

    bench.house.maker.embedding = Gone()
    bench.house.maker.embedding.state = EmbeddingState("off", "no model is here", "", 0)
    found = await bench.search(ASKED)

    assert missing(found) == {"vectors": "no model is here"}
    assert [one.lasting for one in found.missing] == [True]


async def test_without_words_and_vectors_a_search_is_refused_and_not_empty(bench: Bench) -> None:
    trouble(bench, counted=LOST, nearest=LOST)
    with pytest.raises(Unreadable, match="check the disk"):
        await bench.search(ASKED)


async def test_a_search_waits_once_for_neighbours_that_only_collect(bench: Bench) -> None:
    """The vector is waited for longest, and everything after it is bounded by itself."""
    channels = bench.actor.searching.channels
    silent = queue("silent").mailbox
    channels.pacing.embedder = silent
    channels.triggers = Lost(bench.house.store.reading)
    trouble(bench, literally=None, around=None)
    began = trio.current_time()
    found = await bench.search("`blue whale`")

    assert trio.current_time() - began <= Settings().search_wait + 3
    assert set(missing(found)) == {"vectors", "triggers", "literal", "neighbours"}
    assert WHALE in texts(found)


async def test_searches_that_wait_leave_places_for_prompts(bench: Bench) -> None:
    """As many as there are places, all of them waiting for a vector."""
    bench.actor.searching.channels = replace(
        bench.actor.searching.channels, pacing=Pacing(queue("silent").mailbox)
    )
    async with trio.open_nursery() as nursery:
        for _turn in range(2 * SEARCHES):
            nursery.start_soon(bench.search, ASKED)
        await trio.testing.wait_all_tasks_blocked()
        told, took = await bench.timed()

    assert texts(told) == [WHALE]
    assert took < 0.080


# -- a prompt's time


@pytest.mark.parametrize(("channel", "question"), [("words", "counted"), ("vectors", "nearest")])
async def test_a_channel_that_never_answers_is_left_out_of_a_prompt(
    bench: Bench, channel: str, question: str
) -> None:
    bench.hurried()
    trouble(bench, **{question: None})
    told, took = await bench.timed()

    assert set(missing(told)) == {channel}
    assert took < 0.080


async def test_a_prompt_that_is_late_everywhere_is_degraded_and_no_error(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """Words and vectors that the deadline cut short were told as a store that nobody can read."""
    bench.hurried()
    slow = trio.TooSlowError()
    trouble(bench, counted=slow, nearest=slow)
    told, _ = await bench.timed("red harvest")
    trouble(bench, counted=None, nearest=None)
    stuck, _ = await bench.timed("red harvest", "s2")

    for found in (told, stuck):
        assert set(missing(found)) == {"words", "vectors"}
        assert {one.mode for one in found.missing} == {FailureMode.LATE}
        assert texts(found) == [SQUID]  # what a phrase calls is told all the same
    assert "prompt_unsearched" not in caplog.text


async def test_a_prompt_whose_time_ended_before_anything_was_read_says_so(bench: Bench) -> None:
    trouble(bench, chosen=None)
    told, _ = await bench.timed()
    trouble(bench, counted=LOST, nearest=LOST)
    lost = await bench.prompt(ASKED)

    assert mode_of(told.missing) == "words late; vectors late"
    assert mode_of(lost.missing) == "words unreadable; vectors unreadable"


async def test_reminders_depend_on_no_channel(bench: Bench) -> None:
    bench.due = (CALL,)
    trouble(bench, counted=LOST, nearest=LOST)
    unread = await bench.prompt(ASKED)
    trouble(bench, chosen=None)
    stuck, took = await bench.timed()

    assert "call the harbour" in unread.block
    assert "call the harbour" in stuck.block
    assert took < 0.080
    assert (unread.notes, stuck.notes) == ((), ())


LATE = ("working_memory", "pressure", "what is due", "triggers")


@pytest.mark.parametrize("late", [*LATE, "all but working_memory"])
async def test_neighbours_that_are_late_cost_a_prompt_their_time_once(
    bench: Bench, late: str
) -> None:
    bench.hurried()
    briefing = bench.actor.briefing
    bench.due = (CALL,)
    silent = queue("silent").mailbox
    for name in LATE[1:] if late == "all but working_memory" else (late,):
        if name == "triggers":
            briefing.channels.triggers = Lost(bench.house.store.reading)
        elif name == "what is due":
            briefing.session.working_memory = apart(
                briefing.session.working_memory, WhatIsDue, silent
            )
        else:
            setattr(briefing.session, name, silent)
    told, took = await bench.timed()

    usual = Settings()
    wait = usual.channel_wait if late == "working_memory" else usual.neighbour_wait
    assert took == pytest.approx(wait, abs=0.001)
    assert ("session" in missing(told)) is (late == "working_memory")
    # Without it nobody knows whether notes are wanted; everything else only adds.
    assert (texts(told) == [WHALE]) is (late != "working_memory")
    reminded = "call the harbour" in told.block
    assert reminded is (late not in ("working_memory", "what is due", "all but working_memory"))


@pytest.mark.parametrize(("takes", "known"), [(0.030, True), (0.060, False)])
async def test_a_session_that_is_met_first_is_read_and_told_or_asked_again(
    bench: Bench, takes: float, known: bool
) -> None:
    """On a busy machine the first prompt of a session was told nothing, as if it knew every note."""
    bench.hurried()
    slow: Any = SlowLedger(bench.actor.briefing.session.working_memory, WhatItHas, takes)
    bench.actor.briefing.session.working_memory = slow
    told, _ = await bench.timed()

    assert (texts(told) == [WHALE]) is known
    assert ("session" in missing(told)) is not known


async def test_a_prompt_of_a_session_without_notes_is_not_searched_for(bench: Bench) -> None:
    switch = Event("claude", EventKind.PROMPT, "s1", prompt="/memory off")
    await bench.working_memory.mailbox.tell(Happened(1, BEGINNING, switch, None))
    bench.actor.briefing.channels.pacing.embedder = queue("busy").mailbox  # would be waited for
    told, took = await bench.timed()

    assert took == pytest.approx(0, abs=0.001)
    assert (told.notes, told.block) == ((), "")


STANDING = "the harbour master signs every plan"


@pytest.mark.parametrize("how", [LOST, None])
async def test_plans_that_cannot_be_read_cost_a_start_nothing_else(
    bench: Bench, how: Exception | None
) -> None:
    await bench.house.keep(STANDING, tier="constitutional")
    bench.actor.briefing.opening.reader = Troubled(bench.house.store.reading, untold_plans=how)
    found = await bench.start("startup")

    assert texts(found) == [STANDING]
    assert STANDING in found.block


@pytest.mark.parametrize("source", ["startup", "compact"])
async def test_neighbours_that_are_late_cost_a_start_their_time_once(
    bench: Bench, source: str
) -> None:
    """All of them late one after the other would leave the hook nothing of its 80 ms."""
    bench.hurried()
    await bench.house.keep(STANDING, tier="constitutional")
    briefing, silent = bench.actor.briefing, queue("silent").mailbox
    briefing.session.working_memory = apart(briefing.session.working_memory, WhatIsDue, silent)
    if source == "compact":
        briefing.session.working_memory = apart(silent, IsSilent, briefing.session.working_memory)
    before = trio.current_time()
    found = await bench.start(source)

    assert trio.current_time() - before - 2 == pytest.approx(Settings().neighbour_wait, abs=0.001)
    assert texts(found) == [STANDING]


# -- what follows an answer


async def test_what_follows_an_answer_never_delays_it_and_no_full_mailbox_holds_up_another(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """The reminder and the exposure, both of them full."""
    briefing = bench.actor.briefing
    bench.due = (CALL,)
    told_before = len(mail(bench.house.strength))
    full = queue("full", room=1)
    full.mailbox.offer("something")
    full.mailbox.offer("something", lane=Lane.INTERACTIVE)
    briefing.session.working_memory = apart(
        briefing.session.working_memory, WereReminded, full.mailbox
    )
    bench.actor.strength = full.mailbox
    first, took = await bench.timed()
    again, _ = await bench.timed()
    await trio.sleep(10)

    assert told_before == 0
    assert texts(first) == [WHALE]
    assert took == pytest.approx(0, abs=0.001)
    # The ledger was told although the others are full: nothing comes twice.
    assert again.notes == ()
    assert caplog.text.count("untold why=") >= 2
    with pytest.raises(MailboxFull):
        full.mailbox.offer("one more")


async def test_more_answers_than_places_are_not_held_up_by_full_mailboxes(bench: Bench) -> None:
    full = queue("full", room=1)
    full.mailbox.offer("something")
    bench.actor.strength = full.mailbox
    times: list[float] = []

    async def one(number: int) -> None:
        found, took = await bench.timed(session=f"s{number}", within=10.0)
        assert texts(found) == [WHALE]
        times.append(took)

    async with trio.open_nursery() as nursery:
        for number in range(40):
            nursery.start_soon(one, number)

    assert len(times) == 40
    assert max(times) < 0.5  # two seconds each would be waited for in a place


async def test_a_prompt_whose_time_is_over_is_too_late_and_crashes_nothing(bench: Bench) -> None:
    with pytest.raises(trio.TooSlowError):
        await bench.prompt(ASKED, "s1", within=-0.1)
    await bench.search(ASKED)

    assert bench.actor.searches == 1


async def test_a_vector_that_comes_after_an_erasure_is_not_kept(
    autojump_clock: trio.testing.MockClock,
) -> None:
    embedder = queue("embedder")
    pacing = Pacing(embedder.mailbox)
    made = [Embedded(b"vector")]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(pacing.embedded, ASKED, 10)
        await trio.testing.wait_all_tasks_blocked()
        pacing.forget()
        mail(embedder)[0].reply(made)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pacing.embedded, ASKED, 10)
        await trio.testing.wait_all_tasks_blocked()
        (again,) = mail(embedder)
        again.reply(made)

    assert await pacing.embedded(ASKED, 10) == made[0]  # nothing was erased since: it is kept
    assert mail(embedder) == []
