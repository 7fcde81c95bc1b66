"""Competition within one answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.competition import closeness, factors


def test_a_close_competitor_loses_and_the_winner_gains() -> None:
    """.8 * .85 is .68."""
    found = factors([1, 2, 3], {1: 0.9, 2: 0.8, 3: 0.2})

    assert found == {1: 1.1, 2: 0.85}
    assert 0.8 * found[2] == pytest.approx(0.68)


def test_closeness_is_the_mean_of_both_similarities() -> None:
    assert closeness(0.9, 0.6) == pytest.approx(0.75)


def test_without_a_competitor_nothing_changes() -> None:
    assert factors([1], {1: 1.0}) == {}
    assert factors([1, 2], {1: 0.7, 2: 0.6}) == {}  # .65 is under .7
    assert factors([], {}) == {}


@given(st.dictionaries(st.integers(0, 20), st.floats(0, 1), min_size=1))
def test_the_winner_stays_the_winner(similarities: dict[int, float]) -> None:
    ranked = sorted(similarities, key=lambda one: -similarities[one])
    found = factors(ranked, similarities)

    after = {one: similarities[one] * found.get(one, 1.0) for one in ranked}
    assert after[ranked[0]] == max(after.values())
