"""The nearest vectors, quickly: sign bits in memory in front of the vectors on disk.

sqlite-vec compares a query with every vector it holds: 5 ms at 10,000 of them, 50 at 100,000, more
than a prompt may wait for everything. Here a scan of sign bits (60 bytes a vector) picks some
hundred candidates, which are compared exactly from a file of their own. The bits follow the store
by themselves: chunk ids only rise, so new ones lie above the last one seen, and removed ones are
not found when their owner is looked up. sqlite-vec stays the truth, and the answer while the bits
are behind or the file cannot be had.

The file kept between two starts holds no text, and is made anew once anything was erased. One
object belongs to one reading connection and is used on its thread only.
"""

import mmap
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

from actors.memory.rows import Scope
from actors.policy.index import sign_bits
from actors.policy.index.sign_bits import EXHAUSTIVE, Asked, Places, SignIndex
from actors.policy.vectors import Floats
from daemon.home import FILE_MODE, FOLDER_MODE
from daemon.storage import recall
from daemon.storage.corpora import MEMORIES, Corpus
from daemon.storage.database.sql import Sql
from daemon.storage.index.snapshots import IndexVersion, Snapshot, index_version, mapped, numbers_of

PAGE = 500  # vectors taken up in one turn: 5 ms, between which others read
WORTH_IT = EXHAUSTIVE  # vectors below which sqlite-vec alone is as fast
PIECES = (
    2  # of a long memory with tokens, the nearest by their vectors: what is read for it is bounded
)
OWNERS = 2  # chunks whose memories are looked up at once, a memory wanted
KEPT = 0.75  # share of the vectors taken up that has to live, or all are taken up anew
ONE_DIRECTION = 0.5  # length of the mean from which on it is taken off: MiniLM's .2, e5's .9
BITS: Final = "vectors.bits"
ROWS: Final = "vectors.rows"
LAYOUT: Final = 3  # of its arrays; one written by another version is made anew


class VectorRows:
    """The vectors of one model by their place, in a mapped file: .4 us each, SQLite needs 12.

    It is appended to without a flush: its content counts only as far as the bits, written after a
    flush of it, tell of it. It is mapped anew for each look, .2 ms at 100,000 vectors: pages read of
    a lasting mapping count as the process's memory.
    """

    def __init__(self, path: Path, dimensions: int) -> None:
        """Raises ``OSError``."""
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        self._dimensions, self._width = dimensions, 4 * dimensions
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE)

    def __del__(self) -> None:
        if hasattr(self, "_file"):  # else it could not be opened
            os.close(self._file)

    @property
    def size(self) -> int:
        """Bytes of the file: the page cache has them, as long as there is room."""
        return os.fstat(self._file).st_size

    def flush(self) -> None:
        """Put everything on the disk."""
        os.fsync(self._file)

    def cut(self, count: int) -> bool:
        """Keep this many; False if there are fewer."""
        if self.size < count * self._width:
            return False
        os.ftruncate(self._file, count * self._width)
        return True

    def put(self, place: int, vectors: Floats) -> None:
        """Write these from this place on. Raises ``OSError``."""
        rows = np.ascontiguousarray(vectors, "<f4").tobytes()
        if os.pwrite(self._file, rows, place * self._width) != len(rows):
            raise OSError("no room")

    def at(self, places: Places) -> Floats:
        """The vectors at these places. Raises ``OSError`` for a missing one."""
        if not places.size:
            return np.empty((0, self._dimensions), np.float32)
        count = self.size // self._width
        if int(places.max()) >= count:
            raise OSError("cut short")
        held = mmap.mmap(self._file, count * self._width, access=mmap.ACCESS_READ)
        found: Floats = np.frombuffer(held, "<f4").reshape(-1, self._dimensions)[places]
        return found


class VectorIndex:
    """Sign bits of the vectors of the store's memories, or of another corpus."""

    def __init__(self, folder: Path, *, corpus: Corpus = MEMORIES) -> None:
        self._corpus = corpus
        self._bits_at, self._rows_at = (folder / f"{corpus.files}{one}" for one in (BITS, ROWS))
        self._of: dict[str, Any] = {}  # layout, store, model, dimensions and erasures
        self._index = SignIndex(0)
        self._rows: VectorRows | None = None  # none: no room
        self._last = 0  # the highest chunk id taken up
        self._scopes: dict[str, int] = {}
        self._written = 0  # vectors that the snapshot has

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self._index.nbytes

    @property
    def mapped(self) -> int:
        """Bytes of the vectors' file, which is mapped to be read."""
        return self._rows.size if self._rows is not None else 0

    @property
    def unwritten(self) -> int:
        """Vectors since the snapshot."""
        return len(self._index) - self._written

    def __len__(self) -> int:
        """How many vectors are held."""
        return len(self._index)

    def take_up(self, sql: Sql) -> bool:
        """Take up some of the new vectors; returns whether there are more."""
        now = index_version(sql, self._corpus)
        if not now.model:
            return False
        if _of(now) != self._of:
            self._begin(sql, now)
        if self._rows is None or now.newest_chunk <= self._last:
            return False
        rows = sql.rows(
            f"SELECT c.id, coalesce(m.project, ''), e.vector FROM {self._corpus.chunks} c"
            f" JOIN {self._corpus.texts} m ON m.id = c.{self._corpus.owner}"
            " JOIN embedding_cache e ON e.content_hash = c.content_hash AND e.model = ?"
            " WHERE c.id > ? ORDER BY c.id LIMIT ?",
            (now.model, self._last, PAGE),
        )
        if not rows:
            self._last = now.newest_chunk  # those in between are gone
            return False
        matrix = np.frombuffer(b"".join(row[2] for row in rows), np.float32)
        self._append(
            [row[0] for row in rows],
            matrix.reshape(len(rows), -1),
            [self._scopes.setdefault(row[1], len(self._scopes)) for row in rows],
        )
        self._last = max(row[0] for row in rows)
        return len(rows) == PAGE

    def nearest(self, sql: Sql, vector: bytes, scope: Scope, limit: int) -> dict[int, float]:
        """The nearest memories by the best cosine of their chunks, best first."""
        if not self.take_up(sql) and self._rows is not None and len(self._index) >= WORTH_IT:
            query = np.frombuffer(vector, np.float32)
            places = self._index.near(query, numbers_of(scope, self._scopes))
            try:
                cosines = self._rows.at(places) @ query  # both are of length 1
            except OSError:
                self._rows = None  # until the next start the database does
            else:
                return recall.best_first(self._best(sql, places, cosines, limit), limit)
        return recall.nearest_by_sqlite_vec(sql, vector, scope, limit, self._corpus)

    def cosines(self, sql: Sql, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
        """The best cosine of each of these memories with vectors."""
        if not ids:
            return {}
        owners = self._owners(sql, self._corpus.owner, ids)
        best: dict[int, float] = {}
        for chunk, cosine in self.of_chunks(sql, vector, [*owners]).items():
            best[owners[chunk]] = max(cosine, best.get(owners[chunk], -1.0))
        return best

    def token_similarities(
        self, sql: Sql, asked: Asked, rarity: dict[str, float], vector: bytes, ids: Sequence[int]
    ) -> dict[int, float]:
        """MaxSim of the query with each of these texts, 0..1, by its best piece with tokens."""
        owners = self._owners(sql, self._corpus.owner, ids)
        # Tokens of a piece fill a page or two: those of the pieces that are compared alone are read.
        found = sql.rows(
            "SELECT chunk_id, tokens FROM chunk_tokens"
            " WHERE chunk_id IN (SELECT value FROM json_each(?)) ORDER BY chunk_id",
            (self._nearest_pieces(sql, vector, owners),),
        )
        weighing = sign_bits.weights(asked.words, rarity)
        scores = sign_bits.met_by_each(asked, weighing, [tokens for _, tokens in found])
        best: dict[int, float] = {}
        for (chunk, _), score in zip(found, scores, strict=True):
            if score is not None:
                best[owners[chunk]] = max(best.get(owners[chunk], 0.0), score)
        return best

    def _nearest_pieces(self, sql: Sql, vector: bytes, owners: Mapping[int, int]) -> list[int]:
        """Pieces of each text nearest to the query by their vectors; all where there are few."""
        pieces: dict[int, list[int]] = {}
        for chunk, owner in sorted(owners.items()):
            pieces.setdefault(owner, []).append(chunk)
        long = [one for chunks in pieces.values() if len(chunks) > PIECES for one in chunks]
        nearness = self.of_chunks(sql, vector, long) if long else {}
        chosen: list[int] = []
        for chunks in pieces.values():
            known = sorted((-nearness[one], one) for one in chunks if one in nearness)
            chosen += [one for _, one in known[:PIECES]] if known else chunks[:PIECES]
        return chosen

    def of_chunks(self, sql: Sql, vector: bytes, chunks: Sequence[int]) -> dict[int, float]:
        """The cosine of each of these chunks with a vector."""
        if self._rows is not None and not self.take_up(sql):
            places = self._index.places(chunks)
            try:
                cosines = self._rows.at(places) @ np.frombuffer(vector, np.float32)
                known = self._index.identities(places).tolist()
                return dict(zip(known, cosines.tolist(), strict=True))
            except OSError:
                self._rows = None  # until the next start the database does
        return compared(sql, vector, chunks, self._corpus)

    def _best(self, sql: Sql, places: Places, cosines: Floats, limit: int) -> dict[int, float]:
        """The best cosine of at least the ``limit`` nearest memories, of all when there are fewer.

        The owner of a chunk is asked of the database for the nearest chunks alone.
        """
        order = np.argsort(-cosines, kind="stable")
        best: dict[int, float] = {}
        for done in range(0, len(order), OWNERS * limit):
            some = order[done : done + OWNERS * limit]
            chunks = self._index.identities(places[some]).tolist()
            owners = self._owners(sql, "id", chunks)
            for chunk, cosine in zip(chunks, cosines[some].tolist(), strict=True):
                if chunk in owners:  # else it is gone
                    best.setdefault(owners[chunk], cosine)
            if len(best) >= limit:
                break
        return best

    def _owners(self, sql: Sql, column: str, ids: Sequence[int]) -> dict[int, int]:
        rows = sql.rows(
            f"SELECT id, {self._corpus.owner} FROM {self._corpus.chunks}"
            f" WHERE {column} IN (SELECT value FROM json_each(?))",
            (ids,),
        )
        return dict(rows)

    def snapshot(self) -> Snapshot | None:
        """Snapshot by which the next start need not read all vectors; None: nothing to write."""
        if self._rows is None:
            return None
        about = self._of | {"last": self._last, "scopes": list(self._scopes)}
        arrays = {name: array.copy() for name, array in self._index.arrays().items()}
        return Snapshot(self._bits_at, about, arrays, self._rows.flush)

    def was_written(self, sql: Sql, snapshot: Snapshot) -> None:
        """The snapshot is on the disk now; it goes when something was erased meanwhile."""
        if _of(index_version(sql, self._corpus)).items() <= snapshot.about.items():
            self._written = len(snapshot.arrays["ids"])
        else:
            snapshot.path.unlink(missing_ok=True)

    def _begin(self, sql: Sql, now: IndexVersion) -> None:
        """Go on from the snapshot, or anew when it is of another model, store or time."""
        living = sql.number(f"SELECT count(*) FROM {self._corpus.chunks}")
        # From here on nothing can be interrupted: all of it or nothing.
        self._of, self._index, self._rows = _of(now), SignIndex(now.dimensions), None
        self._last, self._written, self._scopes = 0, 0, {}
        try:
            rows = VectorRows(self._rows_at, now.dimensions)
            if not self._gone_on(rows, now, living):
                # Before the rows that it tells of are written over: it would tell of others.
                self._bits_at.unlink(missing_ok=True)
            rows.cut(len(self._index))
        except OSError:
            return
        self._rows = rows

    def _gone_on(self, rows: VectorRows, now: IndexVersion, living: int) -> bool:
        """Take the snapshot up, if it is of this store as it is; False if there is none."""
        kept = mapped(self._bits_at, self._of)
        if kept is None or kept.about["last"] > now.newest_chunk:
            return False
        count = len(kept.arrays["ids"])
        if living < KEPT * count or not rows.cut(count):
            return False
        self._index = SignIndex.restored(now.dimensions, kept.arrays)
        self._last, self._written = kept.about["last"], count
        self._scopes = {name: number for number, name in enumerate(kept.about["scopes"])}
        return True

    def _append(self, ids: Sequence[int], matrix: Floats, of: list[int]) -> None:
        if self._rows is None:
            return
        before = len(self._index)
        try:
            self._rows.put(before, matrix)
        except OSError:  # no room
            self._rows = None
            return
        self._index.append(ids, matrix, of)
        if before < WORTH_IT <= len(self._index):
            self._centre(self._rows)

    def _centre(self, rows: VectorRows) -> None:
        """Take the mean off, before the bits are of any use, if all vectors lie in one direction."""
        with suppress(OSError):
            matrix = rows.at(np.arange(len(self._index)))
            mean: Floats = matrix.mean(axis=0)
            if float(np.linalg.norm(mean)) >= ONE_DIRECTION:
                held = self._index.arrays()
                self._index = SignIndex(mean.size, mean)
                self._index.append(held["ids"].tolist(), matrix, held["scopes"].tolist())


def compared(
    sql: Sql, vector: bytes, chunks: Sequence[int], corpus: Corpus = MEMORIES
) -> dict[int, float]:
    """The exact cosine of each of these chunks with a vector.

    Read from the cache of embeddings, where a vector is a row (15 µs): sqlite-vec takes
    60 µs to find one by its id, and all of its time for a list of them.
    """
    rows = sql.rows(
        f"SELECT c.id, e.vector FROM {corpus.chunks} c"
        " JOIN embedding_cache e ON e.content_hash = c.content_hash"
        " AND e.model = (SELECT value FROM store WHERE name = 'model')"
        " WHERE c.id IN (SELECT value FROM json_each(?))",
        (chunks,),
    )
    if not rows:
        return {}
    matrix = np.frombuffer(b"".join(row[1] for row in rows), np.float32)
    cosines = matrix.reshape(len(rows), -1) @ np.frombuffer(vector, np.float32)  # of length 1
    return {row[0]: float(cosine) for row, cosine in zip(rows, cosines, strict=True)}


def _of(now: IndexVersion) -> dict[str, Any]:
    return {
        "layout": LAYOUT, "store": now.store, "model": now.model, "dimensions": now.dimensions,
        "erasures": now.erasures,
    }  # fmt: skip
