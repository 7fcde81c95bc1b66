"""Reviews, exposures, credits and opinions: marks of use and people on a memory."""

from collections import defaultdict
from collections.abc import Sequence

from actors.memory.use import Credited, Exposed, Retiered, Reviewed, Validated
from actors.memory.writes import Pinned
from actors.policy.decay.archival import DAY, Use
from daemon.storage import edit
from daemon.storage.database.sql import Sql, columns, writes
from daemon.storage.index.words import note_change


@writes
def review(sql: Sql, review: Reviewed) -> int:
    changed = sql.change(
        "UPDATE memory SET stability = :stability, difficulty = :difficulty, last_review = :at,"
        " last_use = :at, lapses = :lapses, reviews = reviews + 1, uses = uses + (:grade > 1),"
        " last_implicit = CASE WHEN :implicit THEN :at ELSE last_implicit END"
        " WHERE id = :memory_id",
        columns(review),
    )
    if changed:
        note_review(sql, review, review.grade)
    return changed


def note_review(sql: Sql, review: Reviewed | Validated, grade: int) -> None:
    """Put a memory, as it is after a review, among the reviews."""
    sql.rows(
        "INSERT INTO review (memory_id, grade, cause, stability, difficulty, at)"
        " SELECT id, ?, ?, stability, difficulty, ? FROM memory WHERE id = ?",
        (grade, review.cause, review.at, review.memory_id),
    )


@writes
def expose(sql: Sql, shown: Exposed) -> int:
    present = sql.rows(
        "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM memory WHERE id = value)",
        (shown.memory_ids,),
    )
    sql.many("UPDATE memory SET exposures = exposures + 1 WHERE id = ?", present)
    sql.many(
        "INSERT INTO exposure (memory_id, session, place, at) VALUES (?, ?, ?, ?)",
        [(memory_id, shown.session, shown.where, shown.at) for (memory_id,) in present],
    )
    return len(present)


# ---- use
@writes
def credit(sql: Sql, made: Credited) -> int:
    """Note a session's use of a memory; once for each cause."""
    return sql.change(
        "INSERT INTO credit SELECT id, ?, ?, ? FROM memory WHERE id = ? ON CONFLICT DO NOTHING",
        (made.session, made.cause, made.at, made.memory_id),
    )


def shown_in(sql: Sql, session: str, since: float) -> dict[int, float]:
    """The living memories shown in a session since then, each with its first time."""
    rows = sql.rows(
        "SELECT e.memory_id, min(e.at) FROM exposure e JOIN memory m ON m.id = e.memory_id"
        " WHERE e.session = ? AND e.at >= ? AND m.ended IS NULL"
        " GROUP BY e.memory_id ORDER BY 2, 1",
        (session, since),
    )
    return dict(rows)


def credits_in(sql: Sql, session: str) -> list[Credited]:
    """Memories known to have been used in a session."""
    return sql.records(
        Credited,
        # By what was shown there: credits have no index by session.
        "SELECT memory_id, session, cause, at FROM credit WHERE session = ?1 AND memory_id IN"
        " (SELECT memory_id FROM exposure WHERE session = ?1)",
        (session,),
    )


def causes_of(sql: Sql, ids: Sequence[int]) -> dict[int, list[str]]:
    """Kinds of use of each of these memories in sessions; none for unused ones."""
    rows = sql.rows(
        "SELECT DISTINCT memory_id, cause FROM credit"
        " WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
        (ids,),
    )
    found: defaultdict[int, list[str]] = defaultdict(list)
    for memory_id, cause in rows:
        found[int(memory_id)].append(cause)
    return found


def citations(sql: Sql, since: float) -> tuple[int, int]:
    """Counts of memories shown unasked to sessions since then, and of ones cited or followed.

    A memory counts once a session, however often it was shown there.
    """
    ((shown, cited),) = sql.rows(
        # In the order of credit's key, out of an index alone: four times as fast as DISTINCT.
        "SELECT count(*), coalesce(sum(EXISTS (SELECT 1 FROM credit c WHERE c.memory_id = e.memory_id"
        "  AND c.session = e.session AND c.cause IN ('cited', 'done'))), 0)"
        " FROM (SELECT memory_id, session FROM exposure INDEXED BY exposure_unasked"
        "  WHERE session IS NOT NULL AND place IN ('prompt', 'session_start')"
        "  GROUP BY memory_id, session HAVING max(at) >= ?1) e",
        (since,),
    )
    return int(shown), int(cited)


def sessions_citing(sql: Sql, memory_id: int) -> int:
    """Number of sessions that cited a memory, or did what it says."""
    return sql.number(
        "SELECT count(DISTINCT session) FROM credit WHERE memory_id = ? AND cause IN ('cited', 'done')",
        (memory_id,),
    )


def sessions_shown(sql: Sql, memory_id: int) -> int:
    """Number of sessions in which a memory was shown unasked."""
    return sql.number(
        "SELECT count(DISTINCT session) FROM exposure WHERE memory_id = ?"
        " AND session IS NOT NULL AND place IN ('prompt', 'session_start')",
        (memory_id,),
    )


def told_unused(
    sql: Sql, ids: Sequence[int], place: str, session: str
) -> dict[int, tuple[int, bool]]:
    """Sessions told memories at a place since their last use, and whether this one was."""
    rows = sql.rows(
        "SELECT e.memory_id, count(DISTINCT CASE WHEN e.at > coalesce((SELECT max(c.at) FROM credit c"
        " WHERE c.memory_id = e.memory_id), 0) THEN e.session END), max(e.session = ?3)"
        " FROM exposure e WHERE e.memory_id IN (SELECT value FROM json_each(?1)) AND e.place = ?2"
        " AND e.session IS NOT NULL GROUP BY e.memory_id",
        (ids, place, session),
    )
    return {int(number): (int(sessions), bool(here)) for number, sessions, here in rows}


@writes
def pin(sql: Sql, pinned: Pinned) -> int:
    """Keep a memory from fading, or let it fade again."""
    note_change(sql, pinned.memory_id)
    return sql.change(
        "UPDATE memory SET pinned = ?, updated_at = ? WHERE id = ?",
        (int(pinned.pinned), pinned.at, pinned.memory_id),
    )


@writes
def retier(sql: Sql, new: Retiered) -> int:
    edit.follow_tier(sql, new)
    return sql.change(
        "UPDATE memory SET tier = :tier, updated_at = :at WHERE id = :memory_id AND tier <> :tier",
        columns(new),
    )


def use_of(sql: Sql, memory_id: int, now: float) -> Use | None:
    """A living memory as its relevance is computed: its age, uses and relations."""
    rows = sql.rows(
        "SELECT created_at, last_use, importance FROM memory WHERE id = ? AND ended IS NULL",
        (memory_id,),
    )
    if not rows:
        return None
    ((created_at, last_use, importance),) = rows
    ((relations, confidence),) = sql.rows(
        "SELECT count(*), avg(min(strength, 1.0)) FROM ("
        " SELECT strength FROM memory_link WHERE ?1 IN (source_id, target_id)"
        " UNION ALL SELECT strength FROM connection WHERE ?1 IN (one_id, other_id))",
        (memory_id,),
    )
    unused = None if last_use is None else (now - last_use) / DAY
    return Use((now - created_at) / DAY, importance, unused, relations, confidence)
