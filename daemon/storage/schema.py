"""How a store comes up to the schema of this version; the tables are in ``tables``.

Migrations are numbered, forward-only, additive and idempotent; each runs in one
transaction, after a backup of what was there. ``PRAGMA user_version`` counts them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from daemon.storage.sql import Sql
from daemon.storage.tables import beginning, capturing

Migration = Callable[[Sql], None]


def _to_1(sql: Sql) -> None:
    sql.rows(beginning.TABLES)


def _to_2(sql: Sql) -> None:
    """A session may want no notes: the opt-out of one session."""
    columns = {name for (name,) in sql.rows("SELECT name FROM pragma_table_info('session')")}
    if "silent" not in columns:  # SQLite has no ADD COLUMN IF NOT EXISTS
        sql.rows(
            "ALTER TABLE session ADD COLUMN silent INTEGER NOT NULL DEFAULT 0"
            " CHECK (silent IN (0, 1))"
        )


def _to_3(sql: Sql) -> None:
    """Synaptic tagging and capture: what an important moment makes of the hours around it."""
    sql.rows(capturing.TABLES)


MIGRATIONS: tuple[Migration, ...] = (_to_1, _to_2, _to_3)
SCHEMA_VERSION = len(MIGRATIONS)


class StoreTooNew(Exception):
    """A newer reverie wrote this store: update this one."""


def version_of(sql: Sql) -> int:
    """The number of migrations this store has had."""
    return sql.number("PRAGMA user_version")


def migrate(
    sql: Sql,
    *,
    backups: Path,
    migrations: tuple[Migration, ...] = MIGRATIONS,
) -> list[Path]:
    """Bring the store up to date; returns the backups that were made.

    Each migration and the version it leads to are one transaction. Raises
    ``StoreTooNew`` when the store is ahead of this code.
    """
    made: list[Path] = []
    version = version_of(sql)
    if version > len(migrations):
        raise StoreTooNew(
            f"the store is of schema {version} and this reverie knows {len(migrations)}: update it"
        )
    for number, migration in enumerate(migrations[version:], start=version + 1):
        if version:  # of a new and empty store there is nothing to keep
            made.append(_backed_up(sql, backups / f"before-schema-{number}.db"))
        sql.rows("BEGIN IMMEDIATE")
        try:
            migration(sql)
            sql.rows(f"PRAGMA user_version = {number}")
        except BaseException:
            sql.rows("ROLLBACK")
            raise
        sql.rows("COMMIT")
    return made


def _backed_up(sql: Sql, target: Path) -> Path:
    unfinished = target.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    sql.copy_to(unfinished)
    unfinished.chmod(0o600)
    unfinished.rename(target)
    return target
