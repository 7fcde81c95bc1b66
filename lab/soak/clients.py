"""Clients that live long: an editor's language server and an agent's tool server."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from random import Random

from daemon.launch import own_command
from lab.benchmarks.tool_server import HELLO, server
from lab.soak.account import Account
from lab.soak.load import SUBJECTS, statement
from lab.soak.stand import HANGS, Stand
from tests.lsp.editing import EditorClient

Act = Callable[[Random], None]


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
    errors = (stand.folder / "lsp.err").open("ab")
    with errors, subprocess.Popen(
        [*own_command(), "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
        env=stand.environ(stand.home), cwd=stand.places[0],
    ) as running:  # fmt: skip
        assert running.stdin is not None
        assert running.stdout is not None
        editor = EditorClient(running.stdin, running.stdout, settings={})
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

        try:
            yield use
            editor.leave()
            if running.wait(HANGS) != 0:
                account.violation(f"the language server ended with {running.returncode}")
        finally:
            running.kill()
            editor.hang_up()
            editor.join()


@contextmanager
def _agent(stand: Stand, account: Account) -> Generator[Act]:
    with server(stand.home.root, "mcp") as tools:
        hung = threading.Timer(HANGS, tools.running.kill)
        tools.line("initialize", HELLO)

        def use(chance: Random) -> None:
            nonlocal hung
            hung = threading.Timer(HANGS, tools.running.kill)
            hung.start()
            text = statement(chance, account.mark())
            answered = tools.line("tools/call", chance.choice((
                {"name": "search", "arguments": {"query": text}},
                {"name": "remember", "arguments": {"kind": "fact", "text": text}},
            )))  # fmt: skip
            hung.cancel()
            account.done["tool server"] += 1
            if not answered:
                account.violation("the tool server left or hung")

        yield use
