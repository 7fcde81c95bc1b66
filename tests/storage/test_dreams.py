"""Dreams on disk: how far they came, and their insights."""

from __future__ import annotations

from typing import Any

import pytest

from actors.memory.use import Retiered, Reviewed
from actors.memory.writes import Ended, Erased, ErasedEverything, Pinned
from actors.night.shapes import DreamBegun, DreamEnded, InsightFound, InsightRow
from actors.policy.night.insights import Insight, InsightKind
from daemon.home import Home
from daemon.storage.store import OpenStore
from tests.holders import holders
from tests.storage.test_plans import altered
from tests.writing import EVERYWHERE, new, written

pytestmark = pytest.mark.trio

SECRET = "gooseberry jam lies in the cellar"


def found(*sources: int, text: str = "It keeps coming up: jam", **other: Any) -> InsightFound:
    """An insight that rests on these."""
    filled: dict[str, Any] = {
        "kind": InsightKind.RECURRING_PATTERN, "evidence": ("3 memories",), "confidence": 0.7,
        **other,
    }  # fmt: skip
    return InsightFound(1, Insight(text=text, memory_ids=sources, **filled), 9.0)


async def four_and_a_dream(store: OpenStore) -> list[int]:
    """Four memories, and a dream over them."""
    ids = await written(store, *(new(f"memory number {n}") for n in range(4)))
    await written(store, DreamBegun("a test", len(ids), 8.0))
    return ids


async def insights(store: OpenStore) -> list[InsightRow]:
    return await store.reading.insights(99)


async def ends(store: OpenStore, *ids: int) -> list[str | None]:
    memories = await store.reading.memories(ids)
    return [memories[one].ended for one in ids]


def useless(memory_id: int, cause: str = "useless") -> Reviewed:
    return Reviewed(memory_id, 2.0, 5.0, 0, 1, cause, False, 10.0)


# ---- stages


async def test_a_dream_that_ended_remembers_the_figures_of_its_stages(store: OpenStore) -> None:
    await four_and_a_dream(store)
    figures = {"replay": {"replayed": 4}, "transfer": {"plans": 2}}
    await written(store, DreamEnded(1, "finished", 9.0, figures))
    (row,) = await store.reading.dreams(9)

    assert (row.stage, row.memories) == ("transfer", 4)
    assert row.figures == {
        "replay": {"replayed": 4}, "transfer": {"plans": 2, "insights": 0, "proposed": 0},
    }  # fmt: skip


async def test_a_dream_ends_once(store: OpenStore) -> None:
    await four_and_a_dream(store)
    first = await written(store, DreamEnded(1, "finished", 9.0))
    second = await written(store, DreamEnded(1, "cancelled", 10.0))

    assert (first, second) == ([1], [0])
    assert [row.outcome for row in await store.reading.dreams(9)] == ["finished"]


async def test_of_the_history_only_the_last_dreams_stay_and_those_whose_insights_stand(
    store: OpenStore,
) -> None:
    ids = await four_and_a_dream(store)
    await written(store, found(*ids))
    for at in range(2, 6):
        await written(store, DreamEnded(at - 1, "finished", float(at), kept=2))
        await written(store, DreamBegun("a test", 0, float(at)))
    await written(store, DreamEnded(5, "finished", 9.0, kept=2))

    assert [row.id for row in await store.reading.dreams(9)] == [5, 4, 1]


async def test_of_the_insights_the_last_stand_and_those_that_are_pinned(store: OpenStore) -> None:
    await four_and_a_dream(store)
    made = await written(
        store, found(1, 2), found(1, 3, text="b"), found(1, 4, text="c"), found(2, 3, text="d")
    )
    await written(store, Pinned(made[0], True, 9.0))
    await written(store, DreamEnded(1, "finished", 9.0, insights=2))

    assert await ends(store, *made) == [None, "expired", None, None]


async def test_a_dream_of_an_earlier_version_that_was_cut_off_begins_anew(store: OpenStore) -> None:
    """It had kept its members and what its first stage did."""
    await altered(
        store,
        "INSERT INTO dream (why, began_at, stage, members, figures)"
        " VALUES ('a person', 8.0, 'replay', '[1,2,3]', '{\"replay\":{\"replayed\":3}}')",
    )
    row = await store.reading.unfinished_dream()
    done = await written(store, DreamEnded(1, "finished", 9.0, {"prune": {"fade": 0.9}}))

    assert row is not None
    assert (row.stage, row.memories) == ("replay", 3)
    assert done == [1]
    assert (await store.reading.dreams(9))[0].stage == "prune"


# ---- insights


async def test_an_insight_is_a_memory_that_names_its_sources(store: OpenStore) -> None:
    ids = await four_and_a_dream(store)
    (number,) = await written(store, found(*ids[:3], project="/p"))
    memory = (await store.reading.memories([number]))[number]
    (row,) = await insights(store)
    edges = await store.reading.edges_within([number, *ids], EVERYWHERE)

    assert (memory.kind, memory.source, memory.project) == ("insight", "dream", "/p")
    assert (row.sources, row.confidence, row.evidence) == ((1, 2, 3), 0.7, ("3 memories",))
    assert {(edge.source_id, edge.target_id) for edge in edges} == {
        (number, source) for source in ids[:3]
    }


async def test_an_insight_is_no_experience_and_nothing_is_dreamt_of_it(store: OpenStore) -> None:
    ids = await four_and_a_dream(store)
    (number,) = await written(store, found(*ids))
    dreamt = await store.reading.dreamt_memories([*ids, number])
    assert await store.reading.dreamable(99) == ids
    assert [one.id for one in dreamt] == ids
    assert await store.reading.saved_since(0.0) == 4


async def test_the_same_insight_is_kept_once(store: OpenStore) -> None:
    await four_and_a_dream(store)
    outcome = await written(store, found(1, 2, 3), found(1, 2, 3), found(1, 2, 3, text="reworded"))

    assert outcome == [5, 0, 0]


async def test_a_fuller_insight_takes_the_place_of_the_one_before(store: OpenStore) -> None:
    await four_and_a_dream(store)
    first, second = await written(store, found(1, 2, 3), found(1, 2, 3, 4, text="and four"))
    before = (await store.reading.memories([first]))[first]

    assert (before.ended, before.superseded_by) == ("deprecated", second)
    assert await ends(store, second) == [None]


async def test_a_pinned_insight_stays_and_no_fuller_one_is_made(store: OpenStore) -> None:
    await four_and_a_dream(store)
    (first,) = await written(store, found(1, 2, 3))
    await written(store, Pinned(first, True, 9.0))

    assert await written(store, found(1, 2, 3, 4, text="and four")) == [0]
    assert await ends(store, first) == [None]


async def test_an_insight_of_another_kind_or_of_other_memories_is_another_one(
    store: OpenStore,
) -> None:
    await four_and_a_dream(store)
    outcome = await written(
        store,
        found(1, 2),
        found(3, 4, text="of others"),
        found(1, 2, text="another kind", kind=InsightKind.SYNTHESIS),
    )

    assert outcome == [5, 6, 7]


@pytest.mark.parametrize("how", ["useless", "forgotten"])
async def test_what_a_person_rejected_does_not_come_back_even_a_little_different(
    store: OpenStore, how: str
) -> None:
    """Three of the four memories are the same."""
    await four_and_a_dream(store)
    (first,) = await written(store, found(1, 2, 3))
    await written(store, useless(first) if how == "useless" else Ended(first, "forgotten", 9.0))

    assert await written(store, found(1, 2, 4, text="a little different")) == [0]
    assert await written(store, found(1, 2, 4, text="another", kind=InsightKind.SYNTHESIS)) != [0]


async def test_what_was_used_as_often_as_it_was_found_useless_is_still_rejected(
    store: OpenStore,
) -> None:
    """As the policy of feedback has it; one more use and it may come back."""
    await four_and_a_dream(store)
    (first,) = await written(store, found(1, 2, 3))
    await written(store, useless(first), useless(first, "useful"))
    rejected = await written(store, found(1, 2, 3, 4, text="fuller"))
    await written(store, useless(first, "useful"))
    (row,) = await insights(store)

    assert (row.accepted, row.rejected, rejected) == (2, 1, [0])
    assert await written(store, found(1, 2, 3, 4, text="fuller")) != [0]


async def test_nothing_is_made_of_memories_of_which_one_is_gone(store: OpenStore) -> None:
    ids = await four_and_a_dream(store)
    await written(store, Ended(ids[0], "archived", 9.0))
    await written(store, Erased((ids[1],)))

    assert await written(store, found(1, 3, 4), found(2, 3, 4)) == [0, 0]
    assert await insights(store) == []


async def test_an_insight_ends_with_a_source_that_is_forgotten(store: OpenStore) -> None:
    """It quotes it."""
    await four_and_a_dream(store)
    (number,) = await written(store, found(1, 2, 3))
    await written(store, Ended(2, "forgotten", 9.0))

    assert await ends(store, number) == ["expired"]
    assert await store.reading.words(["jam"], EVERYWHERE, 9) == {}


async def test_an_insight_does_not_end_when_a_source_is_put_away_or_when_it_is_pinned(
    store: OpenStore,
) -> None:
    await four_and_a_dream(store)
    (number,) = await written(store, found(1, 2, 3))
    await written(store, Ended(1, "archived", 9.0), Pinned(number, True, 9.0))
    await written(store, Ended(2, "forgotten", 9.0))

    assert await ends(store, number) == [None]


@pytest.mark.parametrize("tier", ["critical", "constitutional"])
async def test_an_insight_that_is_protected_is_ended_by_no_dream_and_by_no_source(
    store: OpenStore, tier: str
) -> None:
    await four_and_a_dream(store)
    (number,) = await written(store, found(1, 2, 3))
    await written(store, Retiered(number, tier, 9.0))
    await written(store, Ended(4, "forgotten", 9.0))
    (fuller,) = await written(store, found(1, 2, 3, text="It keeps coming up: more jam"))
    await written(store, DreamEnded(1, "finished", 9.0, insights=0))
    await written(store, Ended(1, "forgotten", 9.0))

    assert fuller == 0
    assert await ends(store, number) == [None]


async def test_a_contradiction_is_settled_when_one_of_the_two_is_superseded(
    store: OpenStore,
) -> None:
    await four_and_a_dream(store)
    (number,) = await written(store, found(1, 2, kind=InsightKind.CONTRADICTION))
    await written(store, Ended(1, "deprecated", 9.0, 3))

    assert await ends(store, number) == ["expired"]


# ---- erasing


async def test_no_byte_of_an_insight_stays_when_a_source_is_erased(
    store: OpenStore, home: Home
) -> None:
    await written(store, new(SECRET), *(new(f"memory {n}") for n in range(3)))
    await written(store, DreamBegun("a test", 4, 8.0))
    quote = f"It keeps coming up: “{SECRET[:20]}”"
    first, fuller, other = await written(
        store, found(1, 2, 3, text=quote), found(1, 2, 3, 4, text=f"{quote} fuller"),
        found(2, 3, text="without it", kind=InsightKind.SYNTHESIS),
    )  # fmt: skip
    await store.writing.checkpoint(truncate=True)
    before = holders(home.root, SECRET[:20])
    (outcome,), bound, _ = await store.writing.commit([(Erased((1,)),)])
    await store.writing.scrub()

    assert (bool(before), set(bound), outcome) == (True, {1, first, fuller}, [1])
    assert holders(home.root, SECRET[:20]) == []
    assert [row.memory_id for row in await insights(store)] == [other]


async def test_an_insight_of_prompts_is_erased_with_a_memory_that_says_what_it_quotes(
    store: OpenStore, home: Home
) -> None:
    """It rests on no memory: what the prompts said became one later."""
    await written(store, DreamBegun("a test", 0, 8.0))
    quoting, other = await written(
        store, found(text=f"You say this: “{SECRET}”"), found(text="You say this: “no”")
    )
    (later,) = await written(store, new(f"{SECRET.capitalize()}."))
    await written(store, Erased((later,)))
    await store.writing.scrub()

    assert [row.memory_id for row in await insights(store)] == [other]
    assert quoting != other
    assert holders(home.root, SECRET[1:]) == []


@pytest.mark.parametrize("whole_store", [True, False])
async def test_purging_leaves_no_dream_and_no_insight(
    store: OpenStore, home: Home, whole_store: bool
) -> None:
    """Of a project, what rests on its memories goes; of the whole store, all."""
    ids = await written(store, *(new(f"{SECRET} {n}", project="/p") for n in range(3)))
    await written(store, DreamBegun("a test", len(ids), 8.0))
    await written(store, found(*ids, text=SECRET))
    await written(
        store, ErasedEverything(project=None if whole_store else "/p", whole_store=whole_store)
    )
    await store.writing.scrub()
    tables = ("insight", "insight_source", "connection", "dream")
    counts = await store.reading.read(
        lambda sql: [sql.number(f"SELECT count(*) FROM {table}") for table in tables]
    )

    assert counts == [0, 0, 0, 0 if whole_store else 1]
    assert holders(home.root, SECRET) == []
