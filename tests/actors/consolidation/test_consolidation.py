"""Consolidation at work: relevance, kinships, forgetting, and what protects from it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from actors.consolidation import consolidation
from actors.consolidation.consolidation import DRAWN, PAGE, Consolidation, Settings
from actors.consolidation.messages import CYCLES, Consolidate, Cycle, CycleReport, Step
from actors.consolidation.rows import UseRow
from actors.consolidation.writes import RelevanceComputed
from actors.core.mailbox import Crashed, Queue
from actors.dreams.writes import ConnectionsDrawn, ConnectionsFaded
from actors.memory.ports import Unreadable, Unwritable
from actors.memory.rows import Memory
from actors.observatory.observatory import Observatory
from actors.plans.writes import PlanProposed
from actors.policy.decay.relevance import FLOOR, Use, relevances
from actors.policy.dreams.connection_graph import Connection, ConnectionKind
from tests.actors.post import answering, queue, running
from tests.clock import BEGINNING
from tests.writing import axis

DAY = 86_400.0
NOW = BEGINNING + 200 * DAY
AS_IT_IS = Settings()
WATCHED = Observatory()  # what whoever follows would see


# ---- a desk of its own: rows from memory, writes noted


@dataclass
class Shelf:
    """``ConsolidationReader`` from lists."""

    uses: list[UseRow] = field(default_factory=list[UseRow])
    observed: list[Memory] = field(default_factory=list[Memory])
    fading: list[tuple[Memory, float]] = field(default_factory=list[tuple[Memory, float]])
    vectored: dict[int, bytes] = field(default_factory=dict[int, bytes])
    asked: int = 0
    trouble: Exception | None = None

    async def uses_of_living(self, after: int, limit: int) -> list[UseRow]:
        await trio.sleep(0.01)
        self.asked += 1
        if self.trouble is not None:
            raise self.trouble
        return [row for row in self.uses if row.memory_id > after][:limit]

    async def projects_of_living(self, limit: int) -> list[str | None]:
        await trio.lowlevel.checkpoint()
        return list(dict.fromkeys(row.project for row in self.observed))[:limit]

    async def newest(self, project: str | None, limit: int) -> list[Memory]:
        await trio.lowlevel.checkpoint()
        return [row for row in self.observed if row.project == project][:limit]

    async def first_vectors(self, ids: Sequence[int]) -> list[tuple[int, bytes]]:
        await trio.lowlevel.checkpoint()
        return [(one, self.vectored[one]) for one in ids if one in self.vectored]

    async def faded(
        self, before: float, threshold: float, after: int, limit: int
    ) -> list[tuple[Memory, float]]:
        await trio.lowlevel.checkpoint()
        self.asked += 1
        return [row for row in self.fading if row[0].id > after][:limit]

    async def living_count(self) -> int:
        await trio.lowlevel.checkpoint()
        return max(len(self.uses), len(self.fading))


def use_row(number: int, **other: Any) -> UseRow:
    filled: dict[str, Any] = {
        "created_at": NOW - 10 * DAY, "last_use": None, "importance": 0.5, "relations": 0,
        "confidence": None, "relevance": None, **other,
    }  # fmt: skip
    return UseRow(number, **filled)


def faded_row(number: int, **other: Any) -> tuple[Memory, float]:
    filled: dict[str, Any] = {
        "kind": "change", "created_at": NOW - 200 * DAY, "importance": 0.4, "source": "edits",
        "text": "it was changed", **other,
    }  # fmt: skip
    return replace(observed(number), **filled), FLOOR


def observed(
    number: int, kind: str = "fact", text: str = "in src/auth.py", project: str = "/p"
) -> Memory:
    at = NOW - number * DAY
    return Memory(
        number, None, text, "t", kind, "normal", "declarative", "general", project, at, at,
        b"h" * 16, 2.0, 5.0, 0.5, 0.5, None, 0, 0, None, None, 0, 0, False, None, None, 1, False,
        "hand", None, (), (), "confirmed", None, None, None,
    )  # fmt: skip


def ones(message: Any) -> list[int]:
    return [1] * len(message.unit)


def desk(shelf: Shelf, chosen: Settings = AS_IT_IS) -> tuple[Consolidation, Queue[Any]]:
    store = queue("long_term")
    return Consolidation(chosen, shelf, store.mailbox, WATCHED, random.Random(1)), store


async def asked(
    inbox: Queue[Any],
    *cycles: Cycle,
    dry_run: bool = False,
    seen: Callable[[Step], None] = lambda _: None,
) -> tuple[CycleReport, ...]:
    reports: tuple[CycleReport, ...] = await inbox.mailbox.ask(
        lambda reply: Consolidate(cycles, NOW, reply, dry_run, seen), within=600
    )
    return reports


async def due(inbox: Queue[Any], cycle: Cycle, at: float) -> CycleReport:
    """What the schedule is told."""
    reports: tuple[CycleReport, ...] = await inbox.mailbox.ask(
        lambda reply: Consolidate((cycle,), at, reply), within=60
    )
    return reports[0]


async def consolidated(
    shelf: Shelf, *cycles: Cycle, chosen: Settings = AS_IT_IS, dry_run: bool = False
) -> tuple[tuple[CycleReport, ...], list[Any]]:
    """The reports, and every write."""
    actor, store = desk(shelf, chosen)
    async with (
        answering(store, ones) as noted,
        running(actor, queue("consolidation")) as inbox,
    ):
        reports = await asked(inbox, *cycles, dry_run=dry_run)
    return reports, [write for message in noted for write in message.unit]


# ---- decay


@pytest.mark.trio
async def test_decay_writes_relevance_and_nothing_else(autojump_clock: MockClock) -> None:
    """Finding 10: never importance."""
    shelf = Shelf([use_row(1), use_row(2, last_use=NOW, relations=2, confidence=0.8)])
    (report,), writes = await consolidated(shelf, "decay")

    assert writes == [
        RelevanceComputed(
            (
                (1, relevances([Use(10, 0.5)])[0]),
                (2, relevances([Use(10, 0.5, 0.0, 2, 0.8)])[0]),
            ),
            NOW,
        )
    ]
    assert (report.looked_at, report.changed, report.skipped) == (2, 2, "")


@pytest.mark.trio
async def test_what_did_not_change_is_not_written_again(autojump_clock: MockClock) -> None:
    known = relevances([Use(10, 0.5)])[0]
    shelf = Shelf([use_row(1, relevance=known), use_row(2, relevance=known / 2)])
    (report,), writes = await consolidated(shelf, "decay")

    assert [memory_id for memory_id, _ in writes[0].values] == [2]
    assert report.changed == 1


@pytest.mark.trio
async def test_an_empty_store_is_read_once_and_written_never(
    autojump_clock: MockClock,
) -> None:
    shelf = Shelf()
    reports, writes = await consolidated(shelf, *CYCLES, chosen=Settings(forget=True))

    assert writes == [ConnectionsFaded("consolidation", 0.95, 0.1)]
    assert [report.looked_at for report in reports] == [0, 0, 0]
    assert shelf.asked == 2


@pytest.mark.trio
async def test_a_page_is_small_and_others_have_as_long_between_two(
    autojump_clock: MockClock,
) -> None:
    shelf = Shelf([use_row(number) for number in range(1, 2 * PAGE + 2)])
    steps: list[tuple[float, Step]] = []
    actor, store = desk(shelf)
    async with answering(store, ones) as noted, running(actor, queue()) as inbox:
        await asked(inbox, "decay", seen=lambda step: steps.append((trio.current_time(), step)))
    pages = [len(message.unit[0].values) for message in noted]

    assert pages == [PAGE, PAGE, 1]
    assert [step.done for _, step in steps] == [PAGE, 2 * PAGE, 2 * PAGE + 1]
    # Reading a page takes .01 s here; as much is left to others after it.
    assert steps[1][0] - steps[0][0] == pytest.approx(0.02)


@pytest.mark.trio
async def test_whoever_gives_up_ends_the_cycle_at_the_next_page(
    autojump_clock: MockClock,
) -> None:
    """What was written by then is whole: a page is one unit."""
    shelf = Shelf([use_row(number) for number in range(1, 10 * PAGE)])
    actor, store = desk(shelf)
    async with answering(store, ones) as noted, running(actor, queue()) as inbox:
        with trio.move_on_after(0.045):
            await asked(inbox, "decay")
        await trio.sleep(10)
        after = len(noted)
        (report,) = await asked(inbox, "decay", dry_run=True)

    assert 1 <= after <= 3
    assert report.looked_at == 10 * PAGE - 1
    assert actor.failed == 0


# ---- associations


@pytest.mark.trio
async def test_associations_are_stored_as_connections_of_consolidation(
    autojump_clock: MockClock,
) -> None:
    """A discovery and a feature that are alike."""
    shelf = Shelf(
        observed=[observed(1, "discovery"), observed(2, "feature")],
        vectored={1: axis(1), 2: axis(1)},
    )
    (report,), writes = await consolidated(shelf, "associations")

    assert writes[0] == ConnectionsFaded("consolidation", 0.95, 0.1)
    (drawn,) = writes[1:]
    assert isinstance(drawn, ConnectionsDrawn)
    assert drawn.found_by == "consolidation"
    (made,) = drawn.connections
    assert (made.one, made.other, made.kind) == (1, 2, ConnectionKind.EXPLAINS)
    assert report.kinds == (("explains", 1),)
    assert (report.changed, report.unvectored) == (1, 0)


@pytest.mark.trio
async def test_evidence_says_figures_and_never_a_memorys_words(
    autojump_clock: MockClock,
) -> None:
    shelf = Shelf(
        observed=[observed(n, "decision", "DB_PASSWORD_FILE of src/auth.py") for n in (1, 2)],
        vectored={1: axis(1), 2: axis(2)},
    )
    _, writes = await consolidated(shelf, "associations")
    (made,) = writes[1].connections

    assert made.kind is ConnectionKind.CONTRADICTS
    assert "auth" not in made.evidence.casefold()
    assert "password" not in made.evidence.casefold()
    assert "2 subjects in common" in made.evidence


@pytest.mark.trio
async def test_without_vectors_associations_are_skipped_with_a_word(
    autojump_clock: MockClock,
) -> None:
    shelf = Shelf(observed=[observed(1), observed(2)])
    reports, writes = await consolidated(shelf, "associations", "decay")

    assert "vector" in reports[0].skipped
    assert writes == []
    assert [report.cycle for report in reports] == ["associations", "decay"]


@pytest.mark.trio
async def test_one_memory_without_a_vector_is_left_out_and_counted(
    autojump_clock: MockClock,
) -> None:
    shelf = Shelf(
        observed=[observed(1), observed(2), observed(3, "change")],
        vectored={1: axis(1), 3: axis(1)},
    )
    (report,), writes = await consolidated(shelf, "associations")

    assert report.unvectored == 1
    assert [(one.one, one.other) for drawn in writes[1:] for one in drawn.connections] == [(1, 3)]


@pytest.mark.trio
async def test_many_connections_are_stored_a_few_in_a_transaction(
    autojump_clock: MockClock,
) -> None:
    shelf = Shelf(
        observed=[observed(n, "fact" if n % 2 else "change") for n in range(1, 21)],
        vectored=dict.fromkeys(range(1, 21), axis(1)),
    )
    (report,), writes = await consolidated(shelf, "associations")
    drawn = [len(write.connections) for write in writes[1:]]

    assert dict(report.kinds)["shares_theme"] == sum(drawn) - dict(report.kinds).get(
        "evolves_from", 0
    )
    assert sum(drawn) == 190
    assert max(drawn) <= DRAWN


@pytest.mark.trio
async def test_memories_of_two_projects_are_not_compared(autojump_clock: MockClock) -> None:
    mine, theirs = observed(1), observed(2, project="/q")
    shelf = Shelf(observed=[mine, theirs], vectored={1: axis(1), 2: axis(1)})
    (report,), _ = await consolidated(shelf, "associations")

    assert report.kinds == ()


@pytest.mark.trio
async def test_a_new_connection_may_raise_importance_a_little(
    autojump_clock: MockClock,
) -> None:
    shelf = Shelf(observed=[observed(1), observed(2, "change")], vectored={1: axis(1), 2: axis(1)})
    _, off = await consolidated(shelf, "associations")
    _, on = await consolidated(shelf, "associations", chosen=Settings(boost=0.05))

    assert len(off) == 2
    assert [(one.memory_id, one.amount) for one in on[2:]] == [
        (1, 0.05),
        (2, 0.05),
    ]


# ---- forgetting


@pytest.mark.trio
async def test_forgetting_that_is_off_returns_at_once(autojump_clock: MockClock) -> None:
    shelf = Shelf(fading=[faded_row(number) for number in range(1, 101)])
    (report,), writes = await consolidated(shelf, "forgetting")

    assert writes == []
    assert shelf.asked == 0
    assert "consolidation.forget" in report.skipped


@pytest.mark.trio
async def test_forgetting_proposes_a_plan_of_at_most_a_twentieth_and_ends_nothing(
    autojump_clock: MockClock,
) -> None:
    shelf = Shelf(fading=[faded_row(number) for number in range(1, 101)])
    (report,), writes = await consolidated(shelf, "forgetting", chosen=Settings(forget=True))
    (plan,) = writes

    assert isinstance(plan, PlanProposed)
    assert (plan.act, plan.source) == ("archive", "consolidation")
    assert len(plan.steps) == len(report.memory_ids) == 5
    assert all(step.content_hash == b"h" * 16 for step in plan.steps)
    assert report.plan_id == 1


@pytest.mark.trio
async def test_what_was_told_with_a_reason_goes_after_what_was_not(
    autojump_clock: MockClock,
) -> None:
    """Of those that are equally faded the least worth goes first."""
    told = "we chose the queue worker for the nightly export of orders because cron lost jobs " * 2
    shelf = Shelf(
        fading=[faded_row(number, text=told) for number in range(1, 40)]
        + [faded_row(40), faded_row(41)]
    )
    (report,), _ = await consolidated(shelf, "forgetting", chosen=Settings(forget=True))

    assert report.memory_ids == (40, 41)


@pytest.mark.trio
async def test_texts_are_read_one_in_a_turn(
    autojump_clock: MockClock,
) -> None:
    """A page of long ones at once would hold everybody up for a tenth of a second."""
    count = 100
    long = [observed(number, text="in src/auth.py " * 500) for number in range(1, count + 1)]
    fading = [faded_row(number, text="it was changed " * 500) for number in range(1, count + 1)]
    shelf = Shelf(observed=long, fading=fading, vectored={n: axis(1) for n in range(1, count + 1)})
    turns: dict[Cycle, int] = {}
    for cycle in ("associations", "forgetting"):
        few = Shelf(observed=long[:1], fading=fading[:1], vectored=shelf.vectored)
        turns[cycle] = await turns_of(shelf, cycle) - await turns_of(few, cycle)

    assert turns["forgetting"] >= count - 1
    # Of a sample of twenty: its texts, and what each is to the others.
    assert turns["associations"] >= 2 * (20 - 1)


class Turns(trio.abc.Instrument):
    """How often some task went on."""

    count = 0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.count += 1


async def turns_of(shelf: Shelf, cycle: Cycle) -> int:
    turns = Turns()
    trio.lowlevel.add_instrument(turns)
    await consolidated(shelf, cycle, dry_run=True)
    trio.lowlevel.remove_instrument(turns)
    return turns.count


@pytest.mark.trio
async def test_what_stays_is_not_read_at_all(autojump_clock: MockClock) -> None:
    """Only what nothing protects is asked how well it is told."""
    kept = faded_row(1, kind="decision", text=None)  # reading it would fail
    shelf = Shelf(fading=[kept, *(faded_row(number) for number in range(2, 41))])
    (report,), _ = await consolidated(shelf, "forgetting", chosen=Settings(forget=True))

    assert report.memory_ids == (2, 3)


@pytest.mark.trio
async def test_a_dry_run_says_what_would_be_proposed_although_it_is_off(
    autojump_clock: MockClock,
) -> None:
    shelf = Shelf(
        [use_row(1)], [observed(1), observed(2, "change")],
        [faded_row(number) for number in range(1, 101)], {1: axis(1), 2: axis(1)},
    )  # fmt: skip
    reports, writes = await consolidated(shelf, *CYCLES, dry_run=True)

    assert writes == []
    assert [report.changed for report in reports] == [1, 1, 5]
    assert reports[2].plan_id is None


@pytest.mark.trio
async def test_a_plan_that_says_nothing_new_is_said_so(autojump_clock: MockClock) -> None:
    actor, store = desk(Shelf(fading=[faded_row(n) for n in range(1, 101)]), Settings(forget=True))
    async with (
        answering(store, lambda message: [0] * len(message.unit)),
        running(actor, queue()) as inbox,
    ):
        (report,) = await asked(inbox, "forgetting")

    assert (report.plan_id, report.changed, report.memory_ids) == (None, 0, ())


# ---- running all, errors, the end


@pytest.mark.trio
async def test_all_run_one_after_the_other(autojump_clock: MockClock) -> None:
    reports, _ = await consolidated(Shelf([use_row(1)]), *CYCLES)

    assert [report.cycle for report in reports] == ["decay", "associations", "forgetting"]


@pytest.mark.trio
@pytest.mark.parametrize("trouble", [Unwritable("the disk is full"), Crashed("long_term")])
async def test_the_first_error_ends_the_run_and_is_returned(
    autojump_clock: MockClock, trouble: Exception
) -> None:
    shelf = Shelf([use_row(1)], [observed(1), observed(2)], [], {1: axis(1), 2: axis(1)})
    actor, store = desk(shelf)
    async with (
        answering(store, lambda _: trouble) as noted,
        running(actor, queue()) as inbox,
    ):
        with pytest.raises(type(trouble)):
            await asked(inbox, *CYCLES)
        sent = len(noted)

    assert sent == 1  # decay's; associations were not begun
    assert actor.failed == 1


@pytest.mark.trio
async def test_after_an_error_the_next_run_is_as_any(autojump_clock: MockClock) -> None:
    shelf = Shelf([use_row(1)], trouble=Unreadable("gone"))
    actor, store = desk(shelf)
    async with answering(store, ones), running(actor, queue()) as inbox:
        with pytest.raises(Unreadable):
            await asked(inbox, "decay")
        shelf.trouble = None
        (report,) = await asked(inbox, "decay")

    assert report.changed == 1


@pytest.mark.trio
async def test_the_schedule_is_answered_when_the_cycle_is_over(
    autojump_clock: MockClock,
) -> None:
    actor, store = desk(Shelf([use_row(1)]))
    async with answering(store, ones), running(actor, queue()) as inbox:
        report = await due(inbox, "decay", NOW)

    assert (report.cycle, report.changed) == ("decay", 1)
    assert actor.statistics()["cycles"] == 1


@pytest.mark.trio
async def test_whoever_follows_sees_each_cycle_begin_and_end(autojump_clock: MockClock) -> None:
    """With figures; what is only tried is not seen."""
    before = WATCHED.last
    await consolidated(Shelf([use_row(1)]), "decay")
    await consolidated(Shelf([use_row(1)]), "decay", dry_run=True)
    page = await WATCHED.after(before, 10)
    seen = [one for _, one in page.observations]

    assert [one.kind.value for one in seen] == ["ConsolidationStarted", "ConsolidationCompleted"]
    assert seen[1].data == {"cycle": "decay", "looked_at": 1, "changed": 1, "seconds": 0.03}


@pytest.mark.trio
async def test_stopping_twice_is_stopping_once(autojump_clock: MockClock) -> None:
    actor, store = desk(Shelf())
    async with answering(store, ones), running(actor, queue()) as inbox:
        inbox.close()
        inbox.close()

    assert actor.runs == 0


@given(
    pages=st.lists(st.integers(0, 3), min_size=1, max_size=4),
    cycles=st.permutations(CYCLES),
)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_cycles_come_in_the_order_they_were_asked_for(
    pages: list[int], cycles: list[Cycle]
) -> None:
    shelf = Shelf([use_row(n + 1) for n in range(sum(pages))])

    async def run() -> list[str]:
        reports, _ = await consolidated(shelf, *cycles)
        return [report.cycle for report in reports]

    assert trio.run(run, clock=MockClock(autojump_threshold=0)) == cycles


def test_no_write_of_consolidation_touches_importance_by_relevance() -> None:
    """Finding 10: its module makes one importance write, the boost, and no other change."""
    assert consolidation.boosts([], 0.05, NOW) == ()
    (one, other) = consolidation.boosts(
        [Connection(1, 2, ConnectionKind.SHARES_THEME, 0.8, "")], 0.05, NOW
    )
    assert (one.amount, other.amount) == (0.05, 0.05)
