"""Secrets in the files beside the database: the spool, the log, the copies of the database.

Nobody else has these open for long: an event of the spool is replaced by one rename, a log is
written over in place, since a running daemon holds it open, and a copy is a database of its own.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import apsw

from actors.policy.events.cutting import Json, Redact, cut
from actors.policy.secrets.secret_commands import masked
from daemon.home import Home, whole_file
from daemon.storage import secrets
from daemon.storage.database.connection import configured
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from daemon.storage.erasing import scrub
from daemon.storage.secrets import WHOLE
from daemon.storage.tables import statements

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
