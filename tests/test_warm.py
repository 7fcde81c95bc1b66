"""A warm process is, to whoever starts it, what the program is: streams, folder, end, signals."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.warm import python

ASKED = "import os, sys; print(os.getcwd(), os.environ, sys.argv[1:], sys.stdin.read())"
WAITING = "import time; print('begun', flush=True); time.sleep(9999)"


def started(program: str, folder: Path) -> subprocess.Popen[str]:
    """A warm process, of which only the output is read."""
    return subprocess.Popen(
        [*python(), program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip


def rest_of(process: subprocess.Popen[str]) -> str:
    """What it has yet to print: its output ends when nobody has the other end any more."""
    try:
        return process.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def test_it_has_its_starters_folder_environment_words_and_streams(tmp_path: Path) -> None:
    done = subprocess.run(
        [*python(), ASKED, "a word"], cwd=tmp_path, env={"ONLY": "this", "LC_CTYPE": "C.UTF-8"},
        input="read", capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip

    environ = {"ONLY": "this", "LC_CTYPE": "C.UTF-8"}
    assert done.stdout == f"{tmp_path} environ({environ}) ['a word'] read\n"
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("raise SystemExit(3)", 3),
        ("import nothing", 1),
        ("import os; os.kill(os.getpid(), 9)", -9),
        ("import os; os.kill(os.getpid(), 15)", -15),
    ],
)
def test_it_ends_as_its_program_ends(tmp_path: Path, program: str, code: int) -> None:
    with started(program, tmp_path) as process:
        assert process.wait(PATIENCE) == code


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_reaches_it_and_its_end_is_told(tmp_path: Path, number: signal.Signals) -> None:
    with started(WAITING, tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)

        assert rest_of(process) == ""
        assert process.returncode == -number


def test_control_c_is_its_own_to_answer(tmp_path: Path) -> None:
    answering = f"try:\n {WAITING}\nexcept KeyboardInterrupt:\n print('interrupted')"
    with started(answering, tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)

        assert rest_of(process) == "interrupted\n"
        assert process.returncode == 0


def test_it_ends_when_its_starter_is_gone_before_it_heard_its_id(tmp_path: Path) -> None:
    *_, address = python()
    reading, writing = os.pipe()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line:
        line.connect(address)
        asked = json.dumps([[WAITING], {}, str(tmp_path)]).encode()
        socket.send_fds(line, [asked], [writing, writing, writing])
    os.close(writing)

    with open(reading, "rb") as output:  # noqa: PTH123 - a descriptor, no path
        while select.select([output], [], [], PATIENCE)[0]:
            if not os.read(reading, 64):
                return
    pytest.fail("the process was left behind")
