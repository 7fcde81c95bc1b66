"""Relative score fusion in three variants: by hand, then bounds.

Rows K08, C27.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.score_fusion import Hit, fused_many, fused_pair, fused_variants, scores


def hits(**given: float) -> list[Hit[str]]:
    return [Hit(name, score) for name, score in given.items()]


def test_a_hit_without_figures_counts_by_its_place() -> None:
    """K08"""
    found = [Hit("a"), Hit("b"), Hit("c", similarity=0.5), Hit("d", 7.0, 0.5)]

    assert scores(found) == [1.0, 0.75, 0.5, 7.0]


def test_two_channels_are_averaged_and_one_alone_is_halved() -> None:
    """K08: b is .5 of both; a has the whole of one channel, c of the other."""
    ranked = fused_pair(hits(a=3, b=2, d=1), hits(c=30, b=20, d=10))

    assert {one.identity: (one.score, one.found_by) for one in ranked} == {
        "a": (0.5, 1),
        "b": (0.5, 2),
        "c": (0.5, 1),
        "d": (0.0, 2),
    }


def test_of_three_channels_two_leave_two_thirds() -> None:
    """C27"""
    ranked = fused_many([hits(a=2, b=1), hits(a=2, b=1), hits(c=1)])

    found = {one.identity: one.score for one in ranked}
    assert found == pytest.approx({"a": 2 / 3, "b": 0.0, "c": 1 / 3})


def test_for_two_channels_both_variants_agree() -> None:
    """C27"""
    one, other = hits(a=3, b=2, d=1), hits(c=30, b=25, d=10)

    assert fused_many([one, other]) == fused_pair(one, other)


def test_a_channel_that_found_nothing_costs_nothing() -> None:
    assert fused_many([hits(a=2, b=1), []]) == fused_many([hits(a=2, b=1)])


def test_a_further_reading_of_the_query_adds_a_tenth() -> None:
    """K08: cross-variant."""
    ranked = fused_variants([[hits(a=2, b=1.5, c=1)], [hits(b=2, a=1.5, d=1)]])

    found = {one.identity: one.score for one in ranked}
    assert found == pytest.approx({"a": 0.85, "b": 0.85, "c": 0.0, "d": 0.0})
    assert {one.identity: one.found_by for one in ranked} == {"a": 2, "b": 2, "c": 1, "d": 1}


def test_a_bonus_does_not_lift_a_score_over_one() -> None:
    ranked = fused_variants([[hits(a=2)], [hits(a=5)], [hits(a=1)]])

    assert [(one.identity, one.score) for one in ranked] == [("a", 1.0)]


def test_no_channels_and_no_readings_give_nothing() -> None:
    assert fused_pair([], []) == []
    assert fused_many([]) == []
    assert fused_variants([]) == []


def test_one_named_twice_by_a_channel_counts_with_its_first_score() -> None:
    ranked = fused_many([[Hit("a", 2.0), Hit("b", 1.0), Hit("a", 1.0)]])

    assert {one.identity: one.score for one in ranked} == {"a": 1.0, "b": 0.0}


CHANNEL = st.lists(
    st.builds(Hit, st.sampled_from("abcdef"), st.none() | st.floats(-5, 5)), max_size=8
)


@given(st.lists(st.lists(CHANNEL, max_size=3), max_size=3))
def test_scores_are_within_bounds_and_best_first(variants: list[list[list[Hit[str]]]]) -> None:
    ranked = [one.score for one in fused_variants(variants)]

    assert all(0 <= score <= 1 for score in ranked)
    assert ranked == sorted(ranked, reverse=True)
