"""Commands about processes: ``up``, ``down`` and ``status`` of the daemon; those that agents, editors and services run; ``view``."""

import os
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import click
import msgspec

from daemon import own_version
from daemon.api.status import Status, StatusReply
from daemon.asking import DaemonAway, open_connection
from daemon.cli import outcome
from daemon.commands.terminal.output import ask_first, error_line, print_json, print_lines, show
from daemon.commands.terminal.question import READY_WITHIN, started
from daemon.commands.terminal.words import age, duration, now, one_line
from daemon.home import Home, current_home
from daemon.launch import (
    HUNG_AFTER,
    Hung,
    StartFailed,
    end_hung,
    ensure_daemon,
    greeting,
    stop_daemon,
)
from daemon.lock import failed_start, holder
from daemon.recording import Recording

# ---- ``up`` and ``down``: the life of the daemon

UP_WITHIN = 120.0  # seconds: a migration of a large database comes first


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def up(as_json: bool) -> None:
    """Start reverie in the background.

    Returns when it is ready. Does nothing when it already is.
    """
    home = current_home()
    found = started(home, UP_WITHIN)
    said = f"reverie {found.version} is ready (process {found.pid}, home {home.root})"
    show({"ready": True, "pid": found.pid, "version": found.version}, as_json, [said])


@click.command()
@click.option("--force", is_flag=True, help="End one that hangs, without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def down(force: bool, as_json: bool) -> None:
    """Stop reverie.

    Returns when it has finished its work and left. Hooks and editors start it again. One that hangs
    is ended after asking, or with --force; what it had acknowledged is kept.
    """
    home = current_home()
    try:
        found = stop_daemon(home)
        left = None if found is None else found.pid
    except Hung as hung:
        left = _ended(home, hung, force)
    said = "reverie was not running" if left is None else "reverie has stopped"
    show({"stopped": left is not None, "pid": left}, as_json, [said])


def _ended(home: Home, hung: Hung, force: bool) -> int:
    """End the hanging process, once a person at a terminal or ``--force`` says so."""
    if hung.process is None or not (force or sys.stdin.isatty()):
        raise hung
    error_line(str(hung))
    if not force:
        ask_first("End it now?", "nothing was ended")
    end_hung(home, hung.process)
    return hung.process


# ---- ``status``: how the daemon is

STATUS_WITHIN = 10.0  # seconds


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def status(as_json: bool) -> None:
    """Show how reverie is.

    Does not start it: when it is not running, the exit code is 1.
    """
    home = current_home()
    found = current_status(home)
    if found is not None:
        found = msgspec.structs.replace(found, **off_here(home))
    else:
        failed = failed_line(home, now())
        if as_json:
            print_json(_absent(home, failed))
        else:
            for line in off_here(home)["recording"]:
                click.echo(f"recording is {one_line(line)}")
        raise click.ClickException(
            f"not running: {failed}"
            if failed
            else f"not running (home {home.root}); 'reverie up' starts it"
        )
    if as_json:
        print_json(found)
    else:
        print_lines(Status().lines(found))


def current_status(home: Home) -> StatusReply | None:
    """Status by the daemon; ``None`` when there is none. Raises ``Hung`` at once for a hanging one."""
    strangers: list[str] = []
    try:
        if greeting(home, strangers.append, within=HUNG_AFTER) is not None:
            with open_connection(home) as connection:
                return connection.ask(Status(), within=STATUS_WITHIN)
    except DaemonAway:
        return None
    if strangers:
        raise StartFailed(strangers[0])
    return None


def off_here(home: Home) -> dict[str, Any]:
    """Part of the reply known to this process alone: where recording is off, and lines about it."""
    recording, moment = Recording(home), now()
    here = recording.off_here(moment)
    folder = "" if here is None else here.folder
    if here is not None and here.pause is not None:
        folder = here.pause.folders[0] if here.pause.folders else "/"
    return {"recording_off": folder, "recording": recording.lines(moment)}


def failed_line(home: Home, moment: float) -> str:
    """Failure to start and who tries again when; empty when none failed, or one goes on."""
    failed = failed_start(home)
    if failed is None or holder(home) is not None:
        return ""
    which = "the last start" if failed.times == 1 else f"the last {failed.times} starts"
    left = failed.at + failed.rest - moment
    hooks = f", agents' hooks again in {duration(left)}" if 0 < left <= failed.rest else ""
    since = age(moment - failed.at)
    return f"{which} failed, {since}: {failed.why}; 'reverie up' tries at once{hooks}"


def _absent(home: Home, failed: str) -> StatusReply:
    """The shape of a reply, for scripts waiting for ``ready``."""
    from daemon.durability.copies import newest  # SQLite: only for this

    copy = newest(home)
    return StatusReply(
        version=own_version(),
        home=str(home.root),
        vectors_detail="not running",
        degraded=["not running", *([failed] if failed else [])],
        backup=None if copy is None else copy.at,
        **off_here(home),
    )


# ---- ``hook``, ``lsp``, ``mcp`` and ``daemon``: commands for agents, editors and services

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

    os._exit(outcome(partial(run, start=start)))


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


# ---- ``view``: pages to look at in a browser

PAGES = ("inbox", "today", "memories", "start", "health")


@click.command()
@click.option("--no-open", is_flag=True, help="Print the address and open no browser.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=0, help="Listen there, not anywhere free."
)
@click.option("--page", type=click.Choice(PAGES), help="Begin with this page.")
def view(no_open: bool, port: int, page: str | None) -> None:
    """Look at what was learnt and told, in a browser.

    Prints an address on this machine that works once and for your own user, opens it, and serves the pages
    until 15 minutes after the last one was closed. Ctrl-C ends it.
    """
    if find_spec("uvicorn") is None:
        raise click.ClickException(
            "the view is not installed: install reverie again with its extra, as in"
            " `uv tool install --force 'WHERE[view]'`"
        )
    home = current_home()
    started(home, READY_WITHIN)
    from viewer.serve import listener, serve

    try:
        listening = listener(port)
    except OSError as error:
        raise click.ClickException(f"port {port} cannot be had: {error.strerror}") from None
    serve(home, listening, page=page or "", opens=not no_open, say=click.echo)
