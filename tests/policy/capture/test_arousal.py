"""Arousal of a text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.capture import arousal
from actors.policy.capture.arousal import KEYWORDS, VALENCES


def test_weights_of_arousal() -> None:
    shares = (
        arousal.SENTIMENT_SHARE,
        arousal.KEYWORDS_SHARE,
        arousal.PUNCTUATION_SHARE,
        arousal.CAPITALS_SHARE,
    )

    assert shares == (0.35, 0.30, 0.20, 0.15)
    assert arousal.LOUD == 0.3


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((1, 1, 1, 1), 1.0),
        ((1, 0, 0, 0), 0.35),
        ((0, 1, 0, 0), 0.30),
        ((0, 0, 1, 0), 0.20),
        ((0, 0, 0, 1), 0.15),
        ((0, 0, 0, 0.3), 0.0),  # capitals must exceed .3
        ((0, 0, 0, 0.4), 0.06),
        ((0.5, 0.5, 0.5, 0.5), 0.5),
    ],
)
def test_arousal_of_its_parts(parts: tuple[float, float, float, float], expected: float) -> None:
    assert arousal.weighed(*parts) == pytest.approx(expected)


def test_sentiment_is_the_normalised_sum_of_valences() -> None:
    assert arousal.sentiment("a great fix") == pytest.approx(2 / math.sqrt(4 + 15))
    assert arousal.sentiment("terrible, broken") == pytest.approx(-5 / math.sqrt(25 + 15))
    assert arousal.sentiment("rename the column") == 0


def test_a_negation_turns_a_word_near_it() -> None:
    assert arousal.sentiment("this isn't good") == pytest.approx(-0.74 / math.sqrt(0.74**2 + 15))
    assert arousal.sentiment("not one two three good") > 0


def test_urgent_words_add_up_and_repetition_does_not() -> None:
    assert arousal.urgency("a critical outage") == pytest.approx(1 - 0.1 * 0.1)
    assert arousal.urgency("critical critical") == pytest.approx(0.9)
    assert arousal.urgency("Deadline!") == pytest.approx(0.7)
    assert arousal.urgency("rename the column") == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [("done.", 0), ("why?", 0), ("no!", 1 / 3), ("what?!", 2 / 3), ("stop!!!!", 1), ("??", 2 / 3)],
)
def test_excited_punctuation(text: str, expected: float) -> None:
    assert arousal.punctuation(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("STOP DOING that thing", 0.5),
        ("STOP that thing", 0),  # one word is emphasis
        ("the API and the SQL", 0),
        ("MAX_SIZE and `HTTP JSON` and UTF8X", 0),
        ("", 0),
    ],
)
def test_shouted_words(text: str, expected: float) -> None:
    assert arousal.capitals(text) == expected


def test_an_outage_stirs_more_than_a_rename() -> None:
    calm = arousal.arousal("Rename the column to created_at.")
    upset = arousal.arousal("PRODUCTION DOWN!!! Critical outage, this is a disaster")

    assert calm == 0
    assert upset > 0.6


def test_the_lists_hold_words_in_their_ranges() -> None:
    assert all(1 <= abs(valence) <= 3 for valence in VALENCES.values())
    assert {round(weight, 1) for weight in KEYWORDS.values()} == {0.9, 0.7, 0.5}


@given(st.text(max_size=120))
def test_arousal_stays_within_bounds(text: str) -> None:
    assert -1 <= arousal.sentiment(text) <= 1
    assert 0 <= arousal.arousal(text) <= 1
