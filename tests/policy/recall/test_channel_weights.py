"""Weights of channels by intent, and document type."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.channel_weights import (
    PROFILES,
    Weights,
    channel_weights,
)


@pytest.mark.parametrize(
    ("intent", "weights"),
    [
        ("understand", (0.7, 0.2, 0.1, 0.15, 0.10)),
        ("find_spec", (0.7, 0.2, 0.1, 0.30, 0.10)),
        ("fix_bug", (0.4, 0.4, 0.2, 0.10, 0.15)),
        ("add_feature", (0.5, 0.3, 0.2, 0.20, 0.15)),
        ("refactor", (0.6, 0.3, 0.1, 0.15, 0.10)),
        ("find_decision", (0.5, 0.3, 0.2, 0.50, 0.15)),
        ("security_audit", (0.5, 0.3, 0.2, 0.15, 0.10)),
        ("no such intent", (0.5, 0.3, 0.2, 0.15, 0.10)),
    ],
)
def test_each_intent_has_its_profile(intent: str, weights: tuple[float, ...]) -> None:
    assert channel_weights(intent) == Weights(*weights)


def test_a_decision_is_sought_more_by_its_words() -> None:
    moved = channel_weights("fix_bug", "decision_record")

    assert (moved.vectors, moved.words) == pytest.approx((0.3, 0.5))
    assert channel_weights("fix_bug", "decision") == moved


def test_an_implementation_is_sought_more_among_what_is_recent() -> None:
    moved = channel_weights("understand", "implementation")

    assert (moved.vectors, moved.recency) == pytest.approx((0.6, 0.2))
    assert channel_weights("understand", "implementation_summary") == moved


def test_another_document_type_moves_nothing() -> None:
    assert channel_weights("refactor", "memory") == PROFILES["refactor"]


@given(
    st.sampled_from([*PROFILES, "other"]),
    st.sampled_from([None, "decision", "implementation", "plan"]),
)
def test_the_three_main_weights_always_sum_to_one(intent: str, kind: str | None) -> None:
    weights = channel_weights(intent, kind)

    assert weights.vectors + weights.words + weights.recency == pytest.approx(1.0)
