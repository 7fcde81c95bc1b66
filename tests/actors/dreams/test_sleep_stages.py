"""Dreaming in the four phases of sleep, beside dreaming as always; lifts: I15, I16, I18, Q06."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
import trio
from trio.testing import MockClock

from actors.dreams.stages import Settings
from actors.dreams.writes import (
    STAGES,
    ConnectionsDrawn,
    ConnectionsFaded,
    ConnectionsSettled,
    ConnectionsStrengthened,
    DreamAdvanced,
)
from actors.embedding.rows import EmbeddingState
from actors.embedding.writes import Chunk, ModelChosen, Vectored
from actors.gate.drafts import content_hash
from actors.memory.ports import Unwritable
from actors.memory.rows import Scope
from actors.memory.writes import Pinned
from actors.plans.writes import PlanApplied, PlanProposed, PlanUndone
from actors.policy.dreams.connection_graph import Connection, ConnectionKind
from actors.policy.recall import channel_switches, ranking
from actors.recall import ordering
from actors.recall.channels import Channels
from actors.recall.messages import Found, Search
from actors.recall.recall import assembled
from actors.strength.writes import Credited, Reviewed
from daemon.storage.store import OpenStore
from tests.actors.dreams.test_dreaming import DAY, NOW, TEXTS, Bench, contents, open_dreaming
from tests.actors.fakes import TableEmbedding
from tests.actors.house import open_house
from tests.actors.post import answering, queue
from tests.clock import BEGINNING, FollowingClock
from tests.writing import DIMENSIONS, MODEL, key_of, new, vectors, written

pytestmark = pytest.mark.trio

HERE, THERE = "/w/alpha", "/w/beta"
PHASES: dict[str, Any] = {"profile": "four_phases"}


async def many(store: OpenStore, count: int, **other: Any) -> list[int]:
    """Notes of one hour after the other that have nothing in common."""
    have = await store.reading.saved_since(0.0)
    return await written(
        store,
        *(new(f"gadget{n}x turns widget{n}y", at=BEGINNING + 3_600.0 * n, **other)
          for n in range(have, have + count)),
    )  # fmt: skip


async def strengths(store: OpenStore, *ids: int) -> dict[tuple[int, int], float]:
    found = await store.reading.connections_of(ids, 9_999)
    return {(one.one, one.other): one.strength for one in found}


async def figures(store: OpenStore, stage: str) -> dict[str, Any]:
    row, *_ = await store.reading.dreams(1)
    return dict(row.figures[stage])


def edge(one: int, other: int, strength: float) -> Connection:
    return Connection(one, other, ConnectionKind.SEMANTIC, strength, "")


async def test_nothing_is_drawn_by_lot_unless_one_asks_for_it(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    await many(store, 130)
    async with open_dreaming(store) as bench:
        await bench.dream()
        replay = await figures(store, "replay")

        assert Settings().profile == "vestige"
        assert (replay["first"], replay["last"], replay["replayed"]) == (31, 130, 100)
        assert "drawn" not in replay
        assert bench.written(ConnectionsSettled) == []
        assert len(bench.written(ConnectionsFaded)) == 1


async def test_in_four_phases_seventy_are_chosen_by_value_and_thirty_by_lot(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """I15: the old and important ones get their turn, and some that are neither."""
    important = await many(store, 70, importance=0.9)
    await many(store, 330, importance=0.1)
    async with open_dreaming(store, **PHASES) as bench:
        await bench.dream()
        replay = await figures(store, "replay")

        assert (replay["replayed"], replay["waves"]) == (100, 7)
        assert replay["first"] == important[0]
        assert tuple(bench.stages()) == STAGES
        assert bench.written(ConnectionsFaded) == []


async def test_what_was_unimportant_and_not_replayed_is_connected_more_weakly(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """I15: of two ends the more important counts, and either's replay."""
    important = await many(store, 100, importance=0.9)
    dull = await many(store, 100, importance=0.1)
    async with open_dreaming(store, strengthening=False, **PHASES) as bench:
        pairs = [(dull[n], dull[n + 1]) for n in range(0, 98, 2)]
        await written(
            store,
            ConnectionsDrawn(
                (edge(important[0], dull[99], 0.8), *(edge(*pair, 0.8) for pair in pairs)),
                "dreaming", NOW - DAY,
            ),
            ConnectionsDrawn(
                (Connection(dull[0], dull[9], ConnectionKind.EXPLAINS, 0.3, ""),),
                "consolidation", NOW - DAY,
            ),
        )  # fmt: skip
        await bench.dream()
        after, settled = await strengths(store, *dull), await figures(store, "prune")

        assert after[important[0], dull[99]] == 0.8
        assert after[dull[0], dull[9]] == 0.3  # consolidation's own
        weaker = [pair for pair in pairs if after[pair] == pytest.approx(0.76)]
        same = [pair for pair in pairs if after[pair] == 0.8]
        assert len(weaker) + len(same) == len(pairs)
        # 30 of 130 are drawn by lot: a pair has neither in about six of ten cases
        assert len(weaker) == settled["weaker"] > 9
        assert len(same) > 4


async def test_a_connection_under_four_tenths_does_not_last_the_night(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """I15: what was fading in the store goes as well, what others found stays."""
    ids = await many(store, 8)
    await written(
        store,
        ConnectionsDrawn((edge(ids[0], ids[4], 0.39), edge(ids[1], ids[5], 0.4)), "dreaming", NOW),
        ConnectionsDrawn((edge(ids[2], ids[6], 0.2),), "consolidation", NOW),
    )
    async with open_dreaming(store, strengthening=False, **PHASES) as bench:
        await bench.dream()

        assert await strengths(store, *ids) == {(ids[1], ids[5]): 0.4, (ids[2], ids[6]): 0.2}
        assert bench.written(ConnectionsStrengthened) == []


async def alike(store: OpenStore, cosine_axis: int, *projects: str | None) -> list[int]:
    """Notes on one axis of vector space, of these projects, about the same two things."""
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    made: list[int] = []
    for n, project in enumerate(projects):
        text = f"gadget{n}x holds zephyrlock and quartzpipe"
        at = BEGINNING + 40 * DAY * n
        (number,) = await written(store, new(text, at=at, project=project))
        await written(store, vectors(number, text, cosine_axis))
        made.append(number)
    return made


@asynccontextmanager
async def recalling(
    store: OpenStore, clock: FollowingClock
) -> AsyncGenerator[Callable[[str, Scope], Awaitable[Found]]]:
    """Recall by words and the graph on this store."""
    embedding = TableEmbedding()
    embedding.state = EmbeddingState("off", "no model", "", 0)
    recall, working_memory, other = queue("recall"), queue("wm"), queue("other", room=500)
    async with open_house(store, embedding, clock) as house, trio.open_nursery() as nursery:
        ranked = ranking.Settings(channels=channel_switches.Settings(degree=True, causes=True))
        channels = Channels(
            ranked, store.reading, house.embedder.mailbox, house.triggers.mailbox,
            working_memory.mailbox,
        )  # fmt: skip
        actor = assembled(
            ordering.Settings(ranking=ranked), store.reading, clock, channels, other.mailbox,
            working_memory.mailbox, other.mailbox, other.mailbox, house.strength.mailbox,
            house.tagging.mailbox,
        )  # fmt: skip
        nursery.start_soon(actor.run, recall.inbox)

        async def ask(text: str, scope: Scope) -> Found:
            answer: Found = await recall.mailbox.ask(
                lambda reply: Search(text, 9, scope, False, False, 30.0, reply), within=60
            )
            return answer

        async with answering(house.triggers, lambda _: ()):
            yield ask
        nursery.cancel_scope.cancel()


async def test_what_is_connected_across_projects_is_shown_in_neither(
    store: OpenStore, clock: FollowingClock, autojump_clock: MockClock
) -> None:
    """I15: REM connects them; recall in one project leads to its own over the same graph."""
    here, there = await alike(store, 1, HERE, THERE)
    await written(store, new("the harbour opens at dawn", project=HERE))
    async with open_dreaming(store, **PHASES) as bench:
        await bench.dream()
        drawn = await figures(store, "cross_reference")
        held = await strengths(store, here)
    async with recalling(store, clock) as ask:
        found = await ask("gadget0x", Scope(HERE))
        anywhere = await ask("gadget0x", Scope(None, everywhere=True))

    assert drawn["across_projects"] == 1
    assert set(held) == {(here, there)}
    assert there not in {note.memory.id for note in found.notes}
    assert {here, there} <= {note.memory.id for note in anywhere.notes}


@pytest.mark.parametrize(
    ("profile", "kept"), [("vestige", set[str]()), ("four_phases", {"across"})]
)
async def test_across_projects_less_likeness_is_enough_to_connect(
    store: OpenStore, autojump_clock: MockClock, profile: str, kept: set[str]
) -> None:
    """I15: .45 by cosine is a connection of two projects in REM, and none within one."""
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    ids: list[int] = []
    for n, project in enumerate((HERE, THERE, HERE)):
        text = f"gadget{n}x widget{n}y sprocket{n}z"
        at = BEGINNING + 40 * DAY * n
        (number,) = await written(store, new(text, at=at, project=project))
        await written(store, leaning(number, text, n))
        ids.append(number)
    first, far, near = ids
    async with open_dreaming(store, profile=profile) as bench:
        await bench.dream()
        held = await strengths(store, *ids)

    names = {(first, far): "across", (first, near): "within"}
    assert {names.get(pair, "other") for pair in held} == kept


def leaning(memory_id: int, text: str, place: int) -> Vectored:
    """A vector that has .45 in common with the first, and nothing more with the others."""
    row = np.zeros(DIMENSIONS, np.float32)
    if place == 0:
        row[0] = 1.0
    else:
        row[0], row[place] = 0.45, (1 - 0.45**2) ** 0.5
    key = key_of(100 + place)
    chunk = Chunk(0, row.tobytes(), key)
    return Vectored(memory_id, content_hash(text), MODEL, (chunk,), BEGINNING)


async def test_a_dream_that_is_gone_on_with_has_drawn_already(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """I18: its later stages go by the same hundred as the one that was written."""
    await many(store, 150)
    failed: list[str] = []

    def once(unit: Any) -> Exception | None:
        last = unit[-1]
        if isinstance(last, DreamAdvanced) and last.stage == "strengthen" and not failed:
            failed.append(last.stage)
            return Unwritable("the disk is full")
        return None

    async with open_dreaming(store, **PHASES) as bench:
        bench.refuses = once
        with pytest.raises(Unwritable):
            await bench.dream()
        before = (await figures(store, "replay"))["drawn"]
    async with open_dreaming(store, **PHASES) as again:
        again.actor.chance = lambda: 1 - before
        report = await again.dream()

        assert report.outcome == "finished"
        assert again.stages() == ["strengthen", "prune", "transfer"]
        assert (await figures(store, "replay"))["drawn"] == before


async def test_no_content_changes_in_four_phases(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """U07, I16: nothing is pruned."""
    ids = await written(
        store, *(new(f"{text} on day {n}", at=NOW - n * DAY) for n in range(8) for text in TEXTS)
    )
    await written(store, Pinned(ids[0], True, NOW))
    before = await contents(store)
    async with open_dreaming(store, similarity=0.3, **PHASES) as bench:
        for _ in range(5):
            assert (await bench.dream()).outcome == "finished"

        assert await contents(store) == before


# ---- lifts (Q06)

LESSON = "Cursor pagination over the orders table keeps the listing quick"


async def lesson(store: OpenStore, *projects: str | None) -> list[int]:
    """The same said in several projects, and something else."""
    return await written(
        store,
        *(new(f"{LESSON} {n}", at=NOW - (9 - n) * DAY, project=project)
          for n, project in enumerate(projects)),
        new("velvet anchor drifted past a frozen chimney", at=NOW - DAY),
    )  # fmt: skip


async def helped(store: OpenStore, memory_id: int, times: int = 3) -> None:
    await written(store, *(Credited(memory_id, f"s{n}", "cited", NOW) for n in range(times)))


async def failed(store: OpenStore, memory_id: int) -> None:
    await written(store, Reviewed(memory_id, 9.0, 4.0, 0, 1, "useless", False, NOW))


def lifted(bench: Bench) -> list[PlanProposed]:
    return [one for one in bench.written(PlanProposed) if one.act == "rescope"]


@pytest.mark.parametrize("profile", ["vestige", "four_phases"])
async def test_what_did_well_in_two_projects_is_proposed_for_all_and_nothing_moves(
    store: OpenStore, autojump_clock: MockClock, profile: str
) -> None:
    first, second, third, other = await lesson(store, HERE, HERE, THERE)
    await helped(store, first)
    await failed(store, third)
    before = await contents(store)
    async with open_dreaming(store, profile=profile) as bench:
        await bench.dream()
        (plan,) = await store.reading.plans("open", 9)

        assert (plan.act, plan.source) == ("rescope", "dreaming")
        assert [one.memory_id for one in plan.steps] == [first, second, third]
        assert [one.evidence for one in plan.steps] == [
            "now in alpha alone", "now in alpha alone", "now in beta alone",
        ]  # fmt: skip
        assert plan.reason == (
            "the same holds in 2 projects and went well 75% of the times it was followed"
        )
        assert other not in {one.memory_id for one in plan.steps}
        assert await contents(store) == before


async def test_a_plan_to_lift_is_carried_out_taken_back_and_not_proposed_again(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    first, *_ = await lesson(store, HERE, HERE, THERE)
    await helped(store, first)
    async with open_dreaming(store) as bench:
        await bench.dream()
        before = await contents(store)
        (plan,) = await store.reading.plans("open", 9)
        await written(store, PlanApplied(plan.id, NOW))
        moved = [hit.memory_id for hit in
                 await store.reading.words(["cursor"], Scope("/w/gamma"), 9)]  # fmt: skip
        await written(store, PlanUndone(plan.id, NOW))
        await bench.dream()

        assert len(moved) == 3
        assert await contents(store) == before
        assert [one.id for one in await store.reading.plans(None, 9)] == [plan.id]


@pytest.mark.parametrize(
    ("projects", "times", "why"),
    [
        ((HERE, HERE, HERE), 3, "one project"),
        ((None, None, None), 3, "the user's already"),
        ((HERE, HERE, THERE), 0, "never used"),
        ((HERE, HERE, THERE), 1, "half of the uses ended well"),
    ],
)
async def test_nothing_is_lifted_that_is_of_one_project_or_did_not_do_well(
    store: OpenStore,
    autojump_clock: MockClock,
    projects: tuple[str | None, ...],
    times: int,
    why: str,
) -> None:
    first, second, *_ = await lesson(store, *projects)
    await helped(store, first, times)
    if times == 1:
        await failed(store, second)
    async with open_dreaming(store) as bench:
        await bench.dream()

        assert lifted(bench) == [], why


async def test_what_is_pinned_is_left_out_of_a_lift(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    """B07."""
    first, second, third, _ = await lesson(store, HERE, HERE, THERE)
    await helped(store, first)
    await written(store, Pinned(second, True, NOW))
    async with open_dreaming(store) as bench:
        await bench.dream()
        (plan,) = await store.reading.plans("open", 9)

        assert [one.memory_id for one in plan.steps] == [first, third]
