"""Migrations: numbered, forward-only, each with a backup, each whole or not at all."""

from __future__ import annotations

import stat
from pathlib import Path

import apsw
import pytest

from daemon.storage.schema import MIGRATIONS, SCHEMA_VERSION, migrate, version_of
from daemon.storage.sql import Sql
from daemon.storage.tables import beginning


def blank(path: Path, version: int) -> apsw.Connection:
    """A database as it was after so many of our migrations."""
    connection = apsw.Connection(str(path))
    sql = Sql(connection)
    for migration in MIGRATIONS[:version]:
        migration(sql)
    sql.rows(f"PRAGMA user_version = {version}")
    return connection


def shape(sql: Sql) -> list[tuple[str, str]]:
    return sorted(
        (str(name), str(text))
        for name, text in sql.rows("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    )


@pytest.mark.parametrize("version", range(SCHEMA_VERSION + 1))
def test_every_version_comes_up_to_the_latest(tmp_path: Path, version: int) -> None:
    fresh = Sql(blank(tmp_path / "fresh.db", SCHEMA_VERSION))
    old = Sql(blank(tmp_path / "old.db", version))
    migrate(old, backups=tmp_path)

    assert version_of(old) == SCHEMA_VERSION
    assert shape(old) == shape(fresh)


def test_each_migration_can_run_twice(tmp_path: Path) -> None:
    sql = Sql(blank(tmp_path / "twice.db", SCHEMA_VERSION))
    before = shape(sql)
    for migration in MIGRATIONS:
        migration(sql)

    assert shape(sql) == before


def add_colour(sql: Sql) -> None:
    sql.rows("ALTER TABLE schedule ADD COLUMN colour TEXT")


def half_then_fail(sql: Sql) -> None:
    add_colour(sql)
    sql.rows("INSERT INTO no_such_table VALUES (1)")


def test_a_migration_of_what_exists_leaves_a_backup(tmp_path: Path) -> None:
    sql = Sql(blank(tmp_path / "store.db", 1))
    sql.rows("INSERT INTO schedule VALUES ('tidy', 1.0, NULL)")
    (backup,) = migrate(sql, backups=tmp_path, migrations=(MIGRATIONS[0], add_colour))
    kept = apsw.Connection(str(backup), flags=apsw.SQLITE_OPEN_READONLY)

    assert sql.rows("SELECT job, colour FROM schedule") == [("tidy", None)]
    assert version_of(sql) == 2
    assert Sql(kept).rows("SELECT * FROM schedule") == [("tidy", 1.0, None)]
    assert version_of(Sql(kept)) == 1
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_a_migration_that_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    sql = Sql(blank(tmp_path / "store.db", 1))
    before = shape(sql)
    with pytest.raises(apsw.SQLError):
        migrate(sql, backups=tmp_path, migrations=(MIGRATIONS[0], half_then_fail))

    assert version_of(sql) == 1
    assert shape(sql) == before
    assert not sql.in_transaction()


def test_a_migration_that_failed_can_be_tried_again(tmp_path: Path) -> None:
    sql = Sql(blank(tmp_path / "store.db", 1))
    with pytest.raises(apsw.SQLError):
        migrate(sql, backups=tmp_path, migrations=(MIGRATIONS[0], half_then_fail))
    migrate(sql, backups=tmp_path, migrations=(MIGRATIONS[0], add_colour))

    assert version_of(sql) == 2


def test_every_table_is_strict() -> None:
    assert beginning.TABLES.count(") STRICT") == beginning.TABLES.count("CREATE TABLE")


def test_several_migrations_of_one_start_leave_one_backup(tmp_path: Path) -> None:
    """Ten copies of a large store would fill a disk that one does not."""
    sql = Sql(apsw.Connection(str(tmp_path / "store.db")))
    migrate(sql, backups=tmp_path, migrations=MIGRATIONS[:2])

    made = migrate(sql, backups=tmp_path)

    assert [backup.name for backup in made] == ["before-schema-3.db"]
