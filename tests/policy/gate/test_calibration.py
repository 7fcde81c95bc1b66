"""Another model's cosines on the default one's scale, measured on the user's own store."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate import gate
from actors.policy.gate.calibration import (
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
from actors.policy.gate.gate import Candidate

Matrix = np.ndarray[Any, np.dtype[np.float32]]


def notes(count: int = 300, topics: int = 30, seed: int = 7) -> Matrix:
    """Vectors of length 1 as notes have them: some topics, and what they all have in common."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(topics, 64)) + 0.5
    rows = centres[np.arange(count) % topics] + random.normal(size=(count, 64)) * 0.6
    units: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return units


def squeezed(rows: Matrix, floor: float = 0.7) -> Matrix:
    """The same notes to a model that finds any two alike: a cosine c is floor + (1 - floor) c."""
    constant = np.full((len(rows), 1), math.sqrt(floor))
    return np.hstack([rows * math.sqrt(1 - floor), constant]).astype(np.float32)


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


def test_without_points_a_cosine_stays_as_it_is() -> None:
    assert on_scale(0.63, SAME) == 0.63
    assert off_scale(0.63, SAME) == 0.63


def test_a_model_measured_against_itself_changes_nothing_between_its_quantiles() -> None:
    found = quantiles(notes())
    assert found is not None
    line = scale(found, found)

    assert on_scale(0.5, line) == pytest.approx(0.5)
    assert on_scale(0.95, line) == pytest.approx(0.95)


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
        (None, 99, 0, False),  # too few
        (None, 100, 0, True),
        (None, 100, 6, False),  # vectors are still being made
        (None, 100, 5, True),  # some are given up
        (100, 199, 0, False),
        (100, 200, 0, True),  # doubled
    ],
)
def test_it_is_measured_when_complete_and_again_when_doubled(
    measured: int | None, living: int, missing: int, *, due: bool
) -> None:
    assert is_due(measured, living, missing) is due


STORED = "The billing service listens on port 8080"
PAIRS = (
    (STORED, "Note that the billing service listens on port 8080", 0.97),
    (STORED, "The billing service listens on port 9090", 0.93),
    (STORED, "We no longer let the billing service listen on port 8080", 0.80),
    (STORED, "The billing service listens on port 8080 behind nginx with TLS and HTTP/2", 0.88),
    (STORED, "The search service keeps its logs for ten days", 0.45),
    (STORED, "Lunch is at noon", 0.05),
    ("auth: Auth0", "auth: Okta", 0.72),
    ("Deploys happen on Friday", "Deploys never happen on Friday", 0.91),
    ("Commits are squashed before merging", "We squash commits before we merge", 0.86),
    ("The cache is cleared on every release", "Releases are cut from main", 0.74),
)


def lines() -> tuple[Scale, Scale]:
    """From the squeezed model to the first one, and from a bent one."""
    first = quantiles(notes())
    other = quantiles(squeezed(notes()))
    assert first is not None
    assert other is not None
    bent = Quantiles(tuple(map(bend, first.strangers)), tuple(map(bend, first.neighbours)))
    return scale(other, first), scale(bent, first)


def bend(cosine: float) -> float:
    """No straight line: .60 at 0, .81 at .5, 1 at 1."""
    return 0.6 + 0.4 * (0.1 * (1 - cosine) + cosine) ** 0.9 if cosine > -0.1 else 0.6


@pytest.mark.parametrize("weighed", [True, False])
def test_a_model_that_finds_all_alike_leads_to_the_same_decisions(weighed: bool) -> None:
    """All cosines squeezed into .7 to 1: raw, nothing would be under the threshold .50."""
    line, _ = lines()
    settings = gate.Settings(weighed=weighed)
    for stored, incoming, cosine in PAIRS:
        squeezed_cosine = on_scale(0.7 + 0.3 * cosine, line)
        expected = gate.decide(incoming, [Candidate("1", stored, cosine)], settings)
        found = gate.decide(incoming, [Candidate("1", stored, squeezed_cosine)], settings)

        assert squeezed_cosine == pytest.approx(cosine, abs=0.01)
        assert gate.action(found) == gate.action(expected)


def test_a_bent_scale_is_straightened_between_the_quantiles() -> None:
    _, line = lines()
    for cosine in (0.1, 0.3, 0.5, 0.7, 0.9, 0.97):
        assert on_scale(bend(cosine), line) == pytest.approx(cosine, abs=0.02)


def test_what_is_looked_at_reaches_farther_on_a_line_that_is_not_exact() -> None:
    line, _ = lines()

    assert gate.for_scale(gate.DEFAULT, SAME) is gate.DEFAULT
    assert gate.for_scale(gate.DEFAULT, line).low == pytest.approx(0.30)
    assert gate.for_scale(gate.Settings(low=0.1), line).low == 0.0
