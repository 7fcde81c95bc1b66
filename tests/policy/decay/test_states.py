"""Lifecycle states by forgetting and by disuse."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import curve, states
from actors.policy.decay.curve import FSRS6_DECAY
from actors.policy.decay.states import Lifecycle, Settings

HOT, WARM, COLD = Lifecycle.HOT, Lifecycle.WARM, Lifecycle.COLD
DORMANT, ARCHIVABLE = Lifecycle.DORMANT, Lifecycle.ARCHIVABLE


@pytest.mark.parametrize(
    ("idle_days", "expected"),
    [(2, HOT), (2.1, WARM), (14, WARM), (14.1, COLD), (60, COLD), (60.1, DORMANT), (90, DORMANT)],
)
def test_disuse_alone_lowers_the_state(idle_days: float, expected: Lifecycle) -> None:
    assert states.lifecycle(1.0, idle_days) == expected


def test_the_lower_of_the_two_bands_holds() -> None:
    assert states.lifecycle(0.5, 0) is WARM
    assert states.lifecycle(0.03, 1) is DORMANT
    assert states.lifecycle(0.5, 30) is COLD


def test_what_nobody_used_for_ninety_days_is_archivable_not_archived() -> None:
    assert states.lifecycle(0.43, 91) == ARCHIVABLE
    assert states.lifecycle(0.01, 1) == ARCHIVABLE


def test_a_protected_memory_is_always_hot() -> None:
    assert states.lifecycle(0.0, 1000, protected=True) == HOT
    assert states.is_protected("normal", pinned=True)
    assert states.is_protected("constitutional", pinned=False)
    assert states.is_protected("critical", pinned=False)
    assert not states.is_protected("important", pinned=False)
    assert not states.is_protected(None, pinned=False)


def test_the_classification_stretches_the_idle_bands() -> None:
    assert states.lifecycle(1.0, 4, factor=2) is HOT
    assert states.lifecycle(1.0, 100, factor=2) is COLD
    assert states.lifecycle(1.0, 1e6, factor=math.inf) is HOT
    assert states.lifecycle(1.0, 50, factor=0.5) == ARCHIVABLE


def test_ninety_days_without_use_pass_through_all_five_states() -> None:
    stability = curve.initial_stability("declarative", FSRS6_DECAY)
    seen = [
        states.lifecycle(curve.retrievability(stability, day, FSRS6_DECAY), day)
        for day in range(92)
    ]

    assert [seen[day] for day in (0, 3, 15, 61, 91)] == [HOT, WARM, COLD, DORMANT, ARCHIVABLE]


@given(st.floats(0, 1), st.floats(0, 200), st.floats(0, 200), st.floats(0.1, 5))
def test_more_disuse_never_makes_a_memory_livelier(
    retrievability: float, one: float, other: float, factor: float
) -> None:
    sooner, later = sorted((one, other))

    assert states.lifecycle(retrievability, later, factor=factor) <= states.lifecycle(
        retrievability, sooner, factor=factor
    )


@pytest.mark.parametrize(
    "wrong",
    [
        Settings(hot=0.2),
        Settings(warm=0.9),
        Settings(dormant=-0.1),
        Settings(hot=1.1),
    ],
)
def test_settings_that_make_no_order_are_refused(wrong: Settings) -> None:
    assert states.validated(wrong) == Settings()


def test_settings_in_order_are_kept() -> None:
    assert states.validated(Settings(hot=0.9)) == Settings(hot=0.9)
    assert states.lifecycle(0.85, 0, settings=Settings(hot=0.9)) is WARM
