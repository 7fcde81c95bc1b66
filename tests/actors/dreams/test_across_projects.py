"""A connection across projects moves nothing."""

from __future__ import annotations

from actors.memory.rows import Scope
from actors.memory.writes import ModelChosen
from daemon.storage.store import OpenStore
from tests.actors.dreams.test_dreaming import DAY, open_dreaming
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
        at = BEGINNING + DAY / 2 * n
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
    async with open_bench(store, without_model(), clock) as recall:
        found = await recall.search("gadget0x", 9, scope=Scope(HERE), track=False)
        everywhere = Scope(None, everywhere=True)
        anywhere = await recall.search("gadget0x", 9, scope=everywhere, track=False)

    assert {(one.one, one.other) for one in held} == {(here, there)}
    assert there not in {note.memory.id for note in found.notes}
    assert {here, there} <= {note.memory.id for note in anywhere.notes}
