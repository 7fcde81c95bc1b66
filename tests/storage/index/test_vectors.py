"""The nearest vectors of a store, read from files: what is gone, what lies alike, what is damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np
import numpy.typing as npt
import pytest

from actors.memory.commit import Unit
from actors.memory.writes import Chunk, Ended, ModelChosen, Vectored
from actors.policy.vectors import normalised
from daemon.storage.database.sql import Sql, Values
from daemon.storage.index import vectors as vectors_index
from daemon.storage.index.vectors import ROWS, VectorIndex, VectorRows
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.writing import EVERYWHERE, new

MANY = 400
GONE = 250
SIZE = 64

Floats = npt.NDArray[np.float32]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sign bits answer in small stores too, once they have a mean."""
    monkeypatch.setattr(vectors_index, "WORTH_IT", 100)


def spread(along: float = 0.0) -> Floats:
    """Vectors of length 1 with so much of one direction."""
    source = np.random.default_rng(5)
    one = normalised(source.standard_normal(SIZE))
    return normalised(normalised(source.standard_normal((MANY, SIZE))) + along * one)


async def fill(store: OpenStore, vectors: Floats) -> None:
    """A memory a vector, numbered from 1 on."""
    await store.writing.commit([(ModelChosen("m", SIZE),)])
    units: list[Unit] = []
    for number, vector in enumerate(vectors, 1):
        made = new(f"the word{number}")
        chunk = Chunk(0, vector.tobytes(), number.to_bytes(16, "big"))
        units.append((made, Vectored(number, made.content_hash, "m", (chunk,), BEGINNING)))
    await store.writing.commit(units)


def asked(
    index: VectorIndex, vector: Floats, limit: int
) -> Callable[[Sql], list[tuple[int, float]]]:
    """What an index finds that has taken everything up."""

    def look(sql: Sql) -> list[tuple[int, float]]:
        while index.take_up(sql):
            pass
        hits = index.nearest(sql, vector.tobytes(), EVERYWHERE, limit)
        return [*hits.items()]

    return look


def exactly(vectors: Floats, vector: Floats, left: set[int], limit: int) -> list[int]:
    """The nearest of those that are left, by comparing every one."""
    order = np.argsort(-(vectors @ vector), kind="stable") + 1
    return [number for number in order.tolist() if number in left][:limit]


class Interrupted(Sql):
    """Whoever counts runs over the deadline."""

    def number(self, statement: str, values: Values = ()) -> int:
        """Never comes to an end in time."""
        raise apsw.InterruptError


async def taken_up(store: OpenStore, folder: Path) -> VectorIndex:
    """An index that has taken everything up."""
    index = VectorIndex(folder / "own")

    def all_of_it(sql: Sql) -> None:
        while index.take_up(sql):
            pass

    await store.reading.read(all_of_it)
    return index


def snapshot_of(index: VectorIndex) -> None:
    """Write down what it holds."""
    snapshot = index.snapshot()
    assert snapshot is not None
    snapshot.write()


@pytest.mark.trio
@pytest.mark.parametrize("limit", [1, 5, 40])
async def test_what_is_gone_takes_no_place_of_what_is_there(
    store: OpenStore, tmp_path: Path, limit: int
) -> None:
    """What is gone was so near that no other would have been read."""
    vectors = spread()
    vectors[:GONE] = normalised(vectors[0] + 0.3 * vectors[:GONE])
    await fill(store, vectors)
    index = VectorIndex(tmp_path / "own")
    await store.reading.read(asked(index, vectors[0], limit))
    await store.writing.commit(
        [tuple(Ended(number, "archived", BEGINNING) for number in range(1, GONE + 1))]
    )

    found = await store.reading.read(asked(index, vectors[0], limit))

    left = set(range(GONE + 1, MANY + 1))
    assert [number for number, _ in found] == exactly(vectors, vectors[0], left, limit)


@pytest.mark.trio
async def test_without_files_the_database_gives_the_same(store: OpenStore, tmp_path: Path) -> None:
    vectors = spread()
    await fill(store, vectors)
    (tmp_path / "file").touch()  # in which no folder can be made
    files, none = VectorIndex(tmp_path / "own"), VectorIndex(tmp_path / "file")

    found = await store.reading.read(asked(files, vectors[3], 9))
    plain = await store.reading.read(asked(none, vectors[3], 9))

    assert [number for number, _ in found] == [number for number, _ in plain]
    assert [one for _, one in found] == pytest.approx([one for _, one in plain], abs=1e-6)
    assert none.snapshot() is None


@pytest.mark.trio
@pytest.mark.parametrize("along", [0.0, 3.0])
async def test_a_direction_that_all_vectors_share_is_taken_off_and_stays_so(
    store: OpenStore, tmp_path: Path, along: float
) -> None:
    vectors = spread(along)
    await fill(store, vectors)
    index = VectorIndex(tmp_path / "own")
    found = await store.reading.read(asked(index, vectors[7], 10))
    snapshot = index.snapshot()
    assert snapshot is not None
    snapshot.write()
    again = VectorIndex(tmp_path / "own")
    refound = await store.reading.read(asked(again, vectors[7], 10))

    centre = snapshot.arrays["centre"]
    assert centre.size == (SIZE if along else 0)
    assert [number for number, _ in found] == exactly(
        vectors, vectors[7], set(range(1, MANY + 1)), 10
    )
    assert refound == found
    assert again.unwritten == 0


@pytest.mark.trio
async def test_a_start_that_was_interrupted_goes_on_from_the_snapshot_later(
    store: OpenStore, tmp_path: Path
) -> None:
    """Count what is there under the deadline of whoever asks first."""
    vectors = spread()
    await fill(store, vectors)
    snapshot_of(await taken_up(store, tmp_path))
    again = VectorIndex(tmp_path / "own")

    def late(sql: Sql) -> None:
        again.take_up(Interrupted(sql.raw))

    with pytest.raises(apsw.InterruptError):
        await store.reading.read(late)
    found = await store.reading.read(asked(again, vectors[7], 10))

    assert [number for number, _ in found] == exactly(
        vectors, vectors[7], set(range(1, MANY + 1)), 10
    )
    assert again.unwritten == 0


@pytest.mark.trio
async def test_a_snapshot_does_not_outlive_the_rows_it_tells_of(
    store: OpenStore, tmp_path: Path
) -> None:
    """Rows were written anew and the process was killed before they had a snapshot."""
    vectors = spread()
    await fill(store, vectors[:-1])
    snapshot_of(await taken_up(store, tmp_path))
    (tmp_path / "own" / ROWS).unlink()
    made = new("the last")
    chunk = Chunk(0, vectors[-1].tobytes(), MANY.to_bytes(16, "big"))
    stored = Vectored(MANY, made.content_hash, "m", (chunk,), BEGINNING)
    await store.writing.commit([(Ended(1, "archived", BEGINNING), made, stored)])
    await taken_up(store, tmp_path)

    found = await store.reading.read(asked(VectorIndex(tmp_path / "own"), vectors[7], 10))

    left = set(range(2, MANY + 1))
    assert [number for number, _ in found] == exactly(vectors, vectors[7], left, 10)


def test_vectors_come_back_from_their_places(tmp_path: Path) -> None:
    vectors = spread()
    rows = VectorRows(tmp_path / "own" / ROWS, SIZE)
    rows.put(0, vectors[:9])
    rows.put(9, vectors[9:])
    places = np.array([50, 3, 399])

    assert np.array_equal(rows.at(places), vectors[places])
    assert rows.at(places[:0]).shape == (0, SIZE)
    assert (tmp_path / "own" / ROWS).stat().st_mode & 0o777 == 0o600


def test_what_was_appended_is_there_when_it_is_asked_for(tmp_path: Path) -> None:
    vectors = spread()
    rows = VectorRows(tmp_path / ROWS, SIZE)
    rows.put(0, vectors[:9])
    first = rows.at(np.array([8]))
    rows.put(9, vectors[9:20])

    assert rows.size == 4 * 20 * SIZE
    assert np.array_equal(rows.at(np.array([19, 8])), vectors[[19, 8]])
    assert np.array_equal(first, vectors[[8]])


def test_a_file_that_was_cut_is_an_error_and_not_the_end(tmp_path: Path) -> None:
    rows = VectorRows(tmp_path / ROWS, SIZE)
    rows.put(0, spread())
    rows.at(np.array([MANY - 1]))
    with (tmp_path / ROWS).open("r+b") as file:
        file.truncate(10)

    with pytest.raises(OSError, match="cut short"):
        rows.at(np.array([0]))


def test_what_is_not_there_is_an_error_and_cannot_be_kept(tmp_path: Path) -> None:
    rows = VectorRows(tmp_path / ROWS, SIZE)
    rows.put(0, spread()[:9])

    assert rows.cut(7)
    assert not rows.cut(8)
    with pytest.raises(OSError, match="cut short"):
        rows.at(np.array([6, 7]))
