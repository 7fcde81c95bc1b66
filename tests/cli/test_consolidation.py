"""``consolidate``: what is said, and that nothing is done unasked; ``status``'s schedule."""

from __future__ import annotations

import json
from typing import Any

import pytest

from daemon.commands.consolidation import said
from daemon.requests.consolidation import Consolidated, ConsolidateNow, CycleDone
from tests.cli.conftest import Program, Run, document
from tests.cli.fake_daemon import FakeDaemon


def cycle(name: str, **other: Any) -> CycleDone:
    filled: dict[str, Any] = {
        "cycle": name, "looked_at": 3, "changed": 2, "seconds": 0.1, "skipped": None, "kinds": {},
        "unvectored": 0, "plan": None, "ids": [], **other,
    }  # fmt: skip
    return CycleDone(**filled)


@pytest.mark.parametrize(
    ("done", "dry_run", "text"),
    [
        (cycle("decay"), False,
            "decay: looked at 3 memories; the relevance of 2 is another now"),
        (cycle("decay"), True, "decay: looked at 3 memories; the relevance of 2 would change"),
        (cycle("associations"), False,
            "associations: compared 3 memories; found nothing in common"),
        (cycle("associations", kinds={"explains": 1, "shares_theme": 2}), False,
            "associations: compared 3 memories; found 1 explanation, 2 common themes, 2 of them new"),
        (cycle("associations", kinds={"contradicts": 2}, unvectored=1), True,
            ("associations: compared 3 memories (1 have no vector and were left out);"
            " would store 2 contradictions")),
        (cycle("associations", skipped="no memory has a vector: is there an embedding model?"),
            False, ("associations: nothing was done: no memory has a vector:"
            " is there an embedding model?")),
        (cycle("forgetting", plan=7, ids=["m1", "m2"]), False,
            "forgetting: looked at 3 faded memories; plan 7 proposes to archive 2 memories: m1 m2"),
        (cycle("forgetting", ids=["m1"], looked_at=1), True,
            "forgetting: looked at 1 faded memory; would propose to archive 1 memory: m1"),
        (cycle("forgetting"), False,
            "forgetting: looked at 3 faded memories; there is nothing new to propose"),
    ],
)  # fmt: skip
def test_what_was_done_is_said_in_plain_words(done: CycleDone, dry_run: bool, text: str) -> None:
    assert said(done, dry_run=dry_run) == text


def test_everything_runs_unless_a_cycle_is_named(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ConsolidateNow, Consolidated(cycles=[cycle("decay")], dry_run=False))

    assert run("consolidate").exit_code == 0
    assert daemon.asked[-1] == ConsolidateNow(cycle="all", dry_run=False)
    assert run("consolidate", "forgetting", "--dry-run").exit_code == 0
    assert daemon.asked[-1] == ConsolidateNow(cycle="forgetting", dry_run=True)


def test_a_cycle_that_there_is_not_is_wrong_usage(run: Run) -> None:
    found = run("consolidate", "everything")

    assert found.exit_code == 2
    assert "associations" in found.output


def test_json_is_one_document(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(ConsolidateNow, Consolidated(cycles=[cycle("decay")], dry_run=True))
    found = json.loads(run("consolidate", "decay", "--json").output)

    assert found["dry_run"] is True
    assert found["cycles"][0]["changed"] == 2


def test_a_real_daemon_consolidates_and_says_when_it_will_by_itself(command: Program) -> None:
    """Without a model associations are skipped with a word, and the others go on."""
    for text in ("the deploy goes through main", "tests run with make check"):
        assert command("remember", text).returncode == 0
    done = document(command("consolidate", "--json"))
    shown = document(command("show", "m1", "--json"))
    status = document(command("status", "--json"))
    words = [" ".join(line.split()) for line in command("status").stdout.splitlines()]

    assert [one["cycle"] for one in done["cycles"]] == ["decay", "associations", "forgetting"]
    assert done["cycles"][0]["changed"] == 2
    assert "no memory has a vector" in done["cycles"][1]["skipped"]
    assert "consolidation.forget" in done["cycles"][2]["skipped"]
    assert 0.4 < shown["usage"]["relevance"] < 0.7
    assert "relevance" in command("why", "m1").stdout
    entry = status["schedule"]["decay"]
    assert set(entry) == {"job", "last_ran", "due", "waits_for", "running"}
    assert (entry["job"], entry["waits_for"]) == ("decay", None)
    assert entry["due"] - entry["last_ran"] == pytest.approx(86_400)  # the next one is a day off
    assert status["schedule"]["associations"]["last_ran"] is None  # it was skipped
    assert "forgetting" not in status["schedule"]
    assert "decay due in 23 hours ran just now" in words
    assert "associations due in 6 days has not run yet" in words
