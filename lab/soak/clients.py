"""Clients that live long: an editor's language server and an agent's tool server."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from random import Random
from typing import Any, Final

from daemon.launch import own_command
from lab.benchmarks.editors import editor as editing
from lab.benchmarks.processes import started_with
from lab.soak.account import Account
from lab.soak.load import SUBJECTS, statement
from lab.soak.stand import HANGS, Stand

Act = Callable[[Random], None]
HELLO: Final = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "soak", "version": "1"},
}


@contextmanager
def clients(stand: Stand, account: Account) -> Generator[Act]:
    """Both servers on this home; call the yielded function to use one of them."""
    with ExitStack() as stack:
        acts = [stack.enter_context(_editor(stand, account))]
        if find_spec("mcp") is not None:
            acts.append(stack.enter_context(_agent(stand, account)))
        yield lambda chance: chance.choice(acts)(chance)


@contextmanager
def _editor(stand: Stand, account: Account) -> Generator[Act]:
    command, environ = [*own_command(), "lsp"], stand.environ(stand.home)
    with (
        (stand.folder / "lsp.err").open("ab") as errors,
        editing(environ, command, folder=stand.places[0], errors=errors) as (editor, running),
    ):
        editor.initialize()
        uri = (stand.places[0] / "queue.py").as_uri()
        editor.open(uri, "\n".join(f"# the {subject} waits" for subject in SUBJECTS))
        version = 1

        def use(chance: Random) -> None:
            nonlocal version
            version += 1
            line = chance.randrange(len(SUBJECTS))
            editor.type(uri, version, line, 0, 0, "# ")
            editor.hover(uri, line, 6)
            editor.hints(uri, len(SUBJECTS))
            account.done["language server"] += 1

        yield use
        editor.leave()
        if running.wait(HANGS) != 0:
            account.violation(f"the language server ended with {running.returncode}")


@contextmanager
def _agent(stand: Stand, account: Account) -> Generator[Act]:
    with subprocess.Popen(
        started_with("mcp"), env=stand.environ(stand.home), cwd=stand.home.root,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as running:  # fmt: skip

        def use(chance: Random) -> None:
            text = statement(chance, account.mark())
            call = chance.choice((
                {"name": "search", "arguments": {"query": text}},
                {"name": "remember", "arguments": {"kind": "fact", "text": text}},
            ))  # fmt: skip
            if not _answer(running, "tools/call", call):
                account.violation("the tool server left or hung")
            account.done["tool server"] += 1

        try:
            _answer(running, "initialize", HELLO)
            yield use
        finally:
            running.kill()


def _answer(server: subprocess.Popen[bytes], method: str, params: dict[str, Any]) -> bytes:
    """Answer of a tool server, whose messages are lines; empty when it left or hung."""
    assert server.stdin is not None
    assert server.stdout is not None
    hung = threading.Timer(HANGS, server.kill)
    hung.start()
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    answered = server.stdout.readline()
    hung.cancel()
    return answered
