"""Late interaction: each word of a query against the best word of a text.

Row K16.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.late_interaction import (
    Floats,
    Settings,
    directions,
    met,
    met_by_each,
    packed,
    rarity,
    unpacked,
)


def towards(*degrees: float) -> Floats:
    angles = np.radians(np.array(degrees, np.float32))
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


ONE = np.ones(1, np.float32)


def test_a_word_that_is_there_is_met_whatever_stands_beside_it() -> None:
    assert met(towards(0), ONE, towards(90, 0, 45)) == pytest.approx(1.0)


def test_the_nearest_word_counts_above_the_floor() -> None:
    """cos 60 is .5, of which .2 lie above the floor of .3, of .7."""
    assert met(towards(0), ONE, towards(60, 90)) == pytest.approx(0.2 / 0.7, abs=1e-6)
    assert met(towards(0), ONE, towards(60, 90), Settings(floor=0.0)) == pytest.approx(0.5)
    assert met(towards(0), ONE, towards(80)) == 0.0


def test_a_rare_word_counts_for_more() -> None:
    weights = np.array([3.0, 1.0], np.float32)

    assert met(towards(0, 90), weights, towards(0)) == pytest.approx(0.75)
    assert met(towards(0, 90), weights, towards(90)) == pytest.approx(0.25)


def test_rarity_by_hand() -> None:
    found = rarity([7, 8], {7: 9}, 100)

    assert found.tolist() == pytest.approx([math.log(11), math.log(101)])


def test_without_words_on_either_side_nothing_is_met() -> None:
    empty = np.zeros((0, 2), np.float32)

    assert met_by_each(towards(0), ONE, [empty, towards(0), empty]) == pytest.approx([0, 1, 0])
    assert met_by_each(towards(0), ONE, [empty]) == [0.0]
    assert met_by_each(towards(0), ONE, []) == []
    assert met(empty, np.zeros(0, np.float32), towards(0)) == 0.0


def test_directions_have_length_one_and_may_lose_a_centre() -> None:
    vectors = np.array([[3, 4], [1, 1]], np.float32)

    assert directions(vectors)[0].tolist() == pytest.approx([0.6, 0.8])
    assert directions(vectors, np.array([1, 1], np.float32))[1].tolist() == [0.0, 0.0]


ANGLES = st.lists(st.floats(0, 360), min_size=1, max_size=6)


@given(ANGLES, st.lists(ANGLES, min_size=1, max_size=5))
def test_many_texts_at_once_are_met_as_one_by_one(
    query: list[float], texts: list[list[float]]
) -> None:
    asked, weights = towards(*query), np.ones(len(query), np.float32)
    told = [towards(*text) for text in texts]

    together = met_by_each(asked, weights, told)

    assert together == pytest.approx([met(asked, weights, text) for text in told], abs=1e-6)
    assert all(-1e-6 <= score <= 1 + 1e-6 for score in together)


@given(ANGLES, ANGLES, st.floats(0, 360))
def test_a_further_word_in_a_text_never_lowers_how_well_it_meets(
    query: list[float], text: list[float], more: float
) -> None:
    asked, weights = towards(*query), np.ones(len(query), np.float32)

    longer = met(asked, weights, towards(*text, more))

    assert longer >= met(asked, weights, towards(*text)) - 1e-6


@given(ANGLES)
def test_what_was_packed_comes_back_almost_the_same(angles: list[float]) -> None:
    units = towards(*angles)

    assert np.abs(unpacked(packed(units)) - units).max() <= 1 / 254 + 1e-6
