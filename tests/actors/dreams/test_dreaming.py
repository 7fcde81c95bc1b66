"""Dreaming on a real store."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgpack
import pytest
import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Foreground
from actors.core.failures import Conflicting, Unwritable
from actors.core.mailbox import Crashed, Queue
from actors.memory.commit import Commit, StoreWrite, Unit
from actors.memory.rows import Scope
from actors.memory.use import Retiered
from actors.memory.writes import ModelChosen, Pinned
from actors.night import dream_stages
from actors.night.dream_stages import SEVERAL, Night
from actors.night.dreaming import Dreaming, why_not_due
from actors.night.shapes import (
    ConnectionsDrawn,
    Dream,
    DreamBegun,
    DreamEnded,
    DreamingMessage,
    InsightFound,
)
from actors.passages.shapes import PassagesKept
from actors.policy.night.replay import Occasion
from actors.policy.passages import Piece
from daemon.storage.store import OpenStore
from tests.actors.post import queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import DIMENSIONS, MODEL, event, new, vectors, written

pytestmark = VIRTUAL_TIME

T = TypeVar("T")
HOUR, DAY = 3_600.0, 86_400.0
NOW = BEGINNING + 100 * DAY


class Thread(Struct):
    """Arithmetic that takes a virtual moment, and tells of each piece before it begins."""

    before: Callable[[], None] = lambda: None
    pieces: int = 0
    seconds: float = 0.05

    async def run(self, function: Callable[[], T]) -> T:
        self.pieces += 1
        self.before()
        await trio.sleep(self.seconds)
        return function()


class Bench(Struct):
    """Dreaming beside a long-term memory that notes what it is asked to write."""

    store: OpenStore
    actor: Dreaming
    box: Queue[DreamingMessage]
    somebody: Foreground
    thread: Thread
    units: list[Unit] = field(default_factory=list[Unit])
    refuses: Callable[[Unit], Exception | None] = lambda _: None

    async def dream(self, *, patient: bool = False, why: str = "a test") -> int:
        return await self.box.mailbox.ask(Dream(why, NOW, patient), within=3_600)

    async def missing(self, at: float, occasion: Occasion = Occasion.TICK) -> str:
        return await why_not_due(self.store.reading, at, occasion)

    def written(self, kind: type[T]) -> list[T]:
        return [one for unit in self.units for one in unit if isinstance(one, kind)]


@asynccontextmanager
async def open_dreaming(store: OpenStore) -> AsyncGenerator[Bench]:
    box, long_term = queue("dreaming"), queue("long_term")
    somebody, thread = Foreground(), Thread()
    actor = Dreaming(
        store.reading, FollowingClock(), somebody, thread, long_term.mailbox,
    )  # fmt: skip
    bench = Bench(store, actor, box, somebody, thread)

    async def keep() -> None:
        async for message in long_term.inbox:
            assert isinstance(message, Commit)
            if (refusal := bench.refuses(message.unit)) is not None:
                message.reply.fail(refusal)
                continue
            (outcome,), *_ = await store.writing.commit([message.unit])
            assert not isinstance(outcome, Exception)
            bench.units.append(message.unit)
            message.reply(outcome)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep)
        nursery.start_soon(actor.run, box.inbox)
        yield bench
        nursery.cancel_scope.cancel()


TEXTS = (
    "The staging deploy failed because the disk was full",
    "The staging deploy failed again: the disk was full",
    "Deploying to staging failed, no space left on the disk",
    "The invoice service rounds totals to the cent",
    "Renovate opens its pull requests on Monday",
)


async def filled(store: OpenStore, texts: Sequence[str] = TEXTS, **other: Any) -> list[int]:
    """Notes a week apart, without vectors."""
    return await written(
        store,
        *(new(text, at=NOW - (len(texts) - n) * 7 * DAY, **other) for n, text in enumerate(texts)),
    )


def turn(number: int, title: str) -> PassagesKept:
    """A turn of a session of its own in the archive."""
    session, pieces = f"s{number}", (Piece(title, f"{title} Done."),)
    return PassagesKept("turn", "/p", f"{session}/1", pieces, session, 1, 2, NOW + number)


async def contents(store: OpenStore) -> list[tuple[Any, ...]]:
    """What every memory that no dream made says, and what it is."""
    return await store.reading.read(
        lambda sql: sql.rows(
            "SELECT id, text, title, kind, tier, memory_type, project, content_hash, ended, pinned"
            " FROM memory WHERE source <> 'dream' ORDER BY id"
        )
    )


# ---- the stages


async def test_the_five_stages_are_written_together_at_the_end(store: OpenStore) -> None:
    await filled(store)
    async with open_dreaming(store) as bench:
        report = await bench.dream()
        (row,) = await store.reading.dreams(9)

        assert report == 1
        assert [type(unit[-1]) for unit in bench.units] == [DreamBegun, DreamEnded]
        assert (row.stage, row.outcome) == ("transfer", "finished")
        assert row.figures["cross_reference"] == {"connections": 0}


async def test_with_vectors_what_lies_near_is_connected(store: OpenStore) -> None:
    """The first and the fourth note lie on one axis."""
    ids = await filled(store)
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    for number, axis in zip(ids, (1, 2, 3, 1, 4), strict=True):
        await written(store, vectors(number, TEXTS[number - 1], axis))
    async with open_dreaming(store) as bench:
        await bench.dream()
        drawn, *_ = bench.written(ConnectionsDrawn)
        (row,) = await store.reading.dreams(9)

        assert row.figures["cross_reference"]["connections"] == 1
        assert [(one.one, one.other) for one in drawn.connections] == [(ids[0], ids[3])]


async def test_of_too_few_memories_nothing_is_dreamt(store: OpenStore) -> None:
    await filled(store, TEXTS[:2])
    async with open_dreaming(store) as bench:
        report = await bench.dream()

        assert report == 0
        assert bench.units == []


# ---- nothing of it hurts


async def test_no_content_changes_in_twenty_dreams(store: OpenStore) -> None:
    ids = await filled(store, [f"{text} on day {n}" for n in range(12) for text in TEXTS])
    await written(store, Pinned(ids[0], True, NOW), Retiered(ids[1], "critical", NOW))
    before = await contents(store)
    async with open_dreaming(store) as bench:
        for _ in range(20):
            assert await bench.dream()

        assert await contents(store) == before
        assert len(await store.reading.dreams(99)) == 20


async def test_an_insight_about_two_projects_is_brought_up_in_neither(store: OpenStore) -> None:
    """It quotes both; who asks for insights, or for everything, is shown it."""
    ids = await filled(store, TEXTS[:2], project="/a", kind="convention")
    other = new(TEXTS[2], at=NOW - DAY, project="/b", kind="convention")
    ids += await written(store, other)
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    await written(store, *(vectors(one, TEXTS[one - 1], 1) for one in ids))
    async with open_dreaming(store) as bench:
        await bench.dream()

        found = bench.written(InsightFound)
        hits = [
            set(await store.reading.words(["staging"], scope, 9))
            for scope in (Scope("/a"), Scope("/b"), Scope(None), Scope(everywhere=True))
        ]

        assert {one.insight.project for one in found} == {SEVERAL}
        assert hits[:3] == [{1, 2}, {3}, set()]
        assert hits[3] > {1, 2, 3}


async def test_of_two_notes_that_contradict_each_other_the_older_may_be_put_away(
    store: OpenStore,
) -> None:
    """Told once, and proposed once: the report counts what a person finds."""
    texts = ("Audit logs are kept for 30 days", "The ledger rounds to cents", TEXTS[4])
    old, *_ = await filled(store, texts)
    (new_one,) = await written(store, new("Audit logs are kept for 90 days", at=NOW - DAY))
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    await written(
        store, vectors(old, texts[0], 1), vectors(new_one, "Audit logs are kept for 90 days", 1)
    )
    async with open_dreaming(store) as bench:
        await bench.dream()
        await bench.dream()
        (plan,) = await store.reading.plans("open", 9)
        (insight,) = await store.reading.insights(9)
        second, first = await store.reading.dreams(9)

        assert insight.sources == (old, new_one)
        assert (plan.act, [step.memory_id for step in plan.steps]) == ("archive", [old])
        assert plan.reason.endswith("contradicts it (changed value, 20 days apart)")
        counts = [[row.figures["transfer"][what] for what in ("insights", "proposed")]
                  for row in (first, second)]  # fmt: skip
        assert counts == [[1, 1], [0, 0]]


async def test_what_is_asked_for_again_stands_behind_the_first_words_of_long_prompts(
    store: OpenStore,
) -> None:
    """The archive titles a turn with its first words; the journal has the rest."""
    await filled(store)
    demand = "Please never write code before I approved the plan."
    for n, thing in enumerate(("lamp", "kettle", "blind")):
        prompt = f"{f'The {thing} is about as old as the house. ' * 5}{demand}"
        said = {"hook_event_name": "UserPromptSubmit", "session_id": f"s{n}", "prompt": prompt}
        await written(store, event(n, session=f"s{n}", body=msgpack.packb(said)))
        kept = turn(n, prompt[:160])
        await written(store, replace(kept, first_seq=n + 1, at=NOW + n * DAY))
    async with open_dreaming(store) as bench:
        await bench.dream()
        await bench.dream()
        (told,) = [one.text for one in await store.reading.insights(9) if not one.sources]

        assert told.startswith(f"You ask for this in session after session: “{demand}”.")


def disturbed_in(bench: Bench, monkeypatch: pytest.MonkeyPatch, stage: int) -> None:
    """Somebody comes once, as soon as this stage begins."""
    worked_out = dream_stages.STAGES[stage]

    async def disturbed(night: Night) -> list[StoreWrite]:
        if not bench.somebody.came:
            bench.somebody.happened()
        return await worked_out(night)

    stages = (*dream_stages.STAGES[:stage], disturbed, *dream_stages.STAGES[stage + 1 :])
    monkeypatch.setattr(dream_stages, "STAGES", stages)


# ---- what goes wrong


async def test_a_store_that_cannot_write_leaves_the_dream_unfinished(store: OpenStore) -> None:
    await filled(store)
    async with open_dreaming(store) as bench:
        full = Unwritable("the disk is full")
        bench.refuses = lambda unit: full if isinstance(unit[-1], DreamEnded) else None
        with pytest.raises(Unwritable):
            await bench.dream()
        row = await store.reading.unfinished_dream()
        bench.refuses = lambda _: None
        report = await bench.dream()

        assert row is not None
        assert row.stage == ""
        assert report == 1


async def test_a_dream_whose_finds_the_store_refuses_has_failed_and_the_next_is_a_new_one(
    store: OpenStore,
) -> None:
    await filled(store)
    async with open_dreaming(store) as bench:
        odd = Conflicting("the memory it is about has changed meanwhile")
        bench.refuses = lambda unit: odd if isinstance(unit[-1], DreamEnded) and unit[1:] else None
        with pytest.raises(Conflicting):
            await bench.dream()
        bench.refuses = lambda _: None
        report = await bench.dream()

        assert [row.outcome for row in await store.reading.dreams(9)] == ["finished", "failed"]
        assert report == 2


async def test_a_dream_that_fails_is_over_and_whoever_waits_is_told(store: OpenStore) -> None:
    """The actor is made anew by its supervisor, and the next dream is a new one."""
    await filled(store)
    told: list[str] = []

    async def crashing() -> None:
        async with open_dreaming(store) as bench:
            bench.thread.before = fault
            with trio.CancelScope(shield=True):
                try:
                    await bench.dream()
                except Crashed as error:
                    told.append(str(error))

    def fault() -> None:
        raise ZeroDivisionError

    with pytest.raises(BaseExceptionGroup):
        await crashing()
    async with open_dreaming(store) as bench:
        report = await bench.dream()

    assert told == ["the dream was cut off: the log names the fault"]
    assert [row.outcome for row in await store.reading.dreams(9)] == ["finished", "failed"]
    assert report == 2


async def test_a_dream_that_came_to_no_end_in_a_day_has_failed(store: OpenStore) -> None:
    """It may be what kills the daemon each time."""
    await filled(store)
    await written(store, DreamBegun("a test", 5, NOW - 25 * HOUR))
    async with open_dreaming(store) as bench:
        report = await bench.dream()

    assert report == 2
    assert [row.outcome for row in await store.reading.dreams(9)] == ["finished", "failed"]


async def test_after_a_crash_it_begins_anew(store: OpenStore) -> None:
    """Nobody cleans up after it: it is done as if it had not begun."""
    await filled(store)
    with trio.CancelScope() as power:
        async with open_dreaming(store) as first:

            def crash(unit: Unit) -> Exception | None:
                if isinstance(unit[-1], DreamEnded):
                    power.cancel()
                    return Unwritable("it is over")
                return None

            first.refuses = crash
            await first.dream()
    async with open_dreaming(store) as second:
        report = await second.dream(patient=True)

    assert report == 1


# ---- when


async def test_what_was_saved_since_the_last_dream_makes_the_next_one_due(store: OpenStore) -> None:
    await filled(store)
    await written(store, DreamBegun("a test", 5, NOW), DreamEnded(1, "finished", NOW))
    async with open_dreaming(store) as bench:
        before = await bench.missing(NOW + 25 * HOUR)
        await written(store, new("saved", at=NOW + 1))

        assert (before, await bench.missing(NOW + 25 * HOUR)) == ("too little is new", "")


async def test_a_dream_that_was_cut_off_is_always_worth_it(store: OpenStore) -> None:
    await written(store, DreamBegun("a test", 3, NOW))
    async with open_dreaming(store) as bench:
        assert await bench.missing(NOW + 1) == ""


async def test_at_a_sessions_start_one_that_was_cut_off_counts_as_the_last(
    store: OpenStore,
) -> None:
    """It begins anew in a pause."""
    await written(store, DreamBegun("a test", 3, NOW), new("saved", at=NOW + 1))
    async with open_dreaming(store) as bench:
        assert await bench.missing(NOW + 23 * HOUR, Occasion.SESSION_START) == "too little is new"
        assert await bench.missing(NOW + 25 * HOUR, Occasion.SESSION_START) == ""
