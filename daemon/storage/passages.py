"""The passage archive on disk: written by place, searched by words and vectors, pruned."""

from collections.abc import Sequence

from actors.passages.shapes import (
    Passage,
    PassageCounts,
    PassagesKept,
    PassagesPruned,
    PassagesUsed,
)
from actors.policy.gate.gate_features import content_hash
from actors.policy.passages import Piece
from daemon.storage import traces
from daemon.storage.corpora import PASSAGES
from daemon.storage.database.sql import Sql, Value, Values, writes
from daemon.storage.memories import index_words, leave_indexes

PIECES = 40  # of a handoff
PRUNED = 500  # passages that leave in one turn: 50 ms in which nobody else writes
COLUMNS = "id, kind, project, place, ordinal, title, text, content_hash, session, at"


@writes
def keep(sql: Sql, kept: PassagesKept) -> int:
    """Make these the passages of their place; one with the same text keeps its number and vectors."""
    if kept.kind != "document" and sql.rows(
        "SELECT 1 FROM journal WHERE seq BETWEEN ? AND ? AND session IS ? AND body = x'' LIMIT 1",
        (kept.first_seq, kept.seq, kept.session),
    ):
        return 0  # an erasure emptied one of its events before the last of them came
    hashes = [_hash(piece) for piece in kept.pieces]
    gone = sql.column(
        "SELECT id FROM passage WHERE place = ? AND kind = ? AND project IS ?"
        " AND content_hash NOT IN (SELECT unhex(value) FROM json_each(?))"
        " AND (? OR title IN (SELECT value FROM json_each(?)))",
        (
            kept.place, kept.kind, kept.project, hashes,
            int(kept.is_whole), [one.title for one in kept.pieces],
        ),
    )  # fmt: skip
    drop(sql, gone)
    return sum(
        _placed(sql, kept, ordinal, piece, hashed)
        for ordinal, (piece, hashed) in enumerate(zip(kept.pieces, hashes, strict=True))
    )


def _placed(sql: Sql, kept: PassagesKept, ordinal: int, piece: Piece, hashed: bytes) -> bool:
    """Put a piece in its place, unless it was said later elsewhere; whether it is new."""
    moved = sql.change(
        "UPDATE passage SET kind = iif(at > ?7, kind, ?1), place = iif(at > ?7, place, ?2),"
        " ordinal = iif(at > ?7, ordinal, ?3), session = iif(?10, session, ?4),"
        " first_seq = iif(?10, first_seq, ?5), seq = iif(?10, seq, ?6), at = max(at, ?7),"
        " used_at = max(used_at, ?7)"
        " WHERE coalesce(project, '') = coalesce(?8, '') AND content_hash = ?9",
        (
            kept.kind, kept.place, ordinal, kept.session, kept.first_seq, kept.seq, kept.at,
            kept.project, hashed, int(kept.keeps_origin),
        ),
    )  # fmt: skip
    if moved:
        return False
    size = len(piece.title.encode()) + len(piece.text.encode())
    row: list[Value] = [
        kept.kind, kept.project, kept.place, ordinal, piece.title, piece.text, hashed,
        kept.session, kept.first_seq, kept.seq, kept.at, kept.at, size,
    ]  # fmt: skip
    sql.rows(f"INSERT INTO passage VALUES (NULL{', ?' * len(row)})", row)
    index_words(sql, sql.last_id(), piece.title, (), piece.text, PASSAGES)
    return True


def _hash(piece: Piece) -> bytes:
    return content_hash(f"{piece.title}\n{piece.text}")


def drop(sql: Sql, ids: Sequence[int]) -> int:
    """Take these passages out of every table; how many."""
    for passage_id in ids:
        leave_indexes(sql, passage_id, PASSAGES)
        sql.rows("DELETE FROM passage WHERE id = ?", (passage_id,))
    return len(ids)


def rewritten(sql: Sql, passage_id: int) -> None:
    """Index an overwritten passage anew; one equal to another goes."""
    ((title, text),) = sql.rows("SELECT title, text FROM passage WHERE id = ?", (passage_id,))
    leave_indexes(sql, passage_id, PASSAGES)
    piece = Piece(title, text)
    changed = sql.change(
        "UPDATE OR IGNORE passage SET content_hash = ? WHERE id = ?", (_hash(piece), passage_id)
    )
    if changed:
        index_words(sql, passage_id, title, (), text, PASSAGES)
    else:
        sql.rows("DELETE FROM passage WHERE id = ?", (passage_id,))


@writes
def use(sql: Sql, used: PassagesUsed) -> int:
    """Note the use of these: they stay longer."""
    return sql.change(
        "UPDATE passage SET used_at = max(used_at, ?) WHERE id IN (SELECT value FROM json_each(?))",
        (used.at, used.ids),
    )


@writes
def prune(sql: Sql, order: PassagesPruned) -> int:
    """Let go of some passages too old or too many, oldest unused first; 0: of all there was."""
    old = sql.number("SELECT count(*) FROM passage WHERE used_at < ?", (order.before,))
    over = max(old, sql.number("SELECT count(*) FROM passage") - order.most)
    if over <= 0:
        return 0
    oldest = "SELECT id FROM passage ORDER BY used_at, id LIMIT ?"
    return drop(sql, sql.column(oldest, (min(over, PRUNED),)))


def quoting(sql: Sql, text: str) -> list[int]:
    """Passages with this text."""
    condition, value = traces.holding_condition(sql, "passage", text, "title", "text")
    return sql.column(f"SELECT id FROM passage WHERE {condition}", (value,))


def made_of(sql: Sql, seq: Value, session: Value) -> list[int]:
    """Passages with this event of a session in them."""
    made = "SELECT id FROM passage WHERE ? BETWEEN first_seq AND seq AND session IS ?"
    return sql.column(made, (seq, session))


def drop_where(sql: Sql, condition: str, values: Values) -> None:
    """Take out the passages of a project, of a run, or all."""
    drop(sql, sql.column(f"SELECT id FROM passage WHERE {condition}", values))


def passages(sql: Sql, ids: Sequence[int]) -> dict[int, Passage]:
    """The existing ones of these passages."""
    found = sql.records(
        Passage,
        f"SELECT {COLUMNS} FROM passage WHERE id IN (SELECT value FROM json_each(?))",
        (ids,),
    )
    return {one.id: one for one in found}


def handoff(sql: Sql, project: str | None, since: float) -> list[Passage]:
    """Passages of the project's last handoff, if it was written since then, in their order."""
    found = sql.records(
        Passage,
        f"SELECT {COLUMNS} FROM passage WHERE kind = 'document' AND project IS ? AND at >= ?"
        # By the names alone, which the index has: most passages are of other documents.
        " AND place IN (SELECT place FROM passage INDEXED BY passage_place"
        "  WHERE kind = 'document' AND place LIKE '%hand%off%')"
        " ORDER BY at DESC, place, ordinal LIMIT ?",
        (project, since, PIECES),
    )
    pieces = [one for one in found if one.place == found[0].place]
    return sorted(pieces, key=lambda one: one.ordinal)


def passages_without_vectors(sql: Sql, after: int, limit: int) -> list[int]:
    """Passages without vectors and with an id over ``after``, in the order of ids."""
    return sql.column(
        "SELECT id FROM passage WHERE id > ?"
        " AND NOT EXISTS (SELECT 1 FROM passage_chunk WHERE passage_id = passage.id)"
        " ORDER BY id LIMIT ?",
        (after, limit),
    )


def passage_counts(sql: Sql) -> PassageCounts:
    """The size of the archive."""
    ((count, size),) = sql.rows("SELECT count(*), coalesce(sum(size), 0) FROM passage")
    return PassageCounts(count, size, sql.number("SELECT count(*) FROM passage_chunk"))
