"""Importance tiers."""

import math

import pytest

from actors.policy.decay import states

DAY = 86_400.0


@pytest.mark.parametrize(
    ("tier", "importance"),
    [
        ("constitutional", 1.0),
        ("critical", 1.0),
        ("important", 0.8),
        ("normal", 0.5),
        ("temporary", 0.2),
        ("deprecated", 0.1),
        ("never heard of", 0.5),
        (None, 0.5),
    ],
)
def test_what_each_tier_is_worth(tier: str | None, importance: float) -> None:
    assert states.importance(tier) == importance


def test_the_temporary_ends_after_a_week() -> None:
    assert states.expires_at("temporary", 100.0) == 100.0 + 7 * DAY
    assert states.expires_at("normal", 100.0) == math.inf
    assert states.expires_at(None, 100.0) == math.inf
