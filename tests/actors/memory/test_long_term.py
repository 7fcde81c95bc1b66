"""Long-term memory: group commit, honest failure, and who is told of changes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from msgspec import Struct
from trio.testing import wait_all_tasks_blocked

from actors.core.failures import Unreadable, Unwritable
from actors.core.mailbox import Queue
from actors.intake.messages import Derived
from actors.memory import long_term
from actors.memory.commit import Commit, EraseNow, Tidy, Unit, Write
from actors.memory.long_term import POSTPONED, LongTerm
from actors.memory.observatory import Observatory
from actors.memory.rows import MemoriesChanged
from actors.memory.use import Exposed
from actors.memory.writes import (
    Connected,
    Ended,
    Erased,
    ErasedEverything,
    Linked,
    Pinned,
    Revived,
    Rewritten,
    StatusSet,
    ValiditySet,
)
from actors.night.shapes import PlanApplied, PlanProposed, PlanUndone
from actors.policy.decay.archival import Step
from actors.policy.gate.gate_features import content_hash
from daemon.durability.marker import read_marker
from daemon.home import Home
from daemon.settings import Storage
from daemon.storage.store import Committed, OpenStore, WritingSide
from tests.actors.post import mail, queue, running
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import event, new, written

pytestmark = VIRTUAL_TIME


class Counting(WritingSide):
    """A writing side that counts what is asked of it."""

    def __init__(self, side: WritingSide) -> None:
        vars(self).update(vars(side))
        self.commits: list[int] = []
        self.checkpoints = 0

    async def commit(self, units: Sequence[Unit]) -> Committed:
        self.commits.append(len(units))
        return await super().commit(units)

    async def checkpoint(self, *, truncate: bool) -> None:
        self.checkpoints += 1
        await super().checkpoint(truncate=truncate)


class Bench(Struct):
    """The actor under test and its neighbours."""

    actor: LongTerm
    store: Counting
    inbox: Queue[Any]
    phrases: list[MemoriesChanged]
    embedder: Queue[Any]
    announced: list[int]

    def took(self) -> list[MemoriesChanged]:
        """Changes that the index of phrases was told since it was asked last."""
        told, self.phrases[:] = [*self.phrases], []
        return told

    async def ask(self, unit: Unit) -> list[int]:
        return await self.inbox.mailbox.ask(Commit(unit), within=5)

    async def erase(self, unit: Unit) -> int:
        return await self.inbox.mailbox.ask(EraseNow(unit), within=60)


@pytest.fixture
def bench(store: OpenStore, clock: FollowingClock) -> Bench:
    """Long-term memory on a real store, not running yet."""
    return bench_of(store, clock)


def bench_of(store: OpenStore, clock: FollowingClock) -> Bench:
    """Long-term memory on this store, not running yet."""
    announced: list[int] = []
    counting = Counting(store.writing)
    phrases: list[MemoriesChanged] = []
    embedder = queue("embedder", room=2)
    actor = LongTerm(
        Storage().journal_kept, counting, store.reading, clock,
        lambda ids: phrases.append(MemoriesChanged(tuple(ids))), embedder.mailbox,
        lambda: announced.append(1), Observatory(),
        queue("staleness").mailbox, queue("recall").mailbox,
    )  # fmt: skip
    return Bench(actor, counting, queue("long_term"), phrases, embedder, announced)


@asynccontextmanager
async def full_disk(store: OpenStore) -> AsyncGenerator[None]:
    """The database cannot grow within the block."""
    connection = store.writing._connection  # pyright: ignore[reportPrivateUsage]
    pages = await connection.run(lambda sql: sql.number("PRAGMA page_count"))
    await connection.run(lambda sql: sql.rows(f"PRAGMA max_page_count = {pages}"))
    yield
    await connection.run(lambda sql: sql.rows("PRAGMA max_page_count = 1000000"))


@asynccontextmanager
async def readonly(store: OpenStore) -> AsyncGenerator[None]:
    """Nothing can be written within the block."""
    connection = store.writing._connection  # pyright: ignore[reportPrivateUsage]
    await connection.run(lambda sql: sql.rows("PRAGMA query_only = ON"))
    yield
    await connection.run(lambda sql: sql.rows("PRAGMA query_only = OFF"))


LARGE = "x" * 200_000  # more than a full disk takes


async def test_everything_that_waits_is_one_transaction(bench: Bench, store: OpenStore) -> None:
    answers: dict[str, list[int]] = {}

    async def ask(text: str) -> None:
        answers[text] = await bench.ask((new(text),))

    async with trio.open_nursery() as nursery:
        for text in ("a", "b", "c"):
            nursery.start_soon(ask, text)
        await wait_all_tasks_blocked()
        await bench.inbox.mailbox.tell(Write((event(1),)))
        async with running(bench.actor, bench.inbox):
            pass

    assert bench.store.commits == [4]
    assert sorted(answers.values()) == [[1], [2], [3]]
    assert (await store.reading.counts()).undone == 1


async def test_an_answer_comes_after_the_commit(bench: Bench, store: OpenStore) -> None:
    async with running(bench.actor, bench.inbox):
        (memory_id,) = await bench.ask((new("a"),))

        assert memory_id in await store.reading.memories([memory_id])


async def test_one_bad_unit_does_not_spoil_the_others(bench: Bench, store: OpenStore) -> None:
    outcomes: dict[str, object] = {}

    async def ask(name: str, unit: Unit) -> None:
        try:
            outcomes[name] = await bench.ask(unit)
        except Exception as error:
            outcomes[name] = type(error).__name__

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask, "good", (new("a"),))
        nursery.start_soon(ask, "bad", (new("b"), Linked(999, 998, "related", None, 0.0)))
        nursery.start_soon(ask, "also good", (new("c"),))
        await wait_all_tasks_blocked()
        async with running(bench.actor, bench.inbox):
            pass

    assert bench.store.commits == [3]
    assert outcomes["bad"] == "Conflicting"
    assert sorted(memory.text for memory in await store.reading.living(0, 9)) == ["a", "c"]


async def test_who_lives_on_changes_is_told_once_a_batch(bench: Bench) -> None:
    await bench.inbox.mailbox.tell(Write((new("a"), new("b"))))
    await bench.inbox.mailbox.tell(Write((new("c", supersedes=1),)))
    await bench.inbox.mailbox.tell(Write((event(1), Derived(1))))
    async with running(bench.actor, bench.inbox):
        pass

    assert bench.took() == [MemoriesChanged((1, 2, 3))]
    assert mail(bench.embedder) == [MemoriesChanged((1, 2, 3))]
    assert bench.announced == [1]


async def test_what_changes_no_memory_is_told_to_nobody(bench: Bench) -> None:
    await bench.inbox.mailbox.tell(Write((event(1),)))
    await bench.inbox.mailbox.tell(Write((Ended(77, "forgotten", 1.0),)))
    async with running(bench.actor, bench.inbox):
        pass

    assert (bench.took(), mail(bench.embedder), bench.announced) == ([], [], [])


@pytest.mark.parametrize(
    ("unit", "changed"),
    [
        ((new("c"),), [3]),
        ((new("c", supersedes=2),), [2, 3]),
        ((Rewritten(2, "x", "", (), (), b"", 0.0, ""),), [2]),
        ((Ended(2, "archived", 0.0), Revived(1, 0.0)), [2]),
        ((Pinned(2, True, 0.0),), [2]),
        ((StatusSet(2, "refuted", 0.0),), [2]),
        ((ValiditySet(2, None, 9.0),), [2]),
        ((Connected(1, 2, "caused", 0.4, "", 0.0),), [1, 2]),
        ((Exposed((1,), None, "recall", 0.0),), []),
        ((new("c"), Linked(999, 998, "related", None, 0.0)), []),
    ],
)
async def test_a_commit_knows_which_memories_it_changed(
    store: OpenStore, unit: Unit, changed: list[int]
) -> None:
    await written(store, new("a"), new("b"))

    assert (await store.writing.commit([unit])).changed == changed


async def test_a_busy_embedder_keeps_nobody_waiting(bench: Bench) -> None:
    async with running(bench.actor, bench.inbox):
        for text in "abcd":  # the embedder has room for two
            await bench.ask((new(text),))

    assert len(mail(bench.embedder)) == 2


async def test_neighbours_that_are_away_do_not_stop_a_write(bench: Bench) -> None:
    bench.embedder.switch_off("embedder is off")
    async with running(bench.actor, bench.inbox):
        assert await bench.ask((new("a"),)) == [1]


# -- a store that cannot be written


async def test_what_nobody_waits_for_is_written_once_there_is_room_again(
    bench: Bench, store: OpenStore
) -> None:
    await written(store, event(1))
    async with running(bench.actor, bench.inbox):
        async with full_disk(store):
            await bench.inbox.mailbox.tell(Write((new(LARGE),)))
            await bench.inbox.mailbox.tell(Write((Derived(1),)))
            await wait_all_tasks_blocked()
            assert (await store.reading.counts()).undone == 1
        await trio.sleep(60)
        undone = (await store.reading.counts()).undone
        figures = bench.actor.statistics()

    assert undone == 0
    assert (figures["postponed"], figures["lost"]) == (0, 0)


async def test_what_is_postponed_is_bounded_and_an_erasure_takes_what_it_says(
    bench: Bench, store: OpenStore
) -> None:
    await written(store, new("a"))
    async with running(bench.actor, bench.inbox):
        async with full_disk(store):
            for _ in range(POSTPONED + 1):
                await bench.inbox.mailbox.tell(Write((new(LARGE),)))
            await wait_all_tasks_blocked()
            full = bench.actor.statistics()
        await bench.erase((Erased((1,)),))
        after = bench.actor.statistics()

    assert (full["postponed"], full["lost"]) == (POSTPONED, 1)
    assert after["postponed"] == 0


async def test_who_asks_of_a_full_disk_is_told_so_and_nothing_is_told_on(
    bench: Bench, store: OpenStore
) -> None:
    async with running(bench.actor, bench.inbox):
        async with full_disk(store):
            with pytest.raises(Unwritable, match="is full"):
                await bench.ask((new(LARGE),))
            await bench.inbox.mailbox.tell(Write((new(LARGE),)))
            await wait_all_tasks_blocked()
            with pytest.raises(Unwritable):
                await bench.ask((new(LARGE),))
            trouble, waits = bench.actor.trouble, bench.actor.statistics()["postponed"]
        told = (bench.took(), mail(bench.embedder), list(bench.announced))
        again = await bench.ask((new("there is room again"),))

    assert trouble is not None
    assert "is full" in trouble
    assert waits == 1
    assert told == ([], [], [])
    assert bench.actor.trouble is None
    assert again


async def test_a_disk_that_was_full_is_not_called_full_when_nobody_writes_any_more(
    bench: Bench, store: OpenStore
) -> None:
    async with running(bench.actor, bench.inbox):
        async with readonly(store):
            with pytest.raises(Unwritable):
                await bench.ask((new(LARGE),))
            await trio.sleep(60)
            meanwhile = bench.actor.trouble
        await trio.sleep(60)
        afterwards = bench.actor.trouble

    assert meanwhile is not None
    assert afterwards is None


async def test_tidying_a_full_disk_crashes_nothing(bench: Bench, store: OpenStore) -> None:
    async with readonly(store), running(bench.actor, bench.inbox):
        await bench.inbox.mailbox.tell(Tidy(BEGINNING))

    assert bench.actor.trouble is not None


class Unreading(Struct):
    """A reader that cannot tell what has expired."""

    whole: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    async def expired(self, at: float, limit: int) -> list[int]:
        await trio.lowlevel.checkpoint()
        raise Unreadable("damaged")


async def test_tidying_a_store_that_cannot_be_read_crashes_nothing(
    bench: Bench, store: OpenStore
) -> None:
    reader: Any = Unreading(store.reading)
    bench.actor.reader = reader
    async with running(bench.actor, bench.inbox):
        await bench.inbox.mailbox.tell(Tidy(BEGINNING))

        assert await bench.ask((new("a"),)) == [1]


async def test_a_commit_that_has_begun_is_finished_whoever_gives_up(
    threaded_store: OpenStore, clock: FollowingClock
) -> None:
    bench = bench_of(threaded_store, clock)
    await bench.inbox.mailbox.tell(Write((new("a"),)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bench.actor.run, bench.inbox.inbox)
        while not threaded_store.in_flight:
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()

    assert [memory.text for memory in await threaded_store.reading.living(0, 9)] == ["a"]


# -- erasing


async def test_erased_text_is_in_no_file_and_the_triggers_forget_it(
    bench: Bench, store: OpenStore, home: Home
) -> None:
    async with running(bench.actor, bench.inbox):
        await bench.ask((new("the vault opens with marzipan"), new("port")))
        bench.took()
        count = await bench.erase((Erased((1,)),))
        told = bench.took()
    files = [path for path in home.root.rglob("*") if path.is_file()]

    assert count == 1
    assert [path for path in files if b"marzipan" in path.read_bytes()] == []
    assert told == [MemoriesChanged((1,))]
    assert read_marker(home) is not None
    assert read_marker(home).memories == 1  # type: ignore[union-attr]


async def test_purging_everything_makes_the_triggers_forget_everything(
    bench: Bench, home: Home
) -> None:
    async with running(bench.actor, bench.inbox):
        await bench.ask((new("a"), new("b", project="/p")))
        bench.took()
        count = await bench.erase((ErasedEverything(whole_store=True),))
        told = bench.took()

    assert count == 2
    assert told == [MemoriesChanged((1, 2))]
    assert read_marker(home).memories == 0  # type: ignore[union-attr]


async def test_another_memory_that_says_the_same_is_erased_and_forgotten_with_it(
    bench: Bench,
) -> None:
    async with running(bench.actor, bench.inbox):
        await bench.ask((new("a"), new("a", project="/p"), new("b")))
        bench.took()
        count = await bench.erase((Erased((1,)),))
        (told,) = bench.took()

    assert count == 2
    assert sorted(told.memory_ids) == [1, 2]


async def test_writes_before_and_after_an_erasure_keep_their_order(
    bench: Bench, store: OpenStore
) -> None:
    await bench.inbox.mailbox.tell(Write((new("a"),)))
    erasure = EraseNow((Erased((1,)),))
    await bench.inbox.mailbox.tell(erasure)
    await bench.inbox.mailbox.tell(Write((new("b"),)))
    async with running(bench.actor, bench.inbox):
        pass

    assert await erasure.reply.wait() == 1
    assert [memory.text for memory in await store.reading.living(0, 9)] == ["b"]


async def test_an_erasure_that_fails_says_so(bench: Bench, store: OpenStore) -> None:
    async with readonly(store), running(bench.actor, bench.inbox):
        with pytest.raises(Unwritable):
            await bench.erase((Erased((1,)),))


# -- the marker, the log, the journal


async def test_the_marker_is_right_at_the_end(bench: Bench, home: Home) -> None:
    async with running(bench.actor, bench.inbox):
        await bench.ask((new("a"), new("b"), new("c")))
    late = read_marker(home)

    assert late is not None
    assert late.memories == 3


async def test_tidying_prunes_what_is_old(bench: Bench, store: OpenStore) -> None:
    kept = Storage().journal_kept
    await written(store, event(1, done=True), event(2))
    async with running(bench.actor, bench.inbox):
        await bench.inbox.mailbox.tell(Tidy(BEGINNING + kept))
        await bench.ask((new("a"),))
        early = await store.reading.read(lambda sql: sql.number("SELECT count(*) FROM journal"))
        await bench.inbox.mailbox.tell(Tidy(BEGINNING + kept + 5))
        await bench.ask((new("b"),))
        late = await store.reading.read(lambda sql: sql.number("SELECT count(*) FROM journal"))

    assert (early, late) == (2, 1)


def moved_after(monkeypatch: pytest.MonkeyPatch, units: int, *, forced: int) -> None:
    """One message a transaction, and the log moved after so many."""
    monkeypatch.setattr(long_term, "GROUP", 1)
    monkeypatch.setattr(long_term, "CHECKPOINT", units)
    monkeypatch.setattr(long_term, "FORCED", forced)


async def test_the_log_is_moved_when_nobody_waits(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved_after(monkeypatch, 2, forced=1000)
    for number in range(6):
        await bench.inbox.mailbox.tell(Write((event(number),)))
    async with running(bench.actor, bench.inbox):
        pass

    assert (len(bench.store.commits), bench.store.checkpoints) == (6, 1)


async def test_the_log_is_moved_in_any_case_when_it_is_long(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved_after(monkeypatch, 2, forced=3)
    for number in range(7):
        await bench.inbox.mailbox.tell(Write((event(number),)))
    async with running(bench.actor, bench.inbox):
        pass

    assert bench.store.checkpoints == 2


# ---- plans: whoever indexes memories hears of all that a plan changed


async def test_of_a_plan_its_memories_are_told(bench: Bench, store: OpenStore) -> None:
    steps = tuple(Step(n, content_hash(f"m{n}")) for n in (1,))
    async with running(bench.actor, bench.inbox):
        await bench.ask((new("m1"), new("m2")))
        await bench.ask((PlanProposed("dreaming", "alike", steps, BEGINNING),))
        await bench.ask((PlanApplied(1, BEGINNING),))
        await bench.ask((PlanApplied(1, BEGINNING),))  # done already: nothing to tell
        await bench.ask((PlanUndone(1, BEGINNING),))

    assert bench.took() == [MemoriesChanged(ids) for ids in ((1, 2), (1,), (1,))]
