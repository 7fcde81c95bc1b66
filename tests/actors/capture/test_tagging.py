"""Tagging: important moments capture the hours around them, over restarts and kills."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from actors.capture.messages import Backfill, Fade, TaggingMessage
from actors.capture.rows import TagRow
from actors.capture.tagging import Tagging
from actors.capture.writes import Backfilled, Captured, Raised
from actors.core.mailbox import Reply
from actors.memory.messages import MemoriesChanged, Write
from actors.memory.ports import Unwritable
from actors.memory.rows import Scope
from actors.memory.unit import Unit
from actors.memory.writes import Ended, Erased, ErasedEverything, Origin
from actors.policy.capture.backfill import Cause, Failure
from actors.policy.capture.capture import DEFAULT, PROFILES, Decay, EventKind, Settings
from actors.policy.text.phrases import Match
from actors.recall.rows import Called
from daemon.storage import episodes, journal
from daemon.storage.store import OpenStore
from tests.actors.fakes import FixedPhrases, TableEmbedding
from tests.actors.house import House, open_house
from tests.actors.post import answering, queue
from tests.clock import BEGINNING, FollowingClock
from tests.writing import new, written

pytestmark = pytest.mark.trio

HOUR = 3600.0
NOON = BEGINNING + 12 * HOUR
MINUTE = HOUR / 60
ON = replace(DEFAULT, enabled=True)


def memory(text: str, hours: float, *, project: str | None = "/p", session: str = "s1") -> Any:
    """A memory encoded so many hours from noon."""
    origin = Origin("hand", session)
    return new(text, at=NOON + hours * HOUR, project=project, origin=origin, importance=0.4)


def raised(
    hours: float = 0.0,
    kind: EventKind = EventKind.USER_FLAG,
    *,
    seq: int = 1,
    strength: float | None = None,
    session: str = "s1",
    project: str | None = "/p",
) -> Raised:
    """A moment so many hours from noon, of its kind's own strength."""
    given = PROFILES[kind].strength if strength is None else strength
    at = NOON + hours * HOUR
    return Raised(f"{seq}-{kind.value}", kind.value, given, at, session, project, "why", seq)


@dataclass
class Bench:
    """Tagging and long-term memory at work on a real store."""

    house: House
    actor: Tagging

    async def encode(self, *writes: Any) -> list[int]:
        """Keep these memories, and let tagging see to them."""
        return await self.house.commit(*writes)

    async def happen(self, *events: Raised) -> None:
        for event in events:
            await self.house.tagging.mailbox.tell(event)
        await self.settled()

    async def erase(self, order: Erased | ErasedEverything) -> int:
        return await self.house.erase(order)

    async def tell(self, message: Any) -> None:
        await self.house.tagging.mailbox.tell(message)
        await self.settled()

    async def settled(self) -> None:
        """Until tagging and the store have nothing left to do."""
        await self.house.settled()

    async def captures(self, memory_id: int) -> list[episodes.CaptureRow]:
        return await captures_in(self.house.store, memory_id)

    async def importance(self, memory_id: int) -> float:
        return (await self.house.memory(memory_id)).importance

    async def tags(self) -> list[TagRow]:
        return await self.house.store.reading.tags(None)


async def captures_in(store: OpenStore, memory_id: int) -> list[episodes.CaptureRow]:
    found = await store.reading.read(lambda sql: episodes.captures_of(sql, memory_id))
    return [taken for taken, _ in found]


@asynccontextmanager
async def open_bench(store: OpenStore, settings: Settings = ON) -> AsyncGenerator[Bench]:
    """Tagging at work until the end of the block; each moment says a phrase of every memory."""
    async with open_house(store, TableEmbedding(), FollowingClock()) as house:
        actor = Tagging(settings, store.reading, house.long_term.mailbox, ALL_CALLED)
        async with house.joined_by(actor, house.tagging):
            yield Bench(house, actor)


# The phrases of the first nine memories stand in the text.
ALL_CALLED = FixedPhrases(*(Called(Match(0, 1, owner, "a"), False) for owner in range(1, 10)))


@pytest.fixture
async def bench(store: OpenStore) -> AsyncGenerator[Bench]:
    """Tagging at work on an empty store."""
    async with open_bench(store) as opened:
        yield opened


# ---- backward


async def test_a_memory_is_captured_by_what_happens_three_hours_later(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """The tag is (1 + 3/12)^-.5, the window (1 + 3/9)^-.5; .6 * .774597 + .4 * 1."""
    (memory_id,) = await bench.encode(memory("the port is 5432", -3))
    await bench.happen(raised())
    (taken,) = await bench.captures(memory_id)

    assert (taken.event_id, taken.hours, taken.before) == ("1-user_flag", 3.0, 0.4)
    assert taken.score == pytest.approx(0.774597, abs=1e-6)
    assert taken.importance == pytest.approx(0.864758, abs=1e-6)
    assert await bench.importance(memory_id) == taken.importance


async def test_a_capture_never_lowers_an_importance(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (memory_id,) = await bench.encode(replace(memory("a", -3), importance=0.95))
    await bench.happen(raised())

    assert len(await bench.captures(memory_id)) == 1
    assert await bench.importance(memory_id) == 0.95


async def test_nine_hours_are_in_reach_and_a_minute_more_is_not(
    bench: Bench, autojump_clock: MockClock
) -> None:
    inside, outside = await bench.encode(memory("a", -9), memory("b", -9 - 1 / 60))
    await bench.happen(raised())

    assert len(await bench.captures(inside)) == 1
    assert await bench.captures(outside) == []


async def test_a_weak_moment_captures_nothing_and_its_tags_stay_loose(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (memory_id,) = await bench.encode(memory("a", -1))
    await bench.happen(raised(strength=0.69))
    weak = await bench.captures(memory_id)
    await bench.happen(raised(seq=2, strength=0.7))

    assert weak == []
    assert len(await bench.captures(memory_id)) == 1


async def test_a_memory_is_captured_once(bench: Bench, autojump_clock: MockClock) -> None:
    (memory_id,) = await bench.encode(memory("a", -3))
    await bench.happen(raised(), raised(), raised(0.5, EventKind.TEST_FIXED, seq=2))

    assert [taken.event_id for taken in await bench.captures(memory_id)] == ["1-user_flag"]


async def test_a_moment_reaches_its_project_and_what_holds_everywhere(
    bench: Bench, autojump_clock: MockClock
) -> None:
    ids = await bench.encode(
        memory("here", -1, session="other"),
        memory("elsewhere", -1, project="/q"),
        memory("everywhere", -1, project=None, session="other"),
    )
    await bench.happen(raised())

    assert [len(await bench.captures(one)) for one in ids] == [1, 0, 1]


async def test_the_exponential_curve_captures_little_more_than_an_hour(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """Findings 1 and 2: with it the strongest moment reaches back 1.345 h, and it is honoured."""
    async with open_bench(store, replace(ON, decay=Decay.EXPONENTIAL)) as bench:
        near, far = await bench.encode(memory("a", -1.33), memory("b", -1.37))
        await bench.happen(raised())

        assert len(await bench.captures(near)) == 1
        assert await bench.captures(far) == []


async def test_an_ended_memory_is_not_captured(bench: Bench, autojump_clock: MockClock) -> None:
    (memory_id,) = await bench.encode(memory("a", -1))
    await bench.encode(Ended(memory_id, "forgotten", NOON))
    await bench.happen(raised())

    assert await bench.captures(memory_id) == []


async def test_what_was_imported_is_not_of_these_hours(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (memory_id,) = await bench.encode(replace(memory("a", -1), origin=Origin("import")))
    await bench.happen(raised())

    assert (await bench.tags(), await bench.captures(memory_id)) == ([], [])


# ---- forward


async def test_a_memory_within_two_hours_after_a_moment_is_captured_when_it_is_encoded(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """A fresh tag is 1; at 1 of 2 hours the window is (1 + 1/2)^-.5 = .816497."""
    await bench.happen(raised())
    inside, border, outside = await bench.encode(
        memory("a", 1), memory("b", 2), memory("c", 2 + 1 / 60)
    )
    (taken,) = await bench.captures(inside)

    assert taken.hours == -1.0
    assert taken.score == pytest.approx(0.816497, abs=1e-6)
    assert len(await bench.captures(border)) == 1
    assert await bench.captures(outside) == []


async def test_a_memory_that_became_durable_after_the_sweep_is_captured_all_the_same(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """The gate waited for a vector while the user went on to say "remember this"."""
    await bench.happen(raised())
    (memory_id,) = await bench.encode(memory("a", -3))
    (taken,) = await bench.captures(memory_id)

    assert taken.score == pytest.approx(0.774597, abs=1e-6)


async def test_of_moments_that_score_alike_the_nearest_captures(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """Twice "remember this" within a minute: what the second one says is its own."""
    await bench.happen(raised(-0.01), raised(seq=2))
    (memory_id,) = await bench.encode(memory("a", 0))

    assert [taken.event_id for taken in await bench.captures(memory_id)] == ["2-user_flag"]


# ---- restarts and kills


async def test_a_restart_between_tag_and_moment_keeps_the_tag(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    async with open_bench(store) as bench:
        (memory_id,) = await bench.encode(memory("a", -3))
    async with open_bench(store) as bench:
        await bench.happen(raised())
        (taken,) = await bench.captures(memory_id)

        assert taken.importance == pytest.approx(0.864758, abs=1e-6)


async def test_a_restart_leaves_the_forward_window_open(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    async with open_bench(store) as bench:
        await bench.happen(raised())
    async with open_bench(store) as bench:
        (memory_id,) = await bench.encode(memory("a", 1))

        assert len(await bench.captures(memory_id)) == 1


THREE = (memory("a", -3), memory("b", -1), memory("c", 1))


async def whole(store: OpenStore, ids: Sequence[int]) -> list[bool]:
    """Of each memory whether it is captured with all that belongs to it; a part is an error."""
    tags = {int(row.tag.memory_id): row.tag for row in await store.reading.tags(None)}
    memories = await store.reading.memories(ids)
    found: list[bool] = []
    for one in ids:
        taken = await captures_in(store, one)
        signs = {bool(taken), tags[one].captured_at is not None, memories[one].importance > 0.4}
        assert len(signs) == 1, f"half a capture of {one}"
        found.append(bool(taken))
    return found


async def stopped_at(store: OpenStore, commits: int) -> None:
    """Tagging is told of a moment and dies with its commit number ``commits`` in the mail."""
    long_term, inbox = queue("long_term"), queue("tagging")
    seen: list[Unit] = []

    async def carry_out() -> None:
        async for message in long_term.inbox:
            seen.append(message.unit)
            if len(seen) > commits:
                await trio.sleep_forever()
            (outcome,) = await store.writing.commit([message.unit])
            message.reply(outcome)

    actor = Tagging(ON, store.reading, long_term.mailbox, ALL_CALLED)
    await inbox.mailbox.tell(raised())
    with trio.move_on_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(carry_out)
            nursery.start_soon(actor.run, inbox.inbox)


@pytest.mark.parametrize("told", [False, True], ids=["before it is told", "after it is told"])
@pytest.mark.parametrize("commits", [0, 1])
async def test_a_kill_between_any_two_messages_leaves_a_whole_capture_or_none(
    store: OpenStore, autojump_clock: MockClock, commits: int, told: bool
) -> None:
    """The moment was noted; tagging may die before the news, with it, and after its commit."""
    ids = await written(store, *THREE)
    await written(store, raised())
    if told:
        await stopped_at(store, commits)
    before = await whole(store, ids)
    async with open_bench(store):
        pass

    assert before in ([False] * 3, [True, True, True])
    assert await whole(store, ids) == [True, True, True]


async def test_a_moment_whose_news_came_with_the_kill_is_noted_with_its_captures_or_not_at_all(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    ids = await written(store, *THREE)
    await stopped_at(store, 0)
    nothing = await store.reading.importance_events(0, NOON * 2)
    none = await whole(store, ids)
    await stopped_at(store, 1)

    assert (nothing, none) == ([], [False] * 3)
    assert len(await store.reading.importance_events(0, NOON * 2)) == 1
    assert await whole(store, ids) == [True, True, True]  # one in the window ahead as well


async def test_news_of_new_memories_that_was_lost_is_caught_up_with(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    async with open_bench(store) as bench:
        await bench.happen(raised())
        (memory_id,) = await written(store, memory("a", 1))  # nobody is told
        before = await bench.captures(memory_id)
        await bench.tell(Fade(NOON + 1.5 * HOUR))

        assert before == []
        assert len(await bench.captures(memory_id)) == 1


async def test_a_store_that_refuses_loses_no_capture(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    ids = await written(store, *THREE)
    await written(store, raised())
    long_term, inbox = queue("long_term"), queue("tagging")
    actor = Tagging(ON, store.reading, long_term.mailbox, ALL_CALLED)
    async with (
        answering(long_term, lambda _: Unwritable("the disk is full")) as noted,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(actor.run, inbox.inbox)
        await inbox.mailbox.tell(raised())
        await inbox.mailbox.tell(MemoriesChanged(tuple(ids)))
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    refused = await whole(store, ids)
    async with open_bench(store):
        pass

    assert len(noted) == 3  # catching up, the moment, the news
    assert refused == [False] * 3
    assert await whole(store, ids) == [True] * 3


async def test_a_capture_of_a_moment_that_was_never_noted_changes_nothing(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    (memory_id,) = await written(store, memory("a", -1))
    outcome = await written(store, Captured(memory_id, "9-revert", 0.9, 1.0, 0.9, 9.0, NOON))

    assert outcome == [0]
    assert await whole(store, [memory_id]) == [False]


# ---- fading, figures, episodes, erasing


async def test_tags_fade_and_those_of_captured_memories_stay_a_day(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """At 12 h a tag is nothing; a captured one is kept 24 h from the capture."""
    loose, taken = await bench.encode(memory("a", 0, project="/q"), memory("b", 0))
    await bench.happen(raised(), raised(seq=2, project="/r"))
    left: list[list[int]] = []
    for hours in (11.9, 12, 23.9, 24):
        await bench.tell(Fade(NOON + hours * HOUR))
        left.append([int(row.tag.memory_id) for row in await bench.tags()])
    await bench.tell(Fade(NOON + 24 * HOUR + 1))
    events = await bench.house.store.reading.importance_events(0, NOON * 2)

    assert left == [[loose, taken], [taken], [taken], []]
    assert [event.id for event in events] == ["1-user_flag"]  # the other captured nothing
    assert bench.actor.statistics()["expired"] == 2
    assert bench.actor.statistics()["faded_at"] == NOON + 24 * HOUR + 1


async def test_figures_tell_what_is_stored(bench: Bench, autojump_clock: MockClock) -> None:
    await bench.encode(memory("a", -3), memory("b", 0), memory("c", 0, project="/q"))
    await bench.happen(raised(), raised(seq=2, strength=0.1))
    totals = await bench.house.store.reading.capture_totals()

    assert totals == {
        "tags": 3, "captured_tags": 2, "events": 2, "captures": 2, "episodes": 1,
        "average_score": pytest.approx((0.774597 + 1) / 2, abs=1e-6),
        "average_importance": pytest.approx((0.864758 + 1) / 2, abs=1e-6),
    }  # fmt: skip


async def test_an_episode_has_its_members_its_own_session_first(
    bench: Bench, autojump_clock: MockClock
) -> None:
    near, far, other = await bench.encode(
        memory("a", -1), memory("b", -5), memory("c", 0, session="s2")
    )
    await bench.happen(raised())
    total, (episode,) = await bench.house.store.reading.read(
        lambda sql: episodes.episodes(sql, "/p", 50, 10)
    )
    few = await bench.house.store.reading.read(lambda sql: episodes.episode(sql, "1-user_flag", 2))

    assert (total, episode.event, episode.total) == (1, raised(), 3)
    assert [member.memory_id for member in episode.members] == [near, far, other]
    assert few is not None
    assert (few.total, [member.memory_id for member in few.members]) == (3, [near, far])


async def test_episodes_of_another_project_are_not_shown_unasked(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.encode(memory("a", -1), memory("b", -1, project="/q"))
    await bench.happen(raised(), raised(1, seq=2, project="/q"))

    async def seen(project: str | None) -> list[str]:
        _, found = await bench.house.store.reading.read(
            lambda sql: episodes.episodes(sql, project, 50, 10)
        )
        return [episode.event.id for episode in found]

    assert await seen("/q") == ["2-user_flag"]
    assert await seen(None) == ["2-user_flag", "1-user_flag"]


async def rows(store: OpenStore) -> dict[str, int]:
    tables = ("synaptic_tag", "importance_event", "capture")
    return await store.reading.read(
        lambda sql: {table: sql.number(f"SELECT count(*) FROM {table}") for table in tables}
    )


async def test_an_erased_memory_leaves_no_row(bench: Bench, autojump_clock: MockClock) -> None:
    (memory_id,) = await bench.encode(memory("the vault opens with marzipan", -1))
    await bench.happen(raised())
    held = await rows(bench.house.store)
    await bench.erase(Erased((memory_id,)))

    assert held == {"synaptic_tag": 1, "importance_event": 1, "capture": 1}
    assert set((await rows(bench.house.store)).values()) == {0}


async def test_a_moment_that_captured_others_too_stays_without_what_quotes_the_erased(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (memory_id, _) = await bench.encode(memory("the vault opens with marzipan", -1), memory("b", 0))
    said = replace(raised(), reason="pytest -k 'vault opens with marzipan' passes again")
    await bench.happen(said)
    await bench.erase(Erased((memory_id,)))
    (event,) = await bench.house.store.reading.importance_events(0, NOON * 2)

    assert event == replace(said, reason="")
    assert await rows(bench.house.store) == {"synaptic_tag": 1, "importance_event": 1, "capture": 1}


@pytest.mark.parametrize("purge", [ErasedEverything("/p"), ErasedEverything(whole_store=True)])
async def test_a_purge_takes_tags_moments_and_captures_with_it(
    bench: Bench, autojump_clock: MockClock, purge: ErasedEverything
) -> None:
    await bench.encode(memory("a", -1))
    await bench.happen(raised(), raised(seq=2, strength=0.1))
    await bench.erase(purge)

    assert set((await rows(bench.house.store)).values()) == {0}


async def test_a_capture_is_in_the_log(bench: Bench, autojump_clock: MockClock) -> None:
    (memory_id,) = await bench.encode(memory("a", -1))
    await bench.house.long_term.mailbox.tell(Write((raised(),)))
    await bench.happen(raised())
    entries = await bench.house.store.reading.read(
        lambda sql: journal.happenings(sql, 0.0, "s1", 10)
    )

    assert [(entry["what"], entry["memory"], entry["detail"]) for entry in entries] == [
        ("captured", memory_id, "user flag 1-user_flag")
    ]


# ---- looking back

FAILURE = Failure("", "checkout crashed: PAYMENT_URL is not set", NOON)


async def look_back(
    bench: Bench, failure: Failure, *, apply: bool = False
) -> list[tuple[str, tuple[str, ...], float]]:
    def message(reply: Reply[tuple[Cause, ...]]) -> TaggingMessage:
        return Backfill(failure, Scope("/p"), NOON if apply else None, reply)

    found: tuple[Cause, ...] = await bench.house.tagging.mailbox.ask(message, within=5)
    return [(cause.memory_id, cause.shared, cause.proposed) for cause in found]


async def test_a_failure_is_traced_to_what_names_the_same_variable(
    bench: Bench, autojump_clock: MockClock
) -> None:
    """2.5 times a stability of 2 days; what is 31 days old, of another project, or names
    nothing in common is left out. Looking changes nothing."""
    cause, *_ = await bench.encode(
        memory("we renamed PAYMENT_URL in deploy.yml", -24),
        memory("PAYMENT_URL is set by the platform", -31 * 24),
        memory("PAYMENT_URL of the other shop", -1, project="/q"),
        memory("payments are slow", -1),
    )
    found = await look_back(bench, FAILURE)

    assert found == [(str(cause), ("PAYMENT_URL",), 5.0)]
    assert (await bench.house.memory(cause)).stability == 2.0


async def test_what_is_applied_is_a_review_of_its_own_and_applied_once(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (cause,) = await bench.encode(memory("we renamed PAYMENT_URL", -24))
    made = (await bench.house.memory(cause)).created_at

    first = await look_back(bench, FAILURE, apply=True)
    second = await look_back(bench, FAILURE, apply=True)
    after = await bench.house.memory(cause)
    causes = await bench.house.store.reading.read(
        lambda sql: sql.rows("SELECT cause, grade, stability FROM review")
    )
    asked = replace(FAILURE, text="again: PAYMENT_URL is empty")
    again = await look_back(bench, asked)

    assert (len(first), second) == (1, [])
    assert (after.stability, after.last_review, after.uses) == (5.0, made, 0)
    assert causes == [("backfill", 0, 5.0)]
    assert [proposed for *_, proposed in again] == [12.5]


async def test_a_failure_that_names_nothing_has_no_cause(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await bench.encode(memory("we renamed PAYMENT_URL", -24))
    vague = replace(FAILURE, text="it crashed")

    assert await look_back(bench, vague) == []


async def test_a_memory_that_changed_meanwhile_is_left_as_it_is(
    bench: Bench, autojump_clock: MockClock
) -> None:
    (cause,) = await bench.encode(memory("we renamed PAYMENT_URL", -24))
    outcome = await bench.encode(Backfilled(cause, "f", 1.9, 9.0, NOON))

    assert outcome == [0]
    assert (await bench.house.memory(cause)).stability == 2.0


async def test_a_question_that_cannot_be_answered_is_failed(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    long_term, inbox = queue("long_term"), queue("tagging")
    await written(store, memory("we renamed PAYMENT_URL", -24))
    actor = Tagging(ON, store.reading, long_term.mailbox, ALL_CALLED)
    async with (
        answering(long_term, lambda _: Unwritable("the disk is full")),
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(actor.run, inbox.inbox)
        with pytest.raises(Unwritable):
            _: tuple[Cause, ...] = await inbox.mailbox.ask(
                lambda reply: Backfill(FAILURE, Scope("/p"), NOON, reply), within=5
            )
        nursery.cancel_scope.cancel()
