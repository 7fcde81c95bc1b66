"""Migration of a store to the schema of this version; the tables are in ``tables``.

Migrations are numbered, forward-only, idempotent, and additive except for tables nobody reads any more; each runs in
one transaction; a backup is made before the first of a start. ``PRAGMA user_version`` counts them.

Whoever reads a store's version loads this module: a migration that needs a room of the store imports it when it runs.
"""

from collections.abc import Callable
from pathlib import Path

from daemon.storage.database.sql import Sql
from daemon.storage.tables import statements

Migration = Callable[[Sql], object]


def _script(name: str) -> Migration:
    return lambda sql: sql.rows(statements(name))


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


def _claims(sql: Sql) -> None:
    """Bring the table of memories up to claims; temporary ones get the end of their tier."""
    sql.add_columns(
        "memory",
        status=(
            "TEXT NOT NULL DEFAULT 'confirmed'"
            " CHECK (status IN ('hypothesis', 'confirmed', 'refuted'))"
        ),
        valid_from="REAL",
        valid_until="REAL",
        subject="TEXT",
    )
    sql.rows(statements("claims"))
    sql.rows(
        "UPDATE memory SET valid_until = created_at + 604800 WHERE tier = 'temporary'"
        " AND valid_until IS NULL"
    )


def add_importance(sql: Sql) -> None:
    """Make the tables; existing rows count as looked at, and captures as told."""
    sql.rows(statements("importance"))
    if sql.add_columns("capture", reported_at="REAL"):
        sql.rows("UPDATE capture SET reported_at = at")
    sql.rows("CREATE INDEX IF NOT EXISTS capture_untold ON capture (at) WHERE reported_at IS NULL")
    sql.rows(
        "INSERT INTO importance_mark SELECT 'memory', coalesce(max(id), 0) FROM memory"
        " UNION ALL SELECT 'review', coalesce(max(id), 0) FROM review"
        " UNION ALL SELECT 'journal', coalesce(max(seq), 0) FROM journal WHERE 1"
        " ON CONFLICT DO NOTHING"
    )


def _references(sql: Sql) -> None:
    """Bring the store up to references."""
    sql.rows(statements("references"))
    sql.add_columns(
        "memory",
        # What is said of a memory while what it is about is not what it was; empty otherwise.
        stale="TEXT NOT NULL DEFAULT ''",
        # What its stability is multiplied by: less than 1 while it is stale.
        freshness="REAL NOT NULL DEFAULT 1.0 CHECK (freshness > 0 AND freshness <= 1)",
    )


def _passages(sql: Sql) -> None:
    """Make the tables; the vectors' too where a model was chosen already."""
    from daemon.storage.corpora import PASSAGES, create_vectors, has_vectors

    sql.rows(statements("passages"))
    chosen = sql.number("SELECT value FROM store WHERE name = 'dimensions'")
    if chosen and not has_vectors(sql, PASSAGES):
        create_vectors(sql, PASSAGES, chosen)


def _places(sql: Sql) -> None:
    """Bring the store up to lines, to searches without a result, and to feedback on hints."""
    # Number of a line when it was seen last, and whether whoever remembers gave it.
    sql.add_columns(
        "reference", line="INTEGER NOT NULL DEFAULT 0", given="INTEGER NOT NULL DEFAULT 0"
    )
    # The hash of the text that was searched for what it names; NULL: none was.
    sql.add_columns("memory", looked="BLOB")
    sql.rows(statements("hints"))


def add_commits(sql: Sql) -> None:
    """Bring the store up to the commits of memories, as far as the journal has them."""
    from actors.intake.messages import JournalRow, event_of
    from actors.policy.events.edits import commit_of
    from daemon.storage.journal import JOURNAL

    # The hash of the commit that says a memory, as git told it, and the name of who made that.
    text = "TEXT NOT NULL DEFAULT ''"
    sql.add_columns("memory", commit_hash=text, author=text)
    for row in sql.records(
        JournalRow, f"{JOURNAL} WHERE seq IN (SELECT seq FROM memory WHERE source = 'commit')"
    ):
        if (event := event_of(row)) is not None:
            sql.rows(
                "UPDATE memory SET commit_hash = ? WHERE seq = ? AND source = 'commit'",
                (commit_of(event), row.seq),
            )


def _turns(sql: Sql) -> None:
    """Make the table of turns, and the traces of moments; memories have no tags any more."""
    sql.rows(statements("turns"))
    sql.add_columns("importance_event", touched="BLOB NOT NULL DEFAULT x''")
    sql.rows("DELETE FROM synaptic_tag")


def add_times(sql: Sql) -> None:
    """Bring the store up to digests with their time and the id of their store."""
    sql.add_columns("erased_text", salt="TEXT NOT NULL DEFAULT ''", at="REAL NOT NULL DEFAULT 0")
    # What was erased before its time was kept was erased before the store was last written to.
    sql.rows(
        "UPDATE erased_text SET salt = coalesce((SELECT value FROM store WHERE name = 'id'), ''), at ="
        " (SELECT max(coalesce((SELECT max(received_at) FROM journal), 0),"
        "  coalesce((SELECT max(max(updated_at, coalesce(ended_at, 0))) FROM memory), 0)))"
        " WHERE salt = ''"
    )
    sql.rows("CREATE INDEX IF NOT EXISTS erased_text_salt ON erased_text (salt)")


def revive_waiting(sql: Sql) -> None:
    """Bring the store up to notes that count at once: those that waited for a person live, unseen.

    What waited had expired until a person kept it; what a person dropped stays dropped.
    """
    from actors.memory.writes import Revived
    from daemon.storage.lifecycle import revive

    waiting = (
        "SELECT m.id, m.updated_at FROM read_note n JOIN memory m ON m.id = n.memory_id"
        " WHERE n.waits AND n.verdict = '' AND m.ended = 'expired'"
    )
    for memory_id, at in sql.rows(waiting):
        revive(sql, Revived(memory_id, at))
        sql.rows("UPDATE read_note SET waits = 0, seen_at = NULL WHERE memory_id = ?", (memory_id,))


MIGRATIONS: tuple[Migration, ...] = (
    _script("beginning"),
    # A session may want no notes: the opt-out of one session.
    lambda sql: sql.add_columns(
        "session", silent="INTEGER NOT NULL DEFAULT 0 CHECK (silent IN (0, 1))"
    ),
    # Synaptic tagging and capture: what an important moment makes of the hours around it.
    _script("episodes"),
    # Claims and time: how sure a memory is, when it is true, what it is the current value of.
    _claims,
    # What memories have to do with each other: associations, and how sure a link is, and why.
    _graph,
    # Intentions: what somebody means to do later.
    _script("intentions"),
    # How important a memory was found and what changed that; which captures were told of.
    add_importance,
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
    _references,
    # Which files were changed together, and what ended a failure.
    _script("changes"),
    # Passages: documents, summaries and turns in pieces, kept to be searched.
    _passages,
    # When a session's context began anew: what it was told and what it made before is gone from it.
    emptied_at,
    # How prompts were answered and why, and what was judged useful in a project.
    _script("injections"),
    # What users say against memories that no rule could set right; dropped below.
    _script("gate"),
    # What came from other homes of the same person, and what may not come back from one.
    _script("merging"),
    # Lines that memories are about, texts that were searched in vain, feedback on hints.
    _places,
    # Which commit a memory is of, and who made that.
    add_commits,
    # What a session attends to is what it was told, made and used, by its prompts since.
    _attention,
    # What users said against memories that no rule could set right.
    _script("remarks_gone"),
    # What turns touched, and which moment captured them: in place of marks on memories.
    _turns,
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
    add_times,
    # One trigger of an intention: a time, a file, a branch, or words.
    _script("one_trigger"),
    # Notes of the reader that waited for a person count at once.
    revive_waiting,
)
SCHEMA_VERSION = len(MIGRATIONS)


class StoreTooNew(Exception):
    """A newer reverie wrote this store: update this one."""


def version_of(sql: Sql) -> int:
    """The number of migrations this store has had."""
    return sql.number("PRAGMA user_version")


def migrate(
    sql: Sql, *, backups: Path | None, migrations: tuple[Migration, ...] = MIGRATIONS
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
