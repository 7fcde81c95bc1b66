"""What was decided about memories and what became of them: audits, reviews, exposures."""

from __future__ import annotations

import json
from collections.abc import Sequence

from actors.gate.writes import Audited
from actors.memory.rows import Scope
from actors.policy.decay.reconsolidation import DEFAULT as LABILE
from actors.strength.rows import Credit, Opinion, Shown, Window
from actors.strength.writes import (
    Credited,
    Exposed,
    PromotionProposed,
    ProposalDecided,
    Rated,
    Reviewed,
    Suppressed,
    Validated,
)
from daemon.storage import claims
from daemon.storage.sql import Row, Sql, Value

PROMOTE = "promote"  # the one kind of proposal there is
PROMOTED_TO = "critical"  # D11


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
        " lapses = ?, reviews = reviews + 1, uses = uses + ?,"
        " last_implicit = CASE WHEN ? THEN ? ELSE last_implicit END WHERE id = ?",
        (
            review.stability,
            review.difficulty,
            review.at,
            review.at,
            review.lapses,
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
    _open_windows(sql, [memory_id for (memory_id,) in present], shown.at)
    return len(present)


# ---- use (C06)


def credit(sql: Sql, made: Credited) -> int:
    """Note that a session made use of a memory; once for each cause."""
    return sql.change(
        "INSERT INTO credit SELECT id, ?, ?, ? FROM memory WHERE id = ? ON CONFLICT DO NOTHING",
        (made.session, made.cause, made.at, made.memory_id),
    )


def shown_in(sql: Sql, session: str, since: float) -> list[Shown]:
    """The living memories that were shown in a session since then, each with its first time."""
    rows = sql.rows(
        "SELECT e.memory_id, min(e.at) FROM exposure e JOIN memory m ON m.id = e.memory_id"
        " WHERE e.session = ? AND e.at >= ? AND m.ended IS NULL"
        " GROUP BY e.memory_id ORDER BY 2, 1",
        (session, since),
    )
    return [Shown(int(memory_id), float(at)) for memory_id, at in rows]


def credits_in(sql: Sql, session: str) -> list[Credit]:
    """What a session is known to have made use of."""
    rows = sql.rows(
        # By what was shown there: credits have no index by session.
        "SELECT memory_id, cause, at FROM credit WHERE session = ?1 AND memory_id IN"
        " (SELECT memory_id FROM exposure WHERE session = ?1)",
        (session,),
    )
    return [Credit(int(memory_id), str(cause), session, float(at)) for memory_id, cause, at in rows]


def credits_of(sql: Sql, memory_id: int) -> list[Credit]:
    """Which sessions made use of a memory, oldest first."""
    rows = sql.rows(
        "SELECT session, cause, at FROM credit WHERE memory_id = ? ORDER BY at, session, cause",
        (memory_id,),
    )
    return [Credit(memory_id, str(cause), str(session), float(at)) for session, cause, at in rows]


def citations(sql: Sql, since: float) -> tuple[int, int]:
    """How often a session was shown a memory unasked since then, and cited it (finding 12).

    A memory counts once a session, however often it was shown there.
    """
    ((shown, cited),) = sql.rows(
        # In the order of credit's key, out of an index alone: four times as fast as DISTINCT.
        "SELECT count(*), count(c.at) FROM (SELECT memory_id, session FROM exposure"
        "  INDEXED BY exposure_unasked"
        "  WHERE session IS NOT NULL AND place IN ('prompt', 'session_start')"
        "  GROUP BY memory_id, session HAVING max(at) >= ?1) e"
        " LEFT JOIN credit c ON c.memory_id = e.memory_id AND c.session = e.session"
        "  AND c.cause = 'cited'",
        (since,),
    )
    return int(shown), int(cited)


def sessions_shown(sql: Sql, memory_id: int) -> int:
    """In how many sessions a memory was shown unasked (J12)."""
    return sql.number(
        "SELECT count(DISTINCT session) FROM exposure WHERE memory_id = ?"
        " AND session IS NOT NULL AND place IN ('prompt', 'session_start')",
        (memory_id,),
    )


# ---- what people say (D11, C17, A30)


def validate(sql: Sql, verdict: Validated) -> int:
    """The confidence that a verdict left a memory with, and one verdict more."""
    changed = sql.change(
        "UPDATE memory SET confidence = ? WHERE id = ?", (verdict.confidence, verdict.memory_id)
    )
    if changed:
        sql.rows(
            "INSERT INTO opinion (memory_id, validations) VALUES (?, 1)"
            " ON CONFLICT DO UPDATE SET validations = validations + 1",
            (verdict.memory_id,),
        )
    return changed


def propose(sql: Sql, proposal: PromotionProposed) -> int:
    """A proposal, unless it was made before: what a person declined is not proposed again."""
    return sql.change(
        "INSERT INTO proposal (kind, memory_id, reason, at) SELECT ?1, id, ?3, ?4 FROM memory"
        " WHERE id = ?2 AND NOT EXISTS"
        " (SELECT 1 FROM proposal WHERE kind = ?1 AND memory_id = ?2 AND state <> 'accepted')",
        (PROMOTE, proposal.memory_id, proposal.reason, proposal.at),
    )


def decide(sql: Sql, decided: ProposalDecided) -> int:
    """Close an open proposal; accepted, the memory's tier is set with it."""
    open_one = sql.rows(
        "SELECT memory_id FROM proposal WHERE id = ? AND state = 'open'", (decided.proposal_id,)
    )
    for (memory_id,) in open_one:
        sql.rows(
            "UPDATE proposal SET state = ?, decided_at = ?,"
            " before = (SELECT tier FROM memory WHERE id = memory_id) WHERE id = ?",
            ("accepted" if decided.accepted else "declined", decided.at, decided.proposal_id),
        )
        if decided.accepted:
            retier(sql, int(memory_id), PROMOTED_TO, decided.at)
    return len(open_one)


def retier(sql: Sql, memory_id: int, tier: str, at: float) -> int:
    claims.follow_tier(sql, memory_id, tier, at)
    return sql.change(
        "UPDATE memory SET tier = ?1, updated_at = ?2 WHERE id = ?3 AND tier <> ?1",
        (tier, at, memory_id),
    )


def rate(sql: Sql, rated: Rated) -> int:
    changed = sql.change(
        "UPDATE memory SET stability = ?, last_review = ?, lapses = ?,"
        " last_use = CASE WHEN ? > 1 THEN ? ELSE last_use END WHERE id = ?",
        (
            rated.stability,
            rated.anchored_at,
            rated.lapses,
            rated.grade,
            rated.at,
            rated.memory_id,
        ),
    )
    if changed:
        sql.rows(
            "INSERT INTO review (memory_id, grade, cause, stability, difficulty, at)"
            " SELECT id, ?, ?, ?, difficulty, ? FROM memory WHERE id = ?",
            (rated.grade, rated.cause, rated.stability, rated.at, rated.memory_id),
        )
    return changed


_OPINION = (
    "SELECT m.id, coalesce(o.validations, 0), coalesce(o.suppressions, 0), o.suppressed_at,"
    " coalesce((SELECT sum(w.edge) FROM weakening w WHERE w.neighbour_id = m.id), 0)"
    " FROM memory m LEFT JOIN opinion o ON o.memory_id = m.id"
)


def opinions(sql: Sql, ids: Sequence[int]) -> dict[int, Opinion]:
    """What people said of these memories, and what suppressions nearby take of them.

    Memories that nobody said anything of are left out.
    """
    rows = sql.rows(f"{_OPINION} WHERE m.id IN (SELECT value FROM json_each(?))", (_listed(ids),))
    return _said(rows)


def seen(sql: Sql, ids: Sequence[int], scope: Scope) -> tuple[frozenset[int], dict[int, Opinion]]:
    """Those of these memories that live and may be seen from there, and the opinions of them."""
    rows = sql.rows(
        f"{_OPINION} WHERE m.id IN (SELECT value FROM json_each(?1))"
        " AND m.ended IS NULL AND (?2 OR m.project IS NULL OR m.project = ?3)",
        (_listed(ids), int(scope.everywhere), scope.project),
    )
    return frozenset([row[0] for row in rows]), _said(rows)


def _said(rows: Sequence[Row]) -> dict[int, Opinion]:
    return {
        memory_id: Opinion(validations, suppressions, at, float(edges))
        for memory_id, validations, suppressions, at, edges in rows
        if validations or suppressions or at is not None or edges
    }


def proposals(sql: Sql, state: str | None, limit: int) -> list[dict[str, Value]]:
    """Proposals, newest first, with the title of the memory; of one memory state or all."""
    names = ("id", "kind", "memory", "title", "tier", "reason", "at", "state", "decided_at",
             "before")  # fmt: skip
    rows = sql.rows(
        "SELECT p.id, p.kind, p.memory_id, m.title, m.tier, p.reason, p.at, p.state,"
        " p.decided_at, p.before FROM proposal p JOIN memory m ON m.id = p.memory_id"
        " WHERE ?1 IS NULL OR p.state = ?1 ORDER BY p.id DESC LIMIT ?2",
        (state, limit),
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


def proposals_of(sql: Sql, memory_id: int) -> list[dict[str, Value]]:
    """What was proposed of a memory, oldest first."""
    names = ("id", "kind", "state", "reason", "at", "decided_at")
    rows = sql.rows(
        "SELECT id, kind, state, reason, at, decided_at FROM proposal WHERE memory_id = ?"
        " ORDER BY id",
        (memory_id,),
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


def proposal_states(sql: Sql) -> dict[str, int]:
    """How many proposals are open, accepted and declined."""
    rows = sql.rows("SELECT state, count(*) FROM proposal GROUP BY 1 ORDER BY 1 DESC")
    return {str(state): int(count) for state, count in rows}


# ---- suppression (Q12)


def suppress(sql: Sql, change: Suppressed) -> int:
    """How often a memory is suppressed, and what that takes of its neighbours, or gives back."""
    if not sql.rows("SELECT 1 FROM memory WHERE id = ?", (change.memory_id,)):
        return 0
    if change.at is None:
        _give_back(sql, change.memory_id)
    else:
        for neighbour, factor, edge in change.neighbours:
            sql.rows(
                "UPDATE memory SET stability = stability * ? WHERE id = ?", (factor, neighbour)
            )
            sql.rows(
                "INSERT INTO weakening VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (change.memory_id, neighbour, change.at, factor, edge),
            )
    sql.rows(
        "INSERT INTO opinion (memory_id, suppressions, suppressed_at) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET suppressions = excluded.suppressions,"
        " suppressed_at = excluded.suppressed_at",
        (change.memory_id, change.times, change.at),
    )
    return change.times


def _give_back(sql: Sql, memory_id: int) -> None:
    """Undo what the last suppression took of the neighbours."""
    last = sql.rows("SELECT suppressed_at FROM opinion WHERE memory_id = ?", (memory_id,))
    for (at,) in last:
        taken = sql.rows(
            "DELETE FROM weakening WHERE memory_id = ? AND at = ? RETURNING neighbour_id, factor",
            (memory_id, at),
        )
        for neighbour, factor in taken:
            sql.rows(
                "UPDATE memory SET stability = stability / ? WHERE id = ?", (factor, neighbour)
            )


def neighbours(sql: Sql, memory_id: int) -> list[tuple[int, float, float]]:
    """The living memories linked with one: id, the strongest edge (0..1), their stability."""
    rows = sql.rows(
        "WITH edges (id, edge) AS ("
        " SELECT target_id, coalesce(similarity, strength) FROM memory_link"
        "  WHERE source_id = ?1 AND relation <> 'supersedes'"
        " UNION ALL SELECT source_id, coalesce(similarity, strength) FROM memory_link"
        "  WHERE target_id = ?1 AND relation <> 'supersedes'"
        " UNION ALL SELECT other_id, strength FROM association WHERE one_id = ?1"
        " UNION ALL SELECT one_id, strength FROM association WHERE other_id = ?1)"
        " SELECT m.id, max(e.edge), m.stability FROM edges e JOIN memory m ON m.id = e.id"
        # What is pinned or of a protected tier is not weakened by what is said of another (B07).
        " WHERE m.ended IS NULL AND NOT m.pinned"
        " AND m.tier NOT IN ('constitutional', 'critical') GROUP BY m.id ORDER BY m.id",
        (memory_id,),
    )
    return [(int(number), float(edge), float(stability)) for number, edge, stability in rows]


# ---- reconsolidation (Q07)


def _open_windows(sql: Sql, ids: Sequence[int], at: float) -> None:
    """Each of these is labile from now on, unless it is so already; what is over leaves."""
    sql.rows(
        "DELETE FROM labile WHERE settled_at IS NULL AND edits = 0 AND opened_at <= ?",
        (at - LABILE.labile,),
    )
    sql.many(
        "INSERT INTO labile (memory_id, opened_at) SELECT ?1, ?2 WHERE NOT EXISTS"
        " (SELECT 1 FROM labile WHERE memory_id = ?1 AND opened_at > ?2 - ?3)",
        [(memory_id, at, LABILE.labile) for memory_id in ids],
    )


def window(sql: Sql, memory_id: int, at: float) -> Window | None:
    """The window in which a memory is labile at that time."""
    rows = sql.rows(
        "SELECT opened_at, edits FROM labile WHERE memory_id = ? AND settled_at IS NULL"
        " AND opened_at > ? - ? AND opened_at <= ? ORDER BY opened_at DESC LIMIT 1",
        (memory_id, at, LABILE.labile, at),
    )
    return Window(memory_id, float(rows[0][0]), int(rows[0][1])) if rows else None


def count_edit(sql: Sql, memory_id: int, at: float) -> int:
    """One edit more in the window that is open; which one it is, 0 when none is open."""
    open_one = window(sql, memory_id, at)
    if open_one is None:
        return 0
    sql.rows(
        "UPDATE labile SET edits = edits + 1 WHERE memory_id = ? AND opened_at = ?",
        (memory_id, open_one.opened_at),
    )
    return open_one.edits + 1


def windows_to_settle(sql: Sql, at: float) -> list[Window]:
    """Windows that are over and in which something was edited, oldest first."""
    rows = sql.rows(
        "SELECT memory_id, opened_at, edits FROM labile WHERE settled_at IS NULL AND edits > 0"
        " AND opened_at <= ? ORDER BY opened_at, memory_id",
        (at - LABILE.labile,),
    )
    return [Window(int(number), float(opened), int(edits)) for number, opened, edits in rows]


def resettle(sql: Sql, memory_id: int, opened_at: float, at: float) -> int:
    """A window is settled; what was settled 30 days before leaves."""
    settled = sql.change(
        "UPDATE labile SET settled_at = ? WHERE memory_id = ? AND opened_at = ?"
        " AND settled_at IS NULL",
        (at, memory_id, opened_at),
    )
    sql.rows("DELETE FROM labile WHERE settled_at < ?", (at - LABILE.history,))
    return settled


def settled_windows(sql: Sql, memory_id: int) -> list[dict[str, Value]]:
    """The windows of the last 30 days in which a memory was edited, oldest first (Q07)."""
    rows = sql.rows(
        "SELECT opened_at, settled_at, edits FROM labile WHERE memory_id = ? AND edits > 0"
        " ORDER BY opened_at",
        (memory_id,),
    )
    names = ("opened_at", "settled_at", "edits")
    return [dict(zip(names, row, strict=True)) for row in rows]


def _listed(ids: Sequence[int]) -> str:
    return json.dumps(list(ids))
