"""Differing bits, and the smallest of many distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.index.bit_distances import OUT, Differing, signs, smallest


def test_signs_are_one_bit_a_dimension_padded_to_words() -> None:
    row = [-1.0] * 100
    row[0] = row[99] = 2.0

    code = signs(row)

    assert code.shape == (1, 2)
    assert int(np.bitwise_count(code).sum()) == 2


@pytest.mark.parametrize("dimensions", [8, 64, 100, 384, 1_024])
def test_differing_bits_are_those_of_a_plain_count(dimensions: int) -> None:
    rng = np.random.default_rng(dimensions)
    vectors = rng.standard_normal((40_000, dimensions), np.float32)
    query = rng.standard_normal(dimensions).astype(np.float32)
    total = np.full(len(vectors), 7, np.uint16)

    Differing(query).into(total, np.ascontiguousarray(signs(vectors).T))

    assert np.array_equal(total, ((vectors > 0) != (query > 0)).sum(axis=1))


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 3_000), st.integers(1, 400), st.sampled_from([3, 900])
)
def test_the_smallest_are_those_of_a_stable_sort(
    seed: int, count: int, spread: int, wanted: int
) -> None:
    distances = np.random.default_rng(seed).integers(0, spread, count).astype(np.uint16)
    wanted = min(wanted, count)

    places = smallest(distances, wanted)

    assert places.tolist() == sorted(np.argsort(distances, kind="stable")[:wanted].tolist())


@pytest.mark.parametrize("at", ["everywhere", "where no sample looks", "together"])
def test_the_smallest_of_many_are_found_wherever_they_are(at: str) -> None:
    """A bound that a sample gave lets too few through, or every one that is out."""
    distances = np.full(200_000, OUT, np.uint16)
    there = {
        "everywhere": slice(None, None, 40),
        "where no sample looks": slice(1, None, 12),
        "together": slice(150_001, 155_001),
    }[at]
    distances[there] = 100 + np.arange(distances[there].size) % 90
    wanted = 4_000

    places = smallest(distances, wanted)

    assert places.size == wanted
    assert sorted(distances[places]) == sorted(distances)[:wanted]
