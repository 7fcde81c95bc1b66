"""Dreams: one now, and the results of earlier ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from daemon.api.operation import Aside, Line, Operation, Option, Verb
from daemon.commands.terminal.words import age, counted, now, one_line
from daemon.shapes.replies import Reply
from daemon.views import short_id, view

if TYPE_CHECKING:
    from actors.night.shapes import InsightRow
    from daemon.context import Parts, Progress

BY_A_PERSON: Final = "a person"  # why a dream was begun that somebody ordered
MOST: Final = 500  # of anything in one answer
LISTED: Final = 20  # dreams
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


class InsightView(msgspec.Struct, frozen=True, kw_only=True):
    """An insight: a memory that a dream made."""

    id: str
    kind: str
    text: str
    sources: list[str]
    confidence: float
    evidence: list[str]
    ended: str | None
    accepted: int
    rejected: int
    applied: int


class DreamView(msgspec.Struct, frozen=True, kw_only=True):
    """A dream in numbers, and what it noticed."""

    id: int
    why: str
    began_at: float
    ended_at: float | None
    outcome: str | None  # finished, failed; null: it is not over
    stage: str  # the last one that is done
    memories: int
    figures: Mapping[str, Mapping[str, Any]]  # by stage: what it did, in numbers
    insights: list[InsightView]  # the best first


class Dreamt(Reply, frozen=True, kw_only=True):
    """A dream is over, or there was none."""

    dream: DreamView | None
    outcome: str  # finished, nothing, not_due
    note: str = ""


class DreamNow(Operation[Dreamt], frozen=True, kw_only=True):
    """Dream: connect what belongs together, and see what was noticed.

    Nothing is changed that memories say. Ctrl-C stops it; it begins anew in the next pause.
    """

    NAME = "dream"
    FOR_AGENTS = True
    SLOW = True
    VERBS = (Verb("dream"),)
    now: Annotated[bool, Option("--now", "Whether or not one is due.")] = False

    async def answer(self, parts: Parts, _: Progress) -> Dreamt:
        from actors.night.dreaming import why_not_due
        from actors.night.shapes import Dream as Ordered
        from daemon.context import WITHIN
        from daemon.schedule import DREAM

        if not self.now and (missing := await why_not_due(parts.reader, parts.clock.now())):
            return Dreamt(dream=None, outcome="not_due", note=missing)
        ordered = Ordered(BY_A_PERSON, parts.clock.now(), False)
        number = await parts.mailboxes.dreaming.ask(ordered, within=WITHIN)
        if not number:
            note = "there are too few memories to dream of"
            return Dreamt(dream=None, outcome="nothing", note=note)
        await parts.schedule.was_run(DREAM)
        (dream,) = await _views(parts, 1)
        return Dreamt(dream=dream, outcome="finished")

    def lines(self, done: Dreamt) -> Iterator[Line]:
        if done.dream is not None:
            yield from _told(done.dream)
            return
        hint = "; 'reverie dream --now' does it all the same" if done.outcome == "not_due" else ""
        yield f"no dream: {done.note}{hint}"


# ---- which there were, and what they noticed


class DreamsPage(Reply, frozen=True, kw_only=True):
    """The last dreams, newest first."""

    dreams: list[DreamView]


class Dreams(Operation[DreamsPage], frozen=True, kw_only=True):
    """Show the dreams there were, and what each noticed."""

    NAME = "dreams"
    VERBS = (
        Verb(
            "dream",
            flag=Option("--past", "Instead: which dreams there were, and what each noticed."),
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> DreamsPage:
        return DreamsPage(dreams=await _views(parts, LISTED))

    def lines(self, found: DreamsPage) -> Iterator[Line]:
        for one in found.dreams:
            yield from _told(one)
        if not found.dreams:
            yield "no dream yet: one comes when nobody is busy; 'reverie dream --now' at once"


def _told(one: DreamView) -> Iterator[Line]:
    connections = one.figures.get("cross_reference", {}).get("connections", 0)
    concluded = one.figures.get("transfer", {})
    proposed = int(concluded.get("proposed", 0))
    yield [
        str(one.id),
        age(now() - one.began_at),
        one.outcome or "not over",
        counted(one.memories, "memory", "memories"),
        counted(int(connections), "connection"),
        f"{concluded.get('insights', 0)} noticed",
        f"{counted(proposed, 'plan')}: reverie plans" if proposed else "",
        one.why,
    ]
    yield from _noticed(one.insights)


def _noticed(found: Iterable[InsightView]) -> Iterator[Line]:
    for one in found:
        yield f"  {one.id}  {KINDS.get(one.kind, one.kind)}: {one_line(one.text)}"
        sources = f"from {', '.join(one.sources[:8])}; " if one.sources else ""
        judged = f"; found useful {counted(one.accepted, 'time')}" if one.accepted else ""
        yield Aside(f"      {sources}{'; '.join(one.evidence)}{judged}")


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
        from daemon.answers.memories import best_first
        from daemon.storage import dreams

        rows = best_first(await parts.reader.read(dreams.standing_insights, MOST))
        limit = max(1, min(self.limit, MOST))
        return InsightsPage(insights=[_insight_view(row) for row in rows[:limit]])

    def lines(self, found: InsightsPage) -> Iterator[Line]:
        yield from _noticed(found.insights)
        if not found.insights:
            yield "nothing was noticed yet"


async def _views(parts: Parts, limit: int) -> list[DreamView]:
    """The last dreams, with what each noticed: of earlier ones also what was superseded since."""
    from daemon.answers.memories import best_first

    noticed: dict[int, list[InsightRow]] = defaultdict(list)
    for row in best_first(await parts.reader.insights(MOST)):
        noticed[row.dream_id].append(row)
    return [
        view(
            DreamView,
            row,
            memories=row.memories or int(row.figures.get("replay", {}).get("memories", 0)),
            insights=[_insight_view(one) for one in noticed[row.id]],
        )
        for row in await parts.reader.dreams(limit)
    ]


def _insight_view(row: InsightRow) -> InsightView:
    return view(
        InsightView,
        row,
        id=short_id(row.memory_id),
        kind=row.kind.value,
        sources=[short_id(source) for source in row.sources],
        confidence=round(row.confidence, 3),
    )
