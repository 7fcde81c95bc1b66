"""A warm process is, to whoever starts it, what the program is: streams, folder, end, signals."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.warm import python

ASKED = "import os, sys; print(os.getcwd(), os.environ, sys.argv[1:], sys.stdin.read())"
WAITING = "import time; print('begun', flush=True); time.sleep(9999)"


def started(program: str, folder: Path) -> subprocess.Popen[str]:
    """A warm process, of which only the first line is read."""
    return subprocess.Popen(
        [*python(), program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip


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
        assert process.stdout.read() == ""  # whose other end it had until it ended

        assert process.wait(PATIENCE) == -number


def test_control_c_is_its_own_to_answer(tmp_path: Path) -> None:
    answering = f"try:\n {WAITING}\nexcept KeyboardInterrupt:\n print('interrupted')"
    with started(answering, tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)

        assert process.stdout.read() == "interrupted\n"
        assert process.wait(PATIENCE) == 0
