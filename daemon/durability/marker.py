"""The marker beside the database: counts of its content, for noticing a loss at the next start.

It is written a second after a commit (``MARKED_EVERY`` of the store), so it may lag by as much: of
writes in the last second before a loss it says nothing. It never tells of more than is durable.

Rows are counted by SQLite's own number for every table whose ids are never used again: the count
goes up with every event, memory, version, review and exposure, never down, and costs a commit
nothing. A mere change of a row (a pin, a tier) does not move it. Present memories are counted as
well, and erased ones: if fewer are left than the two explain, another program deleted some.

Without a marker the newest backup tells the former content: whoever removes ``reverie.db*`` takes
both. Without a backup the indexes do, as they lie in a folder of their own.

A database short of rows is opened all the same, and the loss is told for a week, in ``status``,
``doctor`` and the log. Who lost the last hour wants to go on working and to know it; to refuse
would lose the next hour as well. Only where nothing at all is left of former memories, the start is
refused: else an empty store would be filled while the right one may lie somewhere near.
"""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

import apsw
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daemon.durability.copies import LIVING, Copy, copies, counted_in, log_of, sound_copies
from daemon.durability.readable import unread
from daemon.home import Home, whole_file
from daemon.storage.database.sql import Row, Sql

TOLD: Final = 7 * 86_400.0  # seconds for which a loss is said


class Marker(Struct, frozen=True):
    """Contents of the marker file beside the database."""

    store_id: str
    memories: int  # that live
    rows: int = 0  # that were ever made; 0 from an earlier version
    kept: int = 0  # memories that are there, forgotten ones included; 0 from an earlier version
    erased: int = 0  # memories that were ever erased
    loss: str = ""  # what was found missing at a start, in one line
    lost_at: float = 0.0  # seconds UTC: when it was found
    moved_to: str = ""  # the folder to which a running daemon's home was moved from here


def read_marker(home: Home) -> Marker | None:
    """The marker, or ``None`` without a readable one."""
    try:
        return msgspec.json.decode(home.marker.read_bytes(), type=Marker)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def write_marker(home: Home, marker: Marker) -> None:
    """Replace the marker in one step."""
    with whole_file(home.marker, durable=True) as file:
        file.write(msgspec.json.encode(marker))


def marker_of(sql: Sql) -> Marker:
    """The marker of this database; an empty one without tables."""
    with suppress(apsw.SQLError):
        ids = sql.column("SELECT value FROM store WHERE name = 'id'")
        rows = sql.number("SELECT sum(seq) FROM sqlite_sequence")
        kept = sql.number("SELECT count(*) FROM memory")
        erased = sql.number("SELECT CAST(value AS INTEGER) FROM store WHERE name = 'erased'")
        return Marker(str(ids[0]) if ids else "", sql.number(LIVING), rows, kept, erased)
    return Marker("", 0)


def compared(home: Home, found: Marker, now: float) -> Marker:
    """The marker with the losses of now, or of the last week."""
    before = read_marker(home) or _backed_up(home)
    loss = _vanished(home, found) if before is None else _loss(home, before, found)
    if loss:
        return replace(found, loss=loss, lost_at=now)
    if before is not None and before.loss and before.lost_at <= now < before.lost_at + TOLD:
        return replace(found, loss=before.loss, lost_at=before.lost_at)
    return found


def log_damage(home: Home, sql: Sql) -> str:
    """Say that rows of the marker stand in the log where SQLite does not read; else empty."""
    marker = read_marker(home)
    missing = 0 if marker is None else marker.rows - marker_of(sql).rows
    if missing <= 0 or not unread(home.database):
        return ""
    return (
        f"{log_of(home.database)} is damaged, and the last {missing:,} rows that were written stand"
        " behind the damage: 'reverie doctor --fix' brings back what can be read"
    )


def emptied(home: Home, sql: Sql) -> str:
    """Say that another, empty store lies in place of one with memories; else empty."""
    marker = read_marker(home)
    if marker is None or not marker.memories or marker_of(sql).store_id == marker.store_id:
        return ""
    with suppress(apsw.SQLError):  # no table: empty
        if sql.number("SELECT count(*) FROM memory"):
            return ""
    return f"{home.database} is a new and empty store, but {had(marker, 'the one before')}"


def had(marker: Marker, where: str) -> str:
    """Say how many memories were there."""
    memories = "memory was" if marker.memories == 1 else "memories were"
    return f"{marker.memories:,} {memories} in {where}"


def _backed_up(home: Home) -> Marker | None:
    """The marker of the newest readable copy; ``None`` when there is none."""
    for copy in copies(home):
        if not copy.is_aside:
            with suppress(apsw.Error, UnicodeDecodeError):
                return counted_in(copy.path, marker_of)
    return None


def _vanished(home: Home, found: Marker) -> str:
    """The loss told by the indexes alone, which nobody removes with the database; else empty."""
    if found.store_id or not (home.indexes.is_dir() and any(home.indexes.iterdir())):
        return ""
    other = f"indexes of another one lie in {home.indexes}"
    return f"{home.database} is new and empty, and {other}; no copy in {home.backups} has more"


def _loss(home: Home, before: Marker, found: Marker) -> str:
    """The loss and its remedy, in one line; empty without a loss."""
    if before.store_id != found.store_id:
        if not before.memories:
            return ""
        other = f"another store than before: it has {_counted(found.memories)}"
        what = f"is {other if found.memories else 'new and empty'}, and the one before had"
        return f"{home.database} {what} {before.memories:,}; {_remedy(home, before, found)}"
    missing = before.rows - found.rows
    if missing <= 0:
        return deletion(home, before, found)
    what = f"lacks the last {missing:,} rows that were written: it has {_counted(found.memories)}, and had"
    cause = "its log (-wal) is gone, or an older copy was put in its place"
    return f"{home.database} {what} {before.memories:,}: {cause}; {_remedy(home, before, found)}"


def deletion(home: Home, before: Marker, found: Marker) -> str:
    """The memories deleted by another program since, and the remedy, in one line; empty without any."""
    if (gone := _deleted(before, found)) <= 0:
        return ""
    best = fullest(home)
    remedy = (
        f"'reverie doctor --fix' brings back {_counted(best[1])} of {best[0].path.name}"
        if best is not None
        else f"no copy in {home.backups} has more"
    )
    return f"{home.database} lacks {_counted(gone)} that another program deleted: {remedy}"


def _deleted(before: Marker, found: Marker) -> int:
    """Count memories gone without being erased."""
    erased = found.erased - before.erased
    return before.kept - erased - found.kept if before.store_id == found.store_id else 0


def fullest(home: Home) -> tuple[Copy, int] | None:
    """The newest sound copy with memories lost from the database, and how many; ``None`` without one.

    Looks only where a loss is told of or found. No copy has erased texts: an erasure takes all
    copies.
    """
    marker = read_marker(home)
    if marker is None or not home.database.exists():
        return None
    with suppress(apsw.Error, UnicodeDecodeError):  # it is damaged
        found, there = counted_in(home.database, _born)
        if not marker.loss and _deleted(marker, found) <= 0:
            return None
        for copy, examined in sound_copies(home):
            if examined.store_id == found.store_id:
                more = counted_in(copy.path, _born)[1] - there
                if more:
                    return copy, len(more)
    return None


def _born(sql: Sql) -> tuple[Marker, set[Row]]:
    """Figures of a store, and which memories it has: by the moment each was made as well."""
    return marker_of(sql), set(sql.rows("SELECT id, created_at FROM memory"))


def _counted(memories: int) -> str:
    return f"{memories:,} {'memory' if memories == 1 else 'memories'}"


def _remedy(home: Home, before: Marker, found: Marker) -> str:
    """The newest copy with more of the former content; one with less would lose more."""
    for copy in copies(home):
        with suppress(apsw.Error, UnicodeDecodeError):
            there = counted_in(copy.path, marker_of)
            has_more = there.store_id != found.store_id or there.rows > found.rows
            if there.store_id == before.store_id and has_more:
                at = datetime.fromtimestamp(copy.at, UTC)
                return (
                    f"'reverie backup restore {copy.path.name}' brings back"
                    f" {_counted(there.memories)} of {at:%Y-%m-%d %H:%M} UTC"
                )
    return f"no copy in {home.backups} has more"
