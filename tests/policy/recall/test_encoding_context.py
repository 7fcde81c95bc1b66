"""How alike now is to when a memory was made."""

from dataclasses import astuple, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import encoding_context
from actors.policy.recall.encoding_context import WEIGHTS, Likeness, Mood, Situation

DAY = 86_400.0


def at(day: int, hour: int) -> Situation:
    """A moment of November 2026; the 2nd is a Monday."""
    return Situation(datetime(2026, 11, day, hour, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("then", "now", "expected"),
    [
        (at(2, 9), at(2, 9), 1.0),  # morning .3, Monday .2, within the hour .5
        (at(2, 9), at(2, 11), 0.75),  # within the day .25
        (at(2, 9), at(2, 13), 0.60),  # the next part of the day .15
        (at(2, 9), at(3, 9), 0.40),  # another workday .1, a day old
        (at(2, 9), at(9, 9), 0.50),  # another Monday
        (at(2, 9), at(7, 9), 0.30),  # a Saturday
        (at(7, 9), at(8, 9), 0.40),  # both at the weekend
        (at(2, 9), at(9, 19), 0.20),  # morning and evening have nothing in common
        (at(2, 23), at(9, 2), 0.50),  # 23:00 and 2:00 are both night; two Mondays
        (at(2, 23), at(10, 7), 0.25),  # night and morning are neighbours, workdays
        (at(2, 23), at(10, 20), 0.25),  # and so are evening and night
    ],
)
def test_likeness_in_time(then: Situation, now: Situation, expected: float) -> None:
    assert encoding_context.temporal(then, now) == pytest.approx(expected)


def test_parts_of_the_day_are_those_of_the_zone() -> None:
    then, now = at(2, 3), at(9, 6)
    assert encoding_context.temporal(then, now) == pytest.approx(0.35)  # night and morning

    nine_east = timezone(timedelta(hours=9))
    assert encoding_context.temporal(then, now, nine_east) == pytest.approx(0.5)  # afternoons
    four_west = timezone(timedelta(hours=-4))
    assert encoding_context.temporal(then, now, four_west) == pytest.approx(0.3)  # Sunday, Monday


@pytest.mark.parametrize(
    ("then", "now", "expected"),
    [
        ({"auth", "db"}, {"db", "ui"}, 1 / 3),
        ({"auth"}, {"auth"}, 1),
        ({"auth"}, set[str](), 0),
        (set[str](), set[str](), 1),
    ],
)
def test_likeness_of_topics(then: set[str], now: set[str], expected: float) -> None:
    one, other = Situation(0, frozenset(then)), Situation(0, frozenset(now))

    assert encoding_context.topical(one, other) == pytest.approx(expected)


HERE = Situation(0, session="s1", project="/p", activity="debugging", branch="main", file="a.py")
LATER = replace(HERE, session="s2")


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (replace(HERE, project=None), 1),
        (LATER, 1),
        (replace(LATER, project="/q"), 0.6),
        (replace(LATER, activity=None), 0.7),
        (replace(LATER, branch="dev"), 0.8),
        (replace(LATER, file="b.py"), 0.9),
    ],
)
def test_likeness_of_the_work(now: Situation, expected: float) -> None:
    assert encoding_context.session(HERE, now) == pytest.approx(expected)


def test_what_is_not_known_is_not_the_same() -> None:
    assert encoding_context.session(Situation(0), Situation(0)) == 0


@pytest.mark.parametrize(
    ("then", "now", "expected"),
    [
        (Mood(), Mood(), 1),
        (Mood(valence=-1), Mood(valence=1), 0.5),
        (Mood(arousal=0), Mood(arousal=1), 0.7),
        (Mood(dominance=0), Mood(dominance=1), 0.8),
        (Mood(-1, 0, 0), Mood(1, 1, 1), 0),
    ],
)
def test_likeness_of_mood(then: Mood, now: Mood, expected: float) -> None:
    one, other = Situation(0, mood=then), Situation(0, mood=now)

    assert encoding_context.emotional(one, other) == pytest.approx(expected)


def test_the_weights_are_those_of_the_table() -> None:
    assert astuple(WEIGHTS) == (0.20, 0.40, 0.25, 0.15)
    assert encoding_context.context_match(Likeness(1, 1, 1, 1)) == pytest.approx(1)
    assert encoding_context.context_match(Likeness(0.5, 0.25, 0.4, 0.8)) == pytest.approx(0.42)


def test_a_perfect_match_adds_three_tenths() -> None:
    assert encoding_context.context_boosted(0.5, 1) == pytest.approx(0.65)
    assert encoding_context.context_boosted(0.5, 0) == 0.5


def test_the_four_likenesses_are_found_together() -> None:
    then = replace(at(2, 9), topics=frozenset({"auth"}), project="/p")
    now = replace(at(3, 9), topics=frozenset({"auth"}), project="/p", mood=Mood(arousal=1))

    found = encoding_context.likeness(then, now)
    assert astuple(found) == pytest.approx((0.4, 1, 0.4, 0.7))


@given(st.floats(0, 4e9), st.floats(0, 4e9))
def test_a_match_is_a_share(then: float, now: float) -> None:
    found = encoding_context.likeness(Situation(then), Situation(now))

    assert 0 <= encoding_context.context_match(found) <= 1 + 1e-9
