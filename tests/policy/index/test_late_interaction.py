"""Late interaction: each word of a query against the best word of a text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.index.sign_bits import (
    SLIGHT,
    TOKENS,
    Asked,
    bits,
    directions,
    met_by_each,
    rotated,
    shares,
    signs,
    weights,
)
from actors.policy.vectors import Floats

AXES = np.eye(8, dtype=np.float32)
# Rows whose signs are the numbers themselves, so that every cosine can be told by hand.
CORNERS = np.array(
    [[1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, -1, -1, -1, -1], [1, 1, 1, 1, 1, 1, -1, -1]], np.float32
) / np.sqrt(8)
ONE = np.ones(1, np.float32)


def asked(*rows: Floats) -> Asked:
    return Asked(
        np.stack(rows).astype("<f4").tobytes(), tuple("w" * (n + 1) for n in range(len(rows)))
    )


def kept(*rows: Floats) -> bytes:
    return signs(np.stack(rows))


def test_a_word_that_is_there_is_met_whatever_stands_beside_it() -> None:
    found = met_by_each(asked(CORNERS[0]), ONE, [kept(CORNERS[1], CORNERS[0], CORNERS[2])])

    assert found == [pytest.approx(1.0)]


def test_the_nearest_word_counts_above_the_floor() -> None:
    """Six of eight signs alike and two not make a cosine of .5, of which .25 lie above the floor."""
    text = kept(CORNERS[1], CORNERS[2])

    assert met_by_each(asked(CORNERS[0]), ONE, [text]) == [pytest.approx(0.25 / 0.75, abs=1e-6)]
    assert met_by_each(asked(CORNERS[0]), ONE, [kept(CORNERS[1])]) == [0.0]


def test_a_rare_word_counts_for_more() -> None:
    question, weighing = asked(CORNERS[0], CORNERS[1]), np.array([3.0, 1.0], np.float32)

    assert met_by_each(question, weighing, [kept(CORNERS[0])]) == [pytest.approx(0.75)]
    assert met_by_each(question, weighing, [kept(CORNERS[1])]) == [pytest.approx(0.25)]


def test_of_a_long_query_the_weightiest_tokens_count() -> None:
    question = asked(*[CORNERS[0]] * 8, *[CORNERS[1]] * TOKENS)
    weighing = np.array([1.0] * 8 + [2.0] * TOKENS, np.float32)

    found = met_by_each(question, weighing, [kept(CORNERS[1])])

    assert found == [pytest.approx(1.0)]


def test_without_tokens_on_either_side_nothing_is_known() -> None:
    text = kept(CORNERS[0])

    assert met_by_each(asked(CORNERS[0]), ONE, [b"", text, b""]) == [None, pytest.approx(1), None]
    assert met_by_each(asked(CORNERS[0]), ONE, [b""]) == [None]
    assert met_by_each(asked(CORNERS[0]), ONE, []) == []
    assert met_by_each(Asked(b"", ()), np.zeros(0, np.float32), [text]) == [None]


def test_words_weigh_by_their_stems_rarity() -> None:
    found = weights(["the", "ports", ",", "quux"], {"port": 2.0, "whale": 4.0})

    assert found.tolist() == pytest.approx([SLIGHT, 2.0, SLIGHT, 3.0])


def test_what_is_in_every_memory_weighs_no_less_than_a_stop_word() -> None:
    assert weights(["port"], {"port": 0.0}).tolist() == pytest.approx([SLIGHT])


@pytest.mark.parametrize("dimensions", [1, 24, 64, 384, 768])
def test_the_rotation_keeps_lengths_and_angles(dimensions: int) -> None:
    matrix = rotated(np.eye(dimensions, dtype=np.float32))

    assert np.abs(matrix @ matrix.T - np.eye(dimensions)).max() < 1e-5


def test_the_rotation_is_the_one_that_stores_were_made_with() -> None:
    """Another one would make everything that is kept noise."""
    assert signs(rotated(np.eye(384, dtype=np.float32)))[:6].hex() == "000000000000"


def test_directions_have_length_one_and_nothing_stays_nothing() -> None:
    found = directions(np.stack([3 * AXES[0], 0 * AXES[0]]))

    assert np.linalg.norm(found, axis=1).tolist() == pytest.approx([1, 0])


@given(st.lists(st.lists(st.booleans(), min_size=20, max_size=20), min_size=1, max_size=5))
def test_signs_come_back_as_they_were(rows: list[list[bool]]) -> None:
    units = np.where(np.array(rows), 1.0, -1.0).astype(np.float32)

    assert bits(signs(units), 20).astype(bool).tolist() == rows


ROWS = st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=6)


def at_random(*seeds: int) -> Floats:
    return directions(
        np.stack([np.random.default_rng(seed).standard_normal(48) for seed in seeds]).astype(
            np.float32
        )
    )


@given(ROWS, st.lists(ROWS, min_size=1, max_size=5))
def test_many_texts_at_once_are_met_as_one_by_one(query: list[int], texts: list[list[int]]) -> None:
    question, weighing = asked(*at_random(*query)), np.ones(len(query), np.float32)
    told = [signs(at_random(*text)) for text in texts]

    together = met_by_each(question, weighing, told)

    alone = [met_by_each(question, weighing, [text])[0] for text in told]
    assert together == pytest.approx(alone, abs=1e-5)
    assert all(score is not None and -1e-6 <= score <= 1 + 1e-6 for score in together)


@given(ROWS, ROWS, st.integers(0, 2**32 - 1))
def test_a_further_word_in_a_text_never_lowers_how_well_it_meets(
    query: list[int], text: list[int], more: int
) -> None:
    question, weighing = asked(*at_random(*query)), np.ones(len(query), np.float32)

    shorter, longer = met_by_each(
        question, weighing, [signs(at_random(*text)), signs(at_random(*text, more))]
    )

    assert shorter is not None
    assert longer is not None
    assert longer >= shorter - 1e-6


def test_shares_go_from_what_a_tenth_stays_under_to_the_best() -> None:
    found = shares({1: 0.2, 2: 0.6, 3: 1.0})

    assert found == pytest.approx({1: 0.0, 2: 0.5, 3: 1.0})
    assert shares({}) == {}
