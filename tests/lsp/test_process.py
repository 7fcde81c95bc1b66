"""The language server as an editor has it: a process with three streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.home import Home
from tests.lsp.editing import EditorClient
from tests.lsp.fake_daemon import FakeDaemon
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
URI = "file:///src/shop/pay.py"
CODE = "import pay\n# the retry budget is small\n"
PROGRAM = """
import sys
from daemon.commands.local.frontends import serve_editor
print("printed by mistake", file=sys.stderr)
serve_editor()
"""


@pytest.fixture
def process(home: Home, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server's process, in a folder that is not ours."""
    environment = {**os.environ, "REVERIE_HOME": str(home.root), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PROGRAM],
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


def test_a_process_serves_and_leaves_when_it_is_told(
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
# Servers that are forked, one after another, from a program that has imported them: most of their CPU.
FORKING = """
import json, os, sys, tempfile
import lsp.server
from daemon.commands.local.frontends import serve_editor
ended = {}
for name, (data, stays) in json.loads(sys.argv[1]).items():
    reading, writing = os.pipe()
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if child == 0:
            os.dup2(reading, 0)
            os.dup2(said.fileno(), 2)
            os.close(writing)
            print("printed by mistake", file=sys.stderr)
            serve_editor()
        os.close(reading)
        os.write(writing, data.encode())
        if not stays:
            os.close(writing)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        ended[name] = code, said.read()
print(json.dumps(ended))
"""


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """Exit code and last words of a server for each, whose editor waits after an impossible length."""
    folder = tmp_path_factory.mktemp("editor")
    given = {name: (data.decode(), True) for name, data in IMPOSSIBLE.items()}
    given |= {name: (data.decode(), False) for name, data in BROKEN.items()}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKING, json.dumps(given)], cwd=folder,
        env={**os.environ, "REVERIE_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)},
        capture_output=True, check=True, timeout=PATIENCE,
    )  # fmt: skip
    found: dict[str, tuple[int, str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("header", IMPOSSIBLE)
def test_an_impossible_length_ends_the_process_with_one_line(
    ended: dict[str, tuple[int, str]], header: str
) -> None:
    code, words = ended[header]

    assert code == 1
    mistake, said = words.splitlines()
    assert mistake == "printed by mistake"
    assert said.startswith("reverie: the editor sent ")
    assert len(said) < 200


@pytest.mark.parametrize("message", BROKEN)
def test_a_broken_message_prints_no_traceback(
    ended: dict[str, tuple[int, str]], message: str
) -> None:
    _, said = ended[message]

    assert "Traceback" not in said
    assert "opens" not in said
    assert said.count("\n") <= 2


def test_a_header_is_known_however_it_is_written(
    process: subprocess.Popen[bytes],
) -> None:
    body = b'{"jsonrpc":"2.0","method":"exit"}'
    assert process.stdin is not None
    process.stdin.write(b"content-length:%d\r\n\r\n%b" % (len(body), body))
    process.stdin.flush()

    assert process.wait(PATIENCE) == 1  # it was told to leave, without a shutdown
