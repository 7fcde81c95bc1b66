"""Marginal relevance and regions: an order in which results differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.diversity import (
    Vector,
    diversified,
    marginal,
    relevance_share,
    spread_over_regions,
)


def towards(degrees: float) -> Vector:
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], np.float32)


def test_marginal_relevance_by_hand() -> None:
    """.7 * .8 - .3 * .9"""
    assert marginal(0.8, 0.9) == pytest.approx(0.29)


@pytest.mark.parametrize(
    ("intent", "share"),
    [
        ("understand", 0.5),
        ("fix_bug", 0.85),
        ("find_spec", 0.5),
        ("find_decision", 0.5),
        ("add_feature", 0.7),
        ("refactor", 0.6),
        ("security_audit", 0.75),
        ("anything", 0.7),
    ],
)
def test_each_intent_weighs_relevance_in_its_way(intent: str, share: float) -> None:
    assert relevance_share(intent) == share


def test_what_repeats_the_best_comes_after_what_differs() -> None:
    scores = {"a": 0.9, "again": 0.8, "other": 0.6}
    vectors = {"a": towards(0), "again": towards(5), "other": towards(90)}

    assert diversified(scores, vectors, 0.5) == ["a", "other", "again"]
    assert diversified(scores, vectors, 1.0) == ["a", "again", "other"]


def test_what_has_no_vector_is_like_nothing() -> None:
    scores = {"a": 0.9, "again": 0.8, "unknown": 0.6}

    ordered = diversified(scores, {"a": towards(0), "again": towards(0)}, 0.5)

    assert ordered == ["a", "unknown", "again"]


def test_only_the_best_twenty_are_rearranged() -> None:
    scores = {number: 1 - number / 100 for number in range(25)}
    vectors = {number: towards(0) for number in range(24)} | {24: towards(90)}

    assert diversified(scores, vectors, 0.1)[20:] == [20, 21, 22, 23, 24]


def test_one_result_needs_no_choice() -> None:
    """At least two."""
    assert diversified({"a": 0.5}, {"a": towards(0)}) == ["a"]
    assert diversified({}, {}) == []


def test_a_region_not_seen_yet_goes_first_when_its_score_is_enough() -> None:
    """Above half of the next best."""
    ranked, regions = ["a", "b", "c"], {"a": 1, "b": 1, "c": 2}

    assert spread_over_regions(ranked, {"a": 1.0, "b": 0.8, "c": 0.41}, regions) == ["a", "c", "b"]
    assert spread_over_regions(ranked, {"a": 1.0, "b": 0.8, "c": 0.40}, regions) == ["a", "b", "c"]


def test_what_lies_in_no_region_is_a_region_of_its_own() -> None:
    scores = {"a": 1.0, "b": 0.9, "c": 0.8, "d": 0.7}

    assert spread_over_regions(list(scores), scores, {"a": 1, "b": 1}) == ["a", "c", "d", "b"]


@given(st.dictionaries(st.integers(0, 30), st.floats(0, 1)), st.floats(0, 1))
def test_an_arrangement_loses_and_invents_nothing(scores: dict[int, float], share: float) -> None:
    vectors = {one: towards(7 * one) for one in scores if one % 3}
    ranked = sorted(scores, key=lambda one: -scores[one])

    assert sorted(diversified(scores, vectors, share)) == sorted(scores)
    regions = {one: one % 4 for one in scores if one % 5}
    assert sorted(spread_over_regions(ranked, scores, regions)) == sorted(scores)


@given(st.dictionaries(st.integers(0, 30), st.floats(0, 1), min_size=1), st.floats(0.01, 1))
def test_the_best_stays_the_first(scores: dict[int, float], share: float) -> None:
    first = diversified(scores, {one: towards(7 * one) for one in scores}, share)[0]

    assert share * scores[first] == share * max(scores.values())
