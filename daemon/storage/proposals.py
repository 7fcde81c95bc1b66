"""Promotions that are proposed, and what was decided of them."""

from actors.strength.writes import PromotionProposed, ProposalDecided, Retiered
from daemon.storage.database.sql import Sql, Value
from daemon.storage.strength import retier

PROMOTE = "promote"  # the one kind of proposal there is
PROMOTED_TO = "critical"


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
            retier(sql, Retiered(int(memory_id), PROMOTED_TO, decided.at))
    return len(open_one)


def proposals(sql: Sql, state: str | None, limit: int) -> list[dict[str, Value]]:
    """Proposals, newest first, with the title of the memory; of one memory state or all."""
    return sql.named(
        "SELECT p.id, p.kind, p.memory_id AS memory, m.title, m.tier, p.reason, p.at, p.state,"
        " p.decided_at, p.before FROM proposal p JOIN memory m ON m.id = p.memory_id"
        " WHERE ?1 IS NULL OR p.state = ?1 ORDER BY p.id DESC LIMIT ?2",
        (state, limit),
    )


def proposals_of(sql: Sql, memory_id: int) -> list[dict[str, Value]]:
    """Proposals about a memory, oldest first."""
    return sql.named(
        "SELECT id, kind, state, reason, at, decided_at FROM proposal WHERE memory_id = ?"
        " ORDER BY id",
        (memory_id,),
    )


def proposal_states(sql: Sql) -> dict[str, int]:
    """Counts of proposals that are open, accepted and declined."""
    return dict(sql.rows("SELECT state, count(*) FROM proposal GROUP BY 1 ORDER BY 1 DESC"))
