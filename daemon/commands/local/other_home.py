"""Memories and gaps of another data home of the same person, read as the lines of its export."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import msgspec

from daemon.commands.terminal.output import error_line
from daemon.durability.copies import opened
from daemon.durability.copying import copy_of, migrated
from daemon.home import Home, distrust
from daemon.shapes.replies import BadRequest
from daemon.shapes.rows import GoneRow, ImportRow, check_row
from daemon.storage import homes
from daemon.storage.database.sql import Sql
from daemon.storage.homes import living_page

PAGE = 500
MAGIC = b"SQLite format 3\0"


def database_at(place: str) -> Path | None:
    """The database of a data home, or a copy of one; ``None`` for a file of rows."""
    path = Path(place).expanduser().absolute()
    if path.is_dir():
        return Home(path).database
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return path if file.read(len(MAGIC)) == MAGIC else None


def lines_of(database: Path, home: Home) -> list[ImportRow | GoneRow]:
    """Every living memory of another home, and the ones ended or erased there; it is only read.

    The home may be of an earlier version.

    Values unfit for a row, such as a time without a day, are left out and named. Raises ``ClickException`` for a
    database unfit to merge.
    """
    if not database.is_file():
        raise click.ClickException(f"there is no database {database}")
    if home.database.exists() and database.samefile(home.database):
        raise click.ClickException(f"{database.parent} is this home")
    if reason := distrust(database):
        raise click.ClickException(f"{database} is not used: {reason}")
    home.prepare()
    with copy_of(database, home) as copy:
        if damage := migrated(copy):
            raise click.ClickException(f"{database} is not sound: {damage}")
        with closing(opened(copy)) as connection:
            sql = Sql(connection)
            return [*_gone(sql), *_rows(sql)]


def _gone(sql: Sql) -> Iterator[GoneRow]:
    after: int | None = 0
    while after is not None:
        rows, after = homes.gaps_page(sql, after, PAGE, None)
        yield from msgspec.convert(rows, list[GoneRow])


def _rows(sql: Sql) -> Iterator[ImportRow]:
    after: int | None = 0
    while after is not None:
        rows, after = living_page(sql, after, PAGE, None, whole=True)
        for given in rows:
            try:
                row = msgspec.convert(given, ImportRow)
                check_row(row)
            except (msgspec.ValidationError, BadRequest) as wrong:
                error_line(f"{given['id']} left out: {wrong}")
            else:
                yield row
