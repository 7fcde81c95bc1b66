"""The indexes after a start: nothing of what was erased or archived, and the same answers without a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from actors.memory.rows import Scope
from actors.memory.writes import Chunk, Ended, Erased, ModelChosen, Revived, Vectored
from actors.policy.text.words import query_terms
from daemon.home import Home
from daemon.storage import recall
from daemon.storage.index import vectors
from daemon.storage.index.vectors import ROWS
from daemon.storage.store import OpenStore, open_store
from tests.clock import BEGINNING
from tests.writing import new

pytestmark = pytest.mark.trio

MANY = 40
WIDE = Scope(everywhere=True)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sign bits answer in small stores too."""
    monkeypatch.setattr(vectors, "WORTH_IT", 1)


def vector(number: int) -> bytes:
    """A vector of length 1 that is like no other."""
    made = np.random.default_rng(number).standard_normal(8).astype(np.float32)
    return bytes(made / np.linalg.norm(made))


async def fill(store: OpenStore) -> None:
    """Memories that all have words and vectors."""
    await store.writing.commit([(ModelChosen("m", 8),)])
    for number in range(1, MANY + 1):
        text = f"the word{number} of zanzibar"
        made = new(text)
        chunk = Chunk(0, vector(number), number.to_bytes(16, "big"))
        stored = Vectored(number, made.content_hash, "m", (chunk,), BEGINNING)
        await store.writing.commit([(made, stored)])


Answers = tuple[list[tuple[int, float]], list[int]]


async def answers(store: OpenStore) -> Answers:
    """What words and vectors find; new words are added up with more digits."""
    terms = query_terms("zanzibar word7 word9")
    words = await store.reading.words(terms, WIDE, MANY)
    near = await store.reading.nearest(vector(7), WIDE, 5)
    return (
        [(one, round(score, 4)) for one, score in words.items()],
        [*near],
    )


async def filled(home: Home) -> Answers:
    """A store with memories, and what it answers."""
    async with open_store(home) as store:
        await fill(store)
        await store.reading.warm()
        return await answers(store)


def prepared(folder: Path) -> Home:
    """A home to begin in."""
    home = Home(folder)
    home.prepare()
    return home


async def test_after_a_start_all_is_taken_up_anew(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    found = await filled(home)
    (home.indexes / "words.postings").write_bytes(b"of an earlier version")
    async with open_store(home) as store:
        before = await store.reading.in_memory()
        await store.reading.warm()

        held = await store.reading.in_memory()
        assert (before["memories"], held["memories"]) == (0, MANY)
        assert await answers(store) == found
        assert held["vectors_mapped"] == MANY * 4 * 8
        assert [one.name for one in home.indexes.glob("words*")] == []


async def test_nothing_erased_stays_in_the_file_of_vectors(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    await filled(home)
    async with open_store(home) as store:
        await store.reading.warm()
        await store.writing.commit([(Erased((7,)),)])
        await store.writing.scrub()
        left = list(home.indexes.glob("*"))
        await store.reading.warm()
        rows = (home.indexes / ROWS).read_bytes()
        hits = await store.reading.nearest(vector(7), WIDE, MANY)

    assert left == []
    assert vector(8) in rows
    assert vector(7) not in rows
    assert 7 not in set(hits)


async def test_a_file_that_goes_while_it_is_used_leaves_the_answers_to_the_database(
    tmp_path: Path,
) -> None:
    home = prepared(tmp_path)
    found = await filled(home)
    async with open_store(home) as store:
        await store.reading.warm()
        with (home.indexes / ROWS).open("r+b") as rows:
            rows.truncate(10)

        assert await answers(store) == found


async def test_archived_memories_are_outside_the_indexes_until_they_come_back(
    tmp_path: Path,
) -> None:
    """Neither words, nor vectors, nor phrases have them."""
    home = prepared(tmp_path)
    await filled(home)
    async with open_store(home) as store:
        await store.writing.commit([(Ended(7, "archived", BEGINNING),)])
        await store.reading.warm()
        words, near = await answers(store)
        plain = await store.reading.read(lambda sql: recall.words(sql, ["word7"], WIDE, 9))
        phrases = await store.reading.phrases_of([7])
        cosines = await store.reading.cosines(vector(7), [7, 8])
        await store.writing.commit([(Revived(7, BEGINNING),)])
        await store.reading.warm()
        back = await store.reading.words(["word7"], WIDE, 9)

    assert 7 not in {memory_id for memory_id, _ in words}
    assert 7 not in near
    assert not plain
    assert phrases == []
    assert set(cosines) == {8}
    assert [*back] == [7]


async def test_cosines_are_the_same_from_the_file_and_from_the_database(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    await filled(home)
    ids = list(range(1, MANY + 1))
    async with open_store(home) as store, open_store(home) as plain:
        await store.reading.warm()
        fast = await store.reading.cosines(vector(3), ids)
        slow = await plain.reading.cosines(vector(3), ids)

    assert fast == pytest.approx(slow, abs=1e-6)
    assert len(fast) == MANY
