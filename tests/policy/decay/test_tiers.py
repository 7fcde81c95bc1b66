"""Importance tiers: B08, B09, C11."""

import math

import pytest

from actors.policy.decay import tiers

DAY = 86_400.0


@pytest.mark.parametrize(
    ("tier", "boost", "importance", "by_multiplier"),
    [
        ("constitutional", 3.0, 1.0, 0.5),
        ("critical", 2.0, 1.0, 0.375),
        ("important", 1.5, 0.8, 0.325),
        ("normal", 1.0, 0.5, 0.25),
        ("temporary", 0.5, 0.2, 0.15),
        ("deprecated", 0.0, 0.1, 0.025),
        ("never heard of", 1.0, 0.5, 0.25),
        (None, 1.0, 0.5, 0.25),
    ],
)
def test_b08_b09_c11_what_each_tier_is_worth(
    tier: str | None, boost: float, importance: float, by_multiplier: float
) -> None:
    assert tiers.boost(tier) == boost
    assert tiers.importance(tier) == importance
    assert tiers.importance_by_multiplier(tier) == pytest.approx(by_multiplier)


def test_b09_the_multiplied_importance_is_at_most_one() -> None:
    assert tiers.importance_by_multiplier("constitutional", 2.0) == 1


def test_b08_the_temporary_ends_after_a_week() -> None:
    assert tiers.expires_at("temporary", 100.0) == 100.0 + 7 * DAY
    assert tiers.expires_at("normal", 100.0) == math.inf
    assert tiers.expires_at(None, 100.0) == math.inf


def test_b08_search_ranks_by_tier_and_leaves_the_deprecated_out() -> None:
    found = [("d", "deprecated", 1.0)] + [(tier[0:3], tier, 0.4) for tier in tiers.TIERS]

    assert [memory_id for memory_id, _ in tiers.ranked(found)] == [
        "con",
        "cri",
        "imp",
        "nor",
        "tem",
    ]
    assert tiers.ranked([("x", "critical", 0.3)]) == [("x", 0.6)]


def test_b08_of_equals_the_higher_tier_leads_and_then_the_smaller_id() -> None:
    found = [("c", None, 0.6), ("b", "critical", 0.3), ("a", "normal", 0.6)]

    assert [memory_id for memory_id, _ in tiers.ranked(found)] == ["b", "a", "c"]
