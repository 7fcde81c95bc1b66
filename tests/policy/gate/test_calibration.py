"""Another model's cosines on the default one's scale, measured on the user's own store."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate import gate
from actors.policy.gate.neighbours import (
    GROUP,
    NOTES,
    SAME,
    SAMPLE,
    Quantiles,
    Scale,
    is_due,
    off_scale,
    on_scale,
    quantiles,
    scale,
)

Matrix = np.ndarray[Any, np.dtype[np.float32]]


def notes(count: int = 300, topics: int = 30, seed: int = 7) -> Matrix:
    """Vectors of length 1 as notes have them: some topics, and what they all have in common."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(topics, 64)) + 0.5
    rows = centres[np.arange(count) % topics] + random.normal(size=(count, 64)) * 0.6
    units: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return units


def test_twins_are_neighbours_of_cosine_1_and_strangers_of_0() -> None:
    """Fifty axes, each held by two memories of the hundred."""
    found = quantiles(np.repeat(np.eye(50, dtype=np.float32), 2, axis=0))

    assert found is not None
    assert found.neighbours == (1.0,) * 5
    assert found.strangers[:6] == (0.0,) * 6  # 50 pairs of 4,950 are twins: one in a hundred


def test_a_store_of_fewer_than_a_hundred_memories_is_not_measured() -> None:
    assert quantiles(notes(GROUP - 1)) is None
    assert quantiles(notes(GROUP)) is not None


def test_a_store_ten_times_as_large_has_the_same_quantiles() -> None:
    """Neighbours are looked for among a hundred, however many there are."""
    small, large = quantiles(notes(200)), quantiles(notes(2000))

    assert small is not None
    assert large is not None
    assert small.neighbours == pytest.approx(large.neighbours, abs=0.05)
    assert small.strangers == pytest.approx(large.strangers, abs=0.05)


def test_what_lies_beyond_the_sample_is_not_looked_at() -> None:
    many = notes(SAMPLE + 200)

    assert quantiles(many) == quantiles(many[:SAMPLE])


def test_a_quantile_of_one_model_is_that_of_the_other() -> None:
    measured = Quantiles((0.70, 0.72, 0.75, 0.78, 0.80, 0.86, 0.89), (0.85, 0.88, 0.90, 0.93, 0.96))
    line = scale(measured)

    assert on_scale(0.78, line) == pytest.approx(NOTES.strangers[3])
    assert on_scale(0.96, line) == pytest.approx(NOTES.neighbours[4])
    assert on_scale(0.98, line) == pytest.approx((NOTES.neighbours[4] + 1) / 2)
    assert on_scale(1.0, line) == 1.0
    assert on_scale(0.10, line) == NOTES.strangers[0]


def test_a_store_of_copies_gives_a_line_that_still_rises() -> None:
    """All neighbours at 1: no two points of the line may be the same."""
    line = scale(Quantiles((0.0, 0.0, 0.0, 0.1, 0.1, 0.2, 1.0), (1.0,) * 5))

    assert list(line.theirs) == sorted(set(line.theirs))
    assert list(line.ours) == sorted(set(line.ours))


cosines = st.floats(-1, 1)


def rising(found: list[float]) -> tuple[float, ...]:
    return tuple(sorted(round(cosine, 4) for cosine in found))  # as they are kept


measurements = st.builds(
    Quantiles,
    st.lists(cosines, min_size=7, max_size=7).map(rising),
    st.lists(cosines, min_size=5, max_size=5).map(rising),
)


@given(measurements, measurements, cosines, cosines)
def test_the_order_of_cosines_never_changes(
    measured: Quantiles, reference: Quantiles, one: float, other: float
) -> None:
    line = scale(measured, reference)
    low, high = sorted((one, other))

    assert on_scale(low, line) <= on_scale(high, line) + 1e-12  # but for the last digit
    assert -1 <= on_scale(one, line) <= 1


@given(measurements, st.floats(0, 1))
def test_the_line_can_be_gone_back(measured: Quantiles, share: float) -> None:
    line = scale(measured)
    inside = line.ours[0] + share * (line.ours[-1] - line.ours[0])

    assert on_scale(off_scale(inside, line), line) == pytest.approx(inside, abs=1e-6)


@pytest.mark.parametrize(
    ("measured", "living", "missing", "due"),
    [
        (0, 99, 0, False),  # too few
        (0, 100, 0, True),
        (0, 100, 6, False),  # vectors are still being made
        (0, 100, 5, True),  # some are given up
        (100, 199, 0, False),
        (100, 200, 0, True),  # doubled
    ],
)
def test_it_is_measured_when_complete_and_again_when_doubled(
    measured: int, living: int, missing: int, *, due: bool
) -> None:
    assert is_due(measured, living, missing) is due


def bent() -> Scale:
    """From a model that bends the cosines of another to that one."""
    first = quantiles(notes())
    assert first is not None
    other = Quantiles(tuple(map(bend, first.strangers)), tuple(map(bend, first.neighbours)))
    return scale(other, first)


def bend(cosine: float) -> float:
    """No straight line: .60 at 0, .81 at .5, 1 at 1."""
    return 0.6 + 0.4 * (0.1 * (1 - cosine) + cosine) ** 0.9 if cosine > -0.1 else 0.6


def test_a_bent_scale_is_straightened_between_the_quantiles() -> None:
    line = bent()
    for cosine in (0.1, 0.3, 0.5, 0.7, 0.9, 0.97):
        assert on_scale(bend(cosine), line) == pytest.approx(cosine, abs=0.02)


def test_what_is_looked_at_reaches_farther_on_a_line_that_is_not_exact() -> None:
    line = bent()

    assert gate.for_scale(gate.DEFAULT, SAME) is gate.DEFAULT
    assert gate.for_scale(gate.DEFAULT, line).low == pytest.approx(0.30)
    assert gate.for_scale(gate.Settings(low=0.1), line).low == 0.0
