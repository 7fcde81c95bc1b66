"""An embedding by table, whose cosines a reader can check by hand, and phrases that are fixed."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import trio

from actors.memory.rows import Embedded, EmbeddingState, EmbeddingUnavailable, Role
from actors.policy.index import sign_bits

DIMENSIONS = 64
_FREE = 8  # the first axis for texts that the table does not name


def at(cosine: float) -> tuple[float, ...]:
    """A vector with this cosine to ``at(1)``."""
    return (cosine, math.sqrt(1 - cosine**2))


OFF = EmbeddingState("off", "no model", "", 0)


class TableEmbedding:
    """``actors.memory.rows.Embedding``: each text has the vector of the table, or an axis of its own."""

    def __init__(
        self, table: Mapping[str, tuple[float, ...]] | None = None, *, takes: float = 0.0
    ) -> None:
        self.table = dict(table or {})
        self.takes = takes  # virtual seconds a request
        self.failures = 0  # requests that are going to fail
        self.asked: list[tuple[tuple[str, ...], Role, bool]] = []
        self.state = EmbeddingState("ready", "", "table-64", DIMENSIONS)

    async def embed(
        self, texts: Sequence[str], *, role: Role, interactive: bool, tokens: bool = False
    ) -> list[Embedded]:
        """One vector a text; each of its words is a token, with a direction of its own."""
        await trio.sleep(self.takes)
        if self.state.state != "ready":
            raise EmbeddingUnavailable(self.state.reason)
        self.asked.append((tuple(texts), role, interactive))
        if self.failures:
            self.failures -= 1
            raise EmbeddingUnavailable("the worker was stopped")
        return [self._embedded(text, role if tokens else None) for text in texts]

    def _embedded(self, text: str, role: Role | None) -> Embedded:
        if role is None:
            return Embedded(self.vector(text))
        words = tuple(text.lower().split())
        units = sign_bits.directions(np.stack([_direction(one) for one in words or ("",)]))
        kept = units.tobytes() if role == "query" else sign_bits.signs(units)
        return Embedded(self.vector(text), kept, words if role == "query" else ())

    def vector(self, text: str) -> bytes:
        """The vector of a text, whoever asks."""
        row = np.zeros(DIMENSIONS, np.float32)
        if text not in self.table:
            free = _FREE + sum(len(known) > _FREE for known in self.table.values())
            self.table[text] = (*([0.0] * free), 1.0)
        values = self.table[text]
        row[: len(values)] = values
        return row.tobytes()


def without_model(table: Mapping[str, tuple[float, ...]] | None = None) -> TableEmbedding:
    """An embedding that is off until its state is set."""
    embedding = TableEmbedding(table)
    embedding.state = OFF
    return embedding


def _direction(word: str) -> npt.NDArray[np.float32]:
    """A direction that no other word has."""
    source = np.random.default_rng(zlib.crc32(word.encode()))
    return source.standard_normal(DIMENSIONS).astype(np.float32)
