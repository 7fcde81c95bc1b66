"""Observations of carried-out writes, as far as they are worth watching."""

from collections.abc import Iterator, Sequence

from actors.links.writes import Connected
from actors.memory.observatory import Data, Observation, ObservationKind
from actors.memory.strength_writes import Rated, Retiered, Suppressed
from actors.memory.unit import StoreWrite, Unit
from actors.memory.writes import Created, Ended, Revived, Rewritten
from actors.night.dream_writes import (
    SOURCE,
    ConnectionsDrawn,
    DreamAdvanced,
    DreamBegun,
    DreamEnded,
    InsightFound,
)
from actors.night.plan_writes import PlanApplied, PlanDismissed, PlanProposed, PlanUndone
from actors.reader.writes import NoteJudged, NoteRead

SHOWN_CONNECTIONS = 50  # of one write: the rest is in its count


def noticed(unit: Unit, outcome: Sequence[int], at: float) -> list[Observation]:
    """Observations of a carried-out unit, in its order; ``outcome`` has a number a write."""
    seen: list[Observation] = []
    made = 0  # the memory that the unit made last, which what follows it belongs to
    for write, number in zip(unit, outcome, strict=True):
        made = number if isinstance(write, Created) else made
        seen += [Observation(kind, at, data) for kind, data in _shown(write, number, made)]
    return seen


def _shown(write: StoreWrite, number: int, made: int) -> Iterator[tuple[ObservationKind, Data]]:
    kinds = ObservationKind
    data: Data
    match write:
        case Created(kind=kind, tier=tier, origin=origin):
            data = {"id": number, "kind": kind, "tier": tier, "rule": origin.rule}
            yield kinds.MEMORY_CREATED, data
        case Rewritten(memory_id=memory_id, reason=reason):
            yield kinds.MEMORY_UPDATED, {"id": memory_id, "why": reason}
        case Retiered(memory_id, tier, _):
            yield kinds.MEMORY_UPDATED, {"id": memory_id, "tier": tier}
        case Ended(memory_id, how, _) if number:
            yield kinds.MEMORY_DELETED, {"id": memory_id, "how": how}
        case Revived(memory_id, _) if number:
            yield kinds.MEMORY_RESTORED, {"id": memory_id}
        case Rated(memory_id=memory_id, stability=stability, cause=cause):
            moved = kinds.MEMORY_DEMOTED if cause == "demoted" else kinds.MEMORY_PROMOTED
            yield moved, {"id": memory_id, "stability": round(stability, 3)}
        case Suppressed(memory_id, times, when, _):
            moved = kinds.MEMORY_SUPPRESSED if when is not None else kinds.MEMORY_UNSUPPRESSED
            yield moved, {"id": memory_id, "times": times}
        case NoteRead(memory_id=memory_id, session=session, said_by=said_by) if number:
            data = {"id": memory_id or made, "session": session, "said_by": said_by}
            yield kinds.NOTE_READ, data
        case NoteJudged(memory_id=memory_id, verdict=verdict) if number:
            yield kinds.NOTE_JUDGED, {"id": memory_id, "verdict": verdict}
        case Connected(source, target, relation, strength) if number:
            yield kinds.CONNECTION_DISCOVERED, _joined(source, target, relation, strength)
        case ConnectionsDrawn(connections) if number:
            for one in connections[:SHOWN_CONNECTIONS]:
                data = _joined(one.one, one.other, one.kind.value, one.strength)
                yield kinds.CONNECTION_DISCOVERED, {**data, "found_by": SOURCE}
        case InsightFound(insight=told) if number:
            data = {"id": number, "kind": "insight", "rule": told.kind.value}
            yield kinds.MEMORY_CREATED, data
        case DreamBegun(why, memories):
            yield kinds.DREAM_STARTED, {"dream": number, "why": why, "memories": memories}
        case DreamAdvanced(dream_id, stage, figures) if number:
            yield kinds.DREAM_PROGRESS, {"dream": dream_id, "stage": stage, **figures}
        case DreamEnded(dream_id, outcome) if number:
            yield kinds.DREAM_COMPLETED, {"dream": dream_id, "outcome": outcome}
        case PlanProposed(act=act, source=proposer, steps=steps) if number:
            data = {"plan": number, "act": act, "source": proposer, "memories": len(steps)}
            yield kinds.PLAN_PROPOSED, data
        case PlanApplied(plan_id, _) if number:
            yield kinds.PLAN_DECIDED, {"plan": plan_id, "decision": "applied"}
        case PlanUndone(plan_id) if number:
            yield kinds.PLAN_DECIDED, {"plan": plan_id, "decision": "undone"}
        case PlanDismissed(plan_id) if number:
            yield kinds.PLAN_DECIDED, {"plan": plan_id, "decision": "dismissed"}
        case _:
            pass


def _joined(one: int, other: int, kind: str, strength: float) -> Data:
    return {"one": one, "other": other, "kind": kind, "strength": round(strength, 3)}
