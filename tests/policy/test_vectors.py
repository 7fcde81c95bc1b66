"""Cosines, the nearest of each row, and another model's scale."""

import numpy as np
import pytest

from actors.policy import vectors
from actors.policy.vectors import cosines


def test_a_cosine_by_hand() -> None:
    found = cosines([1, 0], [[2, 0], [0, 3], [-1, 0], [1, 1], [0, 0]])

    assert found == pytest.approx([1, 0, -1, 0.70710678, 0])


def test_what_all_vectors_have_in_common_can_be_taken_off() -> None:
    centre = np.array([10, 0], np.float32) / 10.0

    found = cosines([1.0, 0.1], [[1.0, 0.2], [1.0, -0.2]], centre)

    assert found[0] > 0.9
    assert found[1] < -0.9


def rows(count: int) -> list[bytes]:
    made = np.random.default_rng(3).standard_normal((count, 16)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return [row.tobytes() for row in made]


@pytest.mark.parametrize("count", [2, 5, vectors.BLOCK, vectors.BLOCK + 7])
def test_blocks_give_what_comparing_all_pairs_gives(count: int) -> None:
    matrix = vectors.matrix(rows(count))
    ids = [10 * place for place in range(count)]
    found: dict[tuple[int, int], float] = {}
    for begin in range(0, count, vectors.BLOCK):
        found |= vectors.nearest(matrix, ids, begin, 3, 0.1)
    cosines = matrix @ matrix.T
    best = {
        tuple(sorted((number, other)))
        for place, number in enumerate(ids)
        for value, other in sorted(
            ((cosines[place, at], ids[at]) for at in range(count) if at != place), reverse=True
        )[:3]
        if value >= 0.1
    }

    assert set(found) == best
    assert all(
        value == pytest.approx(cosines[one // 10, other // 10], abs=1e-6)
        for (one, other), value in found.items()
    )


def test_of_no_vectors_there_are_no_neighbours() -> None:
    assert vectors.nearest(vectors.matrix([]), [], 0, 10, 0.0) == {}
    assert vectors.nearest(vectors.matrix(rows(1)), [1], 0, 10, 0.0) == {}


def test_a_median_of_another_model_is_that_of_the_default_one() -> None:
    spread = vectors.matrix(rows(120)) * np.float32(0.3**0.5)
    squeezed = np.hstack([spread, np.full((120, 1), 0.7**0.5, np.float32)])
    theirs = vectors.unrelated(squeezed)

    assert theirs is not None
    assert theirs == pytest.approx(0.7, abs=0.02)
    assert vectors.on_scale(theirs, theirs) == pytest.approx(vectors.UNRELATED)
    assert vectors.on_scale(1.0, theirs) == 1.0
    assert vectors.unrelated(squeezed[:99]) is None
