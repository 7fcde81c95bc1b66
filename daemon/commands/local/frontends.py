"""``hook``, ``lsp``, ``mcp`` and ``daemon``: commands for agents, editors and services."""

import os
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import click

from daemon.cli import outcome
from daemon.commands.terminal.question import READY_WITHIN
from daemon.home import Home
from daemon.launch import StartFailed, ensure_daemon

Start = Callable[[Home, bool], Awaitable[str | None]]

HOOK = Path(__file__).resolve().parents[3] / "hooks" / "hook.py"


@click.command()
@click.argument("agent")
def hook(agent: str) -> None:
    """Carry one event of an agent (run by the agent).

    Reads the event on standard input and prints what the agent is to be told.
    """
    os.execv(sys.executable, [sys.executable, "-I", "-S", str(HOOK), agent])


@click.command(hidden=True)
def daemon() -> None:
    """Run the daemon in the foreground.

    'reverie up' runs it in the background. A second daemon of the same home leaves.
    """
    from daemon.main import main

    sys.exit(main())


@click.command()
def lsp() -> None:
    """Serve an editor (run by the editor).

    Speaks the language server protocol on standard input and output.
    """
    serve_editor(_started)


def serve_editor(start: Start | None = None) -> NoReturn:
    """Serve one editor and leave, though a thread may still wait for standard input."""
    from lsp.server import run

    code = outcome(partial(run, start=start))
    os._exit(code)


@click.command()
@click.option(
    "--profile",
    type=click.Choice(["default", "full"]),
    default="default",
    show_default=True,
    help="Eight tools, or besides them those of older systems by their names.",
)
def mcp(profile: str) -> None:
    """Serve an agent's tools (run by the agent).

    Speaks the model context protocol on standard input and output.
    """
    if find_spec("mcp") is None:
        raise click.ClickException(
            "the tool server is not installed: install reverie again with its extra, as in"
            " `uv tool install --force 'WHERE[tools]'`"
        )
    from toolserver.server import serve

    serve(profile)


async def _started(home: Home, if_killed: bool) -> str | None:
    """Make sure of a running daemon; returns a line on a failure."""
    import anyio  # the language server stands on it

    ensure = partial(ensure_daemon, home, within=READY_WITHIN, if_killed=if_killed)
    try:
        await anyio.to_thread.run_sync(ensure, abandon_on_cancel=True)
    except StartFailed as error:
        return str(error)
    return None
