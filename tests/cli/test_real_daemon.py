"""The command line and the real daemon, as processes, without vectors."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from daemon.api.status import Greeting, Status
from daemon.commands.terminal import failure, question
from daemon.home import Home
from daemon.launch import own_command
from daemon.lock import alive
from tests.cli.conftest import Program, document
from tests.patience import PATIENCE


def test_a_daemon_is_started_asked_and_stopped(program: Program, home: Home) -> None:
    up = document(program("up", "--json"))
    status = document(program("status", "--json"))
    kept = document(program("remember", "the parser lives in lib/parse.c", "--json"))
    found = document(program("recall", "where is the parser", "--json"))
    down = document(program("down", "--json"))

    assert status["ready"]
    assert status["pid"] == up["pid"]
    assert kept["action"] == "CREATE"
    assert [result["id"] for result in found["results"]] == [kept["id"]]
    # Vectors are switched off here, which is no failure; what was searched is said.
    assert (found["mode"], found["degraded"]) == ("words", None)
    assert {"gap", "reason", "z"} == set(found["evidence"])
    assert down == {"stopped": True, "pid": up["pid"]}
    assert not alive(up["pid"])
    assert program("status").returncode == 1


def test_a_new_home_without_a_model_says_so_once(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_EMBEDDING_ENABLED", "true")

    first, second = program("list"), program("list")

    assert first.stderr.splitlines() == [
        "starting the daemon",
        "this new home finds memories by words alone: 'reverie model setup' brings a model",
    ]
    assert second.stderr == ""


@pytest.mark.slow
def test_a_command_during_the_stop_starts_the_next_daemon(program: Program) -> None:
    first = document(program("up", "--json"))["pid"]
    stopping = subprocess.Popen([*own_command(), "down"], stdout=subprocess.DEVNULL)

    listed = program("list", "--json")
    stopping.wait()
    second = document(program("up", "--json"))["pid"]

    assert document(listed)["total"] == 0
    assert second != first


def test_a_daemon_that_leaves_before_it_is_asked_hands_the_question_to_the_next(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[int] = []
    usual = question.started

    def leaving(home: Home, within: float) -> Greeting:
        found = usual(home, within)
        met.append(found.pid)
        if len(met) == 1:
            os.kill(found.pid, signal.SIGKILL)
            while alive(found.pid):
                time.sleep(0.01)
        return found

    monkeypatch.setattr(question, "started", leaving)

    answered = question.asked(Status(), within=PATIENCE).pid

    assert len(met) == 2
    assert answered == met[1] != met[0]


def test_a_reader_that_leaves_ends_a_command_quietly(command: Program, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(f'{{"text": "row {n} {"x" * 200}"}}\n' for n in range(50)))
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"id": "1", "existing": "one", "incoming": "two"}\n' * 10)
    command("import", str(rows), "--no-gate", "--no-embed")
    reading, writing = os.pipe()
    os.close(reading)
    for asked in (
        ["export"],
        ["gate", "--pairs", str(pairs)],
        ["list", "--json"],
        ["list"],
        ["--help"],
    ):
        done = subprocess.run(
            [*own_command(), *asked], stdout=writing, stderr=subprocess.PIPE, check=False
        )

        assert done.returncode == failure.CLOSED_PIPE, asked
        assert done.stderr == b"", asked
    os.close(writing)
