"""Signs of contradiction between an incoming and a stored text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.gate.contradiction import (
    ONLY_IN_OLD,
    Contradiction,
    another_one,
    changed_name,
    changed_value,
    contradiction,
    opposite,
    topic_overlap,
)
from actors.policy.gate.gate_features import PATTERNS, Kind

MARKED = [
    (Kind.EXPLICIT, "This contradicts the rule that releases happen on Friday", 0.85),
    (Kind.OBSOLESCENCE, "The rule that releases happen on Friday is obsolete", 0.80),
    (Kind.OBSOLESCENCE, "The Friday release rule is deprecated", 0.80),
    (Kind.DEPRECATION, "Releases no longer happen on Friday", 0.75),
    (Kind.CORRECTION, "It is wrong that releases happen on Friday", 0.70),
    (Kind.PROHIBITION, "Releases should not happen on Friday", 0.65),
    (Kind.PROHIBITION, "Releases shouldn't happen on Friday", 0.65),
    (Kind.NEGATION, "Releases happen not on Friday but on Monday", 0.60),
    (Kind.REPLACEMENT, "Releases happen on Monday instead of Friday", 0.55),
    (Kind.CLARIFICATION, "Actually releases happen on Friday at noon", 0.45),
]
PLAIN = "Releases happen on Friday by a rule"


@pytest.mark.parametrize(("kind", "incoming", "confidence"), MARKED)
def test_each_marker_in_the_new_text_has_its_confidence(
    kind: Kind, incoming: str, confidence: float
) -> None:
    sign = contradiction(incoming, PLAIN)

    assert sign is not None
    assert sign.confidence >= confidence
    assert {pattern.confidence for pattern in PATTERNS if pattern.kind is kind} == {confidence}
    if sign.kind is not Kind.OPPOSITE:
        assert sign == Contradiction(kind, confidence)


def test_the_surest_marker_wins() -> None:
    both = "Actually the rule that releases happen on Friday is obsolete"

    assert contradiction(both, PLAIN) == Contradiction(Kind.OBSOLESCENCE, 0.80)


def test_a_marker_only_in_the_old_text_weighs_less() -> None:
    sign = contradiction(PLAIN, "Releases on Friday by this rule are deprecated")

    assert sign == Contradiction(Kind.OBSOLESCENCE, 0.80 * ONLY_IN_OLD)


@pytest.mark.parametrize(
    ("incoming", "existing"),
    [
        ("The Friday release rule is deprecated", "The release rule is deprecated"),
        ("Actually lunch is no longer at noon", "The parser uses LALR"),
        ("", "The parser uses LALR"),
        ("Releases happen on Friday at noon", PLAIN),
    ],
    ids=["in both texts", "about another topic", "of nothing", "no sign"],
)
def test_a_marker_in_both_or_about_another_topic_says_nothing(incoming: str, existing: str) -> None:
    assert contradiction(incoming, existing) is None


@pytest.mark.parametrize(
    ("incoming", "existing", "expected"),
    [
        ("The staging port is 5433", "The staging port is 5432", True),
        ("React v18 renders the app", "React 17 renders the app", True),
        ("The app needs Python 3.12.", "The app needs Python 3.12", False),
        ("The staging port is 5433", "The staging port is secret", False),
        ("Chapter 3 explains how plugins load", "The port of the database is 5432", False),
        ("порт стенда 5433", "порт стенда 5432", True),
        # A port or a version at the start of a sentence is a value, ...
        ("Port 5433 belongs to staging", "Port 5432 belongs to staging", True),
        ("Python 3.12 is what we run", "Python 3.11 is what we run", True),
        # ... another number in the subject's name another subject, ...
        ("Component 13 retries 5 times", "Component 12 retries 5 times", False),
        ("Worker #4 writes to the spool", "Worker #3 writes to the spool", False),
        # ... and several other numbers mean another thing of the same kind.
        ("The queue q3 retries 9 times", "The queue q4 retries 5 times", False),
    ],
)
def test_the_same_sentence_with_another_number_is_a_changed_value(
    incoming: str, existing: str, expected: bool
) -> None:
    assert changed_value(incoming, existing) is expected
    assert changed_value(existing, incoming) is expected
    if expected:
        assert contradiction(incoming, existing) is not None


@pytest.mark.parametrize(
    ("incoming", "existing", "expected"),
    [
        ("Unit tests run on vitest", "Unit tests run on jest", True),
        ("The billing API is deployed on Heroku", "The billing API is deployed on Fly", True),
        ("We use Redis", "We use Kafka", False),
        ("The queue runs on Redis", "Users sign in with Okta", False),
        ("Unit tests run on vitest", "Unit tests run on vitest and Node", False),
        ("Unit tests run at night", "Unit tests run on jest", False),
    ],
)
def test_the_same_sentence_with_another_name_is_a_changed_value(
    incoming: str, existing: str, expected: bool
) -> None:
    assert changed_name(incoming, existing) is expected
    if expected:
        sign = contradiction(incoming, existing)
        assert sign == Contradiction(Kind.CHANGED_VALUE, 0.60)


@pytest.mark.parametrize(
    ("incoming", "existing", "expected"),
    [
        ("Commits are not squashed on merge", "Commits are squashed on merge", True),
        ("Never squash commits", "Don't squash commits", False),
        ("Never merge without a review", "Merge after a review", False),
        ("Do not deploy on Friday", "Migrations run at night", False),
    ],
)
def test_the_same_sentence_negated_is_its_opposite(
    incoming: str, existing: str, expected: bool
) -> None:
    assert opposite(incoming, existing) is expected


def test_overlap_is_the_share_of_the_shorter_text() -> None:
    assert topic_overlap("database port", "the port of the staging database") == 1.0
    assert topic_overlap("database port", "kitchen recipe") == 0.0
    assert topic_overlap("12 34", "12 34") == 0.0


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_breaks_it_and_confidence_stays_in_bounds(one: str, other: str) -> None:
    sign = contradiction(one, other)

    assert sign is None or 0 < sign.confidence <= 1


@given(st.text(max_size=80))
def test_no_text_contradicts_itself(text: str) -> None:
    assert contradiction(text, text) is None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Component 12 retries 5 times", "Component 13 retries 5 times", True),
        ("Component 12 retries 5 times", "Component 12 retries 9 times", False),
        ("Port 5432 is open", "Port 5433 is open", False),
        ("Component 12 retries 5 times", "Components retry 5 times", True),
    ],
)
def test_a_counter_in_the_name_of_the_subject_tells_things_of_a_list_apart(
    one: str, other: str, expected: bool
) -> None:
    assert another_one(one, other) is expected
