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

from daemon.home import Home
from daemon.launch import own_command
from tests.cli.conftest import Program, Run, document
from tests.patience import PATIENCE

SECRETIVE = "which colour has the zeppelin hangar"


# ---- the command, in this process


def test_without_a_file_it_says_what_one_looks_like(run: Run) -> None:
    done = run("eval")

    assert done.exit_code == 2
    assert '"hard_negative": true' in done.output


def test_two_things_at_once_are_refused(run: Run) -> None:
    assert run("eval", "--builtin", "questions.jsonl").exit_code == 2


def test_a_wrong_line_is_named_by_its_number(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "truth.jsonl"
    file.write_text('{"query": "q", "relevant": ["m1"]}\n{"query": 5}\n')

    done = run("eval", str(file))

    assert done.exit_code == 1
    assert "line 2" in done.output


# ---- the real daemon


def truth_file(folder: Path) -> str:
    file = folder / "truth.jsonl"
    lines = [
        {"query": SECRETIVE, "relevant": ["hangar"]},
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


def test_a_file_of_ones_own_is_asked(command: Program, home: Home, tmp_path: Path) -> None:
    corpus(command)
    file = truth_file(tmp_path)
    first = document(command("eval", file, "--json"))
    command("forget", "m1")

    second = command("eval", file)

    assert first["measures"]["mrr"] == 1.0
    assert first["measures"]["injected_on_nothing"] == 0.0
    # What was forgotten is no longer there to be found: its question is left out.
    assert "left out: 1 question whose memories are not there (number 1)" in second.stderr
    assert second.stdout.splitlines()[1].split()[0] == "MRR"
    assert second.returncode == 0


@pytest.mark.slow
def test_purging_everything_takes_the_figures_of_earlier_versions_away(
    program: Program, home: Home
) -> None:
    home.evaluations.touch()

    program("purge", "--everything", "--yes")

    assert not home.evaluations.exists()


@pytest.mark.slow
def test_the_built_in_run_is_the_same_each_time_and_leaves_the_home_alone(
    program: Program, home: Home
) -> None:
    """By words alone, as there is no model here."""
    first = document(program("eval", "--builtin", "--json"))
    second = document(program("eval", "--builtin", "--json"))

    assert (len(first["queries"]), first["memories"], first["mode"]) == (110, 120, "words")
    assert first["measures"]["mrr"] > 0.5
    assert [one["rank"] for one in second["queries"]] == [one["rank"] for one in first["queries"]]
    assert not home.database.exists()


def test_an_interrupted_run_ends_its_daemon_and_leaves_nothing(home: Home, tmp_path: Path) -> None:
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
