"""Short ids of memories, and the numbers that are read from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.short_ids import numbered, short_id


@pytest.mark.parametrize(
    ("reference", "number"),
    [("m1", 1), ("m1k", 56), ("mz", 35), ("m", None), ("M1", None), ("m1 ", None), ("x1", None)],
)
def test_a_reference_that_looks_like_a_short_id_has_a_number(
    reference: str, number: int | None
) -> None:
    """The ids that people see are in base 36."""
    assert numbered(reference) == number


@given(st.integers(0, 2**40))
def test_a_short_id_is_what_its_number_is_read_from(number: int) -> None:
    assert numbered(short_id(number)) == number
