"""A person consolidates: the cycles run now, with progress, and end when the person leaves."""

from __future__ import annotations

from contextlib import suppress

import trio

from actors.consolidation.messages import CYCLES, Consolidate, Cycle, CycleReport, Step
from actors.core.mailbox import Crashed, Lane, MailboxClosed, SwitchedOff
from actors.memory.ports import Conflicting, Unreadable, Unwritable
from daemon.answers.views import view
from daemon.context import Parts, Progress, Table
from daemon.ids import short_id
from daemon.requests.consolidation import Consolidated, ConsolidateNow, CycleDone

WITHIN = 3_600.0  # seconds for everything
TOLD_EVERY = 0.2  # seconds between two words of how far it is
PROBLEMS = (
    Unwritable, Unreadable, Conflicting, Crashed, SwitchedOff, MailboxClosed, trio.TooSlowError,
)  # fmt: skip


async def consolidate(parts: Parts, request: ConsolidateNow, progress: Progress) -> Consolidated:
    """Run the cycles; what was written stays written when the person leaves."""
    cycles: tuple[Cycle, ...] = tuple(cycle for cycle in CYCLES if request.cycle in ("all", cycle))
    latest: list[Step] = []

    def seen(step: Step) -> None:
        latest[:] = [step]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_tell, latest, progress)
        problem: Exception | None = None
        reports: tuple[CycleReport, ...] = ()
        try:
            reports = await parts.mailboxes.consolidation.ask(
                lambda reply: Consolidate(cycles, parts.clock.now(), request.dry_run, seen, reply),
                within=WITHIN,
                lane=Lane.BACKGROUND,
            )
        except PROBLEMS as error:  # raised below: here it would come out as a group
            problem = error
        nursery.cancel_scope.cancel()
    if problem is not None:
        raise problem
    for report in reports:
        if not request.dry_run and not report.skipped:
            await parts.schedule.was_run(report.cycle)
    return Consolidated(cycles=[_done(report) for report in reports], dry_run=request.dry_run)


async def _tell(latest: list[Step], progress: Progress) -> None:
    told: list[Step] = []
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # the person is leaving
        while True:
            await trio.sleep(TOLD_EVERY)
            if latest != told:
                told = list(latest)
                for step in told:
                    await progress({"cycle": step.cycle, "done": step.done, "total": step.total})


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


ANSWERS: Table = {ConsolidateNow: consolidate}
