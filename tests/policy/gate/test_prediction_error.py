"""The gate of another system as a preset: C-08, C-09, C-12, C-15."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate import prediction_error
from actors.policy.gate.prediction_error import (
    Create,
    CreateReason,
    Decision,
    Merge,
    MergeStrategy,
    Neighbour,
    Settings,
    Supersede,
    SupersedeReason,
    Update,
    UpdateType,
)


@pytest.mark.parametrize(
    ("neighbour", "expected"),
    [
        (Neighbour("m", 0.92), UpdateType.REINFORCE),
        (Neighbour("m", 0.92, demoted=True, contradictory=True), UpdateType.REINFORCE),
        (Neighbour("m", 0.9199), UpdateType.MERGE),
        (Neighbour("m", 0.75), UpdateType.MERGE),
        (Neighbour("m", 0.75, demoted=True), SupersedeReason.IMPROVEMENT),
        (Neighbour("m", 0.9, demoted=True, contradictory=True), SupersedeReason.IMPROVEMENT),
        (Neighbour("m", 0.9, contradictory=True), SupersedeReason.CORRECTION),
        (Neighbour("m", 0.70, contradictory=True), SupersedeReason.CORRECTION),
        (Neighbour("m", 0.7499, demoted=True), CreateReason.HIGH_PREDICTION_ERROR),
        (Neighbour("m", 0.6999, contradictory=True), CreateReason.HIGH_PREDICTION_ERROR),
        (Neighbour("m", 0.7499), CreateReason.HIGH_PREDICTION_ERROR),
    ],
)
def test_c08_the_first_rule_that_holds_decides(
    neighbour: Neighbour, expected: UpdateType | SupersedeReason | CreateReason
) -> None:
    """C-08, C-09."""
    decision = prediction_error.decide([neighbour])

    assert decision.prediction_error == pytest.approx(1 - neighbour.similarity)
    match decision:
        case Create(reason=found) | Supersede(reason=found) | Update(type=found):
            assert found is expected
        case Merge():
            pytest.fail("one neighbour is not merged")


def test_c08_two_that_are_alike_are_combined() -> None:
    """C-08: .675 is in; with one alone a new memory is made."""
    pair = [Neighbour("b", 0.675), Neighbour("a", 0.74), Neighbour("c", 0.674)]

    decision = prediction_error.decide(pair)
    assert decision == Merge(("a", "b"), MergeStrategy.COMBINE, 1 - 0.74)
    assert isinstance(prediction_error.decide(pair[1:]), Create)


def test_c08_with_nothing_near_everything_is_an_error() -> None:
    """C-08, C-09."""
    found = prediction_error.decide([])

    assert found == Create(CreateReason.NO_SIMILAR_MEMORIES, 1.0)


def test_c15_a_strong_memory_is_not_merged_into_when_asked() -> None:
    """C-15: an option, and off."""
    strong = Neighbour("m", 0.8, retention=0.9)

    assert isinstance(prediction_error.decide([strong]), Update)
    gated = prediction_error.decide([strong], Settings(strongest=0.7))
    assert isinstance(gated, Create)
    assert gated.related == ("m",)


def test_c12_answers_are_counted() -> None:
    """C-12."""
    similarities: tuple[tuple[float, ...], ...] = ((0.95,), (0.8,), (0.7, 0.69), (0.2,))
    decisions: list[Decision] = [
        prediction_error.decide([Neighbour(f"m{at}", one) for at, one in enumerate(near)])
        for near in similarities
    ]

    tally = prediction_error.tallied(decisions)
    assert (tally.total, tally.creates, tally.updates) == (4, 1, 2)
    assert (tally.supersedes, tally.merges, tally.rate(tally.merges)) == (0, 1, 0.25)
    assert prediction_error.tallied([]).rate(0) == 0.0


@given(st.permutations([Neighbour(f"m{at}", 0.5 + at / 20, at == 3) for at in range(9)]))
def test_c08_the_order_of_neighbours_changes_nothing(near: list[Neighbour]) -> None:
    """C-08."""
    assert prediction_error.decide(near) == prediction_error.decide(near[::-1])
