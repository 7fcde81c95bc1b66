"""How a store comes up to the schema of this version; the tables are in ``tables``.

Migrations are numbered, forward-only, additive and idempotent; each runs in one
transaction; a backup is made before the first of a start. ``PRAGMA user_version`` counts them.
"""

from collections.abc import Callable
from pathlib import Path

from daemon.storage import claims, importance
from daemon.storage.sql import Sql
from daemon.storage.tables import (
    beginning,
    consolidation,
    dreams,
    episodes,
    gate,
    graph,
    intentions,
    plans,
    strength,
    tokens,
    words,
)

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
    sql.rows(episodes.TABLES)


def _to_4(sql: Sql) -> None:
    """Claims and time: how sure a memory is, when it is true, what it is the current value of."""
    claims.add_columns(sql)


def _to_5(sql: Sql) -> None:
    """What memories have to do with each other: associations, and how sure a link is, and why."""
    sql.rows(graph.TABLES)
    columns = {name for (name,) in sql.rows("SELECT name FROM pragma_table_info('memory_link')")}
    if "strength" not in columns:
        sql.rows("ALTER TABLE memory_link ADD COLUMN strength REAL NOT NULL DEFAULT 1.0")
    if "evidence" not in columns:
        sql.rows("ALTER TABLE memory_link ADD COLUMN evidence TEXT NOT NULL DEFAULT ''")


def _to_6(sql: Sql) -> None:
    """Intentions: what somebody means to do later."""
    sql.rows(intentions.TABLES)


def _to_7(sql: Sql) -> None:
    """How important a memory was found and what changed that; which captures were told of."""
    importance.add_tables(sql)


def _to_8(sql: Sql) -> None:
    """What use and people made of a memory: credits, opinions, proposals, labile windows."""
    sql.rows(strength.TABLES)


def _to_9(sql: Sql) -> None:
    """Whose words changed: what keeps the words in memory up to date."""
    sql.rows(words.TABLES)


def _to_10(sql: Sql) -> None:
    """On which scale the gate reads another embedding model's cosines."""
    sql.rows(gate.TABLES)


def _to_11(sql: Sql) -> None:
    """The connection graph: what dreaming and consolidation saw."""
    sql.rows(dreams.TABLES)


def _to_12(sql: Sql) -> None:
    """Plans: what would be done to memories that nobody named; what was archived."""
    sql.rows(plans.TABLES)


def _to_13(sql: Sql) -> None:
    """How relevant memories are, as consolidation computes it."""
    sql.rows(consolidation.TABLES)


def _to_14(sql: Sql) -> None:
    """What sessions were shown unasked, in the order in which it is counted."""
    sql.rows(strength.TABLES)


def _to_15(sql: Sql) -> None:
    """The signs of memories' token vectors: what late interaction compares."""
    sql.rows(tokens.TABLES)


def _to_16(sql: Sql) -> None:
    """One forgetting curve: what was never reviewed has the stability of its type on it."""
    sql.rows(strength.TYPICAL)


MIGRATIONS: tuple[Migration, ...] = (
    _to_1, _to_2, _to_3, _to_4, _to_5, _to_6, _to_7, _to_8, _to_9, _to_10, _to_11,
    _to_12, _to_13, _to_14, _to_15, _to_16,
)  # fmt: skip
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
    """Bring the store up to date; returns the backup that was made, if any.

    Each migration and the version it leads to are one transaction; one backup serves all that
    run at one start. Raises ``StoreTooNew`` when the store is ahead of this code.
    """
    made: list[Path] = []
    version = version_of(sql)
    if version > len(migrations):
        raise StoreTooNew(
            f"the store is of schema {version} and this reverie knows {len(migrations)}: update it"
        )
    if 0 < version < len(migrations):  # of a new and empty store there is nothing to keep
        made.append(_backed_up(sql, backups / f"before-schema-{version + 1}.db"))
    for number, migration in enumerate(migrations[version:], start=version + 1):
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
