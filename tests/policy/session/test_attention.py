"""Attention in a session's working memory."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.session import attention
from actors.policy.session.attention import (
    COUNTER,
    Eviction,
    Settings,
    Tier,
    Trace,
)

NOW = 1_800_000_000.0
# Nothing holds a trace up, and a tenth is too little.
OF_CYCLES = Settings(decay=0.95, mention=0.0, floor=0.0, gone=0.1)


def trace(memory_id: str, *, at: float = NOW, score: float = 1.0, event: int = 0) -> Trace:
    return Trace(memory_id, score, event, at)


def test_attention_fades_with_events_and_grows_with_mentions() -> None:
    held = replace(trace("m", score=0.9), mentions=2)

    assert attention.attention(held, 3) == pytest.approx(0.652712, abs=1e-6)


def test_attention_never_leaves_its_bounds() -> None:
    assert attention.attention(trace("m"), 1000) == 0.05
    assert attention.attention(replace(trace("m"), mentions=50), 0) == 1.0


def test_nineteen_events_reach_the_floor() -> None:
    assert attention.attention(trace("m"), 18) > 0.05
    assert attention.attention(trace("m"), 19) == 0.05


@given(st.floats(0, 1), st.integers(0, COUNTER - 1), st.integers(0, 40), st.integers(0, 40))
def test_reading_attention_is_idempotent_and_only_distance_counts(
    score: float, anchor: int, one: int, other: int
) -> None:
    held = trace("m", score=score, event=anchor)
    sooner, later = sorted((one, other))

    early = attention.attention(held, (anchor + sooner) % COUNTER)
    assert attention.attention(held, (anchor + sooner) % COUNTER) == early
    assert attention.attention(held, (anchor + later) % COUNTER) <= early
    assert attention.attention(trace("m", score=score), sooner) == early


def test_the_counter_wraps() -> None:
    assert attention.next_event(COUNTER - 1) == 0
    assert attention.next_event(7) == 8


def test_focusing_anchors_anew() -> None:
    held = replace(trace("m", score=0.4), mentions=1)

    again = attention.focused(held, 9, NOW + 60, score=3.0)

    assert again == Trace("m", 1.0, 9, NOW + 60, mentions=0, focus_count=2)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0.8, Tier.FOCUSED),
        (0.79, Tier.ACTIVE),
        (0.5, Tier.ACTIVE),
        (0.49, Tier.PERIPHERAL),
        (0.2, Tier.PERIPHERAL),
        (0.19, Tier.FADING),
    ],
)
def test_attention_has_four_tiers(score: float, expected: Tier) -> None:
    assert attention.tier(score) is expected


def test_the_eighth_memory_evicts_the_one_focused_on_longest_ago() -> None:
    seven = [trace(f"m{i}", at=NOW + i) for i in range(7)]

    assert attention.crowded_out(seven, 0) == []
    assert attention.crowded_out([*seven, trace("m7", at=NOW + 7)], 0) == ["m0"]


def test_of_two_focused_on_together_the_smaller_id_goes() -> None:
    pair = [trace("b"), trace("a")]

    assert attention.crowded_out(pair, 0, Settings(capacity=1)) == ["a"]


def test_a_pinned_memory_is_never_evicted() -> None:
    pinned = [replace(trace(f"p{i}", at=NOW - 9), pinned=True) for i in range(2)]

    assert attention.crowded_out([*pinned, trace("m")], 0, Settings(capacity=2)) == ["m"]
    assert attention.crowded_out(pinned, 0, Settings(capacity=1)) == []


def test_the_least_attended_may_go_first_instead() -> None:
    settings = Settings(capacity=1, eviction=Eviction.LEAST_ATTENTION)
    weak_but_recent = trace("weak", at=NOW + 5, score=0.3)

    assert attention.crowded_out([trace("strong"), weak_but_recent], 0, settings) == ["weak"]


def test_nothing_fades_out_while_the_floor_is_above_the_limit() -> None:
    assert attention.faded_out([trace("m")], 10_000) == []


def test_by_the_older_rule_a_trace_fades_out_unless_pinned() -> None:
    held = [trace("m"), replace(trace("p"), pinned=True)]

    assert attention.faded_out(held, 44, OF_CYCLES) == []
    assert attention.faded_out(held, 45, OF_CYCLES) == ["m"]


@pytest.mark.parametrize(
    ("score", "causal", "expected"),
    [(0.9, 0, 0.135), (0.9, 0.1, 0.1), (0.9, 0.3, 0), (0.1, 0.1, 0.015), (-1, 0, 0)],
)
def test_search_is_boosted_up_to_a_common_ceiling(
    score: float, causal: float, expected: float
) -> None:
    assert attention.session_boost(score, causal) == pytest.approx(expected)
