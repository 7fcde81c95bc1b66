"""Older rules by tier alone: A22, A25, A26."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import fsrs, tier_decay


@pytest.mark.parametrize(
    ("tier", "expected"),
    [
        ("constitutional", 1),
        ("critical", 3),
        ("important", 5),
        ("normal", 10),
        ("temporary", 20),
        ("scratch", 30),
        ("never heard of", 10),
        (None, 10),
    ],
)
def test_a22_time_passes_by_tier(tier: str | None, expected: float) -> None:
    assert tier_decay.felt_days(10, tier) == pytest.approx(expected)


def test_a22_a_constitutional_memory_is_at_nine_tenths_after_ten_days() -> None:
    felt = tier_decay.felt_days(10, "constitutional")

    assert fsrs.retrievability(1, felt, fsrs.FSRS45_DECAY) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("tier", "turns", "expected"),
    [
        ("normal", 1, 0.8),
        ("normal", 3, 0.512),
        ("temporary", 2, 0.36),
        ("important", 9, 1),
        ("constitutional", 9, 1),
        ("critical", 9, 1),
        ("deprecated", 9, 1),
        (None, 1, 0.8),
        ("normal", -4, 1),
    ],
)
def test_a25_a_turn_leaves_a_share_of_the_score(
    tier: str | None, turns: int, expected: float
) -> None:
    assert tier_decay.after_turns(1, tier, turns) == pytest.approx(expected)


def test_a26_less_than_a_thousandth_is_nothing() -> None:
    assert tier_decay.floored(0.001) == 0.001
    assert tier_decay.floored(0.000999) == 0
    assert tier_decay.after_turns(1, "temporary", 14) == 0


@given(st.floats(0, 1), st.integers(0, 50), st.sampled_from([*tier_decay.TURN_FACTORS]))
def test_a25_a_further_turn_never_adds(score: float, turns: int, tier: str) -> None:
    later = tier_decay.after_turns(score, tier, turns + 1)

    assert later <= tier_decay.after_turns(score, tier, turns) <= score
