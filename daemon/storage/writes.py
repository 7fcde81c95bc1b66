"""Carrying out writes, on the writing connection's thread.

``carry_out`` is one transaction over many units: the group commit. A unit that breaks
a constraint is rolled back alone; the others stand. What leaves the indexes when a
memory ends comes back when it is revived.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from actors.capture.writes import (
    Backfilled,
    Captured,
    Dimmed,
    Faded,
    ImportanceRated,
    Marked,
    Raised,
    Reported,
)
from actors.consolidation.writes import RelevanceComputed
from actors.dreams.writes import (
    ConnectionsDrawn,
    ConnectionsFaded,
    ConnectionsSettled,
    ConnectionsStrengthened,
    DreamAdvanced,
    DreamAttempted,
    DreamBegun,
    DreamEnded,
    EpisodesDrawn,
    InsightFound,
    StageLeftOut,
)
from actors.embedding.writes import ModelChosen, Tokened, TokensDropped, Vectored
from actors.gate.writes import Audited, Calibrated, Judged
from actors.intake.writes import Derived, Journaled
from actors.intentions.writes import (
    IntentionChanged,
    IntentionErased,
    IntentionMade,
    IntentionsDropped,
)
from actors.links.writes import Associated, Connected, Declared, Disconnected
from actors.memory.unit import Unit, Write
from actors.memory.writes import (
    Created,
    DueAt,
    Ended,
    Erased,
    ErasedEverything,
    Linked,
    Pinned,
    Pruned,
    Revived,
    Rewritten,
    StatusSet,
    ValiditySet,
)
from actors.plans.writes import (
    PlanApplied,
    PlanDismissed,
    PlanProposed,
    PlansTold,
    PlanUndone,
    Scanned,
)
from actors.session.writes import Delivered, Held, SessionSeen, Undelivered
from actors.strength.writes import (
    Credited,
    Exposed,
    PromotionProposed,
    ProposalDecided,
    Rated,
    Resettled,
    Retiered,
    Reviewed,
    Suppressed,
    Validated,
)
from daemon.storage import (
    archiving,
    associating,
    attending,
    calibrating,
    capturing,
    claiming,
    consolidating,
    creating,
    dreaming,
    dreams,
    intending,
    journaling,
    judging,
    linking,
    planning,
    rating,
    remembering,
    tokens,
    vectoring,
)
from daemon.storage.erasing import erased, everything_erased, intention_erased
from daemon.storage.sql import ConstraintError, Sql


def carry_out(sql: Sql, units: Sequence[Unit]) -> list[list[int] | Exception]:
    """All units in one transaction; one outcome each.

    Raises apsw's error when the transaction as a whole cannot be made durable.
    """
    sql.rows("BEGIN IMMEDIATE")
    try:
        outcomes = [_carried_out(sql, unit) for unit in units]
        sql.rows("COMMIT")
    except BaseException:
        if sql.in_transaction():
            sql.rows("ROLLBACK")
        raise
    return outcomes


def _carried_out(sql: Sql, unit: Unit) -> list[int] | Exception:
    sql.rows("SAVEPOINT unit")
    try:
        if creating.at_once(unit):
            numbers = creating.create_all(sql, unit)
        else:
            numbers = _one_by_one(sql, unit)
    except ConstraintError as error:
        sql.rows("ROLLBACK TO unit")
        sql.rows("RELEASE unit")
        return error
    sql.rows("RELEASE unit")
    return numbers


def _one_by_one(sql: Sql, unit: Unit) -> list[int]:
    numbers: list[int] = []
    for write in unit:
        last = numbers[-1] if numbers else 0
        numbers.append(_write(sql, write, last))
    return numbers


def _write(sql: Sql, write: Write, last: int) -> int:
    """Carry out one write; ``last`` is the number the one before it produced."""
    match write:
        case Journaled():
            return journaling.journal(sql, write)
        case Derived(seq):
            return sql.change("UPDATE journal SET done = 1 WHERE seq = ?", (seq,))
        case Created():
            return remembering.create(sql, write)
        case Rewritten():
            return remembering.rewrite(sql, write)
        case Ended():
            return remembering.end(sql, write)
        case Revived(memory_id, at):
            return remembering.revive(sql, memory_id, at)
        case Linked(source, target, relation, similarity, at):
            remembering.link(sql, source, target, relation, similarity, at)
            return 1
        case Judged(memory_id):
            return sql.change("UPDATE memory SET unjudged = 0 WHERE id = ?", (memory_id,))
        case Audited():
            return judging.audit(sql, write, last)
        case Reviewed():
            return judging.review(sql, write)
        case Exposed():
            return judging.expose(sql, write)
        case Delivered(session, hashes, at):
            sql.many(
                "INSERT INTO delivery VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
                [(session, content_hash, at) for content_hash in hashes],
            )
            return len(hashes)
        case Undelivered(session):
            return sql.change("DELETE FROM delivery WHERE session = ?", (session,))
        case SessionSeen():
            return attending.see_session(sql, write)
        case Held():
            return attending.hold(sql, write)
        case Vectored():
            return vectoring.store_vectors(sql, write)
        case ModelChosen(model, dimensions):
            return vectoring.choose_model(sql, model, dimensions)
        case Calibrated():
            return calibrating.calibrate(sql, write)
        case Pinned(memory_id, pinned, at):
            return sql.change(
                "UPDATE memory SET pinned = ?, updated_at = ? WHERE id = ?",
                (int(pinned), at, memory_id),
            )
        case DueAt(job, due_at, ran_at):
            sql.rows(
                "INSERT INTO schedule VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
                " SET due_at = excluded.due_at, ran_at = coalesce(excluded.ran_at, ran_at)",
                (job, due_at, ran_at),
            )
            return 1
        case Pruned(before):
            return journaling.prune(sql, before)
        case Erased(memory_ids):
            return erased(sql, memory_ids)
        case ErasedEverything(project, whole_store):
            return everything_erased(sql, project, whole_store=whole_store)
        case Raised():
            return capturing.raise_event(sql, write)
        case Captured():
            return capturing.capture(sql, write)
        case Faded():
            return capturing.fade(sql, write)
        case Reported():
            return capturing.report(sql, write)
        case ImportanceRated():
            return rating.rate(sql, write)
        case Dimmed():
            return rating.dim(sql, write)
        case Marked():
            return rating.mark(sql, write)
        case Backfilled():
            return rating.backfill(sql, write)
        case StatusSet():
            return claiming.set_status(sql, write)
        case ValiditySet():
            return claiming.set_validity(sql, write)
        case Associated():
            return associating.associate(sql, write)
        case Connected():
            return linking.connect(sql, write)
        case Disconnected(source, target, relation):
            return linking.disconnect(sql, source, target, relation)
        case Declared():
            return linking.declare(sql, write)
        case IntentionMade():
            return intending.make(sql, write)
        case IntentionChanged():
            return intending.change(sql, write)
        case IntentionsDropped(numbers):
            return intending.drop(sql, numbers)
        case IntentionErased(number):
            return intention_erased(sql, number)
        case Credited():
            return judging.credit(sql, write)
        case Validated():
            return judging.validate(sql, write)
        case PromotionProposed():
            return judging.propose(sql, write)
        case ProposalDecided():
            return judging.decide(sql, write)
        case Retiered(memory_id, tier, at):
            return judging.retier(sql, memory_id, tier, at)
        case Rated():
            return judging.rate(sql, write)
        case Suppressed():
            return judging.suppress(sql, write)
        case Resettled(memory_id, opened_at, at):
            return judging.resettle(sql, memory_id, opened_at, at)
        case Tokened():
            return tokens.keep(sql, write)
        case TokensDropped():
            return tokens.drop(sql)
        case ConnectionsDrawn():
            return dreaming.draw(sql, write)
        case ConnectionsStrengthened():
            return dreaming.strengthen(sql, write)
        case ConnectionsFaded():
            return dreaming.fade(sql, write)
        case ConnectionsSettled():
            return dreaming.settle(sql, write)
        case DreamBegun():
            return dreams.begin(sql, write)
        case DreamAdvanced():
            return dreams.advance(sql, write)
        case DreamAttempted():
            return dreams.attempt(sql, write)
        case StageLeftOut():
            return dreams.leave_out(sql, write)
        case DreamEnded():
            return dreams.end(sql, write)
        case InsightFound():
            return dreams.find_insight(sql, write)
        case EpisodesDrawn():
            return dreams.draw_episodes(sql, write)
        case RelevanceComputed():
            return consolidating.compute(sql, write)
        case PlanProposed():
            return planning.propose(sql, write)
        case PlanApplied():
            return planning.apply(sql, write)
        case PlanUndone():
            return planning.undo(sql, write)
        case PlanDismissed():
            return planning.dismiss(sql, write)
        case PlansTold(plan_ids, at):
            return planning.told(sql, plan_ids, at)
        case Scanned():
            return archiving.scanned(sql, write)
        case _:
            assert_never(write)
