"""Cosines, exact and of a byte a number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.vectors import cosines, rounded, rounded_cosines


def test_a_cosine_by_hand() -> None:
    found = cosines([1, 0], [[2, 0], [0, 3], [-1, 0], [1, 1], [0, 0]])

    assert found == pytest.approx([1, 0, -1, 0.70710678, 0])


def test_what_all_vectors_have_in_common_can_be_taken_off() -> None:
    centre = np.array([10, 0], np.float32) / 10.0

    found = cosines([1.0, 0.1], [[1.0, 0.2], [1.0, -0.2]], centre)

    assert found[0] > 0.9
    assert found[1] < -0.9


def test_the_largest_number_of_a_row_becomes_127() -> None:
    rows = rounded([[0.5, -0.25, 0.0], [0.0, 0.0, 0.0], [1e-30, -1e-30, 0.0]])

    assert rows.tolist() == [[127, -64, 0], [0, 0, 0], [127, -127, 0]]
    assert rows.dtype == np.int8


@given(st.integers(0, 2**32 - 1), st.integers(1, 50), st.sampled_from([3, 64, 384]))
def test_a_byte_a_number_is_not_further_off_than_it_says(
    seed: int, count: int, dimensions: int
) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((count, dimensions)) * rng.uniform(0.01, 9, (count, 1))
    query = rng.standard_normal(dimensions)

    found, off = rounded_cosines(query, rounded(rows))

    assert np.all(np.abs(found - cosines(query, rows)) <= off)
    assert np.all(off < 0.04)


def test_a_byte_a_number_tells_cosines_apart_that_bits_do_not() -> None:
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((500, 384)) + 2 * rng.standard_normal(384)
    query = rng.standard_normal(384) + rows[0]

    found, off = rounded_cosines(query, rounded(rows))

    assert np.argsort(-found)[:5].tolist() == np.argsort(-cosines(query, rows))[:5].tolist()
    assert off.max() < 0.006
