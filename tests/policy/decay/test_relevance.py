"""Relevance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay.archival import FLOOR, Use, relevance

DAYS = st.floats(0, 10_000)
SHARE = st.floats(0, 1)
USES = st.builds(
    Use,
    age=DAYS,
    importance=SHARE,
    unused=st.none() | DAYS,
    relations=st.integers(0, 500),
    confidence=st.none() | SHARE,
)


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (Use(0, 0.5), 0.51),  # 1 * .6 * 1 * 1 * .85
        (Use(0, 1.0), 0.765),  # 1 * .6 * 1 * 1.5 * .85
        (Use(1, 0.765, unused=0), 0.583756),  # .904837 * .6 * 1 * 1.265 * .85
        (
            Use(10, 0.5, relations=3, confidence=1.0),
            0.251041,
        ),  # .367879 * .481959 * 1.415888 * 1 * 1
        (Use(7, 0.5), 0.215863),  # .496585 * .511406 * 1 * 1 * .85: unused since it was made
        (Use(7, 0.5, unused=3, relations=2, confidence=0.8), 0.346447),
        (Use(90, 0.5, unused=0), FLOOR),  # 6.3e-5 before the floor: age alone does it
        (Use(365, 1.0), FLOOR),
    ],
)
def test_relevance_is_the_product_of_its_five_factors(use: Use, expected: float) -> None:
    assert relevance(use) == pytest.approx(expected, abs=1e-6)


def test_a_clock_that_went_back_makes_nothing_more_relevant() -> None:
    assert relevance(Use(-5, 0.5, unused=-5)) == relevance(Use(0, 0.5))


@given(USES)
def test_it_never_falls_under_the_floor(use: Use) -> None:
    assert relevance(use) >= FLOOR


@given(USES, DAYS)
def test_it_never_rises_with_age(use: Use, more: float) -> None:
    older = Use(use.age + more, use.importance, use.unused, use.relations, use.confidence)

    assert relevance(older) <= relevance(use) * (1 + 1e-12)


@given(USES, st.integers(1, 50))
def test_a_connection_never_takes_anything(use: Use, more: int) -> None:
    joined = Use(use.age, use.importance, use.unused, use.relations + more, use.confidence)

    assert relevance(joined) >= relevance(use) * (1 - 1e-12)
