"""Assessments of tasks, asked of a real daemon."""

from __future__ import annotations

from typing import Any

import pytest

from tests.daemon.process import Daemon, Refusal
from tests.holders import holders


def scored(daemon: Daemon, kind: str, knowledge: float, task: str = "T1", **more: Any) -> Any:
    given = {"folder": "specs/7", "uncertainty": 50, "context": 50, "project": "shop", **more}
    return daemon.ask(kind, task=task, knowledge=knowledge, **given)["assessment"]


def test_a_task_is_scored_before_and_after_and_keeps_its_scores(shared: Daemon) -> None:
    scored(shared, "preflight", 10)
    begun = scored(shared, "preflight", 20, gaps=["how retries work"])
    ended = scored(shared, "postflight", 60, closed=["how retries work"])

    with pytest.raises(Refusal, match="is over and keeps its scores"):
        scored(shared, "preflight", 0)

    assert (begun["index"], begun["gaps"]) == (None, ["how retries work"])
    assert (ended["before"]["knowledge"], ended["index"], ended["band"]) == (20, 16, "moderate")
    assert scored(shared, "postflight", 70)["index"] == 20  # the newest scores after it count


def test_a_task_without_scores_before_it_has_no_index(shared: Daemon) -> None:
    with pytest.raises(Refusal, match="preflight first"):
        scored(shared, "postflight", 60, task="T2")


def test_the_history_is_of_one_project_and_says_where_it_goes(shared: Daemon) -> None:
    for number, gained in enumerate((10, 10, 80, 80)):
        for kind, knowledge in (("preflight", 0), ("postflight", gained)):
            scored(shared, kind, knowledge, task=f"H{number}", project="depot")
    scored(shared, "preflight", 0, task="open", project="depot")

    whole = shared.ask("learning-history", project="depot", limit=2)
    finished = shared.ask("learning-history", project="depot", complete=True)
    other = shared.ask("learning-history", project="elsewhere")

    assert [one["task"] for one in whole["assessments"]] == ["open", "H3"]
    assert whole["total"] == 5
    assert [one["task"] for one in finished["assessments"]] == ["H3", "H2", "H1", "H0"]
    assert whole["summary"] == {
        "tasks": 4, "index": 18, "bands": {"execution": 2, "moderate": 2}, "trend": "rising",
    }  # fmt: skip
    assert (other["assessments"], other["summary"]["tasks"]) == ([], 0)


def test_a_secret_in_an_assessment_is_kept_nowhere_and_a_purge_takes_it_all(daemon: Daemon) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    scored(daemon, "preflight", 0, gaps=[f"why {secret} and quetzalcoatl fail"], project="/shop")

    assert holders(daemon.home.root, secret) == []
    assert holders(daemon.home.root, "quetzalcoatl") != []

    daemon.ask("purge", project="/shop", yes=True)

    assert holders(daemon.home.root, "quetzalcoatl") == []
    assert daemon.ask("learning-history", project="/shop")["total"] == 0
