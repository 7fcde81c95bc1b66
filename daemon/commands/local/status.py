"""``status``: how the daemon is."""

import os
from collections.abc import Sequence
from typing import Any

import click
import msgspec

from daemon import own_version
from daemon.api.status import Status, StatusReply
from daemon.asking import DaemonAway, Refused, open_connection
from daemon.commands.terminal.output import print_json, print_lines
from daemon.commands.terminal.words import age, duration, now, one_line
from daemon.durability.copies import newest
from daemon.home import Home, current_home
from daemon.launch import HUNG_AFTER, StartFailed, greeting, lock_holder
from daemon.lock import failed_start
from daemon.recording import Recording

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
        degraded = [*found.degraded, *_unreadable_settings(home, found.uptime)]
        found = msgspec.structs.replace(found, degraded=degraded, **off_here(home))
    else:
        failed = failed_line(home, now())
        if as_json:
            print_json(_absent(home, failed))
        else:
            _tell_off(off_here(home)["recording"])
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
    """Status by the daemon; ``None`` when there is none. A hanging one is told at once."""
    strangers: list[str] = []
    try:
        if greeting(home, strangers.append, within=HUNG_AFTER) is not None:
            with open_connection(home) as connection:
                return connection.ask(Status(), within=STATUS_WITHIN)
    except DaemonAway:
        return None
    except StartFailed as error:
        raise click.ClickException(str(error)) from error
    except Refused as error:
        raise click.ClickException(f"refused: {error}") from error
    except TimeoutError as error:
        problem = (
            f"the daemon did not answer within {STATUS_WITHIN:g} s; see 'reverie log --daemon'"
        )
        raise click.ClickException(problem) from error
    if strangers:
        raise click.ClickException(strangers[0])
    return None


def off_here(home: Home) -> dict[str, Any]:
    """Part of the reply known to this process alone: where recording is off, and lines about it."""
    recording, moment = Recording(home), now()
    here = recording.off_here(moment)
    folder = "" if here is None else here.folder
    if here is not None and here.pause is not None:
        folder = here.pause.folders[0] if here.pause.folders else "/"
    return {"recording_off": folder, "recording": recording.lines(moment)}


def _unreadable_settings(home: Home, uptime: float) -> list[str]:
    """Line about a mistake in settings not yet read by the running daemon."""
    try:
        is_new = home.config.stat().st_ctime > now() - uptime
    except OSError:
        is_new = False
    is_set = any(name.startswith("REVERIE_") and name.count("_") > 1 for name in os.environ)
    if not (is_new or is_set):
        return []
    # Not before: to import it is to import every actor, ten times what all else of this costs.
    from daemon.settings import SettingsError, load

    try:
        load(home, os.environ)
    except SettingsError as error:
        return [f"the next start will fail: {error}"]
    return []


def _tell_off(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(f"recording is {one_line(line)}")


def failed_line(home: Home, moment: float) -> str:
    """Failure to start and who tries again when; empty when none failed, or one goes on."""
    failed = failed_start(home)
    if failed is None or lock_holder(home) is not None:
        return ""
    which = "the last start" if failed.times == 1 else f"the last {failed.times} starts"
    left = failed.at + failed.rest - moment
    hooks = f", agents' hooks again in {duration(left)}" if 0 < left <= failed.rest else ""
    since = age(moment - failed.at)
    return f"{which} failed, {since}: {failed.why}; 'reverie up' tries at once{hooks}"


def _absent(home: Home, failed: str) -> StatusReply:
    """The shape of a reply, for scripts waiting for ``ready``."""
    copy = newest(home)
    return StatusReply(
        version=own_version(),
        home=str(home.root),
        vectors_detail="not running",
        degraded=["not running", *([failed] if failed else [])],
        backup=None if copy is None else copy.at,
        **off_here(home),
    )
