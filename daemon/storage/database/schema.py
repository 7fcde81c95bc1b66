"""Migration of a store to the schema of this version; the tables are in ``tables``.

Migrations are numbered, forward-only, idempotent, and additive except for tables nobody reads any more; each runs in
one transaction; a backup is made before the first of a start. ``PRAGMA user_version`` counts them.
"""

from collections.abc import Callable
from pathlib import Path

from daemon.storage import edit, episodes, files, homes, memories, passages, read_notes
from daemon.storage.database.sql import Sql
from daemon.storage.tables import statements

Migration = Callable[[Sql], object]


def _script(name: str) -> Migration:
    """Make a migration of the statements of a file."""
    return lambda sql: sql.rows(statements(name))


def _opting_out(sql: Sql) -> None:
    sql.add_columns("session", silent="INTEGER NOT NULL DEFAULT 0 CHECK (silent IN (0, 1))")


def emptied_at(sql: Sql) -> None:
    """When the context of a session began anew."""
    sql.add_columns("session", emptied_at="REAL NOT NULL DEFAULT 0")
    # What had left a context was noted as delivered at the time 0.
    sql.rows("DELETE FROM delivery WHERE at = 0")


def _attention(sql: Sql) -> None:
    """Attention is computed from notes told to a session; the tables of traces and counters stay empty."""
    sql.add_columns("delivery", anchor="REAL NOT NULL DEFAULT 1.0")
    sql.add_columns("session", cleared_at="REAL NOT NULL DEFAULT 0")
    sql.rows("DELETE FROM working_memory; DELETE FROM session_event")


def _graph(sql: Sql) -> None:
    sql.rows(statements("graph"))
    sql.add_columns(
        "memory_link", strength="REAL NOT NULL DEFAULT 1.0", evidence="TEXT NOT NULL DEFAULT ''"
    )


MIGRATIONS: tuple[Migration, ...] = (
    _script("beginning"),
    # A session may want no notes: the opt-out of one session.
    _opting_out,
    # Synaptic tagging and capture: what an important moment makes of the hours around it.
    _script("episodes"),
    # Claims and time: how sure a memory is, when it is true, what it is the current value of.
    edit.add_columns,
    # What memories have to do with each other: associations, and how sure a link is, and why.
    _graph,
    # Intentions: what somebody means to do later.
    _script("intentions"),
    # How important a memory was found and what changed that; which captures were told of.
    episodes.add_importance,
    # What use and people made of a memory: credits, opinions, proposals.
    _script("strength"),
    # Whose words changed: what keeps the words in memory up to date.
    _script("words"),
    # On which scale the gate reads another embedding model's cosines.
    _script("gate"),
    # The connection graph: what dreaming and consolidation saw.
    _script("dreams"),
    # Plans: what would be done to memories that nobody named; what was archived.
    _script("plans"),
    # How relevant memories are, as consolidation computes it.
    _script("consolidation"),
    # What sessions were shown unasked, in the order in which it is counted.
    _script("strength"),
    # The signs of memories' token vectors: what late interaction compares.
    _script("tokens"),
    # One forgetting curve: what was never reviewed has the stability of its type on it.
    _script("typical_stability"),
    # What memories are about: files, symbols and commands, and whether they still hold.
    files.add_tables,
    # Which files were changed together, and what ended a failure.
    _script("changes"),
    # Passages: documents, summaries and turns in pieces, kept to be searched.
    passages.add_tables,
    # When a session's context began anew: what it was told and what it made before is gone from it.
    emptied_at,
    # How prompts were answered and why, and what was judged useful in a project.
    _script("injections"),
    # What users say against memories that no rule could set right; dropped below.
    _script("gate"),
    # What came from other homes of the same person, and what may not come back from one.
    _script("merging"),
    # Lines that memories are about, texts that were searched in vain, feedback on hints.
    files.add_places,
    # Which commit a memory is of, and who made that.
    memories.add_commits,
    # What a session attends to is what it was told, made and used, by its prompts since.
    _attention,
    # What users said against memories that no rule could set right.
    _script("remarks_gone"),
    # What turns touched, and which moment captured them: in place of marks on memories.
    episodes.add_tables,
    # Promotions that verdicts earned wait among the plans.
    _script("promotions"),
    # Readings of sessions, the notes that they gave, and the cues of notes.
    _script("readings"),
    # At how many starts a memory was a line of the page.
    _script("listings"),
    # Notes of repositories: which memories they are, and which remotes are trusted.
    _script("sharing"),
    # Memories in the order of a list, whatever their project.
    _script("listing_order"),
    # Why a memory is so, as who kept it said.
    lambda sql: sql.add_columns("memory", why="TEXT NOT NULL DEFAULT ''"),
    # When each text was erased, and under which store's id its digest is.
    homes.add_times,
    # One trigger of an intention: a time, a file, a branch, or words.
    _script("one_trigger"),
    # Notes of the reader that waited for a person count at once.
    read_notes.revive_waiting,
)
SCHEMA_VERSION = len(MIGRATIONS)


class StoreTooNew(Exception):
    """A newer reverie wrote this store: update this one."""


def version_of(sql: Sql) -> int:
    """The number of migrations this store has had."""
    return sql.number("PRAGMA user_version")


def migrate(
    sql: Sql,
    *,
    backups: Path | None,
    migrations: tuple[Migration, ...] = MIGRATIONS,
) -> list[Path]:
    """Bring the store up to date; returns the backup made, if any.

    Each migration and the version it leads to are one transaction; one backup serves all of one
    start, and of a copy (``backups`` is ``None``) none is made. Raises ``StoreTooNew`` when the
    store is ahead of this code.
    """
    made: list[Path] = []
    version = version_of(sql)
    if version > len(migrations):
        raise StoreTooNew(
            f"the store is of schema {version} and this reverie knows {len(migrations)}: update it"
        )
    if backups is not None and 0 < version < len(migrations):  # a new one has nothing to keep
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
