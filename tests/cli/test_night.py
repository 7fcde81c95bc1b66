"""Dreams, episodes and plans, as a person reads them."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.api.dreams import Dreams, DreamsPage, DreamView, InsightsPage, InsightView, ListInsights
from daemon.api.episodes import Episode, EpisodesPage, ListEpisodes, Member
from daemon.api.plans import DecidePlan, PlanShown, PlanView, StepView
from daemon.commands.terminal.words import now
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon

NOTICED = InsightView(
    id="m7", kind="contradiction", text="Two memories \x1b[31mcontradict", sources=["m5", "m6"],
    confidence=0.7, evidence=["changed value", "10 days apart"], ended=None, accepted=2,
    rejected=0, applied=0,
)  # fmt: skip
LINES = (
    "  m7  contradiction: Two memories \N{REPLACEMENT CHARACTER}[31mcontradict\n"
    "      from m5, m6; changed value; 10 days apart; found useful 2 times\n"
)


def test_a_dream_is_a_line_with_what_it_noticed_below(daemon: FakeDaemon, run: Run) -> None:
    figures = {
        "cross_reference": {"connections": 7}, "transfer": {"insights": 1, "proposed": 2},
    }  # fmt: skip
    dream = DreamView(
        id=3, why="a person", began_at=now(), ended_at=now(), outcome="finished",
        stage="transfer", memories=6, figures=figures, insights=[NOTICED],
    )  # fmt: skip
    daemon.reply(Dreams, DreamsPage(dreams=[dream]))

    done = run("dream", "--past")

    first, rest = done.stdout.split("\n", 1)
    assert first.split("  ")[2:] == [
        "finished", "6 memories", "7 connections", "1 noticed", "2 plans: reverie plans", "a person",
    ]  # fmt: skip
    assert rest == LINES
    assert daemon.asked[-1] == Dreams()


def test_insights_are_told_with_what_they_rest_on(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ListInsights, InsightsPage(insights=[NOTICED]))

    assert run("insights").stdout == LINES


# ---- which moments captured what was learnt around them


def member(number: int, hours: float) -> Member:
    return Member(
        said=f"set port {number}",
        session="s1",
        at=now() - 7_300,
        score=0.77,
        hours=hours,
        memories=[f"m{number}"],
    )


def episode(members: int = 2) -> Episode:
    return Episode(
        id="7-test_fixed",
        kind="test_fixed",
        reason="pytest passes\x1b[31m again",
        strength=0.9,
        at=now() - 7_300,
        session="s1",
        project="/p",
        span=4.0,
        members=[member(number, 3.0 - 3.5 * number) for number in range(members)],
    )


def test_episodes_are_listed_with_their_turns(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ListEpisodes, EpisodesPage(episodes=[episode()], total=3))

    text = run("episodes", "--all").output

    assert "7-test_fixed" in text
    assert "2 hours ago, in session s1; 2 turns kept, over 4.0 h" in text
    assert "3.0 h before  score 0.77  set port 0  m0" in text
    assert "0.5 h after   score 0.77  set port 1  m1" in text
    assert "\x1b" not in text
    assert text.endswith("1 of 3 episodes\n")
    asked = daemon.asked[-1]
    assert isinstance(asked, ListEpisodes)
    assert (asked.everywhere, asked.limit) == (True, 20)


# ---- ``plan`` where something is in the way; the rest is in ``transcripts/``


def step(memory: str = "m4", **other: Any) -> StepView:
    made: dict[str, Any] = {
        "memory": memory, "title": "the port \x1b[31mis 5432",
        "evidence": "91 days old, never used", "outcome": "", **other,
    }  # fmt: skip
    return StepView(**made)


def plan(*steps: StepView, **other: Any) -> PlanView:
    made: dict[str, Any] = {
        "id": 3, "act": "archive", "source": "archivist", "reason": "older than 90 days",
        "state": "open", "proposed_at": now() - 7_300, "decided_at": None, "undone_at": None,
        "note": "", "steps": list(steps or (step(), step("m5"))),
        **other,
    }  # fmt: skip
    return PlanView(**made)


def test_decided_it_says_what_was_done_what_was_not_and_how_to_go_back(
    daemon: FakeDaemon, run: Run
) -> None:
    steps = (step(outcome="done"), step("m5", outcome="it is pinned"))
    note = "1 of its memories stayed as they were"
    daemon.reply(DecidePlan, PlanShown(plan=plan(*steps, state="applied", note=note), count=1))
    done = run("plan", "apply", "3")

    assert done.output.splitlines() == [
        f"plan 3: archive 2 memories (done): {note}",
        "  m5: it is pinned",
        "take it back: reverie plan undo 3",
    ]


@pytest.mark.parametrize(
    ("command", "state", "code"),
    [
        ("apply", "applied", 0), ("apply", "stale", 1), ("undo", "undone", 0),
        ("undo", "applied", 1), ("dismiss", "dismissed", 0), ("dismiss", "applied", 1),
    ],
)  # fmt: skip
def test_what_is_not_as_it_was_asked_to_be_is_a_failure(
    daemon: FakeDaemon, run: Run, command: str, state: Any, code: int
) -> None:
    daemon.reply(DecidePlan, PlanShown(plan=plan(state=state)))

    assert run("plan", command, "3").exit_code == code
