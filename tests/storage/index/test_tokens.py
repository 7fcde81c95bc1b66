"""Tokens of memories: kept with their pieces, gone with them, compared with a query's."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from actors.memory.writes import Chunk, Ended, ModelChosen, Rewritten, Vectored
from actors.policy.gate.gate_features import content_hash
from actors.policy.index import sign_bits
from actors.policy.index.sign_bits import Asked
from actors.policy.vectors import Floats
from daemon.storage.index.vectors import PIECES
from daemon.storage.store import OpenStore
from tests.writing import DIMENSIONS, MODEL, axis, key_of, new, token_totals, written

pytestmark = pytest.mark.trio

NEWEST = 2**62


def directions(*seeds: int) -> Floats:
    rows = [np.random.default_rng(seed).standard_normal(DIMENSIONS) for seed in seeds]
    return sign_bits.directions(np.stack(rows).astype(np.float32))


def signs(*seeds: int) -> bytes:
    return sign_bits.signs(directions(*seeds))


def asked(*seeds: int) -> Asked:
    words = tuple(f"word{seed}" for seed in seeds)
    return Asked(directions(*seeds).tobytes(), words)


async def met(store: OpenStore, *seeds: int, near: int = 17) -> dict[int, float]:
    """How well memories 1 to 3 meet a query of these tokens that lies along an axis."""
    return await store.reading.token_similarities(asked(*seeds), {}, axis(near), [1, 2, 3])


def with_tokens(memory_id: int, text: str, pieces: Mapping[int, bytes | None]) -> Vectored:
    """Pieces of a memory that lie along these axes, with their tokens."""
    chunks = tuple(
        Chunk(place, axis(one), key_of(one), tokens)
        for place, (one, tokens) in enumerate(pieces.items())
    )
    return Vectored(memory_id, content_hash(text), MODEL, chunks, 1.0)


@pytest.fixture
async def two(store: OpenStore) -> OpenStore:
    """Two memories with a vector and tokens each, and a third without."""
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("one"), new("two"), new("three"))
    await written(
        store, with_tokens(1, "one", {17: signs(1, 2)}), with_tokens(2, "two", {18: signs(3, 4)})
    )
    return store


async def test_a_query_is_met_by_the_memory_that_has_its_tokens(two: OpenStore) -> None:
    found = await met(two, 3, 4)

    assert found[2] > 0.7
    assert found[1] < 0.4
    assert 3 not in found


async def test_what_has_vectors_alone_lacks_its_tokens(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("one"), new("two"), new("three"))
    await written(store, with_tokens(1, "one", {17: None}), with_tokens(2, "two", {18: signs(1)}))

    assert await store.reading.unvectored(MODEL, 9) == [3]
    assert (await token_totals(store)).missing == 1


async def test_tokens_go_when_a_memory_ends_or_is_rewritten(two: OpenStore) -> None:
    await written(two, Ended(1, "archived", 5.0))
    await written(two, Rewritten(2, "new", "new", (), (), content_hash("new"), 5.0, "n"))

    assert (await token_totals(two)).chunks == 0


async def test_tokens_go_with_the_model(two: OpenStore) -> None:
    await written(two, ModelChosen("other", DIMENSIONS))

    assert (await token_totals(two)).chunks == 0


async def test_of_a_long_memory_the_pieces_nearest_to_the_query_are_compared(
    store: OpenStore,
) -> None:
    """Its last piece has the tokens; it is read when it is near, not when it is far."""
    axes = range(17, 17 + PIECES + 3)
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("one"))
    pieces = {one: signs(100 + place) for place, one in enumerate(axes)}
    await written(store, with_tokens(1, "one", pieces))
    last = 100 + len(axes) - 1

    assert (await met(store, last, near=axes[-1]))[1] > 0.7
    assert (await met(store, last, near=axes[0]))[1] < 0.4
