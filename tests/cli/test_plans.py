"""``plan`` where something is in the way; the rest is in ``transcripts/``."""

from __future__ import annotations

from typing import Any

from daemon.api.plans import DecidePlan, PlanShown, PlanView, StepView
from daemon.commands.terminal.words import now
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon


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
