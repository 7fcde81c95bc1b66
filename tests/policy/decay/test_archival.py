"""The archivist's rule."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.decay import archival
from actors.policy.decay.archival import Old, Settings

OLD = Old(age_days=31, factor=1.0, uses=0, sessions=3)
SAID = replace(OLD, uses=4, sessions=0, successor="m7")


LISTED = Old(21, math.inf, 0, 0, listing="a line at 30 starts over 11 days, never used")
OVER = Old(31, math.inf, 4, 0, over_days=31.0)


@pytest.mark.parametrize(
    ("old", "by_itself", "of_a_person"),
    [(LISTED, True, None), (OVER, True, None), (SAID, True, False), (OLD, False, False)],
)
def test_what_goes_by_itself_and_nothing_of_a_person(
    old: Old, by_itself: bool, of_a_person: bool | None
) -> None:
    assert archival.goes(old) is by_itself
    assert archival.goes(replace(old, is_stated=True)) is of_a_person
    assert archival.goes(replace(old, is_protected=True)) is None


@pytest.mark.parametrize(
    "old",
    [
        replace(OVER, over_days=30), replace(OLD, age_days=30), replace(SAID, age_days=30),
        replace(OLD, factor=2.0), replace(OLD, factor=math.inf), replace(OLD, uses=2),
        replace(OLD, sessions=2),
    ],
)  # fmt: skip
def test_each_border_keeps_it(old: Old) -> None:
    assert archival.goes(old) is None


def test_the_borders_are_settings() -> None:
    assert archival.goes(replace(OLD, age_days=2), Settings(age_days=1)) is False


def test_it_says_the_evidence_in_a_line() -> None:
    shown, said = archival.evidence(OLD), archival.evidence(SAID)

    assert shown == "shown in 3 sessions, never used, 31 days old"
    assert said == "m7 is newer and says it; not used since, 31 days old"
    assert archival.evidence(LISTED) == LISTED.listing
    assert archival.evidence(OVER) == "its time has been over for 31 days"
    assert archival.reason([shown]) == shown
    assert archival.reason([shown, said]) == f"{shown}; and 1 more like it"


@given(
    st.builds(
        Old,
        st.floats(0, 1_000),
        st.sampled_from([1.0, 1.5, 2.0, math.inf]),
        st.integers(0, 9),
        st.integers(0, 9),
        st.sampled_from(["", "m7"]),
        st.booleans(),
    )
)
def test_nothing_protected_young_or_without_evidence_ever_goes(old: Old) -> None:
    if archival.goes(old) is not None:
        assert not old.is_protected
        assert old.age_days > 30 * old.factor
        assert old.successor or (not old.uses and old.sessions >= 3)
