"""Storage and retrieval strength: A28, A29, A30."""

from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import dual_strength, fsrs
from actors.policy.decay.dual_strength import VESTIGE, Condition, DualStrength

DAY = 86_400.0
NOW = 1_800_000_000.0

shares = st.floats(0, 1)


def test_a28_a_new_memory_has_a_retention_of_73_per_cent() -> None:
    new = DualStrength()

    assert dual_strength.retention(new.retrieval, new.storage) == pytest.approx(0.73)
    assert dual_strength.retention(0, 10) == pytest.approx(0.3)


def test_a28_recall_and_relearning_let_storage_grow_and_make_retrieval_whole() -> None:
    weak = DualStrength(storage=2.0, retrieval=0.2, anchored_at=NOW - DAY)

    assert dual_strength.recalled(weak, NOW) == DualStrength(2.1, 1.0, NOW)
    assert dual_strength.relearnt(weak, NOW) == DualStrength(2.3, 1.0, NOW)


def test_a28_storage_stays_between_one_and_ten() -> None:
    full = dual_strength.relearnt(DualStrength(storage=9.9), NOW)
    empty = dual_strength.recalled(DualStrength(storage=0.0), NOW)

    assert full.storage == 10
    assert empty.storage == pytest.approx(1.1)


def test_a28_retrieval_fades_on_the_one_curve() -> None:
    anchored = DualStrength(retrieval=1.0, anchored_at=NOW)

    assert dual_strength.retrieval_at(anchored, 10, NOW + 10 * DAY) == pytest.approx(0.9)
    # C01: the curve that was wrong there had .81 here.
    half = DualStrength(retrieval=0.5, anchored_at=NOW)
    later = dual_strength.retrieval_at(half, 5, NOW + 10 * DAY, fsrs.FSRS45_DECAY)
    assert later == pytest.approx(0.5 * 0.825029, abs=1e-6)


def test_a29_being_shown_changes_nothing_unless_asked_for() -> None:
    before = Condition(0.5, 0.6, 10)

    assert dual_strength.exposed(before) == before
    assert astuple(dual_strength.exposed(before, VESTIGE)) == pytest.approx((0.55, 0.62, 10))
    assert astuple(dual_strength.exposed(Condition(0.99, 0.99, 10), VESTIGE)) == (1, 1, 10)
    assert astuple(VESTIGE) == (0.05, 0.02)


def test_a30_promotion() -> None:
    promoted = dual_strength.promoted(Condition(0.5, 0.6, 10))

    assert astuple(promoted) == pytest.approx((0.7, 0.7, 15))
    assert astuple(dual_strength.promoted(Condition(0.9, 0.95, 36_000))) == (1, 1, 36_500)


def test_a30_demotion() -> None:
    demoted = dual_strength.demoted(Condition(0.5, 0.6, 10))

    assert astuple(demoted) == pytest.approx((0.2, 0.45, 5))
    assert astuple(dual_strength.demoted(Condition(0.3, 0.1, 0.1))) == (0.05, 0.05, 0.1)


@given(shares, shares, st.floats(0.1, 36_500))
def test_a30_nothing_leaves_its_bounds(retrieval: float, retention: float, s: float) -> None:
    before = Condition(retrieval, retention, s)

    for after in (
        dual_strength.exposed(before, VESTIGE),
        dual_strength.promoted(before),
        dual_strength.demoted(before),
    ):
        assert 0 <= after.retrieval <= 1
        assert 0 <= after.retention <= 1
        assert fsrs.STABILITY_MIN <= after.stability <= fsrs.STABILITY_MAX


@pytest.mark.parametrize(
    ("uses", "lapses", "expected"), [(0, 0, 1.0), (3, 0, 1.3), (3, 2, 1.9), (500, 0, 10.0)]
)
def test_a28_storage_is_told_by_what_the_store_counts(
    uses: int, lapses: int, expected: float
) -> None:
    assert dual_strength.storage_of(uses, lapses) == pytest.approx(expected)


@given(st.floats(0.2, 0.999), st.floats(0.1, 1_000))
def test_a30_a_curve_anchored_for_a_retrieval_stands_there(retrieval: float, s: float) -> None:
    begins = dual_strength.anchor(retrieval, s, NOW)
    stands = fsrs.retrievability(s, (NOW - begins) / DAY)

    assert begins <= NOW
    assert stands == pytest.approx(retrieval, abs=1e-6) or (NOW - begins) / DAY == 36_500


def test_a30_what_is_whole_or_never_fades_is_anchored_now() -> None:
    assert dual_strength.anchor(1.0, 5.0, NOW) == NOW
    assert dual_strength.anchor(0.5, float("inf"), NOW) == NOW
    assert dual_strength.anchor(0.5, 0.0, NOW) == NOW
    assert dual_strength.anchor(0.05, 300.0, NOW) == NOW - 36_500 * DAY  # at most a century
