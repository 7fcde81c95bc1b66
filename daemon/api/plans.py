"""Plans: proposed acts on memories nobody named, until a person decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from daemon.api.operation import Argument, Line, Operation, Option, Title, Verb
from daemon.commands.terminal.words import age, counted, now, one_line
from daemon.shapes.replies import NotThere, Reply, Row
from daemon.views import short_id, view

if TYPE_CHECKING:
    from actors.night.shapes import PlanRow
    from daemon.context import Parts, Progress

GROUPS = {"plan": "Look at one plan, do it, take it back, or leave it."}
PlanState = Literal["open", "applied", "undone", "dismissed", "stale"]
MOST: Final = 1_000  # as many as `status` may count
LEFT_OUT: Final = 20  # steps shown before the rest is only counted
# Where a plan stands.
STATES: Final = {
    "open": "waits for you",
    "applied": "done",
    "undone": "taken back",
    "dismissed": "left as it was",
    "stale": "out of date",
}
# Who proposes a plan; another name is as it stands.
PROPOSERS: Final = {"archivist": "a look through old memories", "dreaming": "a dream"}
ARCHIVE: Final = "archive"  # what a plan does; of earlier versions also something else
# What a plan means, for somebody who does not know the words.
MEANING: Final = "No answer, prompt or hint has them any more. Nothing is deleted."
OVER: Final = "An earlier version proposed it. It is not done any more."


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """Step of a plan: what it does to one memory."""

    memory: str
    title: str
    evidence: str
    outcome: str  # "" while it waits, done, restored; else why not


class PlanView(msgspec.Struct, frozen=True, kw_only=True):
    """A plan: a proposal with what became of it."""

    id: int
    act: str  # archive; of earlier versions also forget, retier, summarise, retype, rescope
    source: str  # who proposes
    reason: str
    state: PlanState
    proposed_at: float  # seconds since the epoch, UTC
    decided_at: float | None
    undone_at: float | None
    note: str  # what came of it, in words
    steps: list[StepView]


class PlansPage(Reply, frozen=True, kw_only=True):
    """Plans, newest first."""

    plans: list[PlanView]


class Plans(Operation[PlansPage], frozen=True, kw_only=True):
    """Show what reverie would tidy up, and has not.

    Nothing of it is archived before somebody agrees, and all of it can be taken back.
    """

    NAME = "plans"
    VERBS = (Verb("plans"),)
    every: Annotated[bool, Option("--all", "Also those that were decided.")] = False

    async def answer(self, parts: Parts, _: Progress) -> PlansPage:
        rows = await parts.reader.plans(None if self.every else "open", MOST)
        return PlansPage(plans=await _views(parts, rows))

    def lines(self, page: PlansPage) -> Iterator[Line]:
        moment = now()
        for one in page.plans:
            who = f"{PROPOSERS.get(one.source, one.source)}, {age(moment - one.proposed_at)}"
            state = "" if one.state == "open" else STATES[one.state]
            yield [str(one.id), acts_of(one), one.reason, who, state]
        if not page.plans:
            yield "there are no plans" if self.every else "no plan waits"
        if any(one.state == "open" for one in page.plans):
            yield "look: reverie plan show ID; then reverie plan apply ID, or dismiss ID"


class PlanShown(Reply, frozen=True, kw_only=True):
    """A plan as it is now; ``count``: the steps that were carried out or taken back just now."""

    plan: PlanView
    count: int = 0


class ShowPlan(Operation[PlanShown], frozen=True, kw_only=True):
    """Show what would happen, to what, and why."""

    NAME = "plan"
    VERBS = (Verb("plan show"),)
    id: Annotated[Row, Argument("ID")]

    async def answer(self, parts: Parts, _: Progress) -> PlanShown:
        return await _shown(parts, self.id)

    def lines(self, shown: PlanShown) -> Iterator[Line]:
        one = shown.plan
        yield Title(_headline(one))
        yield ["why", one.reason]
        who = PROPOSERS.get(one.source, one.source)
        yield ["from", f"{who}, {age(now() - one.proposed_at)}"]
        yield ["means", MEANING if one.act == ARCHIVE else OVER]
        if one.note:
            yield ["result", one.note]
        yield ""
        for step in one.steps[:LEFT_OUT]:
            yield ["", step.memory, step.evidence, step.outcome, step.title]
        if len(one.steps) > LEFT_OUT:
            yield f"  and {len(one.steps) - LEFT_OUT} more (--json has all of them)"
        yield ""
        yield _what_to_do(one)


class DecidePlan(Operation[PlanShown], frozen=True, kw_only=True):
    """Do what a plan says, take it back, or leave it; twice it is once."""

    NAME = "decide-plan"
    VERBS = (
        Verb("plan apply", {"decision": "apply"}, "Do what a plan says, all of it at once."),
        Verb(
            "plan undo", {"decision": "undo"}, "Take back what a plan did: everything is as it was."
        ),
        Verb(
            "plan dismiss",
            {"decision": "dismiss"},
            "Leave everything as it is; it is not proposed again for 90 days.",
        ),
    )
    decision: Literal["apply", "undo", "dismiss"]
    id: Annotated[Row, Argument("ID")]

    async def answer(self, parts: Parts, _: Progress) -> PlanShown:
        from actors.night.shapes import PlanApplied, PlanDismissed, PlanUndone

        writes = {"apply": PlanApplied, "undo": PlanUndone, "dismiss": PlanDismissed}
        await _plan(parts, self.id)
        (count,) = await parts.commit((writes[self.decision](self.id, parts.clock.now()),))
        return await _shown(parts, self.id, count)

    def lines(self, shown: PlanShown) -> Iterator[Line]:
        one = shown.plan
        yield f"{_headline(one)}{f': {one_line(one.note)}' if one.note else ''}"
        for step in one.steps if shown.count else ():
            if step.outcome not in ("", "done", "restored"):
                yield f"  {step.memory}: {one_line(step.outcome)}"
        yield _what_to_do(one)

    def has_failed(self, shown: PlanShown) -> bool:
        """Tell whether it is done although it should not be, or the other way round."""
        return (shown.plan.state == "applied") != (self.decision == "apply")


def acts_of(one: PlanView) -> str:
    """Act of a plan, with its number of memories."""
    many = counted(len(one.steps), "memory", "memories")
    return f"{one.act} {many}" if one.steps else "nothing any more"


def _headline(one: PlanView) -> str:
    return f"plan {one.id}: {acts_of(one)} ({STATES[one.state]})"


def _what_to_do(one: PlanView) -> str:
    if one.act != ARCHIVE and one.state != "applied":
        return f"leave it: reverie plan dismiss {one.id}"
    match one.state:
        case "open":
            return f"do it: reverie plan apply {one.id}    leave it: reverie plan dismiss {one.id}"
        case "applied":
            return f"take it back: reverie plan undo {one.id}"
        case "undone" | "dismissed":
            return f"do it after all: reverie plan apply {one.id}"
        case "stale":
            return f"it would be proposed anew; forget about it: reverie plan dismiss {one.id}"


async def _plan(parts: Parts, number: int) -> PlanRow:
    plan = await parts.reader.plan(number)
    if plan is None:
        raise NotThere(
            "no_such_plan", "there is no plan of this number: reverie plans --all shows them"
        )
    return plan


async def _shown(parts: Parts, number: int, count: int = 0) -> PlanShown:
    (plan,) = await _views(parts, [await _plan(parts, number)])
    return PlanShown(plan=plan, count=count)


async def _views(parts: Parts, rows: Sequence[PlanRow]) -> list[PlanView]:
    ids = sorted({step.memory_id for row in rows for step in row.steps})
    memories = await parts.reader.memories(ids)
    return [
        view(
            PlanView,
            row,
            steps=[
                view(
                    StepView,
                    step,
                    memory=short_id(step.memory_id),
                    title=memory.title or memory.text,
                )
                for step in row.steps
                if (memory := memories.get(step.memory_id)) is not None  # erased meanwhile
            ],
        )
        for row in rows
    ]
