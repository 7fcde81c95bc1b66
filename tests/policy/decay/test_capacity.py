"""How many of each state an answer holds."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import capacity
from actors.policy.decay.states import Lifecycle

HOT, WARM, COLD = Lifecycle.HOT, Lifecycle.WARM, Lifecycle.COLD
DORMANT, ARCHIVED = Lifecycle.DORMANT, Lifecycle.ARCHIVED


def counts(hot: int, warm: int, cold: int, dormant: int, archived: int) -> dict[Lifecycle, int]:
    return {HOT: hot, WARM: warm, COLD: cold, DORMANT: dormant, ARCHIVED: archived}


@pytest.mark.parametrize(
    ("available", "expected"),
    [
        (counts(20, 20, 20, 20, 20), counts(5, 10, 3, 2, 1)),
        (counts(8, 8, 8, 8, 8), counts(7, 8, 3, 2, 1)),  # two places of WARM go to HOT
        (counts(0, 40, 0, 0, 0), counts(0, 21, 0, 0, 0)),
        (counts(6, 0, 20, 0, 0), counts(6, 0, 15, 0, 0)),  # HOT first, the rest to COLD
        (counts(1, 1, 1, 1, 1), counts(1, 1, 1, 1, 1)),
        ({}, counts(0, 0, 0, 0, 0)),
    ],
)
def test_surplus_places_go_to_the_liveliest_overfull_state(
    available: dict[Lifecycle, int], expected: dict[Lifecycle, int]
) -> None:
    assert capacity.places(available) == expected


def test_the_order_of_an_answer_stays_and_the_best_of_each_state_are_kept() -> None:
    found = [("w1", WARM), ("h1", HOT), ("w2", WARM), ("h2", HOT), ("c1", COLD)]

    assert capacity.within_capacity(found, {HOT: 1, WARM: 1}) == ["w1", "h1"]
    assert capacity.within_capacity(found) == ["w1", "h1", "w2", "h2", "c1"]


@given(st.lists(st.sampled_from(Lifecycle), max_size=80))
def test_an_answer_is_as_full_as_it_can_be(states: list[Lifecycle]) -> None:
    found = [(f"m{number}", state) for number, state in enumerate(states)]

    kept = capacity.within_capacity(found)
    assert len(kept) == min(len(found), 21)
    by_state = Counter(state for memory_id, state in found if memory_id in set(kept))
    assert all(
        by_state[state] >= min(limit, Counter(states)[state])
        for state, limit in capacity.SEARCH.items()
    )


def test_a_prompt_gets_what_is_set_and_nothing_that_is_archived() -> None:
    found = capacity.injection(capacity.Settings(hot=1, warm=2, cold=3, dormant=4))

    assert dict(found) == {
        Lifecycle.HOT: 1, Lifecycle.WARM: 2, Lifecycle.COLD: 3, Lifecycle.DORMANT: 4,
    }  # fmt: skip
    default = capacity.injection(capacity.Settings())
    assert {state: n for state, n in default.items() if n} == {HOT: 5, WARM: 10}
    assert capacity.places(counts(2, 30, 30, 30, 30), default) == counts(2, 13, 0, 0, 0)
