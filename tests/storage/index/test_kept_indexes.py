"""Indexes kept between two starts: the same answers, nothing of what was erased.

Archived memories are outside of all of them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trio

from actors.memory.writes import Chunk, Ended, Erased, ModelChosen, Revived, Vectored
from actors.policy.index.postings import hashed
from actors.policy.text.words import query_terms
from daemon.home import Home
from daemon.storage import recall
from daemon.storage.index import vectors
from daemon.storage.index.snapshots import Snapshot, mapped
from daemon.storage.index.vectors import BITS, ROWS
from daemon.storage.index.words import FILE
from daemon.storage.store import OpenStore, open_store
from tests.clock import BEGINNING
from tests.writing import EVERYWHERE, new

pytestmark = pytest.mark.trio

MANY = 40


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
    words = await store.reading.words(terms, EVERYWHERE, MANY)
    near = await store.reading.nearest(vector(7), EVERYWHERE, 5)
    return ([(one, round(score, 4)) for one, score in words.items()], [*near])


async def kept(home: Home) -> Answers:
    """A store whose indexes are on the disk, and what it answered."""
    async with open_store(home) as store:
        await fill(store)
        await store.reading.warm()
        found = await answers(store)
        await store.reading.keep(least=1)
        assert await answers(store) == found  # from the mapped arrays
    return found


async def test_a_start_goes_on_from_what_was_kept(home: Home) -> None:
    found = await kept(home)
    async with open_store(home) as store:
        before = await store.reading.in_memory()
        await store.reading.warm()

        held = await store.reading.in_memory()
        assert (before["memories"], held["memories"]) == (0, MANY)
        assert await answers(store) == found
        assert held["mapped"] > 0
        assert held["vectors_mapped"] == MANY * 4 * 8


async def test_what_was_written_since_is_found_after_a_start(home: Home) -> None:
    await kept(home)
    async with open_store(home) as store:
        await store.writing.commit([(new("word7 again"),), (Ended(9, "archived", BEGINNING),)])
    async with open_store(home) as store:
        await store.reading.warm()
        hits = await store.reading.words(["word7", "word9"], EVERYWHERE, 9)

    assert set(hits) == {7, MANY + 1}


async def test_nothing_erased_stays_in_what_is_kept(home: Home) -> None:
    await kept(home)
    async with open_store(home) as store:
        await store.reading.warm()
        await store.writing.commit([(Erased((7,)),)])
        await store.writing.scrub()
        left = list(home.indexes.glob("*"))
        await store.reading.warm()
        await store.reading.keep(least=1)
        words = (home.indexes / FILE).read_bytes()
        rows = (home.indexes / ROWS).read_bytes()
        hits = await store.reading.nearest(vector(7), EVERYWHERE, MANY)

    assert left == []
    assert hashed("word8").to_bytes(8, "little") in words
    assert hashed("word7").to_bytes(8, "little") not in words
    assert vector(8) in rows
    assert vector(7) not in rows
    assert 7 not in set(hits)


async def test_an_index_of_before_an_erasure_is_thrown_away_at_the_start(home: Home) -> None:
    await kept(home)
    async with open_store(home) as store:  # ended before it could be scrubbed
        await store.writing.commit([(Erased((7,)),)])
    async with open_store(home) as store:
        await store.reading.warm()

        assert not (home.indexes / FILE).exists()
        assert not (home.indexes / BITS).exists()
        assert vector(7) not in (home.indexes / ROWS).read_bytes()


@pytest.mark.parametrize("name", [FILE, BITS, ROWS])
@pytest.mark.parametrize("left", [0, 100, -1])
async def test_a_damaged_file_costs_a_slower_start_and_no_answer(
    home: Home, name: str, left: int
) -> None:
    found = await kept(home)
    file = home.indexes / name
    file.write_bytes(file.read_bytes()[:left])
    async with open_store(home) as store:
        await store.reading.warm()

        assert await answers(store) == found


@pytest.mark.parametrize(("name", "array"), [(FILE, "words"), (BITS, "centre")])
async def test_what_an_earlier_version_kept_costs_a_slower_start_and_no_answer(
    home: Home, name: str, array: str
) -> None:
    found = await kept(home)
    held = mapped(home.indexes / name, {})
    assert held is not None
    about = {key: value for key, value in held.about.items() if key != "layout"}
    Snapshot(
        home.indexes / name, about, {k: v for k, v in held.arrays.items() if k != array}
    ).write()
    async with open_store(home) as store:
        await store.reading.warm()

        assert await answers(store) == found


async def test_a_file_that_goes_while_it_is_used_leaves_the_answers_to_the_database(
    home: Home,
) -> None:
    found = await kept(home)
    async with open_store(home) as store:
        await store.reading.warm()
        with (home.indexes / ROWS).open("r+b") as rows:
            rows.truncate(10)

        assert await answers(store) == found


async def test_archived_memories_are_outside_the_indexes_until_they_come_back(
    home: Home,
) -> None:
    """Neither words, nor vectors, nor phrases have them."""
    await kept(home)
    async with open_store(home) as store:
        await store.writing.commit([(Ended(7, "archived", BEGINNING),)])
        await store.reading.warm()
        words, near = await answers(store)
        plain = await store.reading.read(recall.words, ["word7"], EVERYWHERE, 9)
        phrases = await store.reading.phrases_of([7])
        cosines = await store.reading.cosines(vector(7), [7, 8])
        await store.writing.commit([(Revived(7, BEGINNING),)])
        await store.reading.warm()
        back = await store.reading.words(["word7"], EVERYWHERE, 9)

    assert 7 not in {memory_id for memory_id, _ in words}
    assert 7 not in near
    assert not plain
    assert phrases == []
    assert set(cosines) == {8}
    assert [*back] == [7]


async def test_cosines_are_the_same_from_the_file_and_from_the_database(home: Home) -> None:
    await kept(home)
    ids = list(range(1, MANY + 1))
    async with open_store(home) as store, open_store(home) as plain:
        await store.reading.warm()
        fast = await store.reading.cosines(vector(3), ids)
        slow = await plain.reading.cosines(vector(3), ids)

    assert fast == pytest.approx(slow, abs=1e-6)
    assert len(fast) == MANY


async def test_arrays_come_back_as_they_were(tmp_path: Path) -> None:
    arrays = {"a": np.arange(7, dtype=np.int32), "b": np.ones((3, 2), np.float32)}
    empty = {"c": np.empty(0, np.uint16)}
    Snapshot(tmp_path / "f", {"n": 1}, arrays | empty).write()

    found = mapped(tmp_path / "f", {"n": 1})

    assert found is not None
    assert found.about == {"n": 1}
    assert all(np.array_equal(found.arrays[name], held) for name, held in arrays.items())
    assert not found.arrays["a"].flags.writeable
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o600
    assert mapped(tmp_path / "none", {}) is None
    assert mapped(tmp_path / "f", {"n": 2}) is None


async def test_snapshots_take_a_small_share_of_the_time(home: Home) -> None:
    await kept(home)
    async with open_store(home) as store:
        await store.reading.warm()
        await store.writing.commit([(new("another"),)])
        await store.reading.warm()
        first = await store.reading.keep(least=1)
        await store.writing.commit([(new("and another"),)])
        await store.reading.warm()
        second = await store.reading.keep(least=1)

    assert first == float("inf")
    assert 0 < second < 60
    await trio.lowlevel.checkpoint()
