"""The archivist at work on a real store."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.core.failures import Unwritable
from actors.core.mailbox import Queue
from actors.memory.rows import EmbeddingState, Memory
from actors.memory.use import Credited, Exposed, Injected, Retiered, Reviewed
from actors.memory.writes import (
    Associated,
    Linked,
    MemoryClaim,
    ModelChosen,
    Origin,
    Pinned,
    Revived,
)
from actors.night.archivist import Archivist
from actors.night.shapes import ArchivistMessage, PlanProposed, PlanRow, PlanUndone, Scan
from actors.policy.decay.archival import Settings, Step
from actors.policy.night.demands import DEMAND
from actors.policy.recall.notes import Considered, Fate
from actors.policy.text.short_ids import short_id
from actors.reader.messages import Cue, NoteJudged, NoteRead
from actors.recall.shapes import Answer
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.house import House, open_house
from tests.actors.post import answering, queue
from tests.actors.recall.bench import open_bench
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import DIMENSIONS, MODEL, new, vectors, written

pytestmark = VIRTUAL_TIME

DAY = 86_400.0
NOW = BEGINNING
NOTED = Origin("noticed-reader")  # no person said it
OLD, YOUNG = NOW - 91 * DAY, NOW - 10 * DAY


class Bench(Struct):
    """The archivist in a house."""

    house: House
    box: Queue[ArchivistMessage]
    actor: Archivist

    async def scan(self, at: float = NOW) -> None:
        await self.actor.handle(Scan(at))

    async def plans(self) -> list[PlanRow]:
        return await self.house.store.reading.plans(None, 99)

    async def ended(self) -> int:
        return (await self.house.store.reading.counts()).ended


@asynccontextmanager
async def open_archive(
    store: OpenStore, *, vectors: bool = False, **changes: Any
) -> AsyncGenerator[Bench]:
    settings = replace(Settings(), **changes)
    box, embedding = queue("archivist"), TableEmbedding()
    if not vectors:
        embedding.state = EmbeddingState("off", "no model", "", 0)
    async with (
        open_house(store, embedding, FollowingClock()) as house,
        trio.open_nursery() as nursery,
    ):
        actor = Archivist(
            settings, store.reading, house.long_term.mailbox,
        )  # fmt: skip
        nursery.start_soon(actor.run, box.inbox)
        yield Bench(house, box, actor)
        nursery.cancel_scope.cancel()


async def ignored(store: OpenStore, ids: list[int]) -> None:
    """Three sessions were shown them and used nothing of it."""
    await written(store, *(Exposed(tuple(ids), name, "prompt", OLD + 60) for name in "abc"))


async def old_and_young(store: OpenStore, old: int = 15, young: int = 240) -> list[int]:
    """Old memories, of which three are kept by something; and young ones."""
    ids = await written(store, *(new(f"old {n}", at=OLD) for n in range(old)))
    await written(store, *(new(f"young {n}", at=YOUNG) for n in range(young)))
    await ignored(store, ids)
    return ids


async def three_kept(store: OpenStore, ids: list[int]) -> None:
    await written(store, Pinned(ids[0], True, OLD), Retiered(ids[1], "critical", OLD))
    await used(store, ids[2])
    await used(store, ids[2])


async def used(store: OpenStore, memory_id: int) -> None:
    await written(store, Reviewed(memory_id, 2.0, 5.0, 0, 3, "cited", False, OLD + 60))


async def test_of_fifteen_that_are_old_twelve_are_proposed_in_one_plan(store: OpenStore) -> None:
    """It touches nothing of a person's; with 255 memories a run may take twelve (ADR 0013)."""
    ids = await old_and_young(store)
    await three_kept(store, ids)
    async with open_archive(store) as bench:
        for turn in range(5):
            await bench.scan(NOW + turn * 7_200)
        (plan,) = await bench.plans()

        assert (plan.source, plan.state, len(plan.steps)) == ("archivist", "open", 12)
        assert not {step.memory_id for step in plan.steps} & {*ids[:3]}
        assert plan.steps[0].evidence == "shown in 3 sessions, never used, 91 days old"
        assert bench.actor.scans == 5


async def test_a_run_and_a_day_take_a_twentieth_at_most(store: OpenStore) -> None:
    """A store is not emptied by a job that runs twelve times a day."""
    over = MemoryClaim(valid_until=OLD + DAY)
    await written(store, *(new(f"old {n}", at=OLD, origin=NOTED, standing=over) for n in range(60)))
    async with open_archive(store) as bench:
        ends: list[int] = []
        for turn in range(13):
            await bench.scan(NOW + turn * 7_200)
            ends.append(await bench.ended())

        assert ends == [3] * 12 + [5]  # of 57 that are left a day later two may go


async def test_it_looks_in_batches(store: OpenStore) -> None:
    await ignored(store, await written(store, *(new(f"old {n}", at=OLD) for n in range(120))))
    sizes: list[int] = []

    class Counting:
        """The reader, counting how many memories are asked for at once."""

        def __getattr__(self, name: str) -> Any:
            return getattr(store.reading, name)

        async def memories(self, ids: list[int]) -> dict[int, Memory]:
            sizes.append(len(ids))
            return await store.reading.memories(ids)

    async with open_archive(store) as bench:
        reader: Any = Counting()
        bench.actor.reader = reader
        await bench.scan()

    assert sizes == [0, 50, 50, 20]  # of the first, no newer one is linked with any


async def test_what_was_shown_less_or_in_one_session_alone_is_no_evidence(store: OpenStore) -> None:
    once, often, searched, cited = await written(
        store, *(new(f"old {n}", at=OLD) for n in range(4))
    )
    await ignored(store, [cited])
    await written(
        store,
        Exposed((once,), "a", "prompt", OLD),
        *(Exposed((often,), "a", "prompt", OLD + n) for n in range(9)),
        *(Exposed((searched,), name, "recall", OLD) for name in "abc"),
        Credited(cited, "a", "cited", OLD + 90),
    )
    async with open_archive(store) as bench:
        await bench.scan()

        assert await bench.plans() == []


@pytest.mark.parametrize(("alike", "goes"), [(0.9, True), (0.89, False)])
async def test_what_a_newer_memory_says_goes_also_where_it_is_only_alike(
    store: OpenStore, alike: float, goes: bool
) -> None:
    text = "The cart expires after a day, and refunds are booked by the ledger."
    older, newer = await written(
        store, new(text, at=OLD, origin=NOTED), new(f"{text} Always.", at=YOUNG)
    )
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    await written(store, vectors(newer, f"{text} Always.", 1))
    chunk = await store.reading.read(lambda sql: sql.number("SELECT id FROM chunk"))
    await written(store, Associated(newer, chunk, 1, ((older, alike),), YOUNG))
    async with open_archive(store) as bench:
        await bench.scan()

        assert (await bench.ended() == 1) is goes


async def unneeded(store: OpenStore, *ids: int, every: float = DAY) -> None:
    """Thirty starts, in four weeks unless said otherwise, listed them, and nobody used them."""
    lines = tuple(Considered(one, 0.1, "", Fate.LISTED) for one in ids)
    for start in range(30):
        at = OLD + start * every
        await written(store, Injected(f"s{start}", "/p", "session_start", at, 900, "none", lines))


async def test_what_nobody_needs_goes_by_itself_and_what_a_person_said_never(
    store: OpenStore,
) -> None:
    first = "The cart expires after a day, and refunds are booked by the ledger."
    listed, over, told, hers, pinned, kept, trap, newer = await written(
        store,
        new("the pool has five rows", at=OLD, origin=NOTED),
        new("the host is down", at=OLD, origin=NOTED, standing=MemoryClaim(valid_until=OLD + DAY)),
        new(first, at=OLD, origin=NOTED),
        new(f"{first} Always.", at=OLD),
        new("the key is blue", at=OLD, origin=NOTED),
        new("the door is red", at=OLD, origin=NOTED),
        new("a stash loses the lock", at=OLD, origin=NOTED),
        new(f"{first} Always. Carts of guests expire after an hour.", at=YOUNG),
    )
    await written(store, *(new(f"young {n}", at=YOUNG) for n in range(100)))
    await written(
        store,
        *(Linked(newer, one, "related", 0.9, YOUNG) for one in (told, hers)),
        Pinned(pinned, True, OLD),
        NoteRead(
            trap,
            1,
            "s0",
            1,
            "trap",
            "tool",
            "when",
            "lock",
            OLD,
            cues=(Cue("command", "git stash"),),
        ),
        NoteRead(kept, 1, "s0", 1, "fact", "tool", "when", "red", OLD),
        NoteJudged(kept, "kept", NOW, False),
    )
    await unneeded(store, listed, pinned, kept, trap)
    async with open_archive(store) as bench:
        await bench.scan()
        by_itself, waiting = sorted(await bench.plans(), key=lambda plan: plan.state)

        assert (by_itself.state, waiting.state) == ("applied", "open")
        assert {step.memory_id: step.evidence for step in by_itself.steps} == {
            listed: "a line at 30 starts over 29 days, never used",
            over: "its time has been over for 90 days",
            told: f"{short_id(newer)} is newer and says it; not used since, 91 days old",
        }
        assert [step.memory_id for step in waiting.steps] == [hers]


async def test_what_a_person_demands_in_session_after_session_never_goes_by_itself(
    store: OpenStore,
) -> None:
    insight = Origin("dream")
    demand = (
        f"{DEMAND}always run the linter before you commit, and say what it found”, in 4 sessions."
    )
    listed, told, newer = await written(
        store,
        new(demand, at=OLD, origin=insight),
        new(f"{demand} The last was in May.", at=OLD, origin=insight),
        new(f"{demand} The last was in May and June.", at=YOUNG, origin=insight),
    )
    await written(store, Linked(newer, told, "related", 0.9, YOUNG))
    await unneeded(store, listed)
    async with open_archive(store) as bench:
        await bench.scan()
        (waiting,) = await bench.plans()

        assert (waiting.state, [step.memory_id for step in waiting.steps]) == ("open", [told])
        assert await bench.ended() == 0


@pytest.mark.parametrize("by_hand", ["promoted", "demoted after it", "important"])
async def test_what_a_person_promoted_or_called_important_is_kept_by_a_person(
    store: OpenStore, by_hand: str
) -> None:
    one, other = await written(
        store,
        *(new(f"the {name} has five rows", at=OLD, origin=NOTED) for name in ("pool", "list")),
    )
    rated = Reviewed(
        one, 30.0, 5.0, 0, 1, "promoted", implicit=False, at=OLD
    )  # by an earlier version
    match by_hand:
        case "important":
            await written(store, Retiered(one, "important", OLD))
        case "promoted":
            await written(store, rated)
        case _:
            await written(store, rated, replace(rated, cause="demoted"))
    await unneeded(store, one, other)
    async with open_archive(store) as bench:
        for day in range(3):
            await bench.scan(NOW + day * 1.1 * DAY)

        assert await bench.ended() == (2 if by_hand == "demoted after it" else 1)


async def test_where_nobody_works_nothing_becomes_unneeded(store: OpenStore) -> None:
    (one,) = await written(store, new("the pool has five rows", at=OLD, origin=NOTED))
    await unneeded(store, one, every=DAY / 24)
    async with open_archive(store) as bench:
        await bench.scan()

        assert await bench.ended() == 0


async def test_what_waits_in_another_plan_keeps_nothing_from_going(store: OpenStore) -> None:
    ids = await written(
        store, *(new(f"note {number} of the pool", at=OLD, origin=NOTED) for number in range(3))
    )
    await unneeded(store, *ids)
    first = (await store.reading.memories(ids))[ids[0]]
    step = Step(first.id, first.content_hash)
    await written(store, PlanProposed("dreaming", "old", (step,), OLD))
    async with open_archive(store) as bench:
        for day in range(4):
            await bench.scan(NOW + day * 1.1 * DAY)
        living = await store.reading.memories(ids)

        assert [living[one].ended for one in ids] == [None, "archived", "archived"]


async def test_a_persons_many_memories_keep_nothing_from_going(store: OpenStore) -> None:
    text = "The cart number {} expires after a day, and refunds are booked by the ledger."
    names = [f"alpha{number}" for number in range(60)] + ["beta"]
    old = await written(
        store,
        *(new(text.format(name), at=OLD - DAY) for name in names[:-1]),
        new(text.format("beta"), at=OLD, origin=NOTED),
    )
    newer = await written(store, *(new(f"{text.format(name)} Always.", at=YOUNG) for name in names))
    await written(
        store,
        *(Linked(new, one, "related", 0.9, YOUNG) for new, one in zip(newer, old, strict=True)),
    )
    async with open_archive(store) as bench:
        await bench.scan()
        by_itself, waiting = sorted(await bench.plans(), key=lambda plan: plan.state)

        assert [step.memory_id for step in by_itself.steps] == old[-1:]
        assert (waiting.state, len(waiting.steps)) == ("open", 5)


async def test_what_went_by_itself_and_was_brought_back_stays_and_is_listed_anew(
    store: OpenStore,
) -> None:
    (one,) = await written(store, new("the pool has five rows", at=OLD, origin=NOTED))
    await unneeded(store, one)
    async with open_archive(store) as bench:
        await bench.scan()
        away = await bench.ended()
        (plan,) = await bench.plans()
        await written(store, PlanUndone(plan.id, NOW + 60))
        await bench.scan(NOW + 2 * DAY)

        assert (away, await bench.ended()) == (1, 0)
        assert await store.reading.listings([one]) == {}


@pytest.mark.parametrize("back", ["unforget", "undo"])
async def test_what_was_brought_back_never_goes_by_itself_again(
    store: OpenStore, back: str
) -> None:
    """It is proposed after three months, where a person's memory is."""
    text = "The cart expires after a day, and refunds are booked by the ledger."
    over, told, newer = await written(
        store,
        new("the host is down", at=OLD, origin=NOTED, standing=MemoryClaim(valid_until=OLD + DAY)),
        new(text, at=OLD, origin=NOTED),
        new(f"{text} Always.", at=YOUNG),
    )
    await written(store, Linked(newer, told, "related", 0.9, YOUNG))
    async with open_archive(store) as bench:
        for day in range(2):
            await bench.scan(NOW + day * 1.1 * DAY)
        away = await bench.ended()
        at = NOW + 2 * DAY
        if back == "undo":
            await written(store, *(PlanUndone(plan.id, at) for plan in await bench.plans()))
        else:
            await written(store, Revived(over, at), Revived(told, at))
        await bench.scan(at + DAY)
        plans = len(await bench.plans())
        for day in range(3):
            await bench.scan(at + (91 + 1.1 * day) * DAY)
        waiting = await store.reading.plans("open", 9)

        assert (away, plans, await bench.ended()) == (2, 2, 0)
        assert [step.memory_id for plan in waiting for step in plan.steps] == [told]


async def test_switched_off_it_does_nothing(store: OpenStore) -> None:
    await old_and_young(store)
    async with open_archive(store, enabled=False) as bench:
        await bench.scan()

        assert await bench.plans() == []


async def test_what_it_cannot_write_is_found_again(store: OpenStore) -> None:
    """Errors."""
    await old_and_young(store)
    async with open_archive(store) as bench:
        box, good = queue("long_term"), bench.actor.long_term
        async with answering(box, lambda _: Unwritable("the disk is full")):
            bench.actor.long_term = box.mailbox
            await bench.scan()
        assert bench.actor.scans == 0
        bench.actor.long_term = good
        await bench.scan(NOW + 7_200)

        assert len(await bench.plans()) == 1


# ---- a session hears of what waits


LINE = "to tidy up the memory"


async def proposal(store: OpenStore) -> None:
    (one,) = await written(store, new("the port is 5432", at=OLD))
    memory = (await store.reading.memories([one]))[one]
    step = Step(one, memory.content_hash)
    await written(store, PlanProposed("archivist", "old", (step,), NOW))


async def test_a_session_that_starts_is_told_in_one_line_and_the_next_is_not(
    store: OpenStore,
) -> None:
    """Nothing waits in silence, and nothing nags."""
    await proposal(store)
    async with at_work(store) as start:
        first = (await start("s1", "startup")).block
        second = (await start("s2", "startup")).block

    assert first.count(LINE) == 1
    assert "A proposal" in first
    assert "reverie plans" in first
    assert first.startswith("<reverie-notes>")
    assert "5432" not in first
    assert second == ""


@pytest.mark.parametrize("source", ["resume", "compact"])
async def test_a_session_that_goes_on_is_not_told(store: OpenStore, source: str) -> None:
    await proposal(store)
    async with at_work(store) as start:
        going = (await start("s1", source)).block

        assert LINE not in going
        assert LINE in (await start("s2", "startup")).block


@asynccontextmanager
async def at_work(store: OpenStore) -> AsyncGenerator[Callable[[str, str], Any]]:
    """Recall that knows what waits, and notes what was told."""
    async with open_bench(store, TableEmbedding(), FollowingClock()) as bench:

        async def start(session: str, source: str) -> Answer:
            found: Answer = await bench.start(source, session, "/p")
            await trio.sleep(1)
            return found

        yield start
