"""The chances that the weights give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate.gate_features import INTERCEPT, WEIGHTS, Chances, chances, features, read


def judged(existing: str, incoming: str, similarity: float) -> Chances:
    return chances(features(read(existing), read(incoming), similarity))


def test_every_number_has_its_weights_and_no_other_has() -> None:
    numbers = features(read("Use tabs"), read("Use spaces"), 0.9)

    assert len(numbers) == len(WEIGHTS)


def test_the_weights_of_a_number_speak_for_one_outcome_against_the_others() -> None:
    assert all(abs(sum(weights)) < 0.03 for weights in (INTERCEPT, *WEIGHTS.values()))


def test_similarity_speaks_for_the_same_and_against_the_new() -> None:
    same, _, new, _ = WEIGHTS["similarity"]

    assert same > 0 > new


@pytest.mark.parametrize(
    "name", ["negated_close", "marker", "swapped", "swapped_kind", "opposite", "number"]
)
def test_what_cannot_both_hold_speaks_for_a_conflict_and_against_the_same(name: str) -> None:
    same, conflict, _, _ = WEIGHTS[name]

    assert conflict > 0 > same


def test_a_pair_of_each_relation_is_told_apart() -> None:
    same = judged("Remove unused imports", "Delete unused imports", 0.95)
    conflict = judged("The staging port is 5432", "The staging port is 5433", 0.97)
    new = judged("The billing API listens on 8080", "Commits are squashed on merge", 0.2)

    assert same.same > 0.9
    assert conflict.conflict > 0.9
    assert new.new > 0.9


@given(st.lists(st.floats(0, 6), min_size=len(WEIGHTS), max_size=len(WEIGHTS)))
def test_chances_add_up_to_one_at_most(values: list[float]) -> None:
    found = chances(values)

    assert found.same + found.conflict + found.new <= 1 + 1e-9
    assert min(found.same, found.conflict, found.new) >= 0
