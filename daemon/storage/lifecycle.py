"""The life of a memory: made, ended, put away, revived."""

from collections.abc import Sequence
from typing import Final, TypeGuard

from msgspec.structs import astuple

from actors.memory.commit import Unit
from actors.memory.particulars import NAMES
from actors.memory.writes import Created, Ended, Linked, Revived
from actors.policy.decay.states import PROTECTED_TIERS
from actors.policy.recall.page import Listing
from daemon.storage.database.sql import Sql, Value, writes
from daemon.storage.graph import link
from daemon.storage.index.words import note_change
from daemon.storage.memories import (
    add_triggers,
    index_anew,
    index_words,
    leave_indexes,
    trigger_rows,
    word_row,
)

# ---- made: many at once are a page of an import, a table at a time and in few statements
#
# One by one, a row cost 130 us of SQLite, of which full-text search took 80: every further statement
# of the transaction able to fail by itself, such as the next INSERT ... RETURNING, makes FTS5 write a
# segment of its input so far. Here all else comes first and its words last: 36 us a row.


MEMORIES: Final = 64  # rows a statement: apsw keeps statements of up to 16 KB prepared
ROWS: Final = 512  # of the tables with few columns
UNREVIEWED_DIFFICULTY: Final = 5.0  # the middle of 1..10, as nothing is known of it


def at_once(unit: Unit) -> TypeGuard[tuple[Created, ...]]:
    """Return whether a unit makes several memories without an event and another memory."""
    return len(unit) > 1 and all(
        isinstance(write, Created)
        and write.draft.origin.seq is None
        and write.supersedes is None
        and write.linked_to is None
        for write in unit
    )


def create_all(sql: Sql, made: Sequence[Created]) -> list[int]:
    """Make all of them; their ids, in order."""
    # As by AUTOINCREMENT: ids are never used again.
    last = sql.number("SELECT seq FROM sqlite_sequence WHERE name = 'memory'")
    numbered = list(enumerate(made, last + 1))
    memories = [(number, *columns_of(new)) for number, new in numbered]
    sql.insert(f"INSERT INTO memory (id, {COLUMNS}) VALUES", memories, MEMORIES)
    phrases = [
        row
        for number, new in numbered
        for row in trigger_rows(number, new.draft.triggers, new.derived)
    ]
    sql.insert("INSERT INTO trigger_phrase VALUES", phrases, ROWS, "ON CONFLICT DO NOTHING")
    ids = [number for number, _ in numbered]
    note_change(sql, *ids)
    words = [word_row(number, *_words_of(new)) for number, new in numbered]
    sql.insert("INSERT INTO memory_words (rowid, title, triggers, body) VALUES", words, ROWS)
    return ids


COLUMNS: Final = (
    "key, text, title, kind, tier, memory_type, context_type, project, created_at, updated_at,"
    " content_hash, stability, difficulty, importance, unjudged, source, session, seq, rule,"
    " ordinal, tool, call_id, redacted, status, valid_from, valid_until, subject,"
    " confidence, commit_hash, author, " + ", ".join(NAMES)
)


def columns_of(new: Created) -> tuple[Value, ...]:
    """Values of ``COLUMNS`` for a new memory."""
    draft, origin, standing = new.draft, new.draft.origin, new.standing
    return (
        draft.key, draft.text, draft.title, draft.kind, draft.tier, draft.memory_type,
        draft.context_type, draft.project, draft.at, draft.at if new.since is None else new.since,
        new.content_hash, new.stability, UNREVIEWED_DIFFICULTY,
        draft.importance, int(new.unjudged), origin.source, origin.session, origin.seq,
        origin.rule, origin.ordinal, origin.tool, origin.call_id, int(origin.redacted),
        standing.status, standing.valid_from, standing.valid_until, standing.subject,
        new.confidence, origin.commit, origin.author, *astuple(draft.particulars),
    )  # fmt: skip


def _words_of(new: Created) -> tuple[str, tuple[str, ...], str]:
    """Words of a new memory for full-text search: its title, its phrases, its text."""
    return new.draft.title, (*new.draft.triggers, *new.derived), new.draft.text


@writes
def create(sql: Sql, new: Created) -> int:
    draft, origin = new.draft, new.draft.origin
    if sql.rows("SELECT 1 FROM journal WHERE seq = ? AND body = x''", (origin.seq,)):
        return 0  # an erasure emptied the event while it was being made into memories
    memory_id = sql.number(
        f"INSERT INTO memory ({COLUMNS}) VALUES ({','.join('?' * len(COLUMNS.split()))})"
        " ON CONFLICT (seq, rule, ordinal) DO NOTHING RETURNING id",
        columns_of(new),
    )
    if not memory_id:  # the event made it before
        return sql.number(
            "SELECT id FROM memory WHERE seq = ? AND rule = ? AND ordinal = ?",
            (origin.seq, origin.rule, origin.ordinal),
        )
    add_triggers(sql, memory_id, draft.triggers, new.derived)
    index_words(sql, memory_id, *_words_of(new))
    if new.linked_to is not None:
        link(sql, Linked(memory_id, new.linked_to, "related", new.similarity, draft.at))
    if new.supersedes is not None:
        link(sql, Linked(memory_id, new.supersedes, "supersedes", new.similarity, draft.at))
        end(sql, Ended(new.supersedes, "deprecated", draft.at, superseded_by=memory_id))
    return memory_id


# ---- ended and revived: out of the indexes, and into them again


# Of a row ``m``: a person holds on to it, so nothing ends it by itself.
HELD_ON_TO: Final = f"(m.pinned OR m.tier IN ({', '.join(map(repr, sorted(PROTECTED_TIERS)))}))"


@writes
def end(sql: Sql, end: Ended) -> int:
    changed = sql.change(
        "UPDATE memory SET ended = ?, ended_at = ?, superseded_by = ?"
        " WHERE id = ? AND ended IS NULL",
        (end.how, end.at, end.superseded_by, end.memory_id),
    )
    if changed:
        leave_indexes(sql, end.memory_id)
        _end_insights(sql, end)
    return changed


def _end_insights(sql: Sql, gone: Ended) -> None:
    """End insights quoting a memory forgotten or refuted.

    A contradiction of two memories is settled when one of them ends, however it does. A pinned or
    protected insight stays: a person holds on to it.
    """
    rows = sql.rows(
        "SELECT m.id FROM insight_source s JOIN insight i ON i.memory_id = s.insight_id"
        " JOIN memory m ON m.id = i.memory_id WHERE s.source_id = ? AND m.ended IS NULL"
        f" AND NOT {HELD_ON_TO} AND (? OR i.kind = 'contradiction')",
        (gone.memory_id, gone.how in ("forgotten", "refuted")),
    )
    for (insight_id,) in rows:
        end(sql, Ended(int(insight_id), "expired", gone.at))


@writes
def revive(sql: Sql, back: Revived) -> int:
    """Back into recall and the indexes; from the archive exactly as it was put there."""
    memory_id, at = back.memory_id, back.at
    how = sql.value("SELECT ended FROM memory WHERE id = ?", (memory_id,))
    changed = sql.change(
        "UPDATE memory SET ended = NULL, ended_at = NULL, superseded_by = NULL,"
        " updated_at = CASE WHEN ended = 'archived' THEN updated_at ELSE ? END"
        " WHERE id = ? AND ended IS NOT NULL",
        (at, memory_id),
    )
    if changed:
        if how in ("archived", "forgotten"):  # it is left alone for a while
            sql.rows(
                "INSERT INTO archival_return VALUES (?, ?)"
                " ON CONFLICT DO UPDATE SET at = excluded.at",
                (memory_id, at),
            )
            # The page tries it anew.
            sql.rows("DELETE FROM listing WHERE memory_id = ?", (memory_id,))
        index_anew(sql, memory_id)
    return changed


# ---- put away and brought back by the archivist and people


def ignored(sql: Sql, before: float, sessions: int) -> dict[int, int]:
    """Unused living memories made before then, oldest first, and the sessions shown each unasked:
    at least so many.
    """
    rows = sql.rows(
        "SELECT m.id, count(DISTINCT e.session) FROM memory m"
        " JOIN exposure e ON e.memory_id = m.id AND e.session IS NOT NULL"
        "  AND e.place IN ('prompt', 'session_start')"
        " WHERE m.ended IS NULL AND m.created_at < ?1 AND m.uses = 0 AND m.exposures >= ?2"
        "  AND NOT EXISTS (SELECT 1 FROM credit WHERE memory_id = m.id)"
        " GROUP BY m.id HAVING count(DISTINCT e.session) >= ?2 ORDER BY m.created_at, m.id",
        (before, sessions),
    )
    return dict(rows)


def followed(sql: Sql, before: float, alike: float, limit: int) -> list[tuple[int, int]]:
    """Living memories made before then and not used since a living one of their kind was linked
    with them, or is so much alike: both ids, the newest last.
    """
    return sql.rows(
        "SELECT o.id, n.id FROM (SELECT source_id AS one, target_id AS other FROM memory_link"
        "  WHERE relation IN ('related', 'supersedes')"
        "  UNION SELECT one_id, other_id FROM association WHERE strength >= ?2) pair"
        " JOIN memory o ON o.id = min(pair.one, pair.other) AND o.ended IS NULL"
        " JOIN memory n ON n.id = max(pair.one, pair.other) AND n.ended IS NULL"
        " WHERE o.created_at < ?1"
        "  AND n.created_at > o.created_at AND n.kind = o.kind AND n.project IS o.project"
        "  AND coalesce(o.last_use, o.created_at) < n.created_at"
        " GROUP BY o.id, n.id ORDER BY o.created_at, o.id, n.created_at LIMIT ?3",
        (before, alike, limit),
    )


def outlived(sql: Sql, before: float) -> dict[int, float]:
    """Living memories true until then or before, and their ends."""
    rows = sql.rows(
        "SELECT id, valid_until FROM memory WHERE ended IS NULL AND valid_until IS NOT NULL"
        " AND valid_until < ? ORDER BY valid_until",
        (before,),
    )
    return dict(rows)


def unneeded(sql: Sql, starts: int, before: float) -> dict[int, Listing]:
    """Unused living memories listed at so many starts, the last of them before then.

    A memory waiting for its own command or failure is needed there, and left out.
    """
    rows = sql.rows(
        "SELECT m.id, l.starts, l.first_at, l.last_at FROM listing l JOIN memory m ON m.id = l.memory_id"
        " WHERE m.ended IS NULL AND m.uses = 0 AND l.starts >= ? AND l.last_at <= ?"
        "  AND NOT EXISTS (SELECT 1 FROM credit WHERE memory_id = m.id)"
        "  AND NOT EXISTS (SELECT 1 FROM cue WHERE memory_id = m.id AND kind IN ('command', 'error'))"
        " ORDER BY l.starts DESC, m.id",
        (starts, before),
    )
    return {memory_id: Listing(*listed) for memory_id, *listed in rows}


def left_alone(sql: Sql, since: float) -> frozenset[int]:
    """Memories a person did not want archived since then: left, undone, brought back; kept."""
    found = sql.column(
        "SELECT memory_id FROM archival_return WHERE at > ?1 UNION"
        " SELECT memory_id FROM read_note WHERE verdict IN ('kept', 'edited') UNION"
        " SELECT s.memory_id FROM plan_step s JOIN plan p ON p.id = s.plan_id"
        " WHERE s.act = 'archive' AND p.state IN ('dismissed', 'undone')"
        " AND coalesce(p.undone_at, p.decided_at) > ?1",
        (since,),
    )
    return frozenset(found)


def kept_by_hand(sql: Sql, ids: Sequence[int]) -> frozenset[int]:
    """Select the ones of these memories somebody ever brought back, or promoted and did not demote since."""
    found = sql.column(
        "SELECT e.value FROM json_each(?) e WHERE"
        " EXISTS (SELECT 1 FROM archival_return WHERE memory_id = e.value)"
        " OR (SELECT r.cause FROM review r"
        " WHERE r.memory_id = e.value AND r.cause IN ('promoted', 'demoted')"
        " ORDER BY r.id DESC LIMIT 1) = 'promoted'",
        (ids,),
    )
    return frozenset(found)


def archived_lately(sql: Sql, since: float) -> int:
    """Count the memories put away by the archivist since then without asking."""
    return sql.number(
        "SELECT count(*) FROM plan p JOIN plan_step s ON s.plan_id = p.id"
        " WHERE p.applied_by = 'archivist' AND p.decided_at > ? AND s.done",
        (since,),
    )
