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


@pytest.mark.parametrize("old", [OLD, SAID])
def test_what_was_shown_and_never_used_goes_and_what_a_newer_one_says(old: Old) -> None:
    assert not archival.why_it_stays(old)


LISTED = Old(21, math.inf, 0, 0, listing="a line at 30 starts over 11 days, never used")
OVER = Old(31, math.inf, 4, 0, over_days=31.0)


@pytest.mark.parametrize(
    ("old", "by_itself"), [(LISTED, True), (OVER, True), (SAID, True), (OLD, False)]
)
def test_what_a_newer_one_says_what_is_over_and_what_left_the_page_goes_by_itself(
    old: Old, by_itself: bool
) -> None:
    assert not archival.why_it_stays(old)
    assert archival.goes_by_itself(old) is by_itself


@pytest.mark.parametrize("old", [LISTED, OVER, SAID, OLD])
def test_nothing_of_a_person_goes_by_itself(old: Old) -> None:
    said = replace(old, is_stated=True)

    assert not archival.goes_by_itself(said)
    assert bool(archival.why_it_stays(said)) is (old in (LISTED, OVER))


@pytest.mark.parametrize("old", [LISTED, OVER])
def test_what_is_protected_stays_on_every_path(old: Old) -> None:
    assert archival.why_it_stays(replace(old, protection="it is pinned")) == "it is pinned"


def test_what_is_over_for_a_month_or_less_stays() -> None:
    assert archival.why_it_stays(replace(OVER, over_days=30)) == "it does not fade"


@pytest.mark.parametrize(
    ("old", "why"),
    [
        (replace(OLD, age_days=30), "it is 30 days old, not over 30"),
        (replace(SAID, age_days=30), "it is 30 days old, not over 30"),
        (replace(OLD, factor=2.0), "it is 31 days old, not over 60"),
        (replace(OLD, factor=math.inf), "it does not fade"),
        (replace(OLD, uses=2), "it was used 2 times"),
        (replace(OLD, sessions=2), "it was shown in 2 sessions, not in 3"),
        (replace(OLD, protection="it is pinned"), "it is pinned"),
    ],
)
def test_each_border_keeps_it_and_says_so(old: Old, why: str) -> None:
    assert archival.why_it_stays(old) == why


def test_the_borders_are_settings() -> None:
    wide = Settings(age_days=1)

    assert not archival.why_it_stays(replace(OLD, age_days=2), wide)


def test_it_says_the_evidence_in_a_line() -> None:
    shown, said = archival.evidence(OLD), archival.evidence(SAID)

    assert shown == "shown in 3 sessions, never used, 31 days old"
    assert archival.evidence(replace(OLD, sessions=1)).startswith("shown in 1 session, never")
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
        st.sampled_from(["", "it is critical"]),
    )
)
def test_nothing_protected_young_or_without_evidence_ever_goes(old: Old) -> None:
    if not archival.why_it_stays(old):
        assert not old.protection
        assert old.age_days > 30 * old.factor
        assert old.successor or (not old.uses and old.sessions >= 3)
