"""Which of the writes that were carried out are worth watching, as observations (O10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from actors.capture.writes import ImportanceRated
from actors.consolidation.writes import RelevanceComputed
from actors.dreams.writes import (
    ConnectionsDrawn,
    DreamAdvanced,
    DreamBegun,
    DreamEnded,
    InsightFound,
)
from actors.links.writes import Connected
from actors.memory.unit import Unit, Write
from actors.memory.writes import Created, Ended, Revived, Rewritten
from actors.observatory.messages import Observation, ObservationKind
from actors.plans.writes import PlanApplied, PlanDismissed, PlanProposed, PlanUndone
from actors.strength.writes import Rated, Retiered, Suppressed

SHOWN_CONNECTIONS = 50  # of one write: the rest is in its count


def noticed(unit: Unit, outcome: Sequence[int], at: float) -> list[Observation]:
    """What a carried-out unit did to memories, in its order; ``outcome`` has a number a write."""
    return [
        observation
        for write, number in zip(unit, outcome, strict=True)
        for observation in _observations(write, number, at)
    ]


def _observations(write: Write, number: int, at: float) -> Iterator[Observation]:
    kinds = ObservationKind
    match write:
        case Created():
            yield Observation(
                kinds.MEMORY_CREATED,
                at,
                {"id": number, "kind": write.kind, "tier": write.tier, "rule": write.origin.rule},
            )
        case Rewritten(memory_id=memory_id, reason=reason):
            yield Observation(kinds.MEMORY_UPDATED, at, {"id": memory_id, "why": reason})
        case Retiered(memory_id, tier, _):
            yield Observation(kinds.MEMORY_UPDATED, at, {"id": memory_id, "tier": tier})
        case Ended(memory_id, how, _) if number:
            yield Observation(kinds.MEMORY_DELETED, at, {"id": memory_id, "how": how})
        case Revived(memory_id, _) if number:
            yield Observation(kinds.MEMORY_RESTORED, at, {"id": memory_id})
        case Rated(memory_id=memory_id, stability=stability, cause=cause):
            kind = kinds.MEMORY_PROMOTED if cause == "promoted" else kinds.MEMORY_DEMOTED
            yield Observation(kind, at, {"id": memory_id, "stability": round(stability, 3)})
        case Suppressed(memory_id, times, when, _):
            kind = kinds.MEMORY_SUPPRESSED if when is not None else kinds.MEMORY_UNSUPPRESSED
            yield Observation(kind, at, {"id": memory_id, "times": times})
        case ImportanceRated(memory_id=memory_id, cause=cause, amount=amount) if number:
            yield Observation(
                kinds.IMPORTANCE_SCORED,
                at,
                {"id": memory_id, "cause": cause, "amount": round(amount, 3)},
            )
        case Connected(source, target, relation, strength) if number:
            yield Observation(
                kinds.CONNECTION_DISCOVERED,
                at,
                {"one": source, "other": target, "kind": relation, "strength": round(strength, 3)},
            )
        case ConnectionsDrawn(connections, found_by, _) if number:
            for one in connections[:SHOWN_CONNECTIONS]:
                yield Observation(
                    kinds.CONNECTION_DISCOVERED,
                    at,
                    {
                        "one": one.one,
                        "other": one.other,
                        "kind": one.kind.value,
                        "strength": round(one.strength, 3),
                        "found_by": found_by,
                    },
                )
        case InsightFound(kind=kind) if number:
            yield Observation(
                kinds.MEMORY_CREATED, at, {"id": number, "kind": "insight", "rule": kind.value}
            )
        case DreamBegun(why, memory_ids):
            yield Observation(
                kinds.DREAM_STARTED, at, {"dream": number, "why": why, "memories": len(memory_ids)}
            )
        case DreamAdvanced(dream_id, stage, figures) if number:
            yield Observation(
                kinds.DREAM_PROGRESS, at, {"dream": dream_id, "stage": stage, **figures}
            )
        case DreamEnded(dream_id, outcome) if number:
            yield Observation(kinds.DREAM_COMPLETED, at, {"dream": dream_id, "outcome": outcome})
        case PlanProposed(act=act, source=source, steps=steps) if number:
            yield Observation(
                kinds.PLAN_PROPOSED,
                at,
                {"plan": number, "act": act, "source": source, "memories": len(steps)},
            )
        case PlanApplied(plan_id, _) if number:
            yield Observation(kinds.PLAN_DECIDED, at, {"plan": plan_id, "decision": "applied"})
        case PlanUndone(plan_id) if number:
            yield Observation(kinds.PLAN_DECIDED, at, {"plan": plan_id, "decision": "undone"})
        case PlanDismissed(plan_id) if number:
            yield Observation(kinds.PLAN_DECIDED, at, {"plan": plan_id, "decision": "dismissed"})
        case RelevanceComputed(values) if values:
            yield Observation(
                kinds.RETENTION_DECAYED,
                at,
                {
                    "memories": len(values),
                    "mean": round(sum(value for _, value in values) / len(values), 4),
                },
            )
        case _:
            pass
