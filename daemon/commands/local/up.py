"""``up`` and ``down``: the life of the daemon."""

import os
import sys

import click

from daemon.commands.terminal.output import ask_first, error_line, say
from daemon.commands.terminal.question import started
from daemon.home import Home, current_home
from daemon.launch import Hung, end_hung, own_command, stop_daemon

UP_WITHIN = 120.0  # seconds: a migration of a large database comes first


@click.command()
@click.option("--at-login", is_flag=True, help="Only have it start with your session from now on.")
@click.option("--not-at-login", is_flag=True, help="Take --at-login back.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def up(at_login: bool, not_at_login: bool, as_json: bool) -> None:
    """Start reverie in the background.

    Returns when it is ready. Does nothing when it already is. With --at-login it writes a user unit
    for systemd, or an agent for launchd (written from its documentation, not run), and shows it.
    """
    home = current_home()
    if at_login and not_at_login:
        raise click.UsageError("give one of --at-login and --not-at-login")
    if at_login or not_at_login:
        _switch(home, at_login=at_login, as_json=as_json)
        return
    found = started(home, UP_WITHIN)
    said = f"reverie {found.version} is ready (process {found.pid}, home {home.root})"
    say({"ready": True, "pid": found.pid, "version": found.version}, as_json, said)


def _switch(home: Home, *, at_login: bool, as_json: bool) -> None:
    """Write the unit for starting the daemon with the session, or remove it."""
    from daemon import autostart  # only for this

    wanted = autostart.autostart(home, own_command(), os.environ)
    changed = autostart.switch_on(wanted) if at_login else autostart.switch_off(wanted)
    verb = "wrote" if at_login else "removed"
    lines = [f"{verb} {path}" for path in changed] or ["nothing is to be done"]
    if changed and at_login:
        lines += ["", wanted.text.decode()]
    say({"on": at_login, verb: [str(path) for path in changed]}, as_json, "\n".join(lines))


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
    say({"stopped": left is not None, "pid": left}, as_json, said)


def _ended(home: Home, hung: Hung, force: bool) -> int:
    """End the hanging process, once a person at a terminal or ``--force`` says so."""
    if hung.process is None or not (force or sys.stdin.isatty()):
        raise hung
    error_line(str(hung))
    if not force:
        ask_first("End it now?", "nothing was ended")
    end_hung(home, hung.process)
    return hung.process
