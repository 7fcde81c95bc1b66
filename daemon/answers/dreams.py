"""Dreams for whoever asks: one now, and what came of those before (section I)."""

from collections.abc import Mapping, Sequence
from typing import Final

from actors.core.mailbox import Lane
from actors.dreams import messages
from actors.dreams.messages import CancelDream, Dream, WouldDream
from actors.dreams.rows import DreamRow, InsightRow
from actors.dreams.writes import SOURCE
from actors.memory.rows import Memory
from actors.policy.dreams import insights as noticed
from actors.policy.dreams.connection_graph import Connection
from actors.policy.dreams.insights import Feedback, InsightKind
from daemon.context import NotThere, Parts, Progress, table
from daemon.requests import dreams as asked
from daemon.requests.shapes import Done
from daemon.schedule import DREAM
from daemon.storage import dreams as dreams_stored
from daemon.storage import graph
from daemon.under_way import WITHIN, told
from daemon.views import short_id, view

SOON: Final = 10.0  # seconds for a short question
MOST: Final = 500  # of anything in one answer


async def dream(parts: Parts, request: asked.DreamNow, progress: Progress) -> asked.Dreamt:
    """One dream, told stage by stage."""
    if not request.now:
        missing: str = await parts.mailboxes.dreaming.ask(
            lambda reply: WouldDream(parts.clock.now(), reply), within=SOON
        )
        if missing:
            return asked.Dreamt(dream=None, outcome="not_due", note=missing)
    report: messages.DreamReport = await told(
        progress,
        lambda seen: parts.mailboxes.dreaming.ask(
            lambda reply: Dream(
                asked.BY_A_PERSON, parts.clock.now(), False, seen, reply, parts.stop.is_set
            ),
            within=WITHIN,
        ),
    )
    number, outcome = report.dream_id, report.outcome
    if outcome == "finished" and number:
        await parts.schedule.was_run(DREAM)
    if not number:
        return asked.Dreamt(
            dream=None, outcome="nothing", note="there are too few memories to dream of"
        )
    return asked.Dreamt(dream=_view(await _row(parts, number)), outcome=outcome)


async def cancel(parts: Parts, _: asked.CancelDreaming) -> Done:
    """Stop whatever dream is under way."""
    stopped = await parts.mailboxes.dreaming.ask(CancelDream, within=SOON, lane=Lane.INTERACTIVE)
    return Done(count=int(stopped), note="" if stopped else "nothing was being dreamt")


async def listed(parts: Parts, request: asked.ListDreams) -> asked.DreamsPage:
    """The last dreams."""
    rows = await parts.reader.dreams(max(1, min(request.limit, MOST)))
    return asked.DreamsPage(dreams=[_view(row) for row in rows])


async def show(parts: Parts, request: asked.ShowDream) -> asked.DreamReport:
    """Report of one dream."""
    row = await _row(parts, request.id)
    until = row.ended_at if row.ended_at is not None else parts.clock.now()
    limit = max(0, min(request.connections, MOST))
    drawn = await parts.reader.read(graph.touched_between, row.began_at, until, limit)
    plans = await parts.reader.plans(None, MOST)
    return asked.DreamReport(
        dream=_view(row),
        insights=await _insights(parts, row.id, MOST),
        connections=await _connections(parts, drawn),
        proposed=[
            view(asked.ProposedView, plan, memories=len(plan.steps))
            for plan in plans
            if plan.source == SOURCE and row.began_at <= plan.proposed_at <= until
        ],
    )


async def insights(parts: Parts, request: asked.ListInsights) -> asked.InsightsPage:
    """Insights that stand."""
    limit = max(1, min(request.limit, MOST))
    return asked.InsightsPage(insights=await _insights(parts, None, limit))


async def _row(parts: Parts, number: int) -> DreamRow:
    row = await parts.reader.read(dreams_stored.dream, number)
    if row is None:
        raise NotThere(
            "no_such_dream", "there is no dream of this number: reverie dream --past shows them"
        )
    return row


def _view(row: DreamRow) -> asked.DreamView:
    return view(
        asked.DreamView,
        row,
        memories=row.memories or int(row.figures.get("replay", {}).get("memories", 0)),
        figures={stage: dict(figures) for stage, figures in row.figures.items()},
    )


async def _insights(parts: Parts, dream_id: int | None, limit: int) -> list[asked.InsightView]:
    """Those that stand, best first; of one dream also those that a later one took the place of."""
    rows = await (
        parts.reader.read(dreams_stored.standing_insights, MOST)
        if dream_id is None
        else parts.reader.insights(dream_id, MOST)
    )
    known = {row.memory_id: row for row in rows}
    kinds: dict[InsightKind, Feedback] = {}
    for row in await parts.reader.insights(None, MOST):
        kinds[row.kind] = _sum(kinds.get(row.kind, Feedback()), row.feedback)
    order = noticed.surfaced(
        {
            number: noticed.score(row.confidence, row.feedback, kinds.get(row.kind, Feedback()))
            for number, row in known.items()
        },
        limit,
    )
    sources = sorted({source for number in order for source in known[number].sources})
    memories = await parts.reader.memories(sources)
    return [_insight_view(known[number], memories) for number in order]


def _sum(one: Feedback, other: Feedback) -> Feedback:
    return Feedback(
        one.accepted + other.accepted, one.rejected + other.rejected, one.applied + other.applied
    )


def _insight_view(row: InsightRow, memories: Mapping[int, Memory]) -> asked.InsightView:
    return view(
        asked.InsightView,
        row,
        id=short_id(row.memory_id),
        kind=row.kind.value,
        sources=[short_id(source) for source in row.sources],
        titles=[memories[source].title for source in row.sources if source in memories],
        confidence=round(row.confidence, 3),
        novelty=round(row.novelty, 3),
    )


async def _connections(parts: Parts, drawn: Sequence[Connection]) -> list[asked.ConnectionView]:
    ends = sorted({end for one in drawn for end in (one.one, one.other)})
    memories = await parts.reader.memories(ends)
    return [
        view(
            asked.ConnectionView,
            one,
            one=short_id(one.one),
            other=short_id(one.other),
            one_title=memories[one.one].title,
            other_title=memories[one.other].title,
            kind=one.kind.value,
            strength=round(one.strength, 3),
        )
        for one in drawn
        if one.one in memories and one.other in memories
    ]


ANSWERS = table(cancel, listed, show, insights, telling=(dream,))
