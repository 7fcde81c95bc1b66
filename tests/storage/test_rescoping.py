"""What holds everywhere leaves its project as a plan, and comes back exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from actors.embedding.writes import ModelChosen, Tokened
from actors.gate.drafts import content_hash
from actors.memory.rows import Scope
from actors.memory.writes import Ended
from actors.plans.rows import PlanRow
from actors.plans.writes import PlanApplied, PlanProposed, PlanUndone
from actors.policy.dreams.plans import Step
from actors.strength.writes import Credited, Retiered, Reviewed
from daemon.storage.database.sql import Row, Sql
from daemon.storage.index import vectors as vectors_index
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.storage.test_plans import rows_of
from tests.writing import DIMENSIONS, MODEL, axis, new, vectors, written

pytestmark = pytest.mark.trio

AT = BEGINNING + 100 * 86_400.0
HERE, THERE = "/w/alpha", "/w/beta"
TEXTS = {1: "cursor pagination is quick", 2: "cursor pagination stays quick", 3: "the harbour"}


async def filled(store: OpenStore) -> None:
    """Two memories of one project with vectors, one of another, called by a phrase."""
    await written(
        store,
        new(TEXTS[1], project=HERE, triggers=("paging",)),
        new(TEXTS[2], project=HERE),
        new(TEXTS[3], project=THERE),
        ModelChosen(MODEL, DIMENSIONS),
    )
    for number, text in TEXTS.items():
        await written(store, vectors(number, text, number, number + 20))


def step(memory_id: int, argument: str = "user") -> Step:
    return Step(memory_id, "rescope", content_hash(TEXTS[memory_id]), argument, "now in alpha")


async def proposed(store: OpenStore, *steps: Step, at: float = AT) -> int:
    reason = "the same holds in 2 projects"
    (number,) = await written(store, PlanProposed("rescope", "dreaming", reason, steps, at))
    return number


async def plan(store: OpenStore, number: int) -> PlanRow:
    found = await store.reading.plan(number)
    assert found is not None
    return found


async def by_words(store: OpenStore, word: str, project: str | None) -> list[int]:
    return [*await store.reading.words([word], Scope(project), 9)]


async def by_vector(store: OpenStore, number: int, project: str | None) -> list[int]:
    hits = await store.reading.nearest(axis(number), Scope(project), 9)
    return [one for one, cosine in hits.items() if cosine > 0.9]


async def pieces(store: OpenStore) -> list[Row]:
    """The pieces of every memory with the part of the index that they are in, but their numbers."""
    return await store.reading.read(
        lambda sql: sql.rows(
            "SELECT c.memory_id, c.ordinal, c.content_hash, v.project, v.embedding, v.memory_id"
            " FROM chunk c JOIN memory_vector v ON v.chunk_id = c.id ORDER BY 1, 2"
        )
    )


async def test_applied_it_is_recalled_in_every_project_by_words_and_by_vectors(
    store: OpenStore,
) -> None:
    await filled(store)
    before = [await by_words(store, "cursor", THERE), await by_vector(store, 1, THERE)]
    outcome = await written(store, PlanApplied(await proposed(store, step(1)), AT))
    memories = await store.reading.memories([1, 2])

    assert (before, outcome) == ([[], []], [1])
    assert (memories[1].project, memories[2].project) == (None, HERE)
    assert await by_words(store, "cursor", THERE) == [1]
    assert await by_vector(store, 1, THERE) == [1]
    assert await by_vector(store, 21, THERE) == [1]
    assert sorted(await by_words(store, "cursor", HERE)) == [1, 2]
    assert await by_words(store, "cursor", None) == [1]
    (called,) = await store.reading.phrases_of([1])
    assert (called.project, called.given) == (None, ("paging",))


async def test_what_follows_the_vectors_by_itself_hears_of_the_move(
    store: OpenStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bits are kept by the number of a piece, with the project that this had."""
    monkeypatch.setattr(vectors_index, "WORTH_IT", 1)
    await filled(store)
    followed = vectors_index.VectorIndex(tmp_path / "own")

    def near(sql: Sql) -> list[int]:
        while followed.take_up(sql):
            pass
        hits = followed.nearest(sql, axis(1), Scope(THERE), 9)
        return [one for one, cosine in hits.items() if cosine > 0.9]

    before = await store.reading.read(near)
    number = await proposed(store, step(1))
    await written(store, PlanApplied(number, AT))
    moved = await store.reading.read(near)
    await written(store, PlanUndone(number, AT))

    assert (before, moved) == ([], [1])
    assert await store.reading.read(near) == []


async def test_twenty_times_there_and_back_leave_every_row_as_it_was(store: OpenStore) -> None:
    await filled(store)
    await written(store, Tokened(1, content_hash(TEXTS[1]), MODEL, ((0, b"one"), (1, b"two"))))
    number = await proposed(store, step(1), step(3))
    rows, cut = await rows_of(store, "chunk", "chunk_tokens"), await pieces(store)
    tokens = await store.reading.read(lambda sql: sql.rows("SELECT tokens FROM chunk_tokens"))
    for turn in range(20):
        assert await written(store, PlanApplied(number, AT + turn)) == [2]
        assert await by_words(store, "cursor", THERE) == [1]
        assert await written(store, PlanUndone(number, AT + turn)) == [2]

    assert await rows_of(store, "chunk", "chunk_tokens") == rows
    assert await pieces(store) == cut
    assert tokens == await store.reading.read(
        lambda sql: sql.rows("SELECT tokens FROM chunk_tokens ORDER BY chunk_id")
    )
    assert await by_words(store, "cursor", THERE) == []
    assert await by_vector(store, 1, THERE) == []
    assert (await plan(store, number)).state == "undone"


async def test_without_vectors_a_memory_moves_as_well(store: OpenStore) -> None:
    await written(store, new(TEXTS[1], project=HERE))
    number = await proposed(store, step(1))

    assert await written(store, PlanApplied(number, AT)) == [1]
    assert await by_words(store, "cursor", THERE) == [1]
    assert await written(store, PlanUndone(number, AT)) == [1]
    assert await by_words(store, "cursor", THERE) == []


async def test_what_changed_meanwhile_keeps_its_change_when_it_comes_back(
    store: OpenStore,
) -> None:
    await filled(store)
    number = await proposed(store, step(1))
    await written(store, PlanApplied(number, AT), Retiered(1, "important", AT + 5))

    assert await written(store, PlanUndone(number, AT + 9)) == [1]
    found = (await store.reading.memories([1]))[1]
    assert (found.project, found.tier, found.updated_at) == (HERE, "important", AT + 5)


async def test_what_ended_meanwhile_comes_back_to_its_project_and_into_no_index(
    store: OpenStore,
) -> None:
    await filled(store)
    number = await proposed(store, step(1))
    await written(store, PlanApplied(number, AT), Ended(1, "forgotten", AT + 5))

    assert await written(store, PlanUndone(number, AT + 9)) == [1]
    assert (await store.reading.memories([1]))[1].project == HERE
    assert await by_words(store, "cursor", HERE) == [2]
    assert await by_vector(store, 1, HERE) == []


async def test_a_use_and_a_verdict_count_as_what_became_of_a_memory(store: OpenStore) -> None:
    """Credited twice and found useful it helped three times; useless, it did not."""
    await filled(store)
    await written(
        store,
        Credited(1, "s1", "cited", AT),
        Credited(1, "s2", "confirmed", AT),
        Reviewed(1, 9.0, 4.0, 0, 3, "useful", True, AT),
        Reviewed(2, 9.0, 4.0, 0, 1, "useless", False, AT),
        Reviewed(3, 9.0, 4.0, 0, 3, "recall", True, AT),
    )

    assert await store.reading.uses_of([1, 2, 3]) == [(1, 3, 0), (2, 0, 1)]
