"""``plan`` where something is in the way; the rest is in ``transcripts/``."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.api.plans import DecidePlan, PlanShown, PlanView, ShowPlan, StepView
from daemon.commands.terminal.words import now
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon


def step(memory: str = "m4", **other: Any) -> StepView:
    made: dict[str, Any] = {
        "memory": memory, "title": "the port \x1b[31mis 5432", "act": "archive", "argument": "",
        "evidence": "91 days old, never used", "content_hash": "ab", "outcome": "", **other,
    }  # fmt: skip
    return StepView(**made)


def plan(*steps: StepView, **other: Any) -> PlanView:
    made: dict[str, Any] = {
        "id": 3, "act": "archive", "source": "archivist", "reason": "older than 90 days",
        "state": "open", "proposed_at": now() - 7_300, "decided_at": None, "undone_at": None,
        "note": "", "summary": "", "made": None, "steps": list(steps or (step(), step("m5"))),
        **other,
    }  # fmt: skip
    return PlanView(**made)


def test_a_summary_is_shown_whole_and_many_steps_are_counted(daemon: FakeDaemon, run: Run) -> None:
    steps = [step(f"m{n}", act="summarise") for n in range(1, 31)]
    made = plan(*steps, act="summarise", summary="first line\nsecond line")
    daemon.reply(ShowPlan, PlanShown(plan=made))
    text = run("plan", "show", "3").output

    assert "summarise 30 memories" in text
    assert "first line\nsecond line" in text
    assert "and 10 more" in text


def test_of_a_summary_that_nobody_makes_any_more_only_leaving_it_is_offered(
    daemon: FakeDaemon, run: Run
) -> None:
    made = plan(step(act="summarise"), act="summarise", summary="one line")
    daemon.reply(ShowPlan, PlanShown(plan=made))

    text = run("plan", "show", "3").output

    assert "plan apply" not in text
    assert "leave it: reverie plan dismiss 3" in text


def test_applied_it_says_what_was_done_what_was_not_and_how_to_go_back(
    daemon: FakeDaemon, run: Run
) -> None:
    steps = (step(outcome="done"), step("m5", outcome="it is pinned"))
    daemon.reply(DecidePlan, PlanShown(plan=plan(*steps, state="applied"), count=1))
    text = run("plan", "apply", "3").output

    assert "plan 3 is done (archive 1 memory); take it back: reverie plan undo 3" in text
    assert "m5: it is pinned" in text


def test_a_stale_plan_is_a_failure_that_says_why(daemon: FakeDaemon, run: Run) -> None:
    stale = plan(state="stale", note="a memory says something else than when this was proposed")
    daemon.reply(DecidePlan, PlanShown(plan=stale))
    done = run("plan", "apply", "3")

    assert done.exit_code == 1
    assert "nothing was done: a memory says something else" in done.output


@pytest.mark.parametrize(
    ("command", "state", "said", "code"),
    [
        ("undo", "applied", "nothing could be taken back", 1),
        ("dismiss", "dismissed", "plan 3 is left as it was already", 0),
        ("dismiss", "applied", "reverie plan undo 3 takes it back", 1),
    ],
)
def test_what_was_so_before_is_said_and_nothing_else(
    daemon: FakeDaemon,
    run: Run,
    command: str,
    state: Any,
    said: str,
    code: int,
) -> None:
    daemon.reply(DecidePlan, PlanShown(plan=plan(state=state)))
    done = run("plan", command, "3")

    assert (said in done.output, done.exit_code) == (True, code)


def test_undone_and_left_it_says_so(daemon: FakeDaemon, run: Run) -> None:
    steps = (step(outcome="restored"), step("m5", outcome="it was forgotten since"))
    note = "1 of its memories changed since"
    daemon.reply(DecidePlan, PlanShown(plan=plan(*steps, state="undone", note=note), count=1))
    undone = run("plan", "undo", "3").output
    daemon.reply(DecidePlan, PlanShown(plan=plan(state="dismissed"), count=1))

    assert "taken back: 1 memory as before (1 of its memories changed since)" in undone
    assert "m5: it was forgotten since" in undone
    assert "not proposed again for 90 days" in run("plan", "dismiss", "3").output
