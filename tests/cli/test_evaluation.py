"""``eval``: a run against the real daemon, what it is compared with, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from daemon.api.evaluation import Agents, AgentsFigures, Ignored, Week
from daemon.commands.local import evaluation
from daemon.commands.terminal.words import now
from daemon.home import Home
from daemon.launch import own_command
from lab.evaluation.run import Measures
from tests.cli.conftest import Program, Run, document
from tests.cli.fake_daemon import FakeDaemon
from tests.patience import PATIENCE

SECRETIVE = "which colour has the zeppelin hangar"


# ---- how it is told


def test_a_change_says_whether_it_is_for_the_worse() -> None:
    before: Measures = {"mrr": 0.8, "inversion_rate": 0.1, "p95_ms": 10.0, "recall": 0.5}
    after: Measures = {"mrr": 0.7, "inversion_rate": 0.2, "p95_ms": 8.0, "recall": 0.5001}

    told = [evaluation.change(name, after, before) for name in before]

    assert told == ["-0.100 worse", "+0.100 worse", "-2.0 ms better", ""]


def test_weeks_are_told_with_the_share_of_what_was_shown(run: Run, daemon: FakeDaemon) -> None:
    week = Week(begins=now() - 604_800, sessions=2, shown=4, cited=1, used=3, ignored=1)
    ignored = [Ignored(id="m7", title="a\x1b[31m title", sessions=1)]
    daemon.reply(Agents, AgentsFigures(weeks=[week], ignored=ignored))

    lines = run("eval", "--agents").output.splitlines()

    assert lines[1].split("  ")[0] == "1 week ago"
    assert lines[1].split()[3:] == ["2", "4", "1", "(25%)", "3", "(75%)", "1", "(25%)"]
    assert "\x1b" not in lines[-1]
    assert "m7  in 1 session" in lines[-1]


# ---- the command, in this process


def test_without_a_file_it_says_what_one_looks_like(run: Run) -> None:
    done = run("eval")

    assert done.exit_code == 2
    assert '"hard_negative": true' in done.output


def test_two_things_at_once_are_refused(run: Run) -> None:
    assert run("eval", "--builtin", "--agents").exit_code == 2


def test_a_wrong_line_is_named_by_its_number(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "truth.jsonl"
    file.write_text('{"query": "q", "relevant": ["m1"]}\n{"query": 5}\n')

    done = run("eval", str(file))

    assert done.exit_code == 1
    assert "line 2" in done.output


def test_what_a_run_is_compared_with_has_to_be_one(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text("{}")

    assert "is not what" in run("eval", "--builtin", "--before", str(file)).output


# ---- the real daemon


def truth_file(folder: Path) -> str:
    file = folder / "truth.jsonl"
    lines = [
        {"query": SECRETIVE, "relevant": ["hangar"], "category": "paint"},
        {"query": "where is the parser", "relevant": ["m2"]},
        {"query": "price of the espresso machine", "hard_negative": True},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(file)


def corpus(command: Program) -> None:
    rows = [
        {"text": "the zeppelin hangar is painted in a colour called moss", "key": "hangar"},
        {"text": "the parser lives in lib/parse.c", "key": "parser"},
    ]
    given = "".join(json.dumps(row) + "\n" for row in rows)
    document(command("import", "-", "--json", stdin=given))


def test_a_file_of_ones_own_is_asked_and_compared(
    command: Program, home: Home, tmp_path: Path
) -> None:
    corpus(command)
    file, before = truth_file(tmp_path), tmp_path / "before.json"
    first = document(command("eval", file, "--json"))
    before.write_text(json.dumps(first))
    command("forget", "m1")

    second = command("eval", file, "--before", str(before))

    assert first["measures"]["all"]["mrr"] == 1.0
    assert first["measures"]["all"]["injected_on_nothing"] == 0.0
    assert first["before"] is None
    # What was forgotten is no longer there to be found: its question is left out.
    assert "left out: 1 question whose memories are not there (number 1)" in second.stderr
    assert second.returncode == 0


def test_asking_leaves_no_trace_in_the_memories(
    command: Program, home: Home, tmp_path: Path
) -> None:
    corpus(command)

    document(command("eval", truth_file(tmp_path), "--json"))
    shown = document(command("show", "m1", "--json"))

    assert shown["memory"]["exposures"] == 0
    assert shown["memory"]["uses"] == 0


def test_a_file_whose_memories_are_all_elsewhere_is_refused(
    command: Program, home: Home, tmp_path: Path
) -> None:
    file = tmp_path / "truth.jsonl"
    file.write_text('{"query": "q", "relevant": ["m99"]}\n')

    done = command("eval", str(file))

    assert done.returncode == 1
    assert "none of the memories" in done.stderr


@pytest.mark.slow
def test_purging_everything_takes_the_figures_of_earlier_versions_away(
    program: Program, home: Home
) -> None:
    home.evaluations.touch()

    program("purge", "--everything", "--yes")

    assert not home.evaluations.exists()


def test_agents_figures_come_from_what_is_stored(command: Program) -> None:
    done = command("eval", "--agents")

    assert done.stdout == "no agent was shown a memory in the last eight weeks\n"


@pytest.mark.slow
def test_the_built_in_run_is_the_same_each_time_and_leaves_the_home_alone(
    program: Program, home: Home, tmp_path: Path
) -> None:
    """By words alone, as there is no model here."""
    first = document(program("eval", "--builtin", "--json"))
    before = tmp_path / "first.json"
    before.write_text(json.dumps(first))
    second = document(program("eval", "--builtin", "--json", "--before", str(before)))

    whole = first["measures"]["all"]
    assert (whole["queries"], first["memories"], first["mode"]) == (110, 120, "words")
    assert whole["mrr"] > 0.5
    assert second["before"] == whole
    assert [one["rank"] for one in second["queries"]] == [one["rank"] for one in first["queries"]]
    assert not home.database.exists()


def test_an_interrupted_run_ends_its_daemon_and_leaves_nothing(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="rv-"))
    environ = {**os.environ, "TMPDIR": str(folder), "REVERIE_EMBEDDING_ENABLED": "false"}
    process = subprocess.Popen(
        [*own_command(), "eval", "--builtin"], env=environ, cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + PATIENCE
    while not list(folder.glob("reverie-*/home/address")) and time.monotonic() < deadline:
        time.sleep(0.02)

    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert not list(folder.iterdir())
    folder.rmdir()
