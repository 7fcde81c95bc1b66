"""Answers about plans: shown, carried out, taken back, left (rows U02, U08, U19, G03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from actors.core.mailbox import Lane
from actors.memory.rows import Memory
from actors.plans.archivist import old_of
from actors.plans.messages import Preview, WhatWouldBeArchived
from actors.plans.rows import ArchivalFigures, PlanRow
from actors.plans.writes import PlanApplied, PlanDismissed, PlanUndone
from actors.policy.decay import archival, forecast
from actors.strength.rows import Opinion
from daemon.answers.recall import PAGE_LIMIT, commit, known_memories
from daemon.context import Parts, Progress, Table
from daemon.requests.archive import Archival, ArchivalReply, WhichWouldBeArchived
from daemon.requests.plans import (
    ApplyPlan,
    DismissPlan,
    Plans,
    PlanShown,
    PlansPage,
    PlanView,
    ShowPlan,
    StepView,
    UndoPlan,
)
from daemon.settings import Settings
from daemon.states import fading_of, short_id

LOOK_DEADLINE = 30.0  # seconds for a look through everything that is old


class NoSuchPlan(Exception):
    """There is no plan of this number: the client's fault."""


async def plans(parts: Parts, request: Plans, _: Progress) -> PlansPage:
    """Plans of one state or of all, newest first."""
    limit = max(1, min(request.limit, PAGE_LIMIT))
    return PlansPage(plans=await _views(parts, await parts.reader.plans(request.state, limit)))


async def show(parts: Parts, request: ShowPlan, _: Progress) -> PlanShown:
    """One plan."""
    return await _shown(parts, request.id)


async def apply(parts: Parts, request: ApplyPlan, _: Progress) -> PlanShown:
    """Carry a plan out; twice it is once."""
    await _known(parts, request.id)
    (count,) = await commit(parts, (PlanApplied(request.id, parts.clock.now()),))
    return await _shown(parts, request.id, count)


async def undo(parts: Parts, request: UndoPlan, _: Progress) -> PlanShown:
    """Take back what a plan did; twice it is once."""
    await _known(parts, request.id)
    (count,) = await commit(parts, (PlanUndone(request.id, parts.clock.now()),))
    return await _shown(parts, request.id, count)


async def dismiss(parts: Parts, request: DismissPlan, _: Progress) -> PlanShown:
    """Leave a plan."""
    await _known(parts, request.id)
    (count,) = await commit(parts, (PlanDismissed(request.id, parts.clock.now()),))
    return await _shown(parts, request.id, count)


async def _known(parts: Parts, number: int) -> PlanRow:
    """Raises ``NoSuchPlan`` for a number that no plan has."""
    found = await parts.reader.plan(number)
    if found is None:
        raise NoSuchPlan
    return found


async def _shown(parts: Parts, number: int, count: int = 0) -> PlanShown:
    (view,) = await _views(parts, [await _known(parts, number)])
    return PlanShown(plan=view, count=count)


async def _views(parts: Parts, rows: Sequence[PlanRow]) -> list[PlanView]:
    ids = sorted({step.memory_id for row in rows for step in row.steps})
    memories = await parts.reader.memories(ids)
    return [_view(row, memories) for row in rows]


def _view(row: PlanRow, memories: dict[int, Memory]) -> PlanView:
    return PlanView(
        id=row.id,
        act=row.act,
        source=row.source,
        reason=row.reason,
        state=row.state,
        proposed_at=row.proposed_at,
        decided_at=row.decided_at,
        undone_at=row.undone_at,
        note=row.note,
        summary=row.summary.text if row.summary is not None else "",
        made=short_id(row.made_id) if row.made_id is not None else None,
        steps=[
            StepView(
                memory=short_id(step.memory_id),
                title=memory.title or memory.text,
                act=step.act,
                argument=step.argument,
                evidence=step.evidence,
                content_hash=step.content_hash.hex(),
                outcome=step.outcome,
            )
            for step in row.steps
            if (memory := memories.get(step.memory_id)) is not None  # erased meanwhile
        ],
    )


# ---- what the archivist would do


def archivable(settings: Settings, memory: Memory, at: float) -> bool:
    """Whether its lifecycle state lets it be archived (C07)."""
    fading = fading_of(memory, settings.strength.decay)
    return forecast.standing_at(fading, at, settings.fading).archivable


async def archivals(parts: Parts, request: WhichWouldBeArchived, _: Progress) -> ArchivalReply:
    """What the archivist would put away now, or where these memories stand (G03)."""
    at = parts.clock.now()
    preview: Preview = await parts.mailboxes.archivist.ask(
        lambda reply: WhatWouldBeArchived(at, reply),
        within=LOOK_DEADLINE,
        lane=Lane.INTERACTIVE,
    )
    if request.ids:
        found = [
            await _standing(parts, one, at) for one in await known_memories(parts, request.ids)
        ]
    else:
        first = preview.candidates[: max(0, min(request.limit, PAGE_LIMIT))]
        memories = await parts.reader.memories([one.memory_id for one in first])
        found = [
            Archival(
                memory=short_id(one.memory_id),
                title=memory.title or memory.text,
                is_archived=False,
                should_archive=True,
                why=one.reason,
            )
            for one in first
            if (memory := memories.get(one.memory_id)) is not None
        ]
    return ArchivalReply(
        memories=found,
        total=len(preview.candidates),
        room=preview.room,
        figures=in_figures(await parts.reader.archival_figures()),
    )


async def _standing(parts: Parts, memory: Memory, at: float) -> Archival:
    opinions = await parts.reader.opinions([memory.id])
    alone = await parts.reader.left_alone(at - archival.QUIET)
    old = old_of(
        memory,
        opinions.get(memory.id, Opinion()),
        at,
        lambda one, then: archivable(parts.settings, one, then),
    )
    why = archival.why_it_stays(old, parts.settings.archivist)
    if memory.id in alone:
        why = "somebody brought it back or left it within the last 90 days"
    if memory.ended is not None:
        why = f"it is {memory.ended}"
    return Archival(
        memory=short_id(memory.id),
        title=memory.title or memory.text,
        is_archived=memory.ended == "archived",
        should_archive=not why,
        why=why or archival.evidence(old),
    )


def in_figures(found: ArchivalFigures) -> dict[str, Any]:
    """The archivist's figures by the names of row G03."""
    return {
        "totalScanned": found.scanned,
        "totalArchived": found.archived,
        "totalUnarchived": found.unarchived,
        "lastScanTime": found.last_scan,
        "errors": found.errors,
    }


ANSWERS: Table = {
    Plans: plans,
    ShowPlan: show,
    ApplyPlan: apply,
    UndoPlan: undo,
    DismissPlan: dismiss,
    WhichWouldBeArchived: archivals,
}
