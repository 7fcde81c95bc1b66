"""What may be done to a memory by a plan, how much, and whether it still may."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.decay import archival
from actors.policy.decay.archival import Step, Subject

HASH, OTHER = b"one", b"other"
PLAIN = Subject(1, HASH, "normal")
STEP = Step(1, HASH)


@pytest.mark.parametrize(
    ("living", "most"), [(0, 1), (1, 1), (39, 1), (40, 2), (255, 12), (931, 46)]
)
def test_a_run_takes_one_in_twenty_and_at_least_one(living: int, most: int) -> None:
    assert archival.most(living) == most


@given(st.integers(20, 1_000_000))
def test_never_more_than_a_twentieth(living: int) -> None:
    assert archival.most(living) <= living / 20


def test_pinned_constitutional_and_critical_are_outside_of_everything() -> None:
    assert archival.protection(replace(PLAIN, pinned=True)) == "it is pinned"
    assert archival.protection(replace(PLAIN, tier="critical")) == "it is critical"
    assert archival.protection(replace(PLAIN, tier="constitutional")) == "it is constitutional"
    assert archival.protection(replace(PLAIN, tier="important")) == ""


def test_what_was_judged_useful_is_not_taken_away() -> None:
    useful = replace(PLAIN, confidence=0.6, validations=1)

    assert archival.protection(useful) == "it was judged useful"
    assert archival.protection(replace(useful, confidence=0.5)) == ""
    assert archival.protection(replace(useful, validations=0)) == ""


@pytest.mark.parametrize(
    ("subject", "why"),
    [
        (None, "it is gone"),
        (replace(PLAIN, content_hash=OTHER), archival.CHANGED),
        (replace(PLAIN, ended="forgotten"), "it is forgotten already"),
        (replace(PLAIN, pinned=True), "it is pinned"),
        (replace(PLAIN, uses=1), "it was used since"),
        (PLAIN, ""),
    ],
)
def test_why_a_step_is_left_out(subject: Subject | None, why: str) -> None:
    assert archival.objection(STEP, subject) == why


def test_another_text_makes_all_of_it_stale_and_so_does_nothing_left() -> None:
    assert archival.staleness([archival.CHANGED, ""]) == archival.CHANGED
    assert archival.staleness(["it is pinned", ""]) == ""
    assert archival.staleness(["it is pinned"]) == "there is nothing left to do"
    assert archival.staleness([]) == "there is nothing left to do"
