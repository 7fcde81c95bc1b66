"""Reviews, exposures, credits, verdicts, hints and suppressions: marks of use and people on a memory."""

from collections import defaultdict
from collections.abc import Sequence

from actors.memory.rows import Scope
from actors.memory.use import (
    Credited,
    Exposed,
    FoundUseful,
    HintMuted,
    Opinion,
    Retiered,
    Reviewed,
    Suppressed,
    Validated,
)
from actors.memory.writes import Pinned
from actors.policy.decay.archival import DAY, Use
from actors.policy.decay.curve import validated
from actors.policy.decay.states import TEMPORARY_LIFETIME
from actors.policy.recall.evidence import SESSIONS
from daemon.storage.database.sql import Row, Sql, Value, columns, writes
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
    """Set the tier; the end of the tier temporary comes and goes with it."""
    sql.rows(
        "UPDATE memory SET valid_until = CASE WHEN ?1 = 'temporary'"
        " THEN min(coalesce(valid_until, ?2), ?2) ELSE NULL END"
        " WHERE id = ?3 AND ended IS NULL AND tier <> ?1 AND 'temporary' IN (tier, ?1)",
        (new.tier, new.at + TEMPORARY_LIFETIME, new.memory_id),
    )
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


# ---- opinions of people: confidence, usefulness, hints, suppression


@writes
def validate(sql: Sql, verdict: Validated) -> int:
    """Set or move the confidence after a verdict, and count one verdict more.

    It stands among the reviews without a grade: it is no answer of the memory's.
    """
    sure = verdict.confidence
    if sure is None:
        before = sql.value("SELECT confidence FROM memory WHERE id = ?", (verdict.memory_id,))
        sure = validated(before or 0.0, useful=verdict.cause == "useful")
    changed = sql.change("UPDATE memory SET confidence = ? WHERE id = ?", (sure, verdict.memory_id))
    if changed:
        sql.rows(
            "INSERT INTO opinion (memory_id, validations) VALUES (?, 1)"
            " ON CONFLICT DO UPDATE SET validations = validations + 1",
            (verdict.memory_id,),
        )
        note_review(sql, verdict, grade=0)
    return changed


@writes
def find_useful(sql: Sql, found: FoundUseful) -> int:
    """Count one more verdict of a project."""
    return sql.change(
        "INSERT INTO verdict (memory_id, project, useful, useless)"
        " SELECT id, :project, :useful, 1 - :useful FROM memory WHERE id = :memory_id"
        " ON CONFLICT DO UPDATE SET useful = useful + excluded.useful,"
        " useless = useless + excluded.useless",
        columns(found),
    )


@writes
def mute_hint(sql: Sql, wanted: HintMuted) -> int:
    """Show no hint of a memory in a file, or show it again."""
    return sql.change(
        "INSERT INTO hint (memory_id, project, path, muted)"
        " SELECT id, :project, :path, :muted FROM memory WHERE id = :memory_id"
        " ON CONFLICT DO UPDATE SET muted = excluded.muted",
        columns(wanted),
    )


def muted(sql: Sql, project: str, path: str) -> set[int]:
    """Memories of which a person wants no hint in a file."""
    found = sql.column(
        "SELECT memory_id FROM hint WHERE project = ? AND path = ? AND muted = 1",
        (project, path),
    )
    return set(found)


_OPINION = (
    "SELECT m.id, m.confidence, coalesce(o.validations, 0), coalesce(o.suppressions, 0), o.suppressed_at,"
    " coalesce(sum(v.useful), 0), coalesce(sum(v.useless), 0),"
    # Who was never used is counted until it is enough, and everybody else not at all.
    " CASE WHEN m.uses = 0 AND m.exposures > 0 THEN (SELECT count(*) FROM ("
    "  SELECT DISTINCT e.session FROM exposure e WHERE e.memory_id = m.id AND e.place = 'prompt'"
    "  AND e.session IS NOT NULL LIMIT :enough)) ELSE 0 END"
    " FROM memory m LEFT JOIN opinion o ON o.memory_id = m.id"
    " LEFT JOIN verdict v ON v.memory_id = m.id AND v.project IN (:project, '')"
    " WHERE m.id IN (SELECT value FROM json_each(:ids))"
)


def opinions(sql: Sql, ids: Sequence[int], project: str | None = None) -> dict[int, Opinion]:
    """Opinions about these memories as they hold in a project; memories without one are left out."""
    return _said(sql.rows(f"{_OPINION} GROUP BY m.id", _asked(ids, project)))


def _asked(ids: Sequence[int], project: str | None) -> dict[str, Value]:
    return {"ids": ids, "project": project or "", "enough": SESSIONS}


def seen(sql: Sql, ids: Sequence[int], scope: Scope) -> tuple[frozenset[int], dict[int, Opinion]]:
    """The living ones of these memories visible from there, and the opinions of them."""
    rows = sql.rows(
        f"{_OPINION} AND m.ended IS NULL"
        " AND (:everywhere OR m.project IS NULL OR m.project = :project) GROUP BY m.id",
        {**_asked(ids, scope.project), "everywhere": int(scope.everywhere)},
    )
    return frozenset([row[0] for row in rows]), _said(rows)


def _said(rows: Sequence[Row]) -> dict[int, Opinion]:
    return {
        memory_id: Opinion(confidence, validations, suppressions, at, *prompted)
        for memory_id, confidence, validations, suppressions, at, *prompted in rows
        if validations or suppressions or at is not None or any(prompted)
    }


@writes
def suppress(sql: Sql, change: Suppressed) -> int:
    """Count one suppression more, or one less."""
    if not sql.rows("SELECT 1 FROM memory WHERE id = ?", (change.memory_id,)):
        return 0
    return sql.number(
        "INSERT INTO opinion (memory_id, suppressions, suppressed_at)"
        " VALUES (:memory_id, :at IS NOT NULL, :at)"
        " ON CONFLICT DO UPDATE SET"
        " suppressions = max(0, suppressions + iif(:at IS NULL, -1, 1)),"
        " suppressed_at = excluded.suppressed_at RETURNING suppressions",
        columns(change),
    )
