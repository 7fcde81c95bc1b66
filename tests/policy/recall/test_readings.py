"""Several readings of one query, brought together.

Rows K15, K33.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.readings import (
    WORTH,
    Query,
    averaged_cosines,
    joined_cosines,
    joined_words,
)

SCORES = st.dictionaries(st.integers(0, 9), st.floats(0.01, 40.0), max_size=6)
COSINES = st.dictionaries(st.integers(0, 9), st.floats(-1.0, 1.0), max_size=6)


def test_the_best_of_another_reading_has_its_worth_of_the_querys_best() -> None:
    joined = joined_words({1: 6.0, 2: 2.0}, [{2: 10.0, 3: 5.0}], worth=0.8)

    assert joined == pytest.approx({1: 6.0, 2: 4.8, 3: 2.4})


def test_what_the_query_found_alone_keeps_its_score() -> None:
    assert joined_words({1: 6.0}, [{1: 3.0}]) == {1: 6.0}
    assert joined_cosines({1: 0.5}, [{1: 0.5}]) == {1: 0.5}


def test_a_query_that_found_nothing_is_answered_by_its_other_readings() -> None:
    assert joined_words({}, [{4: 10.0, 5: 5.0}], worth=0.8) == {4: 8.0, 5: 4.0}


def test_several_readings_are_measured_by_the_query_and_not_by_each_other() -> None:
    joined = joined_words({1: 10.0}, [{2: 3.0}, {3: 30.0}], worth=0.5)

    assert joined == {1: 10.0, 2: 5.0, 3: 5.0}


def test_a_cosine_with_another_reading_counts_less() -> None:
    joined = joined_cosines({1: 0.5, 2: 0.7}, [{1: 0.75, 2: 0.75, 3: 0.5, 4: -0.5}], worth=0.8)

    assert joined == pytest.approx({1: 0.6, 2: 0.7, 3: 0.4})


def test_the_middle_of_an_answer_counts_half() -> None:
    """K33"""
    assert averaged_cosines({1: 0.5, 2: 0.4}, {1: 0.75, 3: 0.5}) == {1: 0.625, 2: 0.4, 3: 0.5}


def test_without_other_readings_nothing_changes() -> None:
    assert joined_words({1: 6.0}, []) == {1: 6.0}
    assert joined_words({1: 6.0}, [{}]) == {1: 6.0}
    assert joined_cosines({1: -0.1}, [{}]) == {1: -0.1}
    assert Query() == Query("default", ())


@given(SCORES, st.lists(SCORES, max_size=3))
def test_another_reading_takes_nothing_away_and_never_leads(
    own: dict[int, float], others: list[dict[int, float]]
) -> None:
    joined = joined_words(own, others)

    assert joined.keys() == set(own).union(*others)
    assert all(joined[one] >= score for one, score in own.items())
    if own:
        assert max(joined.values()) == max(own.values())


@given(COSINES, st.lists(COSINES, max_size=3))
def test_a_joined_cosine_is_one_that_somebody_has(
    own: dict[int, float], others: list[dict[int, float]]
) -> None:
    for one, cosine in joined_cosines(own, others).items():
        offered = [WORTH * other[one] for other in others if one in other]
        assert cosine in [*offered, own.get(one)]
        assert cosine >= own.get(one, -1.0)
