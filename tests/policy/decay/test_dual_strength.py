"""Storage and retrieval strength."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import curve, reinforcement
from actors.policy.decay.curve import FSRS6_DECAY

DAY = 86_400.0
NOW = 1_800_000_000.0


def test_a_rating_moves_retrieval_and_stability_within_their_bounds() -> None:
    assert reinforcement.promoted(0.5, 10) == pytest.approx((0.7, 15))
    assert reinforcement.promoted(0.9, 36_000) == (1, 36_500)
    assert reinforcement.demoted(0.5, 10) == pytest.approx((0.2, 5))
    assert reinforcement.demoted(0.3, 0.1) == (0.05, 0.1)


@pytest.mark.parametrize(
    ("uses", "lapses", "expected"), [(0, 0, 1.0), (3, 0, 1.3), (3, 2, 1.9), (500, 0, 10.0)]
)
def test_storage_is_told_by_what_the_store_counts(uses: int, lapses: int, expected: float) -> None:
    assert reinforcement.storage_of(uses, lapses) == pytest.approx(expected)


@given(st.floats(0.2, 0.999), st.floats(0.1, 1_000))
def test_a_curve_anchored_for_a_retrieval_stands_there(retrieval: float, s: float) -> None:
    begins = reinforcement.anchor(retrieval, s, NOW, FSRS6_DECAY)
    stands = curve.retrievability(s, (NOW - begins) / DAY, FSRS6_DECAY)

    assert begins <= NOW
    assert stands == pytest.approx(retrieval, abs=1e-6) or (NOW - begins) / DAY == 36_500


def test_what_is_whole_or_never_fades_is_anchored_now() -> None:
    assert reinforcement.anchor(1.0, 5.0, NOW, FSRS6_DECAY) == NOW
    assert reinforcement.anchor(0.5, float("inf"), NOW, FSRS6_DECAY) == NOW
    assert reinforcement.anchor(0.5, 0.0, NOW, FSRS6_DECAY) == NOW
    century = NOW - 36_500 * DAY
    assert reinforcement.anchor(0.05, 300.0, NOW, FSRS6_DECAY) == century
