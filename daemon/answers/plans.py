"""Plans: shown, carried out, taken back, left."""

from collections.abc import Sequence

from actors.memory.rows import Memory
from actors.plans.rows import PlanRow
from actors.plans.writes import PlanApplied, PlanDismissed, PlanUndone
from daemon.context import PAGE_LIMIT, NotThere, Parts, Progress, commit, table
from daemon.requests import plans as asked
from daemon.views import short_id, view


async def plans(parts: Parts, request: asked.Plans, _: Progress) -> asked.PlansPage:
    """Plans of one state or of all, newest first."""
    limit = max(1, min(request.limit, PAGE_LIMIT))
    return asked.PlansPage(
        plans=await _views(parts, await parts.reader.plans(request.state, limit))
    )


async def show(parts: Parts, request: asked.ShowPlan, _: Progress) -> asked.PlanShown:
    """One plan."""
    return await _shown(parts, request.id)


async def apply(parts: Parts, request: asked.ApplyPlan, _: Progress) -> asked.PlanShown:
    """Carry a plan out; twice it is once."""
    return await _decided(parts, PlanApplied(request.id, parts.clock.now()))


async def undo(parts: Parts, request: asked.UndoPlan, _: Progress) -> asked.PlanShown:
    """Take back what a plan did; twice it is once."""
    return await _decided(parts, PlanUndone(request.id, parts.clock.now()))


async def dismiss(parts: Parts, request: asked.DismissPlan, _: Progress) -> asked.PlanShown:
    """Leave a plan."""
    return await _decided(parts, PlanDismissed(request.id, parts.clock.now()))


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
    memories = await parts.reader.memories(ids)
    return [_view(row, memories) for row in rows]


def _view(row: PlanRow, memories: dict[int, Memory]) -> asked.PlanView:
    return view(
        asked.PlanView,
        row,
        summary=row.summary.text if row.summary is not None else "",
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
            if (memory := memories.get(step.memory_id)) is not None  # erased meanwhile
        ],
    )


ANSWERS = table(plans, show, apply, undo, dismiss)
