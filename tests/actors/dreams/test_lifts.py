"""What did well in several projects is proposed for all; and a connection across moves nothing."""

from __future__ import annotations

from actors.embedding.writes import ModelChosen
from actors.memory.rows import Scope
from actors.policy.recall import ranking
from actors.strength.writes import Credited, Reviewed
from daemon.storage.store import OpenStore
from tests.actors.dreams.test_dreaming import DAY, NOW, contents, open_dreaming
from tests.actors.fakes import without_model
from tests.actors.recall.bench import open_bench
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import DIMENSIONS, MODEL, new, vectors, written

pytestmark = VIRTUAL_TIME

HERE, THERE = "/w/alpha", "/w/beta"


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


async def test_what_is_connected_across_projects_is_shown_in_neither(
    store: OpenStore, clock: FollowingClock
) -> None:
    here, there = await alike(store, 1, HERE, THERE)
    await written(store, new("the harbour opens at dawn", project=HERE))
    async with open_dreaming(store) as bench:
        await bench.dream()
        held = await store.reading.connections_of([here], 99)
    by_links = ranking.asked_with(ranking.Settings(), {"degree", "boosts"})
    async with open_bench(store, without_model(), clock, ranked=by_links) as recall:
        found = await recall.search("gadget0x", 9, scope=Scope(HERE), track=False)
        everywhere = Scope(None, everywhere=True)
        anywhere = await recall.search("gadget0x", 9, scope=everywhere, track=False)

    assert {(one.one, one.other) for one in held} == {(here, there)}
    assert there not in {note.memory.id for note in found.notes}
    assert {here, there} <= {note.memory.id for note in anywhere.notes}


# ---- lifts

LESSONS = (
    "Cursor pagination over the orders table keeps the listing quick",
    "The orders listing stays quick by cursor pagination, whatever an offset costs elsewhere",
    "An orders listing with cursor pagination never crawls in the mirror",
)


async def lesson(store: OpenStore, *projects: str | None) -> list[int]:
    """The same said in several projects, and something else."""
    return await written(
        store,
        *(new(text, at=NOW - (9 - n) * DAY, project=project)
          for n, (text, project) in enumerate(zip(LESSONS, projects, strict=True))),
        new("velvet anchor drifted past a frozen chimney", at=NOW - DAY),
    )  # fmt: skip


async def helped(store: OpenStore, memory_id: int, times: int = 3) -> None:
    await written(store, *(Credited(memory_id, f"s{n}", "cited", NOW) for n in range(times)))


async def failed(store: OpenStore, memory_id: int) -> None:
    await written(store, Reviewed(memory_id, 9.0, 4.0, 0, 1, "useless", False, NOW))


async def test_what_did_well_in_two_projects_is_proposed_for_all_and_nothing_moves(
    store: OpenStore,
) -> None:
    first, second, third, other = await lesson(store, HERE, HERE, THERE)
    await helped(store, first)
    await failed(store, third)
    before = await contents(store)
    async with open_dreaming(store) as bench:
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
