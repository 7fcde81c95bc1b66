"""``pause``, ``resume`` and ``redact``: what is kept out of the memory."""

import sys
import tomllib
from pathlib import Path

import click
import msgspec

from actors.policy.events.cutting import Redact
from actors.policy.events.switch import Pause
from actors.policy.secrets.redaction import BadPattern, redacted, with_patterns
from actors.policy.times.stated_times import BadTime, duration_named
from daemon import recording
from daemon.commands.terminal.files import STDIN, read_lines
from daemon.commands.terminal.output import print_json
from daemon.commands.terminal.words import counted, current_project, now, one_line
from daemon.home import Home, current_home
from daemon.projects import checkout_of

# ---- ``pause`` and ``resume``: they write a small file of the home, which hooks and the daemon read; no daemon is needed

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


# ---- ``redact``: the redaction of secrets as a filter. Needs no daemon and stores nothing


class TextLine(msgspec.Struct, frozen=True):
    """One line of ``--jsonl``."""

    id: str
    text: str


@click.command()
@click.option("--jsonl", is_flag=True, help='Lines of {"id", "text"} in, with "found" added out.')
def redact(jsonl: bool) -> None:
    """Take the secrets out of a text.

    Reads standard input and writes it as it would be stored.
    """
    redact_text = _redact_of(current_home())
    if not jsonl:
        text, _found = redact_text(sys.stdin.buffer.read().decode("utf-8", "replace"))
        click.echo(text, nl=False)
        return
    for line in read_lines(STDIN, TextLine):
        text, found = redact_text(line.text)
        print_json({"id": line.id, "text": text, "found": found})


def _redact_of(home: Home) -> Redact:
    """The rules of redaction with the user's patterns.

    ``daemon.settings`` reads the same key; to import it is to import every actor.
    """
    try:
        found = tomllib.loads(home.config.read_text(encoding="utf-8"))
        patterns = found.get("redaction", {}).get("patterns", [])
        return with_patterns(redacted, patterns)
    except FileNotFoundError:
        return redacted
    except (OSError, ValueError, TypeError, AttributeError) as error:
        wrong = f"redaction.patterns: {error}" if isinstance(error, BadPattern) else error
        raise click.ClickException(f"{home.config}: {wrong}") from error
