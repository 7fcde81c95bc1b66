"""Plans that put a summary in the place of memories, and what erasing leaves of plans."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from actors.gate.drafts import content_hash
from actors.memory.writes import (
    Erased,
    ErasedEverything,
    Origin,
    Pinned,
)
from actors.plans.writes import (
    PlanApplied,
    PlanDismissed,
    PlanProposed,
    PlanUndone,
    Scanned,
    Step,
)
from daemon.home import Home
from daemon.storage.store import OpenStore
from tests.storage.test_plans import (
    AT,
    MANY,
    SUMMARY,
    filled,
    found,
    plan,
    proposal,
    proposed,
    rewritten,
    rows_of,
    step,
    text_of,
)
from tests.storage.test_purge import holders
from tests.writing import written

pytestmark = pytest.mark.trio


def merging(*ids: int, **other: Any) -> PlanProposed:
    steps = tuple(step(memory_id, "summarise") for memory_id in ids)
    return replace(proposal(*steps), act="summarise", source="dreaming", summary=SUMMARY, **other)


async def test_a_summary_takes_the_place_of_its_originals_and_goes_away_again(
    store: OpenStore,
) -> None:
    await filled(store, triggers=("harbour",))
    before = await rows_of(store)
    (number,) = await written(store, merging(1, 2))
    assert await written(store, PlanApplied(number, AT)) == [2]
    made = (await plan(store, number)).made_id or 0
    found_then = await store.reading.memories([1, 2, made])
    links = await store.reading.edges_around([made], 1, 9)
    assert await written(store, PlanUndone(number, AT)) == [2]
    after = await rows_of(store)

    assert found_then[made].text == SUMMARY.text
    assert found_then[made].triggers == ("harbour",)
    assert found_then[1].ended == found_then[2].ended == "archived"
    assert found_then[1].superseded_by == made
    assert {(edge.source_id, edge.target_id) for edge in links} == {(made, 1), (made, 2)}
    assert after.pop("memory")[:MANY] == before.pop("memory")
    assert {name: rows for name, rows in after.items() if rows != before[name]}.keys() <= {
        "trigger_phrase"
    }
    assert (await store.reading.memories([made]))[made].ended == "forgotten"


async def test_applied_again_the_same_summary_is_back(store: OpenStore) -> None:
    await filled(store)
    (number,) = await written(store, merging(1, 2))
    await written(store, PlanApplied(number, AT), PlanUndone(number, AT))
    made = (await plan(store, number)).made_id
    await written(store, PlanApplied(number, AT))
    counts = await store.reading.counts()

    assert (await plan(store, number)).made_id == made
    assert (counts.memories, counts.ended) == (MANY - 1, 2)


async def test_a_summary_is_of_all_its_originals_or_not_at_all(store: OpenStore) -> None:
    await filled(store)
    (number,) = await written(store, merging(1, 2))
    await written(store, Pinned(3, True, AT))
    alone, protected = await written(store, merging(4), merging(3, 4))
    twice = await written(store, merging(2, 5, at=AT + 1))
    await written(store, Pinned(1, True, AT), PlanApplied(number, AT))

    assert [alone, protected, *twice] == [0, 0, 0]
    assert (await plan(store, number)).note == "one of its memories has to stay: it is pinned"
    assert (await store.reading.counts()).ended == 0


async def test_a_merge_that_a_person_left_is_not_proposed_another_one_is(store: OpenStore) -> None:
    await filled(store)
    (number,) = await written(store, merging(1, 2))
    await written(store, PlanDismissed(number, AT))

    assert await written(store, merging(2, 1, at=AT + 1)) == [0]
    assert await written(store, merging(1, 3, at=AT + 2)) != [0]


async def test_merging_too_much_of_the_store_in_one_run_is_not_proposed(store: OpenStore) -> None:
    """Of forty a run takes two away; a summary of three puts one in their place."""
    await filled(store)

    assert await written(store, merging(1, 2, 3, 4)) == [0]
    assert await written(store, merging(1, 2, 3)) != [0]
    assert await written(store, merging(5, 6)) == [0]


@pytest.mark.parametrize("kept", ["pinned", "edited"])
async def test_a_summary_that_somebody_keeps_stays_when_the_plan_is_undone(
    store: OpenStore, kept: str
) -> None:
    await filled(store)
    (number,) = await written(store, merging(1, 2))
    await written(store, PlanApplied(number, AT))
    made = (await plan(store, number)).made_id or 0
    if kept == "pinned":
        await written(store, Pinned(made, True, AT))
    else:
        await rewritten(store, made, "my own words")
    await written(store, PlanUndone(number, AT))
    found_then = await store.reading.memories([1, 2, made])

    assert [found_then[n].ended for n in (1, 2, made)] == [None, None, None]
    assert f"{kept} since and stays" in (await plan(store, number)).note


# ---- erasing


async def test_no_byte_of_a_proposed_summary_stays_when_an_original_is_erased(
    store: OpenStore, home: Home
) -> None:
    await filled(store)
    (waiting, applied) = (await written(store, merging(1, 2), merging(3, 4, at=AT + 1)))[:2]
    await written(store, PlanApplied(applied, AT))
    await store.writing.checkpoint(truncate=True)
    assert holders(home, SUMMARY.text.encode())
    affected = await store.reading.bound_with([3])
    await written(store, Erased((1, 3)))
    await store.writing.scrub()
    made_of = await store.reading.memories([2, 3, 4, MANY + 1])

    assert holders(home, SUMMARY.text.encode(), b"boat3 ", b"berth1 ") == set()
    assert set(affected) == {3, 4, MANY + 1}
    assert {number: one.ended for number, one in made_of.items()} == {2: None, 4: None}
    assert await store.reading.plan(waiting) is None
    assert await store.reading.plan(applied) is None
    assert await found(store, 4) == [4]


async def test_an_erased_summary_leaves_no_text_in_its_plan(store: OpenStore, home: Home) -> None:
    await filled(store)
    (number,) = await written(store, merging(1, 2))
    await written(store, PlanApplied(number, AT))
    made = (await plan(store, number)).made_id or 0
    await written(store, Erased((made,)))
    await store.writing.scrub()

    assert holders(home, SUMMARY.text.encode()) == set()
    assert await written(store, PlanUndone(number, AT)) == [2]
    assert await written(store, PlanApplied(number, AT)) == [0]
    assert "was erased" in (await plan(store, number)).note


async def test_plans_leave_with_their_memories(store: OpenStore) -> None:
    await filled(store)
    one = await proposed(store, step(1))
    two = await proposed(store, step(2), step(3, "retype", "semantic"), at=AT + 1)
    await written(store, Erased((1, 2)))
    rest = await plan(store, two)
    await written(store, Scanned(5, 0, AT), ErasedEverything(whole_store=True))

    assert await store.reading.plan(one) is None
    assert [step.memory_id for step in rest.steps] == [3]
    assert await store.reading.plans(None, 9) == []
    assert (await store.reading.archival_figures())["totalScanned"] == 0


async def test_a_reason_that_quotes_a_memory_is_emptied_with_it(
    store: OpenStore, home: Home
) -> None:
    """Nobody is to write such a one; it must not survive all the same."""
    await filled(store)
    other = Step(2, "retype", content_hash(text_of(2)), "semantic", f"like: {text_of(1)}")
    await proposed(store, other, reason=f"as {text_of(1)} says")
    await written(store, Erased((1,)))
    await store.writing.scrub()

    assert holders(home, text_of(1)[1:].encode()) == set()


async def test_a_summary_comes_by_hand_of_nobody(store: OpenStore) -> None:
    await filled(store)
    (number,) = await written(store, merging(1, 2))
    await written(store, PlanApplied(number, AT))
    made = (await plan(store, number)).made_id or 0
    memory = (await store.reading.memories([made]))[made]

    assert (memory.source, memory.tier, memory.stability) == (Origin("plan").source, "normal", 2.0)
    assert await store.reading.tags([made]) == []
