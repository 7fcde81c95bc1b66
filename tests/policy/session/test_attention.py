"""Attention of a session to its notes: it fades by prompts, and there is room for few."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.session.ledger import (
    FADED,
    HOT,
    LISTED,
    WHOLE,
    Settings,
    Tier,
    attended,
    attention,
)


@pytest.mark.parametrize(
    ("anchor", "border", "prompts"), [(WHOLE, HOT, 5), (WHOLE, FADED, 19), (LISTED, FADED, 13)]
)
def test_it_passes_each_border_after_so_many_prompts(
    anchor: float, border: float, prompts: int
) -> None:
    assert attention(anchor, prompts - 1) >= border > attention(anchor, prompts)


def test_the_most_attended_are_hot_and_the_next_are_warm() -> None:
    found = attended({1: 0.5, 2: 0.4, 3: 0.9, 4: 0.04})

    assert [(note, one.tier) for note, one in found.items()] == [
        (3, Tier.HOT),
        (1, Tier.HOT),
        (2, Tier.WARM),
    ]


def test_of_equals_the_newer_comes_first() -> None:
    assert list(attended({1: 1.0, 3: 1.0, 2: 1.0}, Settings(hot=1, warm=1))) == [3, 2]


@given(st.dictionaries(st.integers(1, 60), st.floats(0, 1)), st.integers(1, 6), st.integers(1, 12))
def test_there_is_never_more_than_there_is_room_for(
    notes: dict[int, float], hot: int, warm: int
) -> None:
    found = attended(notes, Settings(hot, warm))
    tiers = [one.tier for one in found.values()]

    assert tiers.count(Tier.HOT) <= hot
    assert tiers.count(Tier.WARM) <= warm
    assert all(one.attention >= FADED for one in found.values())
    left_out = [much for note, much in notes.items() if note not in found and much >= FADED]
    assert not left_out or max(left_out) <= min(one.attention for one in found.values())
