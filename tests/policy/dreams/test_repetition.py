"""What a person demands, and is asked, in session after session."""

import pytest
from msgspec.structs import replace

from actors.policy.night.demands import DEMAND as DEMAND_TOLD
from actors.policy.night.demands import ArchivedPrompt, demanded_in
from actors.policy.night.insights import Insight, InsightKind
from tests.policy.dreams import at_once

DAY = 86_400.0
DEMAND = "Please never write code before I approved the plan"
REWORDED = "don't write any code before you have my approval of the plan"


def said(number: int, session: str, text: str, project: str = "/p") -> ArchivedPrompt:
    return ArchivedPrompt(number, session, project, number * DAY, text)


def one_of(found: list[Insight]) -> Insight:
    (one,) = found
    return one


def demanded(*texts: str, days: float = 1.0) -> list[ArchivedPrompt]:
    """One prompt a session, each so many days after the one before."""
    return [
        ArchivedPrompt(n, f"s{n}", "/p", n * days * DAY, "Go on.", n, f"Go on, step {n}. {text}")
        for n, text in enumerate(texts, 1)
    ]


def test_a_demand_in_other_words_each_time_is_told_in_the_most_typical() -> None:
    found = one_of(at_once.repeated(demanded(DEMAND, REWORDED, f"{REWORDED} of today")))

    assert found.text == (
        f"You ask for this in session after session: “{REWORDED}”."
        " An agent is told so when its session starts."
    )
    assert demanded_in(found.text) == REWORDED
    assert found.evidence == (
        "3 sessions",
        "first on 1970-01-02 in p1",
        "last on 1970-01-04 in p3",
    )
    assert (found.kind, found.memory_ids) == (InsightKind.RECURRING_PATTERN, ())
    assert (found.project, found.session) == ("/p", "s1")


def test_its_text_is_the_same_when_it_is_said_once_more() -> None:
    three = one_of(at_once.repeated(demanded(DEMAND, DEMAND, REWORDED)))
    four = one_of(at_once.repeated(demanded(DEMAND, DEMAND, REWORDED, DEMAND)))

    assert three.text == four.text
    assert three.confidence < four.confidence


def test_sessions_that_repeat_each_other_prompt_for_prompt_are_one() -> None:
    prompts = (DEMAND, "Explain the watcher of the archive to me please")
    copies = [said(10 * n + m, s, text) for n, s in enumerate("abc")
              for m, text in enumerate(prompts)]  # fmt: skip

    assert at_once.repeated(copies) == []


def test_sessions_that_only_go_on_in_the_same_words_are_several() -> None:
    going_on = [said(10 * n + m, s, text) for n, s in enumerate("abc")
                for m, text in enumerate((DEMAND, "Go on.", "Yes, please."))]  # fmt: skip
    reworded = [replace(one, prompt=f"{one.text} {one.session}") for one in going_on[::3]]

    assert one_of(at_once.repeated([*going_on, *reworded])).evidence[0] == "3 sessions"


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
def test_what_is_no_habit_is_no_demand(prompts: list[ArchivedPrompt]) -> None:
    assert at_once.repeated(prompts) == []


def test_a_demand_that_was_told_is_not_told_again_in_other_words() -> None:
    prompts = demanded(DEMAND, REWORDED, f"{REWORDED} of today")
    before = f"{DEMAND_TOLD}{DEMAND}”. It was told in other words."

    assert at_once.repeated(prompts, known=[before]) == []
    assert demanded_in(one_of(at_once.repeated(prompts)).text) == REWORDED


def test_what_an_agent_asks_twice_and_hears_the_same_is_a_gap() -> None:
    asked = "Asked “Two execution options: in this session or in a separate one?”: in this session"
    found = one_of(at_once.repeated([said(1, "a", asked), said(2, "b", asked)]))

    assert found.kind is InsightKind.KNOWLEDGE_GAP
    assert asked in found.text
