"""A subagent that starts is told what is known about its task, and what its session knows as well."""

from __future__ import annotations

from msgspec.structs import replace

from actors.intake.messages import Happened
from actors.memory.use import Answered
from actors.policy.events.events import Event, EventKind
from actors.recall.shapes import Answer
from tests.actors.post import mail
from tests.actors.recall.bench import ASKED, SQUID, UNRELATED, WHALE, Bench, texts
from tests.clock import BEGINNING, VIRTUAL_TIME

pytestmark = VIRTUAL_TIME

OTHER = "please mind the red harvest here"


async def give(bench: Bench, task: str, kind: str = "") -> Answer:
    """The session calls for a subagent."""
    event = Event("claude", EventKind.SUBAGENT_TASK, "s1", task=task, agent_type=kind)
    return await bench.bring(event, None)


async def begin(bench: Bench, kind: str = "general-purpose", session: str = "s1") -> Answer:
    """A subagent starts."""
    event = Event("claude", EventKind.SUBAGENT_START, session, agent_id="a1", agent_type=kind)
    return await bench.bring(event, None)


async def test_a_subagent_is_told_what_its_task_bears_on_and_the_call_is_not_answered(
    bench: Bench,
) -> None:
    assert (await give(bench, ASKED)).block == ""
    found = await begin(bench)

    assert texts(found) == [WHALE]
    assert WHALE in found.block


async def test_a_task_that_nothing_is_relevant_to_and_a_start_without_a_task_get_silence(
    bench: Bench,
) -> None:
    await give(bench, UNRELATED)

    assert [(await begin(bench)).block for _ in range(2)] == ["", ""]


async def test_a_long_task_is_told_what_a_phrase_calls_alone(bench: Bench) -> None:
    length = " and write down what you find" * 40
    await give(bench, ASKED + length)
    await give(bench, OTHER + length)

    assert texts(await begin(bench)) == []
    assert texts(await begin(bench)) == [SQUID]


async def test_each_subagent_has_the_task_of_its_type_in_their_order(bench: Bench) -> None:
    await give(bench, OTHER, "Explore")
    await give(bench, ASKED)
    await give(bench, OTHER)

    assert texts(await begin(bench)) == [WHALE]
    assert texts(await begin(bench)) == [SQUID]
    assert texts(await begin(bench, "Explore")) == [SQUID]


async def test_what_its_session_was_told_a_subagent_is_told_and_the_other_way_round(
    bench: Bench,
) -> None:
    told = await bench.prompt(ASKED)
    await give(bench, ASKED)
    await give(bench, OTHER)
    first, second = await begin(bench), await begin(bench)
    after = await bench.prompt(OTHER)

    assert texts(told) == texts(first) == [WHALE]
    assert texts(second) == texts(after) == [SQUID]


async def test_it_is_recorded_as_shown_to_a_subagent_of_the_session(bench: Bench) -> None:
    await give(bench, ASKED)
    await begin(bench)
    shown = [one.shown for one in mail(bench.house.strength) if isinstance(one, Answered)]

    assert [(one.session, one.where) for one in shown if one] == [("s1", "subagent")]


async def test_notes_that_are_off_in_the_session_are_off_for_its_subagents(bench: Bench) -> None:
    off = Event("claude", EventKind.PROMPT, "s1", prompt=".memory off")
    await bench.working_memory.mailbox.tell(Happened(1, BEGINNING, off, None))
    await give(bench, ASKED)

    assert (await begin(bench)).block == ""


async def test_a_setting_silences_it(bench: Bench) -> None:
    briefing = bench.actor.briefing
    briefing.settings = replace(briefing.settings, to_subagents=False)
    await give(bench, ASKED)

    assert (await begin(bench)).block == ""


async def test_a_note_that_is_warm_by_now_needs_the_evidence_of_any_other(bench: Bench) -> None:
    await bench.prompt(ASKED)
    for number in range(5):
        event = Event("claude", EventKind.PROMPT, "s1", prompt=f"go on with step {number}")
        at = BEGINNING + 100 + number
        await bench.working_memory.mailbox.tell(Happened(1, at, event, None))
    await give(bench, "Migrate the database and report what you changed.")

    assert texts(await begin(bench)) == []
