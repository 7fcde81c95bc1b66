"""Long computations in pieces: the same values, and many places to stop."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.night import pieces
from actors.policy.night.pieces import Pieces, in_order
from tests.policy.text.whole import whole


def counting(to: int) -> Pieces[int]:
    total = 0
    for number in range(to):
        total += number
        yield
    return total


def test_a_computation_run_at_one_go_gives_its_value() -> None:
    assert whole(counting(5)) == 10
    assert whole(counting(0)) == 0


@given(st.lists(st.integers(-5, 5)))
def test_what_is_sorted_in_pieces_is_sorted_and_stable(values: list[int]) -> None:
    numbered = list(enumerate(values))

    assert whole(in_order(numbered, lambda one: (one[1],))) == sorted(
        numbered, key=lambda one: one[1]
    )


def test_a_long_list_is_sorted_in_runs_with_a_place_to_stop_at_each_value() -> None:
    values = [(n * 7_919) % 10_007 for n in range(2 * pieces.RUN + 3)]
    stops = [*in_order(values, lambda one: (one,))]

    assert len(stops) == 2 * len(values)
    assert whole(in_order(values, lambda one: (one,))) == sorted(values)
