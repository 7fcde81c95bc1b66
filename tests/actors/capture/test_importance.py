"""Importance: four channels, signals, uses and fading, over restarts."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.capture.importance import TRIGGER_DEADLINE, WARM, Importance
from actors.capture.messages import Dim, WereReviewed
from actors.capture.tagging import Tagging
from actors.capture.writes import ImportanceRated, Marked, Raised
from actors.intake.messages import Happened
from actors.intake.writes import Journaled
from actors.memory.messages import Commit, MemoriesChanged
from actors.memory.ports import Unwritable
from actors.memory.unit import Unit
from actors.memory.writes import Ended, Erased, Origin, Pinned
from actors.policy.capture.capture import DEFAULT
from actors.policy.capture.importance import Settings
from actors.policy.events.events import Event, parsed
from actors.recall.triggers import Triggers
from actors.strength.writes import Reviewed
from daemon.storage import importance
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.house import House, open_house
from tests.actors.post import answering, mail, queue
from tests.clock import BEGINNING, FollowingClock
from tests.writing import new, written

pytestmark = pytest.mark.trio

HOUR, DAY = 3600.0, 86_400.0
NOON = BEGINNING + 12 * HOUR
ON = Settings(enabled=True)

# What a first text of plain words is worth: its runs are all unseen (error 1), of its two
# surroundings none is known (1), so novelty is 1; nobody is aroused (0), no outcome is known
# (.5), nobody attends (0): .25 * 1 + .25 * .5.
PLAIN = "the invoices are numbered by year and month"
FIRST = 0.375
PRAISE = "Perfect, that worked. The blue whale answers."


def journaled(number: int, name: str, at: float, **fields: Any) -> Journaled:
    """An event as intake writes it."""
    body = {"hook_event_name": name, "session_id": "s1", "cwd": "/p", **fields}
    kinds = {"UserPromptSubmit": "prompt", "PostToolUse": "tool", "SessionEnd": "session_end"}
    return Journaled(
        number.to_bytes(16, "big"), "claude", at, kinds[name], str(body["session_id"]), "/p",
        msgspec.msgpack.encode(body),
    )  # fmt: skip


def told(seq: int, row: Journaled) -> Happened:
    event = parsed("claude", msgspec.msgpack.decode(row.body))
    assert isinstance(event, Event)
    return Happened(seq, row.received_at, event, row.project)


def review(memory_id: int, cause: str, at: float, grade: int = 4) -> Reviewed:
    return Reviewed(memory_id, 5.0, 5.0, 0, grade, cause, False, at)


@dataclass
class Bench:
    """Importance, tagging, triggers and long-term memory at work on a real store."""

    house: House
    actor: Importance
    number: int = 0

    async def write(self, *writes: Any) -> list[int]:
        """Write these as one unit, and let everybody see to it."""
        ids: list[int] = await self.house.long_term.mailbox.ask(
            lambda reply: Commit(writes, reply), within=30
        )
        await self.settled()
        return ids

    async def happen(self, name: str, at: float = NOON, **fields: Any) -> int:
        """An event is journaled and told."""
        self.number += 1
        row = journaled(int(at) * 100 + self.number, name, at, **fields)
        (seq,) = await self.write(row)
        await self.tell(told(seq, row))
        return seq

    async def say(self, prompt: str, at: float = NOON, **fields: Any) -> int:
        return await self.happen("UserPromptSubmit", at, prompt=prompt, **fields)

    async def tell(self, message: Any) -> None:
        await self.house.importance.mailbox.tell(message)
        await self.settled()

    async def settled(self) -> None:
        await trio.sleep(1)
        await wait_all_tasks_blocked()

    async def importance(self, memory_id: int) -> float:
        return (await self.house.memory(memory_id)).importance

    async def changes(self, memory_id: int) -> list[dict[str, Any]]:
        return await changes_of(self.house.store, memory_id)

    async def events(self) -> list[tuple[str, int | None]]:
        found = await self.house.store.reading.importance_events(0, NOON * 2)
        return [(event.id, event.memory_id) for event in found]


async def changes_of(store: OpenStore, memory_id: int) -> list[dict[str, Any]]:
    return await store.reading.read(lambda sql: importance.changes_of(sql, memory_id))


async def channels_of(store: OpenStore, memory_id: int) -> tuple[float, float, float, float]:
    """Novelty, arousal, reward and attention of a memory that was rated."""
    found = await store.reading.read(lambda sql: importance.channels_of(sql, memory_id))
    assert found is not None
    return found


@asynccontextmanager
async def open_bench(store: OpenStore, settings: Settings | None = None) -> AsyncGenerator[Bench]:
    async with open_house(store, TableEmbedding(), FollowingClock()) as house:
        reader, orders = store.reading, house.long_term.mailbox
        actor = Importance(
            settings or ON, reader, orders, house.tagging.mailbox, house.triggers.mailbox
        )
        tagging = Tagging(replace(DEFAULT, enabled=True), reader, orders, house.triggers.mailbox)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tagging.run, house.tagging.inbox)
            nursery.start_soon(Triggers(reader).run, house.triggers.inbox)
            nursery.start_soon(actor.run, house.importance.inbox)
            await trio.sleep(1)
            yield Bench(house, actor)
            nursery.cancel_scope.cancel()


@pytest.fixture
async def bench(store: OpenStore) -> AsyncGenerator[Bench]:
    async with open_bench(store) as opened:
        yield opened


def memory(text: str = PLAIN, at: float = NOON, **other: Any) -> Any:
    filled: dict[str, Any] = {
        "project": "/p", "importance": 0.3, "origin": Origin("hand", "s1"), "at": at, **other,
    }  # fmt: skip
    return new(text, **filled)


# ---- rated once


async def test_a_new_memory_is_rated_by_its_four_channels(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (memory_id,) = await bench.write(memory())

    assert await channels_of(bench.house.store, memory_id) == (1.0, 0.0, 0.5, 0.0)
    assert await bench.importance(memory_id) == pytest.approx(FIRST)
    (change,) = await bench.changes(memory_id)
    assert (change["cause"], change["before"]) == ("channels", 0.3)
    assert change["after"] == pytest.approx(FIRST)


async def test_a_rating_never_lowers_what_a_tier_gave(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """The tier's importance is the base: .5 of a normal memory stays."""
    (memory_id,) = await bench.write(memory(importance=0.5))

    assert await bench.importance(memory_id) == 0.5


async def test_what_was_learnt_before_is_less_novel(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """The same words again: nothing is unseen and each run is certain (error 0), and no
    surrounding is new (0): novelty 0."""
    await bench.write(memory())
    (again,) = await bench.write(memory())

    assert await channels_of(bench.house.store, again) == (0.0, 0.0, 0.5, 0.0)


async def test_each_project_has_its_own_expectations(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.write(memory())
    (elsewhere,) = await bench.write(memory(project="/q"))

    assert (await channels_of(bench.house.store, elsewhere))[0] == 1.0


async def test_attention_is_how_the_session_went_about_it(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Four look-ups in two minutes: 2 a minute is full frequency (.4), one of three look-ups
    reads (.35 / 3), and all four are of topics of their own (.25)."""
    await bench.say("where are invoices numbered", NOON)
    for number, (tool, given) in enumerate(
        [("Grep", {"pattern": "a"}), ("Grep", {"pattern": "b"}), ("Read", {"file_path": "/p/c"})]
    ):
        await bench.happen(
            "PostToolUse", NOON + 60 * (number > 1) + 60, tool_name=tool, tool_input=given
        )
    (memory_id,) = await bench.write(memory())
    channels = await channels_of(bench.house.store, memory_id)

    assert channels[3] == pytest.approx(0.4 + 0.35 / 3 + 0.25)


async def test_attention_survives_a_restart_in_the_journal(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    async with open_bench(store) as bench:
        await bench.say("one thing", NOON)
        await bench.say("another thing", NOON + 60)
    async with open_bench(store) as bench:
        await bench.say("a third thing", NOON + 120)
        (memory_id,) = await bench.write(memory())
        channels = await channels_of(store, memory_id)

        assert channels[3] == pytest.approx(0.4 * 1.5 / 2 + 0.25)  # 3 in 2 minutes


async def test_what_was_imported_is_not_rated(bench: Bench, autojump_clock: MockClock) -> None:
    (memory_id,) = await bench.write(memory(origin=Origin("import")))

    assert await bench.changes(memory_id) == []


async def test_novelty_is_measured_by_the_newest_texts_after_a_restart(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    async with open_bench(store) as bench:
        await bench.write(memory())
    async with open_bench(store) as bench:
        (again,) = await bench.write(memory())

        assert (await channels_of(store, again))[0] == 0.0
        assert bench.actor.statistics()["texts"] == 2


async def test_a_predictor_reads_so_many_texts_and_no_more_when_a_session_begins(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    ids = await written(store, *(memory() for _ in range(WARM + 5)))
    await written(store, Marked("memory", ids[-1]))
    async with open_bench(store) as bench:
        cold = bench.actor.statistics()["texts"]
        await bench.say("where are we")

        assert (cold, bench.actor.statistics()["texts"]) == (0, WARM)


async def test_a_memory_that_was_made_while_nobody_rated_is_rated_at_the_next_start(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    (memory_id,) = await written(store, memory())
    async with open_bench(store):
        pass
    async with open_bench(store):
        pass

    assert [change["cause"] for change in await changes_of(store, memory_id)] == ["channels"]


# ---- moments


async def test_a_text_with_feeling_is_a_moment_that_captures(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (before,) = await bench.write(memory(at=NOON - HOUR, triggers=("outage",)))
    text = "PRODUCTION OUTAGE: a critical disaster, the breach is catastrophic and horrible!!!"
    (memory_id,) = await bench.write(memory(text, NOON))

    assert (f"memory-{memory_id}-emotional", memory_id) in await bench.events()
    assert [change["cause"] for change in await bench.changes(before)] == ["channels", "capture"]


async def test_a_prompt_with_feeling_is_one_moment_with_what_is_made_of_it(
    bench: Bench, autojump_clock: MockClock
) -> None:
    text = "PRODUCTION OUTAGE: a critical disaster, the breach is catastrophic and horrible!!!"
    seq = await bench.say(text)
    await bench.write(memory(text, NOON, origin=Origin("statement", "s1", seq, "statement")))

    assert [name for name, _ in await bench.events()] == [f"{seq}-emotional"]


async def test_a_spike_of_novelty_is_a_moment_once_there_is_something_to_compare(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.write(*(memory("the build is green", NOON + n) for n in range(22)))
    quiet = await bench.events()
    (odd,) = await bench.write(memory("marzipan vaults open sideways", NOON + 100, kind="decision"))

    assert [name for name, _ in quiet if "novelty" in name] == []
    assert (f"memory-{odd}-novelty_spike", odd) in await bench.events()


# ---- signals


WHALE = "The blue whale database listens on port 5432."


async def test_praise_adds_to_what_the_prompt_calls_once_a_session(
    bench: Bench, autojump_clock: MockClock
) -> None:
    called, other = await bench.write(
        memory(WHALE, NOON - HOUR, importance=0.5, triggers=("blue whale",)),
        memory(PLAIN, NOON - HOUR, importance=0.5),
    )
    await bench.say(PRAISE)
    once = await bench.importance(called)
    await bench.say(PRAISE, NOON + 60)
    twice = await bench.importance(called)
    await bench.say(PRAISE, NOON + 120, session_id="s2")

    assert [once, twice] == pytest.approx([0.65, 0.65])
    assert await bench.importance(called) == pytest.approx(0.8)
    assert await bench.importance(other) == 0.5


async def test_what_a_prompt_corrects_gains_nothing(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (called,) = await bench.write(
        memory(WHALE, NOON - HOUR, importance=0.5, triggers=("blue whale",))
    )
    await bench.say("No, actually the blue whale moved. I prefer the blue whale to be there.")

    assert await bench.importance(called) == 0.5


async def test_each_kind_adds_its_own_and_one_is_the_most(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """.8 + .15, + .1 is over 1."""
    (called,) = await bench.write(
        memory(WHALE, NOON - HOUR, importance=0.8, triggers=("blue whale",))
    )
    await bench.say(PRAISE)
    praised = await bench.importance(called)
    await bench.say("I prefer the blue whale to be asked over a socket.", NOON + 60)

    assert praised == pytest.approx(0.95)
    assert await bench.importance(called) == 1.0


async def test_what_is_made_of_the_prompt_gets_it_as_well(
    bench: Bench, autojump_clock: MockClock
) -> None:
    seq = await bench.say("No, actually we number invoices by year.")
    (made,) = await bench.write(
        memory(importance=0.5, origin=Origin("statement", "s1", seq, "statement"))
    )

    assert await bench.importance(made) == pytest.approx(0.7)


async def test_words_that_no_person_said_are_no_signal(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (called,) = await bench.write(
        memory(WHALE, NOON - HOUR, importance=0.5, triggers=("blue whale",))
    )
    await bench.say("<task-notification>no, actually the blue whale moved</task-notification>")
    await bench.happen(
        "PostToolUse", tool_name="Bash", tool_input={"command": "no, actually blue whale"}
    )

    assert await bench.importance(called) == 0.5


async def test_a_prompt_that_was_journaled_and_not_told_is_heard_at_the_next_start_once(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """Killed between the journal and the signal, and again after it."""
    (called,) = await written(
        store, memory(WHALE, NOON - HOUR, importance=0.5, triggers=("blue whale",))
    )
    row = journaled(7, "UserPromptSubmit", NOON, prompt=PRAISE)
    (seq,) = await written(store, row)
    found: list[float] = []
    for _ in range(2):
        async with open_bench(store) as bench:
            await bench.tell(told(seq, row))
            found.append(await bench.importance(called))

    assert found == pytest.approx([0.65, 0.65])


async def test_a_prompt_that_could_not_be_heard_is_heard_with_the_next_one(
    bench: Bench, autojump_clock: MockClock
) -> None:
    called, other = await bench.write(
        memory(WHALE, NOON - HOUR, importance=0.5, triggers=("blue whale",)),
        memory(PLAIN, NOON - HOUR, importance=0.5, triggers=("invoices",)),
    )
    there = bench.actor.triggers
    bench.actor.triggers = queue("away").mailbox  # it does not answer
    await bench.say(PRAISE)
    await trio.sleep(TRIGGER_DEADLINE)
    bench.actor.triggers = there
    await bench.say("Perfect, that worked. The invoices are right.", NOON + 1, session_id="s2")

    assert await bench.importance(called) == pytest.approx(0.65)
    assert await bench.importance(other) == pytest.approx(0.65)


# ---- uses and fading


async def test_uses_multiply(bench: Bench, autojump_clock: MockClock) -> None:
    (memory_id,) = await bench.write(memory(importance=0.5))
    await bench.write(review(memory_id, "useful", NOON))
    useful = await bench.importance(memory_id)
    await bench.write(review(memory_id, "useless", NOON, grade=1))
    useless = await bench.importance(memory_id)
    await bench.write(review(memory_id, "reinforced", NOON), review(memory_id, "reinforced", NOON))

    assert useful == pytest.approx(0.5 * 1.15)
    assert useless == pytest.approx(0.5 * 1.15 * 0.95)
    assert await bench.importance(memory_id) == useless


async def test_reward_is_told_by_the_uses(bench: Bench, autojump_clock: MockClock) -> None:
    """One very helpful outcome: .5 * (1 - .2) + 1 * .2."""
    (memory_id,) = await bench.write(memory(importance=0.5))
    await bench.write(review(memory_id, "useful", NOON))

    assert (await channels_of(bench.house.store, memory_id))[2] == pytest.approx(0.6)


async def test_a_week_without_news_lets_an_importance_fade_however_often_one_looks(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (memory_id,) = await bench.write(memory(importance=0.8))
    seen: list[float] = []
    for days in (6.9, 7, 7, 20.9, 21):
        await bench.tell(Dim(NOON + days * DAY))
        seen.append(await bench.importance(memory_id))

    assert seen == pytest.approx([0.8, 0.76, 0.76, 0.722, 0.8 * 0.95**3])


async def test_news_begins_the_week_anew(bench: Bench, autojump_clock: MockClock) -> None:
    (memory_id,) = await bench.write(memory(importance=0.8))
    await bench.write(review(memory_id, "reinforced", NOON + 5 * DAY))
    await bench.tell(Dim(NOON + 11.9 * DAY))
    still = await bench.importance(memory_id)
    await bench.tell(Dim(NOON + 12 * DAY))

    assert [still, await bench.importance(memory_id)] == pytest.approx([0.8, 0.76])


async def test_protected_and_pinned_memories_keep_their_tiers_importance(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """1 of a critical one, .5 of a normal one that is pinned, however long."""
    critical, pinned, plain = await bench.write(
        memory(importance=1.0, tier="critical"), memory(importance=0.8), memory(importance=0.8)
    )
    await bench.write(Pinned(pinned, True, NOON))
    await bench.tell(Dim(NOON + 7 * 1000 * DAY))

    assert [await bench.importance(one) for one in (critical, pinned, plain)] == pytest.approx(
        [1.0, 0.5, 0.01]
    )


async def test_a_capture_is_not_lost_by_a_rating_that_was_on_its_way(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """Ratings are carried out on what the importance is then."""
    async with open_bench(store) as bench:
        (memory_id,) = await bench.write(memory(at=NOON - HOUR, triggers=("outage",)))
        await bench.write(memory("DISASTER! critical outage, horrible emergency!!!", NOON))
        captured = (await bench.changes(memory_id))[-1]
        await bench.write(ImportanceRated(memory_id, "channels", "late", "at_least", 0.1, NOON))

        assert captured["cause"] == "capture"
        assert await bench.importance(memory_id) == captured["after"]


# ---- restarts, refusals, erasing


async def stopped_after(store: OpenStore, commits: int) -> list[Any]:
    """Importance is told of a new memory and dies with commit number ``commits`` in the mail."""
    long_term, inbox, tagging = queue("long_term"), queue("importance"), queue("tagging")
    seen: list[Unit] = []

    async def carry_out() -> None:
        async for message in long_term.inbox:
            seen.append(message.unit)
            if len(seen) > commits:
                await trio.sleep_forever()
            (outcome,) = await store.writing.commit([message.unit])
            message.reply(outcome)

    actor = Importance(ON, store.reading, long_term.mailbox, tagging.mailbox, queue().mailbox)
    await inbox.mailbox.tell(MemoriesChanged((1,)))
    with trio.move_on_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(carry_out)
            nursery.start_soon(actor.run, inbox.inbox)
    return mail(tagging)


@pytest.mark.parametrize("commits", [0, 1])
async def test_a_kill_between_a_rating_and_its_moment_leaves_both_or_none(
    store: OpenStore, autojump_clock: MockClock, commits: int
) -> None:
    earlier, loud = await written(
        store,
        memory(at=NOON - HOUR, triggers=("outage",)),
        memory("DISASTER! critical outage, horrible emergency!!!", NOON),
    )
    await stopped_after(store, commits * 2)
    moments = await store.reading.importance_events(0, NOON * 2)
    rated = [change["cause"] for change in await changes_of(store, loud)]
    async with open_bench(store):
        pass

    assert (len(moments), rated) == (commits, ["channels"] * commits)
    assert [change["cause"] for change in await changes_of(store, loud)] == ["channels"]
    causes = [change["cause"] for change in await changes_of(store, earlier)]
    assert causes == ["channels", "capture"]


async def test_a_store_that_refuses_and_neighbours_that_are_away_cost_nothing_but_time(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    (memory_id,) = await written(store, memory())
    long_term, inbox = queue("long_term"), queue("importance")
    actor = Importance(ON, store.reading, long_term.mailbox, queue().mailbox, queue().mailbox)
    async with (
        answering(long_term, lambda _: Unwritable("the disk is full")) as noted,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(actor.run, inbox.inbox)
        await inbox.mailbox.tell(WereReviewed())
        await inbox.mailbox.tell(MemoriesChanged((memory_id,)))
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    refused = await changes_of(store, memory_id)
    async with open_bench(store):
        pass

    assert len(noted) == 2  # catching up, the news
    assert refused == []
    assert len(await changes_of(store, memory_id)) == 1


async def test_ended_and_erased_memories_are_left_alone(
    bench: Bench, autojump_clock: MockClock
) -> None:
    gone, ended = await bench.write(memory(importance=0.5), memory(WHALE, importance=0.5))
    await bench.write(Ended(ended, "forgotten", NOON), Erased((gone,)))
    await bench.write(review(ended, "useful", NOON))
    await bench.tell(Dim(NOON + 100 * DAY))
    tables = ("importance_anchor", "importance_change")
    left = await bench.house.store.reading.read(
        lambda sql: [
            sql.number(f"SELECT count(*) FROM {table} WHERE memory_id = {gone}") for table in tables
        ]
    )

    assert left == [0, 0]
    assert (await bench.house.store.reading.memories([ended]))[ended].importance == 0.5


# ---- a day that a reader can compute


async def test_a_day_ends_where_one_can_compute_it(bench: Bench, autojump_clock: MockClock) -> None:
    """A normal memory of .5 at nine; praised at ten (+ .15 = .65); three hours after nine the
    user says "remember this": its capture scores .774597, so that it rises to
    .6 * .774597 + .4 = .864758; found useful at one (x 1.15 = .994472), and useless at two
    (x .95 = .944748). Two weeks and a day later it has faded twice (x .95 ** 2 = .852635)."""
    (memory_id,) = await bench.write(
        memory(WHALE, NOON - 3 * HOUR, importance=0.5, triggers=("blue whale",))
    )
    await bench.say(PRAISE, NOON - 2 * HOUR)
    praised = await bench.importance(memory_id)
    flag = Raised("1-user_flag", "user_flag", 1.0, NOON, "s1", "/p", "remember this", 1)
    await bench.house.tagging.mailbox.tell(flag)
    await bench.settled()
    captured = await bench.importance(memory_id)
    await bench.write(review(memory_id, "useful", NOON + HOUR))
    await bench.write(review(memory_id, "useless", NOON + 2 * HOUR, grade=1))
    evening = await bench.importance(memory_id)
    await bench.tell(Dim(NOON + 15 * DAY))

    assert praised == pytest.approx(0.65)
    assert captured == pytest.approx(0.864758, abs=1e-6)
    assert evening == pytest.approx(0.864758 * 1.15 * 0.95, abs=1e-6)
    assert await bench.importance(memory_id) == pytest.approx(0.852635, abs=1e-6)
    assert [change["cause"] for change in await bench.changes(memory_id)] == [
        "channels",
        "reinforcement",
        "capture",
        "useful",
        "useless",
    ]
