"""``doctor --secrets``: secrets under today's rules in texts let in by earlier ones."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import apsw
import click

from actors.policy.events.cutting import Json, Redact, cut
from actors.policy.secrets.secret_commands import masked
from daemon.api.erase import Secrets
from daemon.commands.local.config import loaded
from daemon.commands.terminal.output import (
    ask_first,
    error_line,
    print_json,
    print_lines,
    progress_line,
)
from daemon.commands.terminal.question import watched
from daemon.commands.terminal.words import counted
from daemon.home import Home, whole_file
from daemon.storage import secrets
from daemon.storage.database.connection import configured
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from daemon.storage.erasing import scrub
from daemon.storage.secrets import WHOLE
from daemon.storage.tables import statements

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
        counts, unread = look_through(home, redact, show, take_out=take_out)
    asks = Secrets(take_out=take_out)
    found = watched(asks, asks.step, home)
    counts.update({at.place: at.secrets for at in found.places})
    return counts, found.rows, found.forgotten, unread


def _print(found: Counter[str], rows: int) -> None:
    if not found:
        click.echo(f"no secrets in {counted(rows, 'row')}, the spool, the logs and the backups")
        return
    print_lines([place, str(count)] for place, count in sorted(found.items()))


# ---- secrets in the files beside the database: the spool, the log, the copies of the database
#
# Nobody else has these open for long: an event of the spool is replaced by one rename, a log is
# written over in place, since a running daemon holds it open, and a copy is a database of its own.

Show = Callable[[str], None]


def look_through(
    home: Home, redact: Redact, show: Show, *, take_out: bool
) -> tuple[Counter[str], dict[str, str]]:
    """Count the secrets by place, and take them out if wanted.

    Also returns the unreadable copies, each with the reason. Every file is done for itself: one
    left by an exception is as it was before.
    """
    unread: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for path in _files(home.spool, "*"):
        show(f"spool: {path.name}")
        counts["spool"] += _in_event(path, redact, take_out=take_out)
    for path in _files(home.log.parent, "*"):
        show(f"logs: {path.name}")
        counts["logs"] += _in_log(path, redact, take_out=take_out)
    for path in _files(home.backups, "*.db"):
        place = f"backups/{path.name}"
        show(place)
        try:
            counts[place] += _in_copy(path, redact, take_out=take_out)
        except (apsw.Error, UnicodeDecodeError) as error:
            unread[place] = type(error).__name__
    return +counts, unread


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def _in_event(path: Path, redact: Redact, *, take_out: bool) -> int:
    """Secrets in a spooled event; any other file, as one set aside, is a text."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return 0  # taken in meanwhile
    cleaned, count = _cleaned(text, redact)
    if count and take_out and path.exists():
        with whole_file(path, durable=True) as file:
            file.write(cleaned.encode())
    return count


def _cleaned(text: str, redact: Redact) -> tuple[str, int]:
    try:
        envelope: object = json.loads(text)
    except (ValueError, RecursionError):
        envelope = None
    if not isinstance(envelope, dict):
        plain, kinds = redact(text)
        return plain, len(kinds)
    whole = cast("dict[str, Json]", envelope)
    event = whole.get("event")
    without = masked(event) if isinstance(event, dict) else event
    body, kinds = cut(without, redact, WHOLE)
    return json.dumps(whole | {"event": body}), len(kinds) + (without != event)


def _in_log(path: Path, redact: Redact, *, take_out: bool) -> int:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    lines = [redact(line) for line in text.splitlines(keepends=True)]
    count = sum(len(kinds) for _, kinds in lines)
    if count and take_out:
        cleaned = "".join(line for line, _ in lines).encode("utf-8", "surrogateescape")
        with path.open("r+b") as file:  # whoever appends to it goes on at its new end
            file.write(cleaned)
            file.truncate()
    return count


def _in_copy(path: Path, redact: Redact, *, take_out: bool) -> int:
    """Secrets in a copy of the database; raises apsw's errors for an unreadable one."""
    flags = apsw.SQLITE_OPEN_READWRITE if take_out else apsw.SQLITE_OPEN_READONLY
    with closing(apsw.Connection(str(path), flags=flags)) as opened:
        sql = Sql(opened)
        configured(sql, read_only=not take_out)
        count = 0
        for page in _pages(sql, redact):
            count += sum(page.secrets.values())
            if take_out and page.writes:
                sql.rows(statements("words"))  # of a later schema; made before it is missed
                carry_out(sql, [tuple(page.writes)])
        if count and take_out:
            scrub(sql)
            sql.rows("PRAGMA journal_mode = DELETE")
        return count


def _pages(sql: Sql, redact: Redact) -> Iterator[secrets.Page]:
    for place in secrets.places(sql):
        after: tuple[Any, ...] | None = None
        while True:
            page = secrets.page(sql, place, after, redact)
            yield page
            after = page.last
            if after is None:
                break
