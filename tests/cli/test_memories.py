"""The commands about memories: what is asked of the daemon, and what is printed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from daemon import cli
from daemon.api.erase import Erase
from daemon.api.memories import List, Listed
from daemon.api.recall import Recall
from daemon.api.show import Show, Shown
from daemon.commands.terminal import failure
from daemon.projects import project_root
from daemon.shapes.replies import Done
from daemon.shapes.results import Degraded, Recalled, Scored
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon
from tests.shapes import memory_view, scored

TEXTS = {"text": "Tests run with make check.\nNever with tox.", "title": "How to test"}
VIEW = memory_view(
    **TEXTS, kind="convention", tier="important", created_at=1_700_000_000.0, pinned=True
)
SCORED = scored(**TEXTS, kind="convention", tier="important", created_at=1_700_000_000.0)
LOADING = Degraded(
    failure_mode="vectors unavailable", line="vectors: unavailable (the model is loading)"
)


def recalled(*results: Scored, degraded: Degraded | None = None) -> Recalled:
    return Recalled(
        results=list(results),
        confidence=0.9,
        mode="words" if degraded else "both",
        degraded=degraded,
        evidence={"gap": 0.2},
    )


def last(daemon: FakeDaemon) -> Any:
    return daemon.asked[-1]


def test_recall_searches_the_current_project(
    daemon: FakeDaemon, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.reply(Recall, recalled())
    monkeypatch.chdir(tmp_path)

    run("recall", "x")

    assert last(daemon).project == str(project_root(tmp_path))
    assert not last(daemon).everywhere


def test_recall_says_when_less_was_searched(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Recall, recalled(SCORED, degraded=LOADING))

    done = run("recall", "x")

    # One plain line, whatever else is printed.
    assert done.stderr.count("\n") == 1
    assert "the model is loading" in done.stderr
    assert "Tests run with make check." in done.stdout


def test_a_list_fits_the_terminal(
    daemon: FakeDaemon, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    daemon.reply(List, Listed(memories=[VIEW] * 2, total=9))

    done = run("list", "--type", "convention", "--limit", "2")

    lines = done.output.splitlines()
    assert len(lines) == 3
    assert all(len(line) <= 40 for line in lines)
    assert lines[0].startswith("m1")
    assert lines[-1] == "2 of 9 memories; --limit shows more"
    assert last(daemon) == List(type="convention", limit=2)


def test_show_tells_a_decision_with_the_whole_of_its_reason(
    daemon: FakeDaemon, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is what one looks for, so it is never cut."""
    monkeypatch.setenv("COLUMNS", "80")
    reason = "contradicted (changed_value, chance 1.00) (similarity 0.785), of the same subject"
    at = 1_700_000_000.0
    decided = {
        "action": "SUPERSEDE", "memory": "m1", "existing": "m0", "similarity": 0.785394,
        "reason": reason, "contradiction": "changed_value", "at": at,
    }  # fmt: skip
    again = {**decided, "action": "REINFORCE", "existing": "m1", "reason": "says the same"}
    of_another = {**decided, "memory": "m2", "existing": "m1", "reason": ""}
    shown = {"at": at, "what": "shown", "detail": "prompt"}
    daemon.reply(Show, Shown(memory=VIEW, decisions=[decided, again, of_another], history=[shown]))

    done = run("show", "m1")

    words = " ".join(done.output.split())
    assert f"SUPERSEDE of m0: {reason}" in words
    assert "REINFORCE: says the same (similarity 0.785)" in words
    assert "SUPERSEDE by m2 (similarity 0.785)" in words
    assert "shown: prompt" in words
    assert "…" not in done.output
    assert max(map(len, done.output.splitlines())) <= 80


@pytest.mark.parametrize(("answer", "orders"), [("n\n", [False]), ("y\n", [False, True])])
def test_what_else_goes_is_said_before_it_is_erased(
    daemon: FakeDaemon, run: Run, answer: str, orders: list[bool]
) -> None:
    asks = Done(count=0, note="the text stands in 3 events\nErase it for good?")
    daemon.reply(Erase, asks, Done(count=1, note="gone"))

    done = run("forget", "m1", "--erase", input=answer)

    assert f"{asks.note} [y/N]" in done.stderr
    assert [one.yes for one in daemon.asked if isinstance(one, Erase)] == orders
    assert done.exit_code == (0 if orders[-1] else 1)


def test_a_daemon_that_goes_away_in_between_is_one_line(
    daemon: FakeDaemon, capsys: pytest.CaptureFixture[str]
) -> None:
    daemon.answers[Show] = lambda _request, _say: None

    code = cli.run(["show", "m9"])

    assert code == failure.FAILED
    assert "closed the connection before it answered" in capsys.readouterr().err
