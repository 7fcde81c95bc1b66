"""Dreams: one now, an end of it, and the results of earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from daemon.api.operation import Aside, Line, Operation, Option, Terminal, Verb
from daemon.api.plans import STATES
from daemon.commands.terminal.words import age, counted, duration, now, one_line, shortened
from daemon.shapes.replies import Done, NotThere, Reply, Row
from daemon.views import short_id, view

if TYPE_CHECKING:
    from actors.night.shapes import DreamRow, InsightRow
    from actors.policy.night.connection_graph import Connection
    from daemon.context import Parts, Progress

BY_A_PERSON: Final = "a person"  # why a dream was begun that somebody ordered
SOON: Final = 10.0  # seconds for a short question
MOST: Final = 500  # of anything in one answer
LISTED: Final = 20  # dreams
STRONGEST: Final = 10  # connections of a report
LAST: Final = "last"  # of all dreams
TITLE: Final = 48  # columns of a title in a report
# The stages of a dream as a person reads them.
DOING: Final = {
    "replay": "replaying",
    "cross_reference": "connecting",
    "strengthen": "strengthening",
    "prune": "letting go",
    "transfer": "drawing conclusions",
}
# The kinds of insights.
KINDS: Final = {
    "temporal_trend": "trend",
    "hidden_connection": "connection",
    "recurring_pattern": "pattern",
    "synthesis": "settled",
    "generalization": "rule",
    "contradiction": "contradiction",
    "knowledge_gap": "open",
}
# How the two memories of a connection are to each other.
CONNECTED: Final = {
    "shared_concept": "about the same things",
    "temporal": "of the same time",
    "semantic": "alike",
    "complementary": "related",
    "causal_chain": "cause and effect",
}


class DreamView(msgspec.Struct, frozen=True, kw_only=True):
    """A dream in numbers."""

    id: int
    why: str
    began_at: float
    ended_at: float | None
    outcome: str | None  # finished, cancelled, failed; null: it is not over
    stage: str  # the last one that is done
    memories: int
    figures: dict[str, dict[str, Any]]  # by stage: what it did, in numbers


# ---- one now


class Dreamt(Reply, frozen=True, kw_only=True):
    """A dream is over, or there was none."""

    dream: DreamView | None
    outcome: str  # finished, cancelled, nothing, not_due
    note: str = ""


class DreamNow(Operation[Dreamt], frozen=True, kw_only=True):
    """Dream: connect what belongs together, and see what was noticed.

    Nothing is changed that memories say. Ctrl-C stops at the next checkpoint.
    """

    NAME = "dream"
    SLOW = True
    VERBS = (Verb("dream"),)
    now: Annotated[bool, Option("--now", "Whether or not one is due.")] = False

    async def answer(self, parts: Parts, progress: Progress) -> Dreamt:
        from actors.night import shapes as messages
        from actors.night.dreaming import why_not_due
        from daemon.context import WITHIN, with_progress
        from daemon.schedule import DREAM

        if not self.now:
            missing = await why_not_due(parts.reader, parts.clock.now())
            if missing:
                return Dreamt(dream=None, outcome="not_due", note=missing)
        report: messages.DreamReport = await with_progress(
            progress,
            lambda seen: parts.mailboxes.dreaming.ask(
                messages.Dream(BY_A_PERSON, parts.clock.now(), False, seen, parts.stop.is_set),
                within=WITHIN,
            ),
        )
        number, outcome = report.dream_id, report.outcome
        if outcome == "finished" and number:
            await parts.schedule.was_run(DREAM)
        if not number:
            note = "there are too few memories to dream of"
            return Dreamt(dream=None, outcome="nothing", note=note)
        return Dreamt(dream=_view(await _row(parts, number)), outcome=outcome)

    def step(self, frame: Mapping[str, Any]) -> str:
        doing = DOING.get(frame["stage"], frame["stage"])
        return (
            f"dreaming over {counted(frame['memories'], 'memory', 'memories')}:"
            f" {doing} ({frame['done'] + 1} of {frame['total']}); Ctrl-C stops"
        )

    def lines(self, done: Dreamt) -> Iterator[Line]:
        from daemon.commands.terminal.question import asked

        if done.dream is not None:
            report = ShowDream(id=done.dream.id)
            yield from report.lines(asked(report))
            return
        hint = "; 'reverie dream --now' does it all the same" if done.outcome == "not_due" else ""
        yield f"no dream: {done.note}{hint}"


class CancelDreaming(Operation[Done], frozen=True, kw_only=True):
    """Stop the dream that is under way, whoever wanted it."""

    NAME = "dream-cancel"
    VERBS = (Verb("dream", flag=Option("--cancel", "Stop the dream that is under way.")),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.core.mailbox import Lane
        from actors.night.shapes import CancelDream

        stopped = await parts.mailboxes.dreaming.ask(
            CancelDream(), within=SOON, lane=Lane.INTERACTIVE
        )
        return Done(count=int(stopped), note="" if stopped else "nothing was being dreamt")

    def lines(self, done: Done) -> list[Line]:
        return ["the dream stops" if done.count else done.note]


# ---- which there were


class DreamsPage(Reply, frozen=True, kw_only=True):
    """The last dreams, newest first."""

    dreams: list[DreamView]


class ListDreams(Operation[DreamsPage], frozen=True, kw_only=True):
    """Show the dreams there were."""

    NAME = "dreams"

    async def answer(self, parts: Parts, _: Progress) -> DreamsPage:
        return DreamsPage(dreams=[_view(row) for row in await parts.reader.dreams(LISTED)])

    def lines(self, found: DreamsPage) -> Iterator[Line]:
        for one in found.dreams:
            connections = one.figures.get("cross_reference", {}).get("connections", 0)
            yield [
                str(one.id),
                age(now() - one.began_at),
                one.outcome or f"under way, {DOING.get(one.stage, 'begun')}",
                counted(one.memories, "memory", "memories"),
                counted(int(connections), "connection"),
                f"{one.figures.get('transfer', {}).get('insights', 0)} noticed",
                one.why,
            ]
        if not found.dreams:
            yield "no dream yet: one comes when nobody is busy; 'reverie dream --now' at once"


# ---- what came of one


class InsightView(msgspec.Struct, frozen=True, kw_only=True):
    """An insight: a memory that a dream made."""

    id: str
    kind: str
    text: str
    sources: list[str]
    titles: list[str]  # of the sources
    confidence: float
    novelty: float
    evidence: list[str]
    ended: str | None
    accepted: int
    rejected: int
    applied: int


class ConnectionView(msgspec.Struct, frozen=True, kw_only=True):
    """Two memories that a dream found to belong together."""

    one: str
    other: str
    one_title: str
    other_title: str
    kind: str
    strength: float
    evidence: str


class ProposedView(msgspec.Struct, frozen=True, kw_only=True):
    """A plan that a dream proposed."""

    id: int
    act: str
    reason: str
    state: str
    memories: int


class DreamReport(Reply, frozen=True, kw_only=True):
    """Report of a dream."""

    dream: DreamView
    insights: list[InsightView]  # those that deserve to be shown first
    connections: list[ConnectionView]  # the strongest
    proposed: list[ProposedView]


class ShowDream(Operation[DreamReport], frozen=True, kw_only=True):
    """Show what came of a dream; 0: of the last one."""

    NAME = "dream-show"
    VERBS = (
        Verb(
            "dream",
            flag=Option(
                "--past",
                "Instead: which dreams there were; of an ID, or 'last', what came of it.",
                metavar="[ID]",
                alone="",
            ),
            fills="past",
        ),
    )
    id: Row = 0
    past: str = ""

    def prepared(self, _: Terminal, /) -> Operation[Any]:
        """The dream of this number, or the list of all."""
        from daemon.commands.terminal.words import row_number

        if not self.past:
            return ListDreams()
        return ShowDream(id=0 if self.past == LAST else row_number(self.past))

    async def answer(self, parts: Parts, _: Progress) -> DreamReport:
        from actors.night.shapes import SOURCE
        from daemon.answers.memories import insights
        from daemon.storage import graph

        row = await _row(parts, self.id)
        until = row.ended_at if row.ended_at is not None else parts.clock.now()
        drawn = await parts.reader.read(graph.touched_between, row.began_at, until, STRONGEST)
        plans = await parts.reader.plans(None, MOST)
        return DreamReport(
            dream=_view(row),
            insights=await _insight_views(parts, await insights(parts, row.id, MOST)),
            connections=await _connections(parts, drawn),
            proposed=[
                view(ProposedView, plan, memories=len(plan.steps))
                for plan in plans
                if plan.source == SOURCE and row.began_at <= plan.proposed_at <= until
            ],
        )

    def lines(self, report: DreamReport) -> Iterator[Line]:
        one = report.dream
        took = duration(one.ended_at - one.began_at) if one.ended_at is not None else "not over"
        over = counted(one.memories, "memory", "memories")
        yield f"Dream {one.id} ({one.outcome or 'under way'}, {took}), for {one.why}: {over}"
        yield from (f"  {line}" for line in _stages(one))
        if report.insights:
            yield "\nNoticed"
            yield from _noticed(report.insights)
        if report.connections:
            yield "\nConnected most strongly"
        for pair in report.connections:
            title, other = (
                shortened(one_line(title), TITLE) for title in (pair.one_title, pair.other_title)
            )
            yield f"  {pair.one} {title}  and  {pair.other} {other}"
            kind = CONNECTED.get(pair.kind, pair.kind)
            yield Aside(f"      {kind}, strength {pair.strength:.2f}: {pair.evidence}")
        if report.proposed:
            waits = any(plan.state == "open" for plan in report.proposed)
            decide = ": 'reverie plan show ID', 'reverie plan apply ID'" if waits else ""
            yield f"\nProposed{decide}"
        for plan in report.proposed:
            meant = counted(plan.memories, "memory", "memories")
            state = STATES.get(plan.state, plan.state)
            yield f"  {plan.id}  {plan.act} {meant} ({state}): {plan.reason}"


def _stages(one: DreamView) -> Iterator[str]:
    """Report of each stage, in a line."""
    figures = one.figures
    if replay := figures.get("replay"):
        by = "" if replay.get("by") == "vectors" else " (by words alone: meanings were not known)"
        things = counted(int(replay["patterns"]), "thing")
        yield f"replayed {replay['replayed']}, {things} that several are about{by}"
    if drawn := figures.get("cross_reference"):
        kinds = ", ".join(
            f"{count} {CONNECTED.get(kind, kind)}"
            for kind, count in drawn.items()
            if kind not in ("connections", "new")
        )
        pairs = counted(int(drawn["connections"]), "pair")
        yield f"connected {pairs}{f': {kinds}' if kinds else ''}"
    if strong := figures.get("strengthen"):
        yield f"strengthened {counted(int(strong['strengthened']), 'connection')}"
    if last := figures.get("transfer"):
        groups, plans = counted(int(last["episodes"]), "group"), int(last["proposed"])
        yield (
            f"noticed {last['insights']}, {groups} of memories that belong together,"
            f" {counted(plans, 'plan')} proposed"
        )


def _noticed(found: Iterable[InsightView]) -> Iterator[Line]:
    for one in found:
        yield f"  {one.id}  {KINDS.get(one.kind, one.kind)}: {one_line(one.text)}"
        sources = f"from {', '.join(one.sources[:8])}; " if one.sources else ""
        judged = f"; found useful {counted(one.accepted, 'time')}" if one.accepted else ""
        yield Aside(f"      {sources}{'; '.join(one.evidence)}{judged}")


# ---- what all of them noticed


class InsightsPage(Reply, frozen=True, kw_only=True):
    """The insights that stand, those that deserve to be shown first."""

    insights: list[InsightView]


class ListInsights(Operation[InsightsPage], frozen=True, kw_only=True):
    """Show what dreams have noticed, the most useful first.

    'reverie useful ID' and 'reverie useless ID' decide what is shown from now on.
    """

    NAME = "insights"
    VERBS = (Verb("insights"),)
    limit: Annotated[int, Option("--limit", "How many at most.", True, within=(1, MOST))] = 20

    async def answer(self, parts: Parts, _: Progress) -> InsightsPage:
        from daemon.answers.memories import insights

        found = await insights(parts, None, max(1, min(self.limit, MOST)))
        return InsightsPage(insights=await _insight_views(parts, found))

    def lines(self, found: InsightsPage) -> Iterator[Line]:
        yield from _noticed(found.insights)
        if not found.insights:
            yield "nothing was noticed yet"


# ---- rows as clients see them


async def _row(parts: Parts, number: int) -> DreamRow:
    from daemon.storage import dreams

    row = await parts.reader.read(dreams.dream, number)
    if row is None:
        raise NotThere(
            "no_such_dream", "there is no dream of this number: reverie dream --past shows them"
        )
    return row


def _view(row: DreamRow) -> DreamView:
    return view(
        DreamView,
        row,
        memories=row.memories or int(row.figures.get("replay", {}).get("memories", 0)),
        figures={stage: dict(figures) for stage, figures in row.figures.items()},
    )


async def _insight_views(parts: Parts, rows: Sequence[InsightRow]) -> list[InsightView]:
    sources = sorted({source for row in rows for source in row.sources})
    memories = await parts.reader.memories(sources)
    return [
        view(
            InsightView,
            row,
            id=short_id(row.memory_id),
            kind=row.kind.value,
            sources=[short_id(source) for source in row.sources],
            titles=[memories[source].title for source in row.sources if source in memories],
            confidence=round(row.confidence, 3),
            novelty=round(row.novelty, 3),
        )
        for row in rows
    ]


async def _connections(parts: Parts, drawn: Sequence[Connection]) -> list[ConnectionView]:
    ends = sorted({end for one in drawn for end in (one.one, one.other)})
    memories = await parts.reader.memories(ends)
    return [
        view(
            ConnectionView,
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
