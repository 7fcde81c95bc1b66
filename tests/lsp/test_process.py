"""The language server as an editor has it: a process with three streams, forked warm but once."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.home import Home
from daemon.launch import own_command
from tests.lsp.editing import EditorClient
from tests.lsp.fake_daemon import FakeDaemon
from tests.patience import PATIENCE
from tests.warm import python

URI = "file:///src/shop/pay.py"
CODE = "import pay\n# the retry budget is small\n"
PROGRAM = """
import sys
from daemon.commands.local.processes import serve_editor
print("printed by mistake", file=sys.stderr)
serve_editor()
"""


@pytest.fixture
def process(
    request: pytest.FixtureRequest, home: Home, tmp_path: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A server's process, in a folder that is not ours; by these words where a test names some."""
    words = getattr(request, "param", None) or [*python("lsp.server"), PROGRAM]
    environment = {**os.environ, "REVERIE_HOME": str(home.root), "PYTHONWARNINGS": "error"}
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=tmp_path,
    ) as running:
        yield running
        running.kill()


@pytest.fixture
def editor(process: subprocess.Popen[bytes]) -> Iterator[EditorClient]:
    """An editor that talks to it."""
    assert process.stdin is not None
    assert process.stdout is not None
    client = EditorClient(process.stdin, process.stdout)
    yield client
    client.hang_up()
    process.wait(PATIENCE)
    client.join()


@pytest.mark.parametrize("process", [[*own_command(), "lsp"]], ids=["reverie lsp"], indirect=True)
def test_the_program_serves_and_leaves_when_it_is_told(
    editor: EditorClient, process: subprocess.Popen[bytes], daemon: FakeDaemon
) -> None:
    daemon.start()
    editor.initialize()
    editor.ready()
    editor.open(URI, CODE)
    editor.see(URI, [(1, "· Retries: at most 3")])
    editor.leave()

    assert process.wait(PATIENCE) == 0


def test_a_process_leaves_when_its_editor_is_gone(
    editor: EditorClient, process: subprocess.Popen[bytes], daemon: FakeDaemon
) -> None:
    daemon.start()
    editor.initialize()
    editor.ready()
    editor.hang_up()

    assert process.wait(PATIENCE) == 0
    assert process.stderr is not None
    assert process.stderr.read() == b"printed by mistake\n"


def test_an_editor_that_reads_no_more_is_no_traceback(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    asked = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(asked), asked))
    process.stdin.close()

    process.wait(PATIENCE)
    assert process.stderr.read() == b"printed by mistake\n"


def test_leaving_without_a_shutdown_is_a_failure(
    editor: EditorClient, process: subprocess.Popen[bytes]
) -> None:
    editor.initialize()
    editor.notify("exit", None)

    assert process.wait(PATIENCE) == 1


def test_what_the_user_wrote_is_not_in_the_log(
    editor: EditorClient, process: subprocess.Popen[bytes], daemon: FakeDaemon
) -> None:
    daemon.start()
    editor.initialize()
    editor.ready()
    editor.open(URI, "the password is opensesame\n")
    broken = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": "opensesame"}
    editor.notify("textDocument/didChange", broken)
    editor.hints(URI)
    editor.leave()

    process.wait(PATIENCE)
    assert process.stderr is not None
    assert b"opensesame" not in process.stderr.read()


IMPOSSIBLE = {
    "negative": b"Content-Length: -5\r\n\r\n",
    "no number": b"Content-Length: many\r\n\r\n",
    "nothing": b"Content-Length:\r\n\r\n",
    "huge": b"Content-Length: 99999999999999999999\r\n\r\n",
    "above what is taken": b"Content-Length: 67108865\r\n\r\n",
    "of endless digits": b"Content-Length: " + b"9" * 10_000,
}
BROKEN = {
    "no json": b"Content-Length: 5\r\n\r\n{opes",
    "no message": b'content-length: 10\r\n\r\n["opensas"',
    "cut short": b'Content-Length: 500\r\n\r\n{"opensesame":',
}


@pytest.mark.parametrize("header", IMPOSSIBLE)
def test_an_impossible_length_ends_the_process_with_one_line(
    process: subprocess.Popen[bytes], header: str
) -> None:
    """Its editor waits for an answer and hangs up only then."""
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(IMPOSSIBLE[header])
    process.stdin.flush()

    assert process.wait(PATIENCE) == 1
    mistake, said = process.stderr.read().decode().splitlines()
    assert mistake == "printed by mistake"
    assert said.startswith("reverie: the editor sent ")
    assert len(said) < 200


@pytest.mark.parametrize("message", BROKEN)
def test_a_broken_message_prints_no_traceback(
    process: subprocess.Popen[bytes], message: str
) -> None:
    _, errors = process.communicate(BROKEN[message], PATIENCE)
    said = errors.decode()

    assert "Traceback" not in said
    assert "opens" not in said
    assert said.count("\n") <= 2


def test_a_header_is_known_however_it_is_written(process: subprocess.Popen[bytes]) -> None:
    body = b'{"jsonrpc":"2.0","method":"exit"}'
    assert process.stdin is not None
    process.stdin.write(b"content-length:%d\r\n\r\n%b" % (len(body), body))
    process.stdin.flush()

    assert process.wait(PATIENCE) == 1  # it was told to leave, without a shutdown
