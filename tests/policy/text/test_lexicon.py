"""Words that mean the same, exclude each other, or are of one kind."""

import pytest

from actors.policy.text.speech import MEANINGS, QUALIFIERS, meaning, of_one_kind, opposed


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("small", "tiny", True),
        ("deleting", "removed", True),
        ("repo", "repositories", True),
        ("k8s", "kubernetes", True),
        ("enabled", "disabled", False),
        ("redis", "kafka", False),
    ],
)
def test_words_that_mean_the_same_have_one_meaning(one: str, other: str, same: bool) -> None:
    assert (meaning(one) == meaning(other)) is same


def test_a_meaning_stands_for_itself() -> None:
    assert all(MEANINGS.get(shared, shared) == shared for shared in MEANINGS.values())


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("enabled", "disabled", True),
        ("activated", "disable", True),
        ("before", "after", True),
        ("after", "before", True),
        ("before", "before", False),
        ("red", "blue", False),
    ],
)
def test_opposites_exclude_each_other_both_ways(one: str, other: str, expected: bool) -> None:
    assert opposed(meaning(one), meaning(other)) is expected


def test_no_word_is_the_opposite_of_itself() -> None:
    assert not any(opposed(shared, shared) for shared in MEANINGS.values())


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("npm", "pnpm", True),
        ("postgres", "mysql", True),
        ("postgres", "postgresql", False),
        ("npm", "monday", False),
        ("npm", "anything", False),
    ],
)
def test_values_of_one_kind_replace_each_other(one: str, other: str, expected: bool) -> None:
    assert of_one_kind(meaning(one), meaning(other)) is expected


def test_staging_and_production_say_which_thing_is_meant() -> None:
    assert {meaning("staging"), meaning("prod"), meaning("production")} <= QUALIFIERS
