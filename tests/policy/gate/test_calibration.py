"""Another model's cosines on the default one's scale, measured on the user's own store."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate import gate
from actors.policy.gate.neighbours import (
    NOTES,
    SAME,
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


def test_a_store_ten_times_as_large_has_the_same_quantiles() -> None:
    """Neighbours are looked for among a hundred, however many there are."""
    small, large = quantiles(notes(200)), quantiles(notes(2000))

    assert small is not None
    assert large is not None
    assert small.neighbours == pytest.approx(large.neighbours, abs=0.05)
    assert small.strangers == pytest.approx(large.strangers, abs=0.05)


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


def test_what_is_looked_at_reaches_farther_on_a_line_that_is_not_exact() -> None:
    line = Scale((0.6, 1.0), (0.0, 1.0))

    assert gate.for_scale(gate.DEFAULT, SAME) is gate.DEFAULT
    assert gate.for_scale(gate.DEFAULT, line).low == pytest.approx(0.30)
    assert gate.for_scale(gate.Settings(low=0.1), line).low == 0.0
