"""How sure it is that there is an answer at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.evidence import answered, asked, unseen

shares = st.floats(0, 1)


def test_a_close_result_with_every_word_is_an_answer_and_a_far_one_is_none() -> None:
    """3.7 x .7 + 1.2 - 2.1 = 1.69, and 3.7 x .1 - 2.1 = -1.73 in log-odds."""
    assert answered(0.7, 1.0, 0.0) == pytest.approx(0.844, abs=0.001)
    assert answered(0.1, 0.0, 0.0) == pytest.approx(0.151, abs=0.001)


def test_without_a_vector_the_words_decide() -> None:
    assert answered(None, 1.0, 0.0) == pytest.approx(0.802, abs=0.001)
    assert answered(None, 0.0, 2.0) < 0.25


def test_what_stands_in_no_memory_is_weighed_by_how_telling_it_is() -> None:
    counts = {"graphql": 0, "schema": 0, "expose": 3}
    question = asked(counts, 1_000)

    assert unseen(question, counts) == pytest.approx(
        question.weights["graphql"] + question.weights["schema"]
    )
    assert unseen(question, {"graphql": 2, "schema": 1, "expose": 3}) == 0.0


@given(shares, shares, st.none() | shares, st.floats(0, 9), st.floats(0, 9))
def test_more_words_never_lower_it_and_more_that_is_unseen_never_raises_it(
    one: float, other: float, cosine: float | None, few: float, many: float
) -> None:
    fewer, more = sorted((one, other))
    less, much = sorted((few, many))

    assert answered(cosine, fewer, few) <= answered(cosine, more, few)
    assert answered(cosine, one, much) <= answered(cosine, one, less)
    assert 0 < answered(cosine, one, few) < 1


@given(shares, shares, shares)
def test_a_closer_vector_never_lowers_it(one: float, other: float, covered: float) -> None:
    near, far = max(one, other), min(one, other)

    assert answered(far, covered, 0.0) <= answered(near, covered, 0.0)
