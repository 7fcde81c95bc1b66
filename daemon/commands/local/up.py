"""``up`` and ``down``: the life of the daemon."""

from functools import partial

import anyio
import click

from daemon.commands.terminal.output import error_line, say
from daemon.home import current_home
from daemon.launch import ensure_daemon, stop_daemon

UP_WITHIN = 120.0  # seconds: a migration of a large database comes first


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def up(as_json: bool) -> None:
    """Start reverie in the background.

    Returns when it is ready. Does nothing when it already is.
    """
    home = current_home()
    found = anyio.run(partial(ensure_daemon, home, within=UP_WITHIN, say=error_line))
    said = f"reverie {found.version} is ready (process {found.pid}, home {home.root})"
    say({"ready": True, "pid": found.pid, "version": found.version}, as_json, said)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def down(as_json: bool) -> None:
    """Stop reverie.

    Returns when it has finished its work and left. Hooks and editors start it again.
    """
    left = anyio.run(stop_daemon, current_home())
    said = "reverie was not running" if left is None else "reverie has stopped"
    say({"stopped": left is not None, "pid": left.pid if left else None}, as_json, said)
