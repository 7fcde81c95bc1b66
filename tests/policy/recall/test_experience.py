"""Experience with a memory in prompts moves the evidence that the next one needs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.candidates import QueryFacts
from actors.policy.recall.evidence import (
    MOST_AGAINST,
    SESSIONS,
    THRESHOLD,
    Asked,
    Reason,
    experience_shift,
    weighed,
)

QUESTION = Asked({"port": 1.0, "stage": 1.0, "database": 0.5})
TIMES = st.integers(0, 50)


def confidence(cosine: float, experience: float = 0.0) -> float:
    known = QueryFacts(cosines={1: cosine}, with_vector=True, experience={1: experience})
    return weighed(QUESTION, known, {1: frozenset({"port"})}, [1])[0].confidence


@pytest.mark.parametrize(
    ("useful", "useless", "unused", "expected"),
    [(0, 0, 0, 0.0), (0, 2, 0, -2.0), (1, 1, 0, -0.5), (0, 0, 1, 0.0), (0, 0, 2, -3.0), (0, 0, 9, -9.0), (9, 0, 0, 3.0), (1, 0, 9, 0.5)],
)  # fmt: skip
def test_each_judgement_and_neglect_has_its_weight(
    useful: int, useless: int, unused: int, expected: float
) -> None:
    assert experience_shift(useful, useless, unused) == expected


def test_what_was_judged_useless_for_two_prompts_needs_more_evidence() -> None:
    barely = next(one / 100 for one in range(100) if confidence(one / 100) >= THRESHOLD)
    judged = experience_shift(0, 2, 0)

    assert confidence(barely, judged) < THRESHOLD
    assert confidence(barely + 0.12, judged) >= THRESHOLD


def test_what_came_to_nothing_before_is_told_apart_from_what_is_not_close() -> None:
    found = frozenset({"port", "stage"})
    known = QueryFacts(cosines={1: 0.5, 2: 0.1}, with_vector=True)
    known.experience = dict.fromkeys((1, 2), experience_shift(0, 0, 9))
    judged = weighed(QUESTION, known, dict.fromkeys((1, 2), found), [1, 2])

    assert [one.reason for one in judged] == [Reason.WASTED, Reason.DISTANT]


@given(TIMES, TIMES, st.integers(0, SESSIONS))
def test_a_further_useless_never_makes_it_easier_and_a_further_useful_never_harder(
    useful: int, useless: int, unused: int
) -> None:
    now = experience_shift(useful, useless, unused)

    assert (
        MOST_AGAINST
        <= experience_shift(useful, useless + 1, unused)
        <= now
        <= experience_shift(useful + 1, useless, unused)
    )
    assert experience_shift(useful, useless, SESSIONS) <= now
