"""The command: what it says when it cannot serve."""

from __future__ import annotations

import socket
import subprocess
import sys

from tests.daemon.process import PROGRAM, Daemon
from tests.patience import PATIENCE, ROOT
from tests.viewer.browser import View

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


def test_nonsense_at_its_port_says_nothing_in_the_terminal(shared: Daemon) -> None:
    one = View(shared).start()
    for nonsense in (b"\x16\x03\x01\x00\r\n\r\n", b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", one.port), PATIENCE) as stranger:
            stranger.sendall(nonsense)
            assert stranger.recv(100).startswith(b"HTTP/1.1 4")

    _, said = one.end()

    assert said == ""


def test_a_page_that_is_none_is_a_wrong_use(shared: Daemon) -> None:
    code, _ = view(shared, "--page", "nothing")

    assert code == 2
