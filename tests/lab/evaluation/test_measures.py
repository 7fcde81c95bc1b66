"""The measures of a ranking, each by hand, and what always holds of them."""

import math

import pytest

from lab.evaluation import measures

RIGHT = {"a": 3.0, "b": 1.0}
RANKED = ["x", "a", "y", "b"]


def test_the_reciprocal_rank_is_that_of_the_first_right_result() -> None:
    assert measures.reciprocal_rank(RANKED, RIGHT, 10) == 0.5
    assert measures.reciprocal_rank(RANKED, {"b": 1.0}, 4) == 0.25
    assert measures.reciprocal_rank(RANKED, {"b": 1.0}, 3) == 0.0


def test_recall_is_the_share_of_what_is_right() -> None:
    assert measures.recall(RANKED, RIGHT, 2) == 0.5
    assert measures.recall(RANKED, RIGHT, 4) == 1.0
    assert measures.recall(RANKED, {}, 4) is None


def test_the_gain_of_a_rank_is_discounted_by_its_logarithm() -> None:
    best = 3 + 1 / math.log2(3)
    found = 3 / math.log2(3) + 1 / math.log2(5)

    assert measures.ndcg(RANKED, RIGHT, 4) == pytest.approx(found / best)
    assert measures.ndcg(["a", "b"], RIGHT, 4) == 1.0
    assert measures.ndcg(RANKED, {}, 4) is None


def test_a_pair_is_inverted_when_the_worse_stands_above() -> None:
    # x a y b has the grades 0 3 0 1: of six pairs x-a, x-b and y-b are inverted.
    assert measures.inversion_rate(RANKED, RIGHT, 4) == 0.5
    assert measures.inversion_rate(["a", "b", "x"], RIGHT, 3) == 0.0
    assert measures.inversion_rate(["a"], RIGHT, 3) == 0.0


def test_constitutional_memories_surface_when_they_are_within_k() -> None:
    assert measures.constitutional_surfacing(RANKED, {"x", "z"}, 4) == 0.5
    assert measures.constitutional_surfacing(RANKED, (), 4) is None


def test_a_critical_memory_weighs_twice_what_a_normal_one_does() -> None:
    tiers = {"a": "critical", "b": "normal"}

    found = measures.importance_weighted_recall(RANKED, RIGHT, tiers, 2)

    assert found == pytest.approx(1.0 / 1.5)
    assert measures.importance_weighted_recall(RANKED, {}, tiers, 2) is None


def test_only_memories_of_two_days_count_as_new() -> None:
    hours = {"a": 12.0, "b": 48.0, "x": 1.0}

    assert measures.cold_start_detection(RANKED, RIGHT, hours, 2) == 0.5
    assert measures.cold_start_detection(RANKED, RIGHT, {"a": 48.1}, 4) is None


def test_the_auc_is_the_share_of_pairs_in_order() -> None:
    assert measures.auc([0.9, 0.5], [0.5, 0.1]) == pytest.approx(3.5 / 4)
    assert measures.auc([], [0.5]) is None
    assert measures.auc([0.5], []) is None


def test_what_is_not_known_is_left_out_of_an_average() -> None:
    assert measures.average([1.0, None, 0.0]) == 0.5
    assert measures.average([None]) is None


def test_a_percentile_is_a_value_that_there_is() -> None:
    waits = [float(number) for number in range(20, 0, -1)]

    assert measures.percentile(waits, 0.5) == 10.0
    assert measures.percentile(waits, 0.95) == 19.0
    assert measures.percentile([], 0.5) is None
