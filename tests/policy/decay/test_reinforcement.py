"""Use strengthens, exposure does not; opinions move confidence and rank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.decay import curve
from actors.policy.decay.curve import DAY, GRADES, Grade, Strength, Use

NOW = 1_800_000_000.0


def test_every_use_has_its_grade() -> None:
    assert set(GRADES) == set(Use)
    assert {use for use in GRADES if GRADES[use] is Grade.EASY} == {Use.EDITED_AFTER, Use.CONFIRMED}


def test_a_first_citation_sets_the_strength_of_good() -> None:
    after = curve.reviewed(Strength(), Use.CITED, NOW)

    graded = curve.graded(Strength(), Grade.GOOD, NOW)
    assert after == replace(graded, implicit_at=NOW)


def test_implicit_use_counts_once_in_twenty_four_hours() -> None:
    once = curve.reviewed(Strength(), Use.CITED, NOW)

    assert once is not None
    assert curve.reviewed(once, Use.EDITED_AFTER, NOW + DAY - 1) is None
    assert curve.reviewed(once, Use.CITED, NOW - 5) is None
    assert curve.reviewed(once, Use.EDITED_AFTER, NOW + DAY) is not None


def test_what_is_not_inferred_is_not_capped_and_follows_the_same_day_rule() -> None:
    once = curve.reviewed(Strength(), Use.CITED, NOW)
    assert once is not None

    again = curve.reviewed(once, Use.REINFORCED, NOW + 60)

    assert again == curve.graded(once, Grade.GOOD, NOW + 60)
    assert once.implicit_at == NOW


@given(st.lists(st.floats(0, DAY - 1), min_size=1, max_size=50))
def test_fifty_citations_in_a_day_do_not_pin_a_memory(times: list[float]) -> None:
    strength = Strength()
    for offset in sorted(times):
        strength = curve.reviewed(strength, Use.CITED, NOW + offset) or strength

    assert strength.reviews == 1


# ---- opinions


@pytest.mark.parametrize(
    ("verdicts", "score"),
    [
        ([], 0.5),
        ([True] * 4, 0.9),
        ([True] * 9, 1.0),
        ([False], 0.45),
        ([False] * 11, 0.0),
        ([True] * 5 + [False] * 3, 0.85),
    ],
)
def test_verdicts_move_the_confidence(verdicts: list[bool], score: float) -> None:
    confidence = 0.5
    for useful in verdicts:
        confidence = curve.validated(confidence, useful=useful)

    assert confidence == score


def test_a_suppression_hides_for_a_day() -> None:
    for hours, expected in ((0, True), (23.9, True), (24, False)):
        assert curve.is_suppressed(NOW, NOW + hours * 3600.0) is expected
    assert not curve.is_suppressed(None, NOW)


@pytest.mark.parametrize(("times", "left"), [(0, 1), (1, 0.85), (2, 0.7), (6, 0.2), (9, 0.2)])
def test_each_suppression_takes_more_of_a_score(times: int, left: float) -> None:
    assert curve.remaining(times) == pytest.approx(left)


@pytest.mark.parametrize(("confidence", "left"), [(0.5, 1), (0.45, 0.95), (0.6, 1.1), (0, 0.5)])
def test_a_verdict_moves_the_score_by_as_much_as_the_confidence(
    confidence: float, left: float
) -> None:
    assert curve.remaining(0, confidence) == pytest.approx(left)
