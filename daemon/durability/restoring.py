"""Bringing a copy back in the place of the database, which is kept aside.

For whoever holds the home's lock, so no daemon has the database open. A process killed in the
middle leaves the database where it was, or none beside a marker: then no daemon begins anew in its
place, and bringing a copy back can be done again.
"""

from contextlib import closing, suppress
from pathlib import Path

import apsw
from msgspec import Struct

from daemon import lock
from daemon.durability.copies import (
    ASIDE,
    UNFINISHED,
    Copy,
    Examined,
    copies,
    copy_name,
    copy_whole,
    counted_in,
    log_of,
)
from daemon.durability.marker import marker_of, write_marker
from daemon.home import Home, flushed
from daemon.storage.database.schema import SCHEMA_VERSION
from daemon.storage.database.sql import Sql


class BroughtBack(Struct, frozen=True):
    """Result of bringing a copy back."""

    aside: Path | None  # where the database that was in its place is, if there was one
    events: int | None  # of that one, which are worked through again; None: it cannot be read


def why_not(found: Examined) -> str:
    """Why this copy cannot be brought back; empty when it can."""
    if found.damage:
        return f"it is not sound: {found.damage}"
    if found.schema > SCHEMA_VERSION:
        return f"it is of schema {found.schema} and this reverie knows {SCHEMA_VERSION}: update it"
    return ""


def bring_back(home: Home, copy: Copy, at: float) -> BroughtBack:
    """Put a sound copy in the place of the database, with the events of the latter alone.

    ``at`` is now, seconds UTC. Kept indexes go: they are of other memories. Raises ``OSError`` and
    apsw's errors; then the database is as it was, or aside. Where there is none, an earlier call
    may have been killed: then the newest one aside has the events.
    """
    today: Path | None = home.database
    if not home.database.exists():
        today = next((copy.path for copy in copies(home) if copy.is_aside), None)
    fresh = home.backups / f"restored{UNFINISHED}"  # where an erasure finds what a kill leaves
    copy_whole(copy.path, fresh)
    events = _events_taken(today or home.database, fresh)
    flushed(fresh)
    return BroughtBack(exchange(home, fresh, at) or today, events)


def _events_taken(today: Path, fresh: Path) -> int | None:
    """Take over events of this store missing from the copy, to be worked through at the next start.

    Memories kept by hand came by no event. Returns how many; ``None`` when today's cannot be read.
    """
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    if today.exists() and not today.stat().st_size:
        return None  # opening it would remove its log
    try:
        with closing(apsw.Connection(str(fresh), flags=flags)) as connection:
            sql = Sql(connection)
            # A log would be moved when it is closed, and a full disk then goes unsaid.
            sql.rows("PRAGMA journal_mode = DELETE")
            sql.rows("ATTACH ? AS today", (f"{today.absolute().as_uri()}?mode=ro",))
            return sql.change(
                "INSERT INTO journal (event_id, agent, received_at, kind, session, project, body)"
                " SELECT event_id, agent, received_at, kind, session, project, body"
                " FROM today.journal WHERE body <> x''"
                " AND (SELECT value FROM today.store WHERE name = 'id')"
                "   = (SELECT value FROM main.store WHERE name = 'id')"
                " ORDER BY seq ON CONFLICT DO NOTHING"
            )
    except apsw.FullError:
        raise  # of the copy that is being made: today's database is as it was
    except (apsw.Error, UnicodeDecodeError):
        return None


def exchange(home: Home, fresh: Path, at: float) -> Path | None:
    """Give a sound store on the disk the database's place; returns the path of the former one, if there was one."""
    aside = set_aside(home, at)
    for index in home.indexes.glob("*"):
        index.unlink()
    fresh.rename(home.database)
    flushed(home.root)
    write_marker(home, counted_in(home.database, marker_of))
    lock.forget_failed_start(home)  # hooks need not rest any more
    return aside


def set_aside(home: Home, at: float) -> Path | None:
    """Move the database with its log into the folder of copies, as it is; returns its new path.

    An erasure finds it there, as every copy. ``None`` when there was no database. The log has both
    names meanwhile, where the disk can do so: a kill leaves the two together.
    """
    aside = home.backups / copy_name(ASIDE, at)
    log, kept = log_of(home.database), log_of(aside)
    if not home.database.exists():
        if log.exists():  # of a database that is gone: no other one may take it up
            _rename_log(log, kept, home)
        return None
    if log.exists():
        with suppress(OSError):
            kept.hardlink_to(log)
    home.database.rename(aside)
    if log.exists():
        _rename_log(log, kept, home)
    home.database.with_name(f"{home.database.name}-shm").unlink(missing_ok=True)
    return aside


def _rename_log(log: Path, kept: Path, home: Home) -> None:
    """Move a log into the folder of copies, unless it is there by another name already."""
    if any(there.samefile(log) for there in home.backups.glob("*-wal")):
        log.unlink()
    else:
        log.rename(kept)
