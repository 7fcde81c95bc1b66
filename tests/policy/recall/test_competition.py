"""Competition within one answer.

Rows K31, C37.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.competition import (
    CONFIGURED,
    DEFAULT,
    STRICT,
    closeness,
    factors,
    suppressed_until,
)


def test_a_close_competitor_loses_and_the_winner_gains() -> None:
    """K31: .8 * .85 is .68."""
    found = factors("abc", {"a": 0.9, "b": 0.8, "c": 0.2})

    assert found == {"a": 1.1, "b": 0.85}
    assert 0.8 * found["b"] == pytest.approx(0.68)


def test_closeness_is_the_mean_of_both_similarities() -> None:
    """K31"""
    assert closeness(0.9, 0.6) == pytest.approx(0.75)


def test_the_threshold_of_the_call_is_higher_than_the_configured_one() -> None:
    """K31: .65 is under .7 and over .6."""
    similar = {"a": 0.7, "b": 0.6}

    assert factors("ab", similar) == {}
    assert factors("ab", similar, settings=CONFIGURED) == {"a": 1.1, "b": 0.85}


def test_the_similarity_of_the_two_counts_when_it_is_known() -> None:
    apart = {("a", "b"): 0.1, ("a", "c"): 0.9}

    found = factors("abc", {}, lambda one, other: apart[one, other])

    assert found == {"a": 1.1, "c": 0.85}


def test_without_a_competitor_nothing_changes() -> None:
    assert factors("a", {"a": 1.0}) == {}
    assert factors("", {}) == {}


def test_a_loser_stays_away_for_a_day_only_in_the_strict_preset() -> None:
    """C37"""
    assert suppressed_until(1000.0, DEFAULT) is None
    assert suppressed_until(1000.0, STRICT) == 87_400.0


@given(st.dictionaries(st.integers(0, 20), st.floats(0, 1), min_size=1))
def test_the_winner_stays_the_winner(similarities: dict[int, float]) -> None:
    ranked = sorted(similarities, key=lambda one: -similarities[one])
    found = factors(ranked, similarities)

    after = {one: similarities[one] * found.get(one, 1.0) for one in ranked}
    assert after[ranked[0]] == max(after.values())
