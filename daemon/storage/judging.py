"""What was decided about memories and what became of them: audits, reviews, exposures."""

from __future__ import annotations

from actors.writes import Audited, Exposed, Reviewed
from daemon.storage.sql import Sql


def audit(sql: Sql, decision: Audited, last: int) -> int:
    sql.rows(
        "INSERT INTO decision (action, memory_id, existing_id, similarity, reason, contradiction,"
        " content_hash, project, at, seq, rule, ordinal)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            decision.action,
            decision.memory_id or last,
            decision.existing_id,
            decision.similarity,
            decision.reason,
            decision.contradiction,
            decision.content_hash,
            decision.project,
            decision.at,
            decision.origin.seq if decision.origin else None,
            decision.origin.rule if decision.origin else None,
            decision.origin.ordinal if decision.origin else 0,
        ),
    )
    return decision.memory_id or last


def review(sql: Sql, review: Reviewed) -> int:
    changed = sql.change(
        "UPDATE memory SET stability = ?, difficulty = ?, last_review = ?, last_use = ?,"
        " lapses = ?, phase = ?, reviews = reviews + 1, uses = uses + ?,"
        " last_implicit = CASE WHEN ? THEN ? ELSE last_implicit END WHERE id = ?",
        (
            review.stability,
            review.difficulty,
            review.at,
            review.at,
            review.lapses,
            review.phase,
            int(review.grade > 1),
            int(review.implicit),
            review.at,
            review.memory_id,
        ),
    )
    if changed:
        sql.rows(
            "INSERT INTO review (memory_id, grade, cause, stability, difficulty, at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                review.memory_id,
                review.grade,
                review.cause,
                review.stability,
                review.difficulty,
                review.at,
            ),
        )
    return changed


def expose(sql: Sql, shown: Exposed) -> int:
    present = [
        (memory_id,)
        for memory_id in shown.memory_ids
        if sql.rows("SELECT 1 FROM memory WHERE id = ?", (memory_id,))
    ]
    sql.many("UPDATE memory SET exposures = exposures + 1 WHERE id = ?", present)
    sql.many(
        "INSERT INTO exposure (memory_id, session, place, at) VALUES (?, ?, ?, ?)",
        [(memory_id, shown.session, shown.where, shown.at) for (memory_id,) in present],
    )
    return len(present)
