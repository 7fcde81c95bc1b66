"""Patterns that a user adds to the redaction."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.secrets.redaction import MOST, BadPattern, redacted, with_patterns
from actors.policy.secrets.secret_values import MARKER
from tests.costs import ratio


def cleaned(text: str, *patterns: str) -> str:
    """The text without what the patterns, and the rules, take for a secret."""
    return with_patterns(redacted, patterns)(text)[0]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"acme_[a-z]+", "use acme_kiwi now", f"use {MARKER} now"),
        (r"\bEMP-\d{6}\b", "of EMP-004711, not EMP-1", f"of {MARKER}, not EMP-1"),
        (r"(?i)project falcon", "Project Falcon is on", f"{MARKER} is on"),
        (r"[A-Z]{3}-\d{4,8}", "see ABC-12345.", f"see {MARKER}."),
        (r"(?:[A-Z0-9]{4}-){3}[A-Z0-9]{4}", "key AB12-CD34-EF56-GH78", f"key {MARKER}"),
        (r"host(?:a|b)\.corp", "hosta.corp hostc.corp", f"{MARKER} hostc.corp"),
        (r"(?<![a-z])kunde\d+", "kunde12 xkunde13", f"{MARKER} xkunde13"),
        (r"Zürich-\w+", "in Zürich-Tresor", f"in {MARKER}"),
    ],
)
def test_what_a_pattern_matches_is_taken_out(pattern: str, text: str, expected: str) -> None:
    assert cleaned(text, pattern) == expected


def test_patterns_add_to_the_rules() -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2

    text, kinds = with_patterns(redacted, ["falcon"])(f"falcon {token}")

    assert text == f"{MARKER} {MARKER}"
    assert kinds == ["user-pattern", "github"]


def test_without_patterns_the_rules_are_what_they_were() -> None:
    assert with_patterns(redacted, []) is redacted


def test_redacting_again_changes_nothing() -> None:
    patterns = (r"RED", r"\[\w{1,20}\]")
    once = cleaned("RED and blue", *patterns)

    assert cleaned(once, *patterns) == once


def test_a_match_is_taken_to_the_end_of_its_word() -> None:
    assert cleaned("x acme_" + "k" * 5_000 + " y", r"acme_\w+") == f"x {MARKER} y"


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (r"(a+)+b", "a repeat within a repeat"),
        (r"acme(\w+\s*)+!", "a repeat within a repeat"),
        (r"acme(?:a|ab)*c", "a repeat within a repeat"),
        (r"acme(?:a|a)+c", "a repeat within a repeat"),
        (r"\w+@corp", "would cost too much: begin with 2 fixed characters"),
        (r".*secret", "would cost too much: begin with 2 fixed characters"),
        (r"acme.*x.*y", "would cost too much: bound its repeats"),
        (r"(ab)\1", "refers to a group"),
        (r"a*", "matches an empty text"),
        (r"", "matches an empty text"),
        (r"acme[[a]", "may mean another set"),
        (r"acme[a&&b]", "may mean another set"),
        (r"[", "is no regular expression"),
        (r"\S", "matches everything"),
        ("a" * 301, "the limit is 300"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused_in_one_line(pattern: str, why: str) -> None:
    with pytest.raises(BadPattern, match=why) as refused:
        with_patterns(redacted, [pattern])

    assert "\n" not in str(refused.value)


def test_there_are_not_too_many_patterns() -> None:
    with pytest.raises(BadPattern, match="there may be 50"):
        with_patterns(redacted, ["abc"] * (MOST + 1))


@pytest.mark.parametrize(
    ("pattern", "seed"),
    [
        (r"acme_\w+!", "acme_"),
        (r"ab[a-c]{0,40}[a-c]{0,40}x", "abc"),
        (r"[a-c]{1,8}[a-c]{1,8}x", "abc"),
        (r"(?:[A-Z0-9]{4}-){3,9}!", "AB12-"),
        (r"to(?:ken)? .*x", "token "),
    ],
)
def test_a_long_text_costs_in_proportion(pattern: str, seed: str) -> None:
    redact = with_patterns(lambda text: (text, []), [pattern])

    small, large = (partial(redact, (seed * size)[:size]) for size in (8_000, 32_000))

    assert ratio(large, small, 10, least=0.002) < 10


@given(st.text(alphabet="ab()[]{}|*+?.\\w1,", max_size=12), st.text(alphabet="ab1 ", max_size=60))
def test_whatever_is_accepted_can_be_used(pattern: str, text: str) -> None:
    try:
        redact = with_patterns(redacted, [pattern])
    except BadPattern:
        return

    assert redact(text)[0] is not None
