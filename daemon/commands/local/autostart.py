"""``autostart``: the daemon with the user's session."""

import os

import click

from daemon.autostart import units
from daemon.commands.terminal.output import say
from daemon.home import current_home
from daemon.launch import own_command


@click.command()
@click.option("--off", is_flag=True, help="Take it back: remove what was written.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def autostart(off: bool, as_json: bool) -> None:
    """Start reverie with your session.

    Writes a user unit for systemd, or an agent for launchd (written from its documentation, not run),
    and shows it. It counts from the next login. Hooks and commands start reverie without it too.
    """
    wanted = units.autostart(current_home(), own_command(), os.environ)
    changed = units.switch_off(wanted) if off else units.switch_on(wanted)
    verb = "removed" if off else "wrote"
    lines = [f"{verb} {path}" for path in changed] or ["nothing is to be done"]
    if changed and not off:
        lines += ["", wanted.text.decode()]
    say({"on": not off, verb: [str(path) for path in changed]}, as_json, "\n".join(lines))
