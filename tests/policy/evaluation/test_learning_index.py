"""Learning index: what an agent says of itself before a task and after, as one number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.session.tasks import band, learning_index, trend

Scores = dict[str, float]
score = st.floats(min_value=0, max_value=100)


def said(knowledge: float, uncertainty: float, context: float) -> Scores:
    return {"knowledge": knowledge, "uncertainty": uncertainty, "context": context}


scores = st.builds(said, score, score, score)


@pytest.mark.parametrize(
    ("before", "after", "index"),
    [
        (said(40, 70, 50), said(80, 20, 90), 43.5),  # .4 * 40 + .35 * 50 + .25 * 40
        (said(50, 50, 50), said(50, 50, 50), 0.0),
        (said(0, 100, 0), said(100, 0, 100), 100.0),
        (said(80, 20, 90), said(40, 70, 50), -43.5),
    ],
)
def test_the_index_weighs_three_gains(before: Scores, after: Scores, index: float) -> None:
    assert learning_index(before, after) == index


@pytest.mark.parametrize(
    ("index", "name"),
    [
        (100, "significant"), (40, "significant"), (39.99, "moderate"),
        (15, "moderate"), (14.99, "incremental"), (5, "incremental"),
        (4.99, "execution"), (0, "execution"), (-0.01, "regression"),
    ],
)  # fmt: skip
def test_five_bands_begin_where_they_say(index: float, name: str) -> None:
    assert band(index) == name


@given(scores, scores)
def test_the_index_turns_its_sign_with_the_task_and_stays_within_a_hundred(
    one: Scores, other: Scores
) -> None:
    assert learning_index(one, other) == -learning_index(other, one)
    assert abs(learning_index(one, other)) <= 100


def test_a_history_rises_falls_or_is_steady_once_it_has_four_tasks() -> None:
    assert trend([10, 20, 40]) == ""
    assert trend([10, 10, 20, 20]) == "rising"
    assert trend([30, 30, 99, 20, 20]) == "falling"  # the middle counts for neither
    assert trend([10, 14, 12, 13]) == "steady"
