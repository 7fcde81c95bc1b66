"""Whether the scores of an answer stand on anything."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.evidence import EvidenceGap, GapReason, evidence_gap, graph_gap


def test_a_result_that_stands_out_of_five_is_no_gap() -> None:
    """Mean .28, deviation .31; Z is 2."""
    told = evidence_gap([0.9, 0.125, 0.125, 0.125, 0.125])

    assert (told.gap, told.reason) == (False, GapReason.NONE)
    assert told.z == pytest.approx(2.0)


def test_five_scores_on_a_slope_are_a_gap() -> None:
    """Z under 1.5."""
    told = evidence_gap([0.5, 0.4, 0.3, 0.2, 0.1])

    assert (told.gap, told.reason) == (True, GapReason.FLAT)
    assert told.z == pytest.approx(math.sqrt(2))


def test_of_three_scores_z_says_nothing() -> None:
    """The highest Z of three is 1.414, which would always be a gap."""
    assert evidence_gap([0.9, 0.2, 0.1]) == EvidenceGap(False, GapReason.NONE, None, 0.9 - 0.2)
    assert evidence_gap([0.9, 0.85, 0.1]).reason is GapReason.FLAT


def test_a_best_score_under_the_least_is_a_gap() -> None:
    """.015, of reciprocal ranks."""
    assert evidence_gap([0.0149]).reason is GapReason.WEAK
    assert evidence_gap([0.0164]).reason is GapReason.NONE


def test_fewer_than_three_linked_memories_are_a_gap_before_the_search() -> None:
    assert [graph_gap(number) for number in (0, 2, 3)] == [True, True, False]


def test_nothing_found_is_a_gap() -> None:
    assert evidence_gap([]).reason is GapReason.NOTHING
    assert evidence_gap([math.nan]).reason is GapReason.NOTHING


@given(st.lists(st.floats(0.02, 1), max_size=12))
def test_the_reason_tells_of_every_gap(scores: list[float]) -> None:
    told = evidence_gap(scores)

    assert told.gap is (told.reason is not GapReason.NONE)
    assert (told.z is None) is (len(scores) < 5)


def test_equal_scores_are_flat_however_many() -> None:
    assert evidence_gap([0.3] * 6) == evidence_gap([0.3] * 5)
    assert evidence_gap([0.3] * 6).reason is GapReason.FLAT


@given(st.lists(st.floats(0, 1), min_size=5, max_size=40))
def test_z_never_exceeds_what_its_count_allows(scores: list[float]) -> None:
    z = evidence_gap(scores).z

    assert z is not None
    assert 0.0 <= z <= math.sqrt(len(scores) - 1) + 1e-6
