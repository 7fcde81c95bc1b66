"""Utility: use is rewarded, being shown is not.

Row K32.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.utility import utility, utility_boosted


def test_three_uses_of_four_make_eight_tenths_into_eighty_nine_hundredths() -> None:
    """K32: .8 * (1 + .15 * .75)"""
    assert utility_boosted(0.8, 3, 4) == pytest.approx(0.89)


def test_what_was_never_used_or_never_returned_gains_nothing() -> None:
    assert utility_boosted(0.8, 0, 200) == 0.8
    assert utility_boosted(0.8, 0, 0) == 0.8
    assert utility(-1, 5) == 0.0


def test_more_uses_than_returns_count_as_always() -> None:
    assert utility_boosted(1.0, 9, 3) == pytest.approx(1.15)


@given(st.integers(0, 100), st.integers(1, 100))
def test_showing_it_once_more_without_use_never_helps(used: int, retrieved: int) -> None:
    assert utility(used, retrieved + 1) <= utility(used, retrieved)
