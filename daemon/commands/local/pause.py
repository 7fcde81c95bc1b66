"""``pause`` and ``resume``: whether anything is recorded, everywhere, in a project or in a session.

They write one small file of the home, which hooks and the daemon read: no daemon is needed.
"""

from pathlib import Path

import click

from actors.policy.events.switch import Pause
from actors.policy.times.stated_times import BadTime, duration_named
from daemon import recording
from daemon.commands.terminal.output import print_json
from daemon.commands.terminal.words import counted, current_project, now, one_line
from daemon.home import Home, current_home
from daemon.projects import checkout_of

_PROJECT = click.option("--project", is_flag=True, help="Only in the project of this folder.")
_SESSION = click.option("--session", metavar="ID", help="Only in this session of an agent.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.command()
@_PROJECT
@_SESSION
@click.option("--for", "span", metavar="TIME", help="End by itself after 30m, 2h, 1 day, …")
@_JSON
def pause(project: bool, session: str | None, span: str | None, as_json: bool) -> None:
    """Record nothing, and tell agents nothing, until 'reverie resume'.

    Everywhere, unless a project or a session is named. What you remember by hand is kept.
    """
    home, begin = _home(), now()
    try:
        until = begin + duration_named(span) if span is not None else None
    except BadTime as error:
        raise click.BadParameter(str(error), param_hint="--for") from None
    scope = _scope(project, session) or Pause(begin, until)
    recording.pause(home, Pause(begin, until, scope.folders, scope.session))
    _tell(home, begin, as_json)


@click.command()
@_PROJECT
@_SESSION
@_JSON
def resume(project: bool, session: str | None, as_json: bool) -> None:
    """Record again: end every pause, or that of a project or session."""
    home, moment = _home(), now()
    ended = recording.resume(home, moment, _scope(project, session))
    if not as_json:
        click.echo(f"ended {counted(ended, 'pause')}" if ended else "nothing was paused")
    _tell(home, moment, as_json)


def _home() -> Home:
    home = current_home()
    home.prepare()
    return home


def _scope(project: bool, session: str | None) -> Pause | None:
    """Scope of a pause; None: everything."""
    if project and session:
        raise click.UsageError("give --project or --session: one of the two")
    if session is not None and not session.strip():
        raise click.BadParameter("it is empty", param_hint="--session")
    if not (project or session):
        return None
    root = current_project()
    # A worktree lies elsewhere than its project.
    folders = sorted({root, checkout_of(root, str(Path.cwd()))}) if project else []
    return Pause(0.0, None, folders, session or "")


def _tell(home: Home, moment: float, as_json: bool) -> None:
    lines = recording.Recording(home).lines(moment)
    if as_json:
        print_json({"recording": lines})
        return
    for line in lines or ["on"]:
        click.echo(f"recording is {one_line(line)}")
