"""Carrying out writes, on the writing connection's thread.

``carry_out`` is one transaction over many units: the group commit. A unit that breaks
a constraint is rolled back alone; the others stand. What leaves the indexes when a
memory ends comes back when it is revived.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

from actors.capture.writes import (
    Backfilled,
    Captured,
    Dimmed,
    Faded,
    ImportanceRated,
    Marked,
    Raised,
)
from actors.consolidation.writes import RelevanceComputed
from actors.dreams.writes import (
    ConnectionsDrawn,
    ConnectionsFaded,
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
from actors.recall.prepared import Revision
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
    archive,
    backfill,
    claims,
    consolidation,
    dreams,
    edit,
    episodes,
    forget,
    gate,
    graph,
    importance,
    intentions,
    journal,
    link,
    plans,
    proposals,
    remember,
    sessions,
    status,
    strength,
    suppress,
    vectors,
)
from daemon.storage.index import tokens
from daemon.storage.purge import erased, everything_erased, intention_erased
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
        if remember.at_once(unit):
            numbers = remember.create_all(sql, unit)
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
            return journal.journal(sql, write)
        case Derived(seq):
            return journal.derived(sql, seq)
        case Created():
            return remember.create(sql, write)
        case Rewritten():
            return edit.rewrite(sql, write)
        case Ended():
            return forget.end(sql, write)
        case Revived(memory_id, at):
            return forget.revive(sql, memory_id, at)
        case Linked(source, target, relation, similarity, at):
            link.link(sql, source, target, relation, similarity, at)
            return 1
        case Judged(memory_id):
            return gate.judged(sql, memory_id)
        case Audited():
            return gate.audit(sql, write, last)
        case Reviewed():
            return strength.review(sql, write)
        case Exposed():
            return strength.expose(sql, write)
        case Delivered():
            return sessions.deliver(sql, write)
        case Undelivered(session):
            return sessions.undeliver(sql, session)
        case SessionSeen():
            return sessions.see_session(sql, write)
        case Held():
            return sessions.hold(sql, write)
        case Vectored():
            return vectors.store_vectors(sql, write)
        case ModelChosen(model, dimensions):
            return vectors.choose_model(sql, model, dimensions)
        case Calibrated():
            return gate.calibrate(sql, write)
        case Pinned():
            return strength.pin(sql, write)
        case DueAt():
            return status.set_due(sql, write)
        case Pruned(before):
            return journal.prune(sql, before)
        case Erased(memory_ids):
            return erased(sql, memory_ids)
        case ErasedEverything(project, whole_store):
            return everything_erased(sql, project, whole_store=whole_store)
        case Raised():
            return episodes.raise_event(sql, write)
        case Captured():
            return episodes.capture(sql, write)
        case Faded():
            return episodes.fade(sql, write)
        case ImportanceRated():
            return importance.rate(sql, write)
        case Dimmed():
            return importance.dim(sql, write)
        case Marked():
            return importance.mark(sql, write)
        case Backfilled():
            return backfill.backfill(sql, write)
        case StatusSet():
            return claims.set_status(sql, write)
        case ValiditySet():
            return claims.set_validity(sql, write)
        case Associated():
            return consolidation.associate(sql, write)
        case Connected():
            return link.connect(sql, write)
        case Disconnected(source, target, relation):
            return link.disconnect(sql, source, target, relation)
        case Declared():
            return link.declare(sql, write)
        case IntentionMade():
            return intentions.make(sql, write)
        case IntentionChanged():
            return intentions.change(sql, write)
        case IntentionsDropped(numbers):
            return intentions.drop(sql, numbers)
        case IntentionErased(number):
            return intention_erased(sql, number)
        case Credited():
            return strength.credit(sql, write)
        case Validated():
            return strength.validate(sql, write)
        case PromotionProposed():
            return proposals.propose(sql, write)
        case ProposalDecided():
            return proposals.decide(sql, write)
        case Retiered(memory_id, tier, at):
            return strength.retier(sql, memory_id, tier, at)
        case Rated():
            return strength.rate(sql, write)
        case Suppressed():
            return suppress.suppress(sql, write)
        case Resettled(memory_id, opened_at, at):
            return edit.resettle(sql, memory_id, opened_at, at)
        case Tokened():
            return tokens.keep(sql, write)
        case TokensDropped():
            return tokens.drop(sql)
        case ConnectionsDrawn():
            return graph.draw(sql, write)
        case ConnectionsStrengthened():
            return graph.strengthen(sql, write)
        case ConnectionsFaded():
            return graph.fade(sql, write)
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
            return consolidation.compute(sql, write)
        case PlanProposed():
            return plans.propose(sql, write)
        case PlanApplied():
            return plans.apply(sql, write)
        case PlanUndone():
            return plans.undo(sql, write)
        case PlanDismissed():
            return plans.dismiss(sql, write)
        case PlansTold(plan_ids, at):
            return plans.told(sql, plan_ids, at)
        case Scanned():
            return archive.scanned(sql, write)
        case _:
            assert_never(write)


# They write no text, vector, phrase or scope of a memory. The rows that some of them change
# (strength, importance, confidence, opinions) are read when a question comes.
QUIET: Final = (
    Backfilled, Captured, Credited, Delivered, Derived, Dimmed, DueAt, Exposed, Faded, Held,
    ImportanceRated, IntentionChanged, IntentionErased, IntentionMade, IntentionsDropped,
    Journaled, Marked, Raised, Rated, Resettled, Reviewed, SessionSeen, Suppressed,
    Undelivered, Validated,
)  # fmt: skip


def revised(before: Revision, units: Sequence[Unit]) -> Revision:
    """The revision after these units, carried out or not."""
    writes = [write for unit in units for write in unit]
    loud = any(not isinstance(write, QUIET) for write in writes)
    return replace(
        before,
        indexes=before.indexes + loud,
        models=before.models + any(isinstance(write, ModelChosen) for write in writes),
        erasures=before.erasures
        + any(isinstance(write, Erased | ErasedEverything) for write in writes),
    )
