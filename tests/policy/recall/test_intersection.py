"""Memories near all of several concepts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.intersection import NotSeveral, asked_for, near_all
from actors.policy.text.concrete import Concept


def test_two_to_five_concepts_are_several() -> None:
    assert asked_for(["redis", '"time out"']) == (
        Concept("redis"),
        Concept("time out", quoted=True),
    )


@pytest.mark.parametrize(
    "texts",
    [["redis"], ["redis", "redis"], list("abcdef"), ["redis", "the"], ["redis", "x" * 201]],
    ids=["one", "one twice", "six", "nothing to look for", "too long"],
)
def test_what_is_not_several_concepts_is_refused(texts: list[str]) -> None:
    with pytest.raises(NotSeveral):
        asked_for(texts)


def test_only_what_is_near_every_concept_is_near_all() -> None:
    holding = [{1, 2}, {2, 3}]

    assert near_all(holding, [{3: 0.6}, {1: 0.4}]) == {2: 1.0, 3: 0.8}


def test_words_count_in_full_and_meaning_by_its_cosine() -> None:
    assert near_all([{1}, set()], [{1: 0.9}, {1: 0.5}]) == {1: 0.75}
    assert near_all([{1}, set()], [{}, {1: 0.49}]) == {}


def test_no_concepts_are_near_nothing() -> None:
    assert near_all([], []) == {}


def in_all(holding: list[set[int]]) -> set[int]:
    return {one for one in range(1, 7) if all(one in held for held in holding)}


HELD = st.lists(st.sets(st.integers(1, 6)), min_size=1, max_size=5)


@given(HELD)
def test_without_vectors_it_is_the_intersection(holding: list[set[int]]) -> None:
    assert set(near_all(holding, [])) == in_all(holding)


@given(HELD, st.lists(st.dictionaries(st.integers(1, 6), st.floats(-1, 1)), max_size=5))
def test_vectors_only_add_and_every_nearness_is_a_share(
    holding: list[set[int]], cosines: list[dict[int, float]]
) -> None:
    found = near_all(holding, cosines)

    assert set(found) >= in_all(holding)
    assert all(0 < near <= 1 for near in found.values())
