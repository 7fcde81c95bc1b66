"""Importance of four channels and the tracker."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.capture import importance
from actors.policy.capture.capture import EventKind
from actors.policy.capture.importance import (
    DAY,
    Channels,
    Conduct,
    How,
    Outcomes,
    Priority,
    changed,
    faded,
    helped,
    outcomes,
)
from actors.policy.decay.reinforcement import Use

CALM = Conduct(queries=0, edits=0, minutes=0.0, depth=0.0, topics=0)


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        (Channels(1, 0, 0, 0), 0.25),
        (Channels(0, 1, 0, 0), 0.30),
        (Channels(0, 0, 1, 0), 0.25),
        (Channels(0, 0, 0, 1), 0.20),
        (Channels(1, 1, 1, 1), 1.0),
        (Channels(0, 0, 0, 0), 0.05),
        (Channels(0.8, 0.5, 0.6, 0.4), 0.58),
        (Channels(), 0.125),
        (Channels(7, 7, 7, 7), 1.0),
    ],
)
def test_importance_of_the_four_channels(channels: Channels, expected: float) -> None:
    assert importance.importance(channels) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.81, Priority.CRITICAL),
        (0.8, Priority.HIGH),
        (0.61, Priority.HIGH),
        (0.6, Priority.NORMAL),
        (0.41, Priority.NORMAL),
        (0.4, Priority.LOW),
    ],
)
def test_priorities(value: float, expected: Priority) -> None:
    assert importance.priority(value) is expected


def test_promotion_is_proposed_above_85() -> None:
    assert importance.is_promotable(0.851)
    assert not importance.is_promotable(0.85)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (Outcomes(), 0.5),
        (Outcomes(helpful=5), 1.0),
        (Outcomes(unhelpful=5), 0.0),
        (Outcomes(helpful=1), 0.6),  # .5 * .8 + 1 * .2
        (Outcomes(helpful=1, unhelpful=1), 0.5),
        (Outcomes(very_helpful=2, unhelpful=3), 0.5),  # 3 against 3
        (Outcomes(helpful=4, unhelpful=1), 4 / 5),
    ],
)
def test_reward_of_outcomes(outcomes: Outcomes, expected: float) -> None:
    assert importance.reward(outcomes) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("conduct", "expected"),
    [
        (CALM, 0.0),
        (replace(CALM, queries=10, minutes=10, topics=0), 0.2),  # half of .4
        (replace(CALM, depth=1), 0.35),
        (replace(CALM, queries=1, minutes=1000, topics=1), 0.2502),
        (replace(CALM, queries=30, minutes=10, topics=30, depth=1), 1.0),
        (replace(CALM, queries=40, minutes=16, topics=0, depth=0), 0.6),  # learning
    ],
)
def test_attention_of_a_session(conduct: Conduct, expected: float) -> None:
    assert importance.attention(conduct) == pytest.approx(expected)


def test_learning_is_many_queries_few_edits_and_time() -> None:
    study = Conduct(queries=40, edits=11, minutes=16, depth=0.5, topics=5)

    assert importance.is_learning(study)
    assert not importance.is_learning(replace(study, queries=32))  # two a minute
    assert not importance.is_learning(replace(study, edits=12))  # .3 a query
    assert not importance.is_learning(replace(study, minutes=15))
    assert importance.attention(replace(study, topics=40, depth=1)) == 1.0


def test_a_spike_and_a_stir_are_events() -> None:
    stirred = Channels(arousal=0.6)

    assert importance.events(stirred, spike=True) == (
        EventKind.NOVELTY_SPIKE,
        EventKind.EMOTIONAL,
    )
    assert importance.events(Channels(arousal=0.59), spike=False) == ()


def test_a_tracked_importance_fades_by_cycles() -> None:
    assert importance.tracked(0.5, 1) == pytest.approx(0.475)
    assert importance.tracked(0.5, 2) == pytest.approx(0.45125)
    assert importance.tracked(0.5, 0) == importance.tracked(0.5, -3) == 0.5
    assert importance.tracked(0.5, 1000) == 0.01


UNIT = st.floats(0, 1)
COUNT = st.integers(0, 50)


@given(st.builds(Channels, UNIT, UNIT, UNIT, UNIT), UNIT)
def test_importance_is_bounded_and_rises_with_each_channel(channels: Channels, more: float) -> None:
    value = importance.importance(channels)
    louder = replace(channels, arousal=max(channels.arousal, more))

    assert 0.05 <= value <= importance.importance(louder) <= 1


@given(st.builds(Outcomes, COUNT, COUNT, COUNT))
def test_reward_is_a_fraction(outcomes: Outcomes) -> None:
    assert 0 <= importance.reward(outcomes) <= 1


@given(COUNT, COUNT, st.floats(0, 600), UNIT, COUNT)
def test_attention_is_a_fraction(
    queries: int, edits: int, minutes: float, depth: float, topics: int
) -> None:
    assert 0 <= importance.attention(Conduct(queries, edits, minutes, depth, topics)) <= 1


@given(UNIT, st.floats(0, 50), st.floats(0, 50))
def test_fading_twice_is_fading_once_for_the_sum(value: float, one: float, two: float) -> None:
    at_once = importance.tracked(value, one + two)

    assert importance.tracked(importance.tracked(value, one), two) == pytest.approx(at_once)


# ---- what the actor stands on


@pytest.mark.parametrize(
    ("how", "amount", "after"),
    [
        ("at_least", 0.4, 0.5),
        ("at_least", 0.6, 0.6),
        ("plus", 0.2, 0.7),
        ("plus", 0.9, 1.0),
        ("times", 1.15, 0.575),
        ("times", 0.95, 0.475),
        ("times", 0.001, 0.01),
        ("times", 9.0, 1.0),
    ],
)
def test_a_change_is_made_to_what_the_importance_is(how: How, amount: float, after: float) -> None:
    assert changed(0.5, how, amount) == pytest.approx(after)


@pytest.mark.parametrize(
    ("days", "left"), [(0, 0.8), (6.99, 0.8), (7, 0.76), (14, 0.722), (7e4, 0.01)]
)
def test_a_cycle_is_a_whole_week_without_news(days: float, left: float) -> None:
    assert faded(0.8, days * DAY, "normal") == pytest.approx(left)


def test_protected_memories_stop_at_their_tiers_importance() -> None:
    """Critical 1, important .8 (not protected), normal .5."""
    years = 1e4 * DAY

    assert faded(1.0, years, "critical") == 1.0
    assert faded(0.9, years, "important") == pytest.approx(0.01)
    assert faded(0.9, years, "normal", pinned=True) == 0.5
    assert faded(0.3, years, "normal", pinned=True) == 0.3


@given(value=st.floats(0.01, 1), first=st.floats(0, 1e8), second=st.floats(0, 1e8))
def test_fading_only_lowers_and_longer_lowers_more(
    value: float, first: float, second: float
) -> None:
    soon, late = sorted((first, second))

    assert 0.01 <= faded(value, late, "normal") <= faded(value, soon, "normal") <= value


def test_uses_tell_whether_a_memory_helped() -> None:
    assert [helped(use) for use in (Use.USEFUL, Use.CITED, Use.EDITED_AFTER, Use.CONFIRMED)] == [
        True
    ] * 4
    assert helped(Use.USELESS) is False
    assert [helped(use) for use in (Use.REINFORCED, Use.EXPOSED)] == [None] * 2
    assert outcomes([Use.USEFUL, Use.CITED, Use.USELESS]) == Outcomes(1, 1, 1)
