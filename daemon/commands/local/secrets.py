"""``doctor --secrets``: secrets under today's rules in texts let in by earlier ones."""

from collections import Counter

import click

from actors.policy.events.cutting import Redact
from daemon.api.erase import Secrets
from daemon.commands.local import secret_files
from daemon.commands.local.config import loaded
from daemon.commands.terminal.output import (
    ask_first,
    error_line,
    print_json,
    print_table,
    progress_line,
)
from daemon.commands.terminal.question import watched
from daemon.commands.terminal.words import counted
from daemon.home import Home

NO_WAY_BACK = (
    "Taking them out cannot be undone: the text is replaced by [REDACTED] in the store, its indexes,"
    " the journal, the spool, the logs and the backups."
)

STOPPED = (
    "stopped: what was taken out so far stays out, the rest is as it was; run it again, since the"
    " files are rewritten at its end"
)


def clean(home: Home, *, yes: bool, as_json: bool) -> None:
    """Show how many secrets stand where; take them out when a person says so."""
    redact = loaded(home).settings.redact()
    found, rows, _, unread = _looked_through(home, redact, take_out=False)
    if not as_json:
        _print(found, rows)
    for place, why in unread.items():
        error_line(
            f"{place} cannot be looked through ({why}) and may hold secrets: delete it if you do not"
            " need it"
        )
    if found:
        _take_out(home, redact, yes=yes, as_json=as_json)
    elif as_json:
        print_json({"places": {}, "rows": rows, "taken_out": False, "forgotten": 0})
    if unread:
        raise click.ClickException("not everything could be looked through")


def _take_out(home: Home, redact: Redact, *, yes: bool, as_json: bool) -> None:
    if not yes:
        click.echo(NO_WAY_BACK, err=True)
        ask_first("Take them out?")
    try:
        taken, rows, forgotten, _ = _looked_through(home, redact, take_out=True)
    except KeyboardInterrupt:
        raise click.ClickException(STOPPED) from None
    if as_json:
        print_json(
            {
                "places": dict(sorted(taken.items())),
                "rows": rows,
                "taken_out": True,
                "forgotten": forgotten,
            }
        )
        return
    click.echo(f"{counted(taken.total(), 'secret')} taken out")
    if forgotten:
        click.echo(
            f"{counted(forgotten, 'memory', 'memories')} said nothing else and"
            f" {'was' if forgotten == 1 else 'were'} forgotten"
        )


def _looked_through(
    home: Home, redact: Redact, *, take_out: bool
) -> tuple[Counter[str], int, int, dict[str, str]]:
    """Return counts by place, of rows and of forgotten texts, and unreadable files with the reason."""
    with progress_line() as show:
        counts, unread = secret_files.look_through(home, redact, show, take_out=take_out)
    asks = Secrets(take_out=take_out)
    found = watched(asks, asks.step, home)
    counts.update({at.place: at.secrets for at in found.places})
    return counts, found.rows, found.forgotten, unread


def _print(found: Counter[str], rows: int) -> None:
    if not found:
        click.echo(f"no secrets in {counted(rows, 'row')}, the spool, the logs and the backups")
        return
    print_table([[place, str(count)] for place, count in sorted(found.items())])
