"""``plan`` where something is in the way; the rest is in ``transcripts/``."""

from __future__ import annotations

from typing import Any

import pytest

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
