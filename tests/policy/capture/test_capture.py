"""Tagging and capture: the curves and windows, and that a turn shares something with a moment."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.decay import capture
from actors.policy.decay.capture import (
    HOUR,
    STRENGTHS,
    Decay,
    EventKind,
    Raised,
    TurnTagged,
    packed,
    score,
)

NOON = 1_800_000_000.0
A, B = frozenset({b"a" * 8}), frozenset({b"b" * 8})
FLAG = Raised(
    "flag", "user_flag", STRENGTHS[EventKind.USER_FLAG], NOON, "s", "/p", "", touched=packed(A)
)


def before(hours: float, turn: int = 1) -> TurnTagged:
    """A turn that ended so many hours before the flag and touched the same."""
    return TurnTagged(turn, turn, "s", "/p", NOON - hours * HOUR, packed(A))


def test_a_turn_is_captured_over_nine_hours_back_and_two_ahead() -> None:
    kept = [
        hours
        for hours in (9.01, 9, 3, 0, -2, -2.01)
        if capture.captured(before(hours), FLAG) is not None
    ]

    assert kept == [9, 3, 0, -2]


def test_each_weaker_moment_reaches_as_far() -> None:
    for strength in STRENGTHS.values():
        assert capture.captured(before(9), replace(FLAG, strength=strength)) is not None


@pytest.mark.parametrize(
    ("of_turn", "of_moment", "kept"),
    [(A, B, False), (A, A, True), (A | B, A, True), (A, A | B, False), (A | B, A | B, True)],
)
def test_a_turn_shares_two_things_with_a_moment_or_all_of_one_that_names_less(
    of_turn: frozenset[bytes], of_moment: frozenset[bytes], kept: bool
) -> None:
    turn, moment = (
        replace(before(1), touched=packed(of_turn)),
        replace(FLAG, touched=packed(of_moment)),
    )

    assert (capture.captured(turn, moment) is not None) is kept
    assert capture.captured(turn, replace(moment, touched=b"")) is None


@pytest.mark.parametrize(
    ("decay", "at_three"),
    [
        (Decay.EXPONENTIAL, math.exp(-4.605 / 3) ** 2),
        (Decay.LINEAR, (2 / 3) ** 2),
        (Decay.POWER, 0.75),
        (Decay.LOGARITHMIC, (1 - math.log(4) / math.log(10)) ** 2),
    ],
)
def test_each_curve_gives_its_own_score(decay: Decay, at_three: float) -> None:
    assert score(3, decay=decay) == pytest.approx(at_three)


def test_by_the_exponential_curve_a_flag_reaches_little_more_than_an_hour() -> None:
    assert capture.captured(before(1.1), FLAG, Decay.EXPONENTIAL) is not None
    assert capture.captured(before(1.2), FLAG, Decay.EXPONENTIAL) is None


@given(st.sampled_from(Decay), st.floats(0, 9), st.floats(0, 9))
def test_the_further_a_turn_is_the_less_it_scores(decay: Decay, one: float, other: float) -> None:
    near, far = sorted((one, other))

    assert score(near, decay=decay) >= score(far, decay=decay)


def test_a_sweep_takes_the_highest_scores_and_no_more_than_fifty() -> None:
    found = capture.sweep([before(turn / 10, turn) for turn in range(60, 0, -1)], FLAG)

    assert [taken.first_seq for taken in found] == list(range(1, capture.MOST + 1))
