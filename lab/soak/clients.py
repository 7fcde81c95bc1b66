"""Clients that live long: an editor's language server and an agent's tool server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from random import Random

from daemon.launch import own_command
from lab.benchmarks.editors import editor as editing
from lab.benchmarks.tool_server import HELLO, server
from lab.soak.account import Account
from lab.soak.load import SUBJECTS, statement
from lab.soak.stand import HANGS, Stand

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
