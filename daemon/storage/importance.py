"""Importance in the store: what rates it, what it was changed by, since when it is what it is."""

from actors.capture.rows import AnchorRow
from actors.capture.writes import Dimmed, ImportanceRated, Marked
from actors.policy.capture.importance import changed
from daemon.storage.database.sql import Sql, Value, columns
from daemon.storage.tables import importance


def add_tables(sql: Sql) -> None:
    """The tables; what is there already counts as looked at, and what was captured as told."""
    sql.rows(importance.TABLES)
    if sql.add_columns("capture", reported_at="REAL"):
        sql.rows("UPDATE capture SET reported_at = at")
    sql.rows("CREATE INDEX IF NOT EXISTS capture_untold ON capture (at) WHERE reported_at IS NULL")
    sql.rows(
        "INSERT INTO importance_mark SELECT 'memory', coalesce(max(id), 0) FROM memory"
        " UNION ALL SELECT 'review', coalesce(max(id), 0) FROM review"
        " UNION ALL SELECT 'journal', coalesce(max(seq), 0) FROM journal WHERE 1"
        " ON CONFLICT DO NOTHING"
    )


# ---- on the writing connection
def rate(sql: Sql, rated: ImportanceRated) -> int:
    """Change an importance by what it is now, once on an occasion; a living memory's only."""
    rows = sql.rows(
        "SELECT importance FROM memory WHERE id = ? AND ended IS NULL", (rated.memory_id,)
    )
    if not rows:
        return 0
    before = float(rows[0][0])
    if rated.how == "stay":
        anchor(sql, rated.memory_id, rated.at)
        return 1
    after = changed(before, rated.how, rated.amount)
    noted = sql.change(
        "INSERT INTO importance_change VALUES (:memory_id, :cause, :occasion, :how, :amount,"
        " :before, :after, :at) ON CONFLICT DO NOTHING",
        {**columns(rated), "before": before, "after": after},
    )
    if not noted:
        return 0
    sql.rows("UPDATE memory SET importance = ? WHERE id = ?", (after, rated.memory_id))
    anchor(sql, rated.memory_id, rated.at)
    _note_channels(sql, rated)
    return 1


def _note_channels(sql: Sql, rated: ImportanceRated) -> None:
    if rated.channels is not None:
        sql.rows(
            "UPDATE importance_anchor SET (novelty, arousal, reward, attention) = (?, ?, ?, ?)"
            " WHERE memory_id = ?",
            (*rated.channels, rated.memory_id),
        )
    if rated.reward is not None:
        sql.rows(
            "UPDATE importance_anchor SET reward = ? WHERE memory_id = ?",
            (rated.reward, rated.memory_id),
        )


def anchor(sql: Sql, memory_id: int, at: float) -> None:
    """An importance fades from here on: news came of the memory at this time."""
    sql.rows(
        "INSERT INTO importance_anchor (memory_id, value, at)"
        " SELECT id, importance, ? FROM memory WHERE id = ? ON CONFLICT DO UPDATE"
        " SET value = excluded.value, at = max(at, excluded.at)",
        (at, memory_id),
    )


def dim(sql: Sql, dimmed: Dimmed) -> int:
    """Fade importances, each only when it is still that of the anchor it was computed of."""
    for memory_id, at, value in dimmed.memories:
        sql.rows(
            "UPDATE memory SET importance = ? WHERE id = ? AND EXISTS"
            " (SELECT 1 FROM importance_anchor WHERE memory_id = memory.id AND at = ?)",
            (value, memory_id, at),
        )
    return len(dimmed.memories)


def mark(sql: Sql, marked: Marked) -> int:
    """Everything up to here was looked at; never backwards."""
    return sql.change(
        "INSERT INTO importance_mark VALUES (?, ?) ON CONFLICT DO UPDATE"
        " SET value = max(value, excluded.value)",
        (marked.name, marked.value),
    )


# ---- on a reading connection
def marks(sql: Sql) -> dict[str, int]:
    """Marks up to which memories, reviews and the journal were looked at."""
    return dict(sql.rows("SELECT * FROM importance_mark"))


def newest_rated(
    sql: Sql, project: str | None, until: int, limit: int
) -> list[tuple[int, float | None]]:
    """The newest living memories of a project up to this id with their novelty, oldest first."""
    rows = sql.rows(
        "SELECT m.id, a.novelty FROM memory m"
        " LEFT JOIN importance_anchor a ON a.memory_id = m.id"
        " WHERE m.project IS ? AND m.id <= ? AND m.ended IS NULL AND m.source <> 'import'"
        " ORDER BY m.id DESC LIMIT ?",
        (project, until, limit),
    )
    return rows[::-1]


def anchors(sql: Sql, after: int, limit: int) -> list[AnchorRow]:
    """Living memories whose importance has an anchor, in the order of ids."""
    return sql.records(
        AnchorRow,
        "SELECT m.id, a.value, a.at, m.importance, m.tier, m.pinned FROM importance_anchor a"
        " JOIN memory m ON m.id = a.memory_id WHERE m.id > ? AND m.ended IS NULL"
        " ORDER BY m.id LIMIT ?",
        (after, limit),
    )


def changes_of(sql: Sql, memory_id: int) -> list[dict[str, Value]]:
    """Changes of a memory's importance, captures included, oldest first."""
    return sql.named(
        "SELECT cause, how, amount, before, after, at FROM importance_change WHERE memory_id = ?1"
        " UNION ALL SELECT 'capture', 'at_least', importance, before, max(before, importance), at"
        "  FROM capture WHERE memory_id = ?1 ORDER BY at",
        (memory_id,),
    )


def channels_of(sql: Sql, memory_id: int) -> tuple[float, float, float, float] | None:
    """Novelty, arousal, reward and attention of a memory, if it was rated."""
    rows = sql.rows(
        "SELECT novelty, arousal, reward, attention FROM importance_anchor"
        " WHERE memory_id = ? AND novelty IS NOT NULL",
        (memory_id,),
    )
    return rows[0] if rows else None
