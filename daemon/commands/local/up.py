"""``up`` and ``down``: the life of the daemon."""

import sys

import anyio
import click

from daemon.commands.terminal.conversation import started
from daemon.commands.terminal.output import ask_first, error_line, say
from daemon.home import Home, current_home
from daemon.launch import Hung, end_hung, stop_daemon

UP_WITHIN = 120.0  # seconds: a migration of a large database comes first


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def up(as_json: bool) -> None:
    """Start reverie in the background.

    Returns when it is ready. Does nothing when it already is.
    """
    home = current_home()
    found = anyio.run(started, home, UP_WITHIN)
    said = f"reverie {found.version} is ready (process {found.pid}, home {home.root})"
    say({"ready": True, "pid": found.pid, "version": found.version}, as_json, said)


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
        found = anyio.run(stop_daemon, home)
        left = None if found is None else found.pid
    except Hung as hung:
        left = _ended(home, hung, force)
    said = "reverie was not running" if left is None else "reverie has stopped"
    say({"stopped": left is not None, "pid": left}, as_json, said)


def _ended(home: Home, hung: Hung, force: bool) -> int:
    """End the process that hangs, once a person at a terminal or ``--force`` says so."""
    if hung.process is None or not (force or sys.stdin.isatty()):
        raise hung
    error_line(str(hung))
    if not force:
        ask_first("End it now?", "nothing was ended")
    anyio.run(end_hung, home, hung.process)
    return hung.process
