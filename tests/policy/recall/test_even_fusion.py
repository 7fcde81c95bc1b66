"""Fusing in which every channel counts alike: by hand, then what holds for all."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.fusion_methods import (
    agreement,
    by_places,
    by_relative_scores,
    normalised,
    places,
)

WORDS = {1: 8.0, 2: 4.0}
COSINES = {1: 0.3, 2: 0.6, 3: 0.15}

CHANNEL = st.dictionaries(st.integers(0, 9), st.floats(-1.0, 1.0), max_size=8)
CHANNELS = st.dictionaries(st.sampled_from(("words", "vectors", "late", "graph")), CHANNEL)


def whole(own: dict[int, dict[str, float]]) -> dict[int, float]:
    return {one: sum(shares.values()) for one, shares in own.items()}


# ---- places


def test_places_are_shared_by_equal_scores() -> None:
    assert places({5: 0.9, 6: 0.5, 7: 0.5, 8: 0.1}) == {5: 1, 6: 2, 7: 2, 8: 4}
    assert places({}) == {}


def test_the_first_of_all_channels_has_one() -> None:
    """1/61 of each of two channels and the bonus, divided by as much."""
    own = by_places({"words": {1: 8.0, 2: 4.0}, "vectors": {1: 0.6, 3: 0.3}})

    assert whole(own)[1] == pytest.approx(1.0)
    assert own[1]["words"] == own[1]["vectors"]
    assert own[2]["bonus"] == 0.0
    assert whole(own)[2] == pytest.approx((1 / 62) / (2 / 61 + 0.06))


def test_the_graph_counts_half_as_much_again() -> None:
    own = by_places({"graph": {1: 1.0}, "words": {2: 1.0}})

    assert whole(own)[1] == pytest.approx(1.5 * whole(own)[2])


def test_the_bonus_goes_by_overlap_and_strength() -> None:
    assert agreement(2, 3, 0.4) == pytest.approx(0.03)
    assert agreement(3, 3, 1.0) == 0.06
    assert agreement(1, 3, 1.0) == 0.0


def test_a_channel_that_found_nothing_is_absent() -> None:
    assert by_places({"words": WORDS, "vectors": {}}) == by_places({"words": WORDS})
    assert by_relative_scores({"words": WORDS, "vectors": {}}) == by_relative_scores(
        {"words": WORDS}
    )


@given(CHANNELS)
def test_places_give_scores_between_0_and_1_to_each_that_was_found(
    channels: dict[str, dict[int, float]],
) -> None:
    found = whole(by_places(channels))

    assert found.keys() == {one for each in channels.values() for one in each}
    assert all(0.0 < score <= 1.0 + 1e-9 for score in found.values())


@given(CHANNEL, CHANNEL)
def test_how_far_ahead_a_result_is_does_not_count_by_places(
    words: dict[int, float], cosines: dict[int, float]
) -> None:
    further = {one: score * 2 for one, score in words.items()}

    own = by_places({"words": words, "vectors": cosines})

    assert by_places({"words": further, "vectors": cosines}) == own


# ---- relative scores


def test_a_relative_score_of_one_channel_is_halved() -> None:
    """1 leads words, 2 leads vectors and is last by words."""
    own = by_relative_scores({"words": WORDS, "vectors": COSINES})

    assert whole(own) == pytest.approx({1: 0.5 + 1 / 6, 2: 0.5, 3: 0.0})


def test_of_three_channels_two_leave_two_thirds() -> None:
    """A mean of 1 in two of three."""
    own = by_relative_scores(
        {"words": {1: 2.0, 2: 1.0}, "vectors": {1: 0.9, 2: 0.1}, "late": {3: 1.0}}
    )

    assert whole(own)[1] == pytest.approx(2 / 3)


@given(CHANNELS)
def test_relative_scores_are_within_bounds(channels: dict[str, dict[int, float]]) -> None:
    found = whole(by_relative_scores(channels))

    assert found.keys() == {one for each in channels.values() for one in each}
    assert all(0.0 <= score <= 1.0 + 1e-9 for score in found.values())


# ---- one scale


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([2, 4, 3], [0, 1, 0.5]),
        ([0.07], [1]),
        ([0.3, 0.3], [1, 1]),
        ([], []),
        ([1, math.nan, 3, math.inf], [0, 0, 1, 0]),
        ([math.nan], [0]),
    ],
)
def test_scores_are_spread_over_the_whole_range(scores: list[float], expected: list[float]) -> None:
    assert normalised(scores) == expected


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_normalising_keeps_the_order_and_is_idempotent(scores: list[float]) -> None:
    once = normalised(scores)

    assert all(0 <= score <= 1 for score in once)
    order = sorted(range(len(scores)), key=lambda place: scores[place])
    assert [once[place] for place in order] == sorted(once)
    assert normalised(once) == pytest.approx(once)


def test_channel_scores_and_composite_scores_mix_on_one_scale() -> None:
    fused, composites = [0.0, 0.07], [0.0, 1.0]

    assert normalised(fused) == normalised(composites)
