"""Looks at the store that answer several questions at once say what each of them alone would."""

from __future__ import annotations

import numpy as np
import pytest

from actors.memory.rows import Scope
from actors.memory.writes import Chunk, Ended, ModelChosen, Vectored
from actors.policy.text.words import informative, query_terms
from actors.recall.shapes import Weighed
from daemon.storage import recall
from daemon.storage.index import vectors
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.writing import EVERYWHERE, new, written

pytestmark = pytest.mark.trio

MANY = 30
PIECES = 7  # of each memory: more than are looked up at once
HERE = Scope("/here")


def direction(number: int, near: int) -> bytes:
    """A vector of length 1; all of one memory lie beside each other."""
    source = np.random.default_rng(near).standard_normal(8)
    made = source + 0.2 * np.random.default_rng(1_000 + number).standard_normal(8)
    return bytes((made / np.linalg.norm(made)).astype(np.float32))


@pytest.fixture
async def filled(store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> OpenStore:
    """Memories of several pieces, of two projects, one of them ended."""
    monkeypatch.setattr(vectors, "WORTH_IT", 1)
    await store.writing.commit([(ModelChosen("m", 8),)])
    for number in range(1, MANY + 1):
        project = (None, "/here", "/there")[number % 3]
        made = new(f"the word{number} of zanzibar", project=project)
        chunks = tuple(
            Chunk(piece, direction(10 * number + piece, number), bytes([number, piece]))
            for piece in range(PIECES)
        )
        stored = Vectored(number, made.content_hash, "m", chunks, BEGINNING)
        await store.writing.commit([(made, stored)])
    await written(store, Ended(4, "forgotten", BEGINNING))
    return store


def _is_in(project: str | None, scope: Scope) -> bool:
    return scope.everywhere or project in (None, scope.project)


@pytest.mark.parametrize("scope", [EVERYWHERE, HERE, Scope()])
@pytest.mark.parametrize("limit", [1, 3, 8, MANY])
async def test_the_nearest_are_those_of_a_comparison_with_every_vector(
    filled: OpenStore, scope: Scope, limit: int
) -> None:
    await filled.reading.warm()
    asked = direction(5, 7)
    near = await filled.reading.nearest(asked, scope, limit)
    every = await filled.reading.cosines(asked, range(1, MANY + 1))
    shown = await filled.reading.memories(list(every))
    seen = [
        i
        for i in every
        if i in shown and shown[i].ended is None and _is_in(shown[i].project, scope)
    ]
    exact = sorted((-every[i], i) for i in seen)[:limit]

    assert [*near] == [i for _, i in exact]
    assert [*near.values()] == pytest.approx([-cosine for cosine, _ in exact])


@pytest.mark.parametrize("warm", [True, False])
async def test_words_and_their_frequencies_come_in_one_look(
    filled: OpenStore, *, warm: bool
) -> None:
    if warm:
        await filled.reading.warm()
    query = "where is word7 of zanzibar and nothere"
    telling, terms = informative(query), query_terms(query)
    counted = await filled.reading.counted(telling, terms, HERE, 5)

    assert counted[:2] == await filled.reading.read(recall.document_frequencies, telling)
    assert counted.hits == await filled.reading.words(terms, HERE, 5)
    assert counted.frequencies["nothere"] == 0
    assert len(counted.hits) == 5


@pytest.mark.parametrize("scope", [EVERYWHERE, HERE, Scope()])
async def test_who_is_seen_and_what_is_known_of_them_come_in_one_look(
    filled: OpenStore, scope: Scope
) -> None:
    ids = list(range(1, 12))
    asked = direction(5, 7)
    memories = await filled.reading.memories(ids)
    told: list[Weighed] = []

    def choose(weighed: Weighed) -> list[int]:
        told.append(weighed)
        return sorted(weighed.seen)[:2]

    chosen = await filled.reading.chosen(ids, scope, asked, {2, 3}, choose)
    await filled.reading.chosen(ids, scope, None, (), choose)
    seen = {
        one.id
        for one in memories.values()
        if one.ended is None and (scope.everywhere or one.project in (None, scope.project))
    }

    weighed, without = told
    assert chosen == {i: memories[i] for i in sorted(seen)[:2]}
    assert weighed.seen == without.seen == seen
    assert 4 not in weighed.seen
    assert without.cosines == {}
    assert weighed.cosines == await filled.reading.cosines(asked, sorted(seen - {2, 3}))
    assert weighed.opinions == await filled.reading.opinions(sorted(seen))
