"""What a person says in session after session, and has to remind an agent of."""

from dataclasses import replace

import pytest

from actors.policy.dreams import replay
from actors.policy.dreams.insights import Insight, InsightKind
from actors.policy.dreams.repetition import DEMAND as DEMAND_TOLD
from actors.policy.dreams.repetition import Said, demanded_in
from tests.policy.dreams import at_once

DAY = 86_400.0
ROUTINE = "Carry on with the garden planner."
DEMAND = "Please never write code before I approved the plan"
REWORDED = "don't write any code before you have my approval of the plan"


def said(number: int, session: str, text: str, project: str = "/p") -> Said:
    return Said(number, session, project, number * DAY, text)


def routine(*sessions: str) -> list[Said]:
    return [said(n, s, f"Please start task {n}. {ROUTINE}") for n, s in enumerate(sessions, 1)]


def one_of(found: list[Insight]) -> Insight:
    (one,) = found
    return one


def test_a_sentence_of_three_sessions_is_told_with_where_it_stands() -> None:
    found = one_of(at_once.repeated(routine("a", "b", "c")))

    assert (found.kind, found.memory_ids) == (InsightKind.RECURRING_PATTERN, ())
    assert f"“{ROUTINE}”" in found.text
    assert "`reverie remember`" in found.text
    assert found.evidence == (
        "3 sessions",
        "first on 1970-01-02 in p1",
        "last on 1970-01-04 in p3",
    )
    assert (found.project, found.session) == ("/p", "a")


def test_its_text_is_the_same_when_it_is_said_once_more() -> None:
    three = one_of(at_once.repeated(routine("a", "b", "c")))
    four = one_of(at_once.repeated(routine("a", "b", "c", "d")))

    assert three.text == four.text
    assert three.confidence < four.confidence


@pytest.mark.parametrize(
    "prompts",
    [
        routine("a", "b"),
        routine("a", "a", "a"),
        [said(n, str(n), "Address the three remarks on line 30 now.") for n in range(3)],
        [said(n, str(n), "go on") for n in range(3)],
        [said(n, s, f"{'So. ' * n}Implement the following plan:") for n, s in enumerate("abc")],
        [said(n, str(n), f"Drop the collector. {ROUTINE}") for n in range(3)],
        [said(n, str(n), ROUTINE, f"/project/{n}") for n in range(3)],
    ],
    ids=(
        "two sessions",
        "one session",
        "about one thing",
        "no content",
        "what announces a document",
        "one prompt",
        "three projects",
    ),
)
def test_nothing_is_told_of_what_is_no_routine(prompts: list[Said]) -> None:
    assert at_once.repeated(prompts) == []


def test_sessions_that_repeat_each_other_prompt_for_prompt_are_one() -> None:
    prompts = (ROUTINE, "Explain the watcher of the archive to me please")
    copies = [said(10 * n + m, s, text) for n, s in enumerate("abc")
              for m, text in enumerate(prompts)]  # fmt: skip

    assert at_once.repeated(copies) == []


def demanded(*texts: str, days: float = 1.0) -> list[Said]:
    """One prompt a session, each so many days after the one before."""
    return [
        Said(n, f"s{n}", "/p", n * days * DAY, "Go on.", n, f"Go on, step {n}. {text}")
        for n, text in enumerate(texts, 1)
    ]


def test_a_demand_in_other_words_each_time_is_told_in_the_most_typical() -> None:
    found = one_of(at_once.repeated(demanded(DEMAND, REWORDED, f"{REWORDED} of today")))

    assert found.text == (
        f"You ask for this in session after session: “{REWORDED}”."
        " An agent is told so when its session starts."
    )
    assert demanded_in(found.text) == REWORDED
    assert found.evidence[0] == "3 sessions"


def test_nearly_the_same_words_in_two_sessions_are_enough() -> None:
    found = one_of(
        at_once.repeated(demanded(DEMAND, "Never write code before I approved the plan!"))
    )

    assert found.evidence[0] == "2 sessions"


@pytest.mark.parametrize(
    "prompts",
    [
        demanded(DEMAND, "Don't plan before I wrote down what the code is for"),
        demanded(DEMAND, REWORDED, DEMAND, days=0.1),
        [replace(one, prompt=DEMAND) for one in demanded(DEMAND, DEMAND, DEMAND)],
        [replace(one, session="s") for one in demanded(DEMAND, REWORDED, DEMAND)],
        [replace(one, project=f"/{one.id}") for one in demanded(DEMAND, REWORDED, DEMAND)],
        [replace(one, prompt=one.prompt * 200) for one in demanded(DEMAND, REWORDED, DEMAND)],
    ],
    ids=("only alike", "one day", "one prompt", "one session", "three projects", "documents"),
)
def test_what_is_no_habit_is_no_demand(prompts: list[Said]) -> None:
    assert at_once.repeated(prompts) == []


def test_a_demand_that_was_told_is_told_in_the_same_words() -> None:
    prompts = demanded(DEMAND, REWORDED, f"{REWORDED} of today")
    before = f"{DEMAND_TOLD}{DEMAND}”. It was told in other words."

    assert demanded_in(one_of(at_once.repeated(prompts, known=[before])).text) == DEMAND
    assert demanded_in(one_of(at_once.repeated(prompts)).text) == REWORDED


def test_what_an_agent_asks_twice_and_hears_the_same_is_a_gap() -> None:
    asked = "Asked “Two execution options: in this session or in a separate one?”: in this session"
    found = one_of(at_once.repeated([said(1, "a", asked), said(2, "b", asked)]))

    assert found.kind is InsightKind.KNOWLEDGE_GAP
    assert asked in found.text


@pytest.mark.parametrize(
    "text",
    [
        "uhhh we decided on utils, not schema for this one",
        "I thought we were using the small model everywhere while testing?",
        "Match the template, you were told to do that.",
        "for the footer, I said we want upper case",
        "You keep adding the comment that I take out",
        "That is not what I asked for, leave the schema as it is",
    ],
)
def test_a_reminder_is_told_at_once(text: str) -> None:
    found = one_of(at_once.repeated([said(1, "a", text)]))

    assert found.text.startswith(f"On 1970-01-02 you had to remind an agent: “{text}”")


@pytest.mark.parametrize(
    "text",
    ["I know I said three, make it four", "Say what we talk about", "Ask it to stop adding rows"],
)
def test_what_reminds_of_nothing_is_none(text: str) -> None:
    assert at_once.repeated([said(1, "a", text)]) == []


def test_a_memory_that_says_it_and_did_not_help_is_named() -> None:
    kept = replay.replayed(56, DAY, "Carry on with the garden planner", project="/p")
    other = replay.replayed(57, DAY, "Carry on with the garden planner", project="/q")
    found = one_of(at_once.repeated(routine("a", "b", "c"), [kept, other]))

    assert found.memory_ids == (56,)
    assert "Memory m1k did not help: “Carry on with the garden planner”" in found.text


def test_a_reminder_names_the_memory_that_is_about_the_same_identifier() -> None:
    kept = replay.replayed(56, DAY, "Don't change the model from gpt-5-nano", project="/p")
    other = replay.replayed(57, DAY, "Every model is listed in models.json", project="/p")
    text = "I thought we were using gpt-5-nano everywhere while testing?"
    found = one_of(at_once.repeated([said(1, "a", text)], [kept, other]))

    assert found.memory_ids == (56,)
