"""The recipe of the gate's weights: the same rows always give the same weights (docs/adr/0007)."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from actors.policy.gate import gate_weights
from actors.policy.gate.gate_features import NAMES
from lab.benchmarks.fit_gate import CLASSES, Rows, Weights, fitted, neighbours, taken_for_shipped
from lab.benchmarks.gate_templates import pairs


def rows(numbers: list[list[float]], labels: list[int], weights: list[float]) -> Rows:
    return Rows(
        np.array(numbers), np.array(labels), np.array(weights), np.zeros(len(labels), np.int64)
    )


def chances(weights: Weights, numbers: list[float]) -> list[float]:
    sums = weights.intercept + weights.columns @ np.array(numbers)
    raised = [math.exp(each) for each in sums]
    return [each / sum(raised) for each in raised]


def test_without_any_number_the_chances_are_the_shares_of_the_rows() -> None:
    """An intercept is not held back: 4, 3, 2 and 1 of ten rows."""
    labels = [0] * 4 + [1] * 3 + [2] * 2 + [3]
    found = fitted(rows([[1.0]] * 10, labels, [1.0] * 10))

    assert chances(found, [1.0]) == pytest.approx([0.4, 0.3, 0.2, 0.1], abs=1e-6)


def test_a_row_of_weight_two_counts_as_two() -> None:
    found = fitted(rows([[1.0]] * 4, [0, 1, 2, 3], [1.0, 2.0, 1.0, 1.0]))

    assert chances(found, [1.0]) == pytest.approx([0.2, 0.4, 0.2, 0.2], abs=1e-6)


def test_the_slope_of_the_loss_is_nothing_where_it_ends() -> None:
    """Penalty times (share less label) times number, plus the weight itself, is 0."""
    random = np.random.default_rng(1)
    numbers = random.normal(size=(80, 3))
    labels = random.integers(0, len(CLASSES), 80)
    found = fitted(rows(numbers.tolist(), labels.tolist(), [1.0] * 80), penalty=0.3)
    mean, spread = numbers.mean(axis=0), numbers.std(axis=0)
    standard = (numbers - mean) / spread
    shares = np.array([chances(found, row) for row in numbers.tolist()])
    slope = 0.3 * (shares - np.eye(4)[labels]).T @ standard + found.columns * spread

    assert np.abs(slope).max() < 1e-5
    assert found.columns.sum(axis=0) == pytest.approx([0.0] * 3, abs=1e-9)


def test_the_templates_are_always_the_same_1411_pairs() -> None:
    made = pairs()

    assert made == pairs()
    assert len(made) == 1411
    assert Counter(pair.outcome for pair in made).keys() == {"reinforce", "conflict", "new"}
    assert all(pair.stored != pair.new for pair in made)


def test_neighbours_are_near_and_of_one_group() -> None:
    """Of a group alone, before it, and neither the same nor something else."""
    vectors = {
        "a": np.array([1.0, 0.0], np.float32),
        "b": np.array([0.6, 0.8], np.float32),  # .6 to a
        "c": np.array([0.0, 1.0], np.float32),  # 0 to a, .8 to b: too near
    }
    found = neighbours([("g", "a"), ("g", "b"), ("g", "c"), ("other", "b")], vectors)

    assert list(found) == [("a", "b", "g")]


def test_the_gate_has_its_own_weights_back_afterwards() -> None:
    flat = Weights(np.zeros(4), np.zeros((4, len(NAMES))))
    before = gate_weights.chances([1.0] * len(NAMES))
    with taken_for_shipped(flat):
        inside = gate_weights.chances([1.0] * len(NAMES))

    assert inside == gate_weights.Chances(0.25, 0.25, 0.25)
    assert gate_weights.chances([1.0] * len(NAMES)) == before != inside
