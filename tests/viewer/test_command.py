"""The command: what it says when it cannot serve."""

from __future__ import annotations

import socket
import subprocess
import sys

from tests.daemon.process import PROGRAM, Daemon
from tests.patience import PATIENCE, ROOT

WITHOUT = f"import sys; sys.modules['uvicorn'] = None; {PROGRAM}"


def view(daemon: Daemon, *words: str, program: str = PROGRAM) -> tuple[int, str]:
    """The exit code of the command and what it complains of."""
    done = subprocess.run(
        [sys.executable, "-c", program, "view", "--no-open", *words], cwd=ROOT, text=True,
        env=daemon.environment(), capture_output=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.stdout == "" or done.returncode == 0
    return done.returncode, done.stderr


def test_without_its_extra_it_says_in_a_line_what_to_install(shared: Daemon) -> None:
    code, said = view(shared, program=WITHOUT)

    assert code == 1
    assert "[view]" in said
    assert said.count("\n") == 1


def test_a_port_that_is_taken_is_said_in_a_line(shared: Daemon) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        code, said = view(shared, "--port", str(port))

    assert (code, said) == (1, f"reverie: port {port} cannot be had: Address already in use\n")


def test_a_page_that_is_none_is_a_wrong_use(shared: Daemon) -> None:
    code, _ = view(shared, "--page", "nothing")

    assert code == 2
