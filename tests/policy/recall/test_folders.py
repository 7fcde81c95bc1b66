"""How much a folder of memories matters."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import folders
from actors.policy.recall.folders import Member


def test_the_example_comes_to_5553() -> None:
    members = [Member("normal", 7), Member("normal", 30), Member("normal", 60)]

    assert folders.folder_score("specs/042", members) == pytest.approx(0.5553, abs=1e-4)


@pytest.mark.parametrize(
    ("tier", "days", "expected"),
    [
        ("normal", 0, 1),
        ("normal", 10, 0.5),
        ("normal", 7, 0.588235),
        ("normal", -3, 1),
        ("normal", None, 0.5),
        ("normal", math.nan, 0.5),
        ("constitutional", 1000, 1),
        ("constitutional", None, 1),
    ],
)
def test_recency_of_a_memory(tier: str, days: float | None, expected: float) -> None:
    assert folders.recency(Member(tier, days)) == pytest.approx(expected, abs=1e-6)


def test_importance_is_the_average_of_the_tiers() -> None:
    tiers = ["constitutional", "critical", "important", "normal", "temporary", "deprecated"]
    members = [Member(tier, 0) for tier in tiers]

    # (1 + 1 + .8 + .5 + .3 + .1) / 6, and as recent and busy as can be
    assert folders.folder_score("x", members) == pytest.approx(0.65 + 0.30 * 3.7 / 6)
    unknown, normal = (folders.folder_score("x", [Member(tier, 0)]) for tier in (None, "normal"))
    assert unknown == normal


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("specs/z_archive/001", 0.1),
        ("z_archive", 0.1),
        ("specs/scratch/a", 0.2),
        ("specs/test-search", 0.2),
        ("specs/search-test", 0.2),
        ("prototype/x", 0.2),
        ("specs\\Prototype\\x", 0.2),
        ("specs/042-contest", 1.0),
        ("specs/testing", 1.0),
        ("scratchpad", 1.0),
    ],
)
def test_an_archive_or_a_trial_is_set_back(folder: str, expected: float) -> None:
    assert folders.archive_multiplier(folder) == expected


def test_several_of_a_tier_weigh_as_if_they_were_told_one_by_one() -> None:
    each = [Member("normal", 7), Member("normal", 30), Member("critical", 60), Member(None, 90)]

    together = [Member("normal", 7, 2), Member("critical", 60), Member(None, 90)]

    assert folders.folder_score("x", together) == pytest.approx(folders.folder_score("x", each))


def test_the_best_folder_comes_first_and_each_has_three_digits() -> None:
    members = [
        ("a", Member("temporary", 90)),
        ("b", Member("normal", 7, 3)),
        ("c/test-x", Member("critical", 0)),
    ]

    found = folders.folder_scores(members)

    assert list(found.items()) == [("b", 0.555), ("a", 0.22), ("c/test-x", 0.158)]


@given(st.lists(st.builds(Member, st.none() | st.just("normal"), st.none() | st.floats(0, 999))))
def test_a_score_is_a_share(members: list[Member]) -> None:
    assert 0 <= folders.folder_score("x", members) <= 1
