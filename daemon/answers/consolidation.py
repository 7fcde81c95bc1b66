"""A person consolidates: the cycles run now, with progress, and end when the person leaves."""

from actors.consolidation.messages import CYCLES, Consolidate, Cycle, CycleReport
from actors.core.mailbox import Lane
from daemon.context import Parts, Progress, table
from daemon.requests.consolidation import Consolidated, ConsolidateNow, CycleDone
from daemon.under_way import WITHIN, told
from daemon.views import short_id, view


async def consolidate(parts: Parts, request: ConsolidateNow, progress: Progress) -> Consolidated:
    """Run the cycles; what was written stays written when the person leaves."""
    cycles: tuple[Cycle, ...] = tuple(cycle for cycle in CYCLES if request.cycle in ("all", cycle))
    reports: tuple[CycleReport, ...] = await told(
        progress,
        lambda seen: parts.mailboxes.consolidation.ask(
            lambda reply: Consolidate(cycles, parts.clock.now(), reply, request.dry_run, seen),
            within=WITHIN,
            lane=Lane.BACKGROUND,
        ),
    )
    for report in reports:
        if not request.dry_run and not report.skipped:
            await parts.schedule.was_run(report.cycle)
    return Consolidated(cycles=[_done(report) for report in reports], dry_run=request.dry_run)


def _done(report: CycleReport) -> CycleDone:
    return view(
        CycleDone,
        report,
        seconds=round(report.seconds, 3),
        skipped=report.skipped or None,
        kinds=dict(report.kinds),
        plan=report.plan_id,
        ids=[short_id(memory_id) for memory_id in report.memory_ids],
    )


ANSWERS = table(telling=(consolidate,))
