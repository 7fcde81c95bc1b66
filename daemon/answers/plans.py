"""Plans: shown, carried out, taken back, left."""

from collections.abc import Sequence

from actors.memory.rows import Memory
from actors.plans.rows import PlanRow
from actors.plans.writes import PlanApplied, PlanDismissed, PlanProposed, PlanUndone
from actors.policy.dreams.plans import Step
from daemon.context import (
    PAGE_LIMIT,
    NotThere,
    Parts,
    commit,
    project_meant,
    table,
)
from daemon.requests import plans as asked
from daemon.storage import memories
from daemon.views import short_id, view


async def plans(parts: Parts, request: asked.Plans) -> asked.PlansPage:
    """Plans of one state or of all, newest first."""
    limit = max(1, min(request.limit, PAGE_LIMIT))
    return asked.PlansPage(
        plans=await _views(parts, await parts.reader.plans(request.state, limit))
    )


async def show(parts: Parts, request: asked.ShowPlan) -> asked.PlanShown:
    """One plan."""
    return await _shown(parts, request.id)


async def apply(parts: Parts, request: asked.ApplyPlan) -> asked.PlanShown:
    """Carry a plan out; twice it is once."""
    return await _decided(parts, PlanApplied(request.id, parts.clock.now()))


async def undo(parts: Parts, request: asked.UndoPlan) -> asked.PlanShown:
    """Take back what a plan did; twice it is once."""
    return await _decided(parts, PlanUndone(request.id, parts.clock.now()))


async def dismiss(parts: Parts, request: asked.DismissPlan) -> asked.PlanShown:
    """Leave a plan."""
    return await _decided(parts, PlanDismissed(request.id, parts.clock.now()))


AGENT = "an agent"  # who proposes
DAY = 86_400.0  # seconds


async def propose_forgetting(parts: Parts, request: asked.ProposeForgetting) -> asked.Proposed:
    """Propose that memories of one tier and project are forgotten, the oldest first."""
    now = parts.clock.now()
    conditions: list[tuple[str, object]] = [
        ("m.ended IS NULL", None),
        ("m.tier = ?", request.tier),
        ("m.project = ?", project_meant(parts, request.project)),
        ("m.created_at <= ?", now - request.days * DAY),
    ]
    total, found = await parts.reader.read(memories.listed, conditions, limit=PAGE_LIMIT, offset=0)
    steps = tuple(
        Step(one.id, "forget", one.content_hash, evidence=_age(one, now)) for one in found[::-1]
    )
    reason = f"{total} of tier {request.tier}, {request.days:g} days or older"
    (number,) = await commit(parts, (PlanProposed("forget", AGENT, reason, steps, now),))
    plan = await parts.reader.plan(number) if number else None
    note = (
        f"the user decides: reverie plan show {number}" if number else "there is nothing to propose"
    )
    return asked.Proposed(
        plan=number, memories=len(plan.steps) if plan else 0, matching=total, note=note
    )


def _age(memory: Memory, now: float) -> str:
    return f"{(now - memory.created_at) / DAY:.0f} days, used {memory.uses} times"


async def _decided(
    parts: Parts, decision: PlanApplied | PlanUndone | PlanDismissed
) -> asked.PlanShown:
    await _known(parts, decision.plan_id)
    (count,) = await commit(parts, (decision,))
    return await _shown(parts, decision.plan_id, count)


async def _known(parts: Parts, number: int) -> PlanRow:
    """Raises ``NotThere`` for a number that no plan has."""
    found = await parts.reader.plan(number)
    if found is None:
        raise NotThere(
            "no_such_plan", "there is no plan of this number: reverie plans --all shows them"
        )
    return found


async def _shown(parts: Parts, number: int, count: int = 0) -> asked.PlanShown:
    (plan,) = await _views(parts, [await _known(parts, number)])
    return asked.PlanShown(plan=plan, count=count)


async def _views(parts: Parts, rows: Sequence[PlanRow]) -> list[asked.PlanView]:
    ids = sorted({step.memory_id for row in rows for step in row.steps})
    known = await parts.reader.memories(ids)
    return [_view(row, known) for row in rows]


def _view(row: PlanRow, known: dict[int, Memory]) -> asked.PlanView:
    return view(
        asked.PlanView,
        row,
        made=short_id(row.made_id) if row.made_id is not None else None,
        steps=[
            view(
                asked.StepView,
                step,
                memory=short_id(step.memory_id),
                title=memory.title or memory.text,
                content_hash=step.content_hash.hex(),
            )
            for step in row.steps
            if (memory := known.get(step.memory_id)) is not None  # erased meanwhile
        ],
    )


ANSWERS = table(plans, show, apply, undo, dismiss, propose_forgetting)
