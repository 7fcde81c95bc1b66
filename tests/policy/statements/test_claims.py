"""Hypotheses, facts, and what replaces what."""

import pytest
from msgspec.structs import replace

from actors.policy.statements import claims
from actors.policy.statements.claims import Claim, choice_text
from actors.policy.times.stated_times import Validity
from tests.tables import rows

NOW = 1_800_000_000.0
POSTGRES = Claim(subject="database", scope="/p", stated_at=NOW - 100)
SQLITE = Claim(subject="database", scope="/p", stated_at=NOW)


@pytest.mark.parametrize(
    ("text", "expected"),
    rows(__file__, "a_text_that_supposes_is_told_from_one_that_states"),
)
def test_a_text_that_supposes_is_told_from_one_that_states(text: str, expected: bool) -> None:
    assert claims.is_hedged(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The current database is Postgres.", "database"),
        ("current branch: main", "branch"),
        ("Current sprint = 12", "sprint"),
        ("the current version of node is 20", "version of node"),
        ("The currently used formatter is ruff", "formatter"),
        ("Ruth's current address is in Oslo", "ruth's address"),
        ("Ruth: my current address is in Oslo", "ruth: address"),
        ("Note: the current branch is main", "branch"),
        ("the current the database is X", "database"),
        ("Your current branch is main", None),
        ("Her current address is in Oslo", None),
        ("The current approach is slow", None),
        ("The current approach is causing timeouts", None),
        ("Here's my current code:\n```sh\nls\n```", None),
        ("Is the current branch main?", None),
        ("Hey Paul, the current branch is main", None),
        ("The current branch is main." + " It was cut in a hurry by the two of us." * 9, None),
        ("We use Postgres", None),
        ("see current http://example.org", None),
        ("The current user is ann; the current host is box", None),
        ("", None),
    ],
)
def test_what_is_called_current_has_a_subject(text: str, expected: str | None) -> None:
    assert claims.current_subject(text) == expected


def test_a_newer_claim_replaces_an_older_one_of_its_subject() -> None:
    assert claims.supersedes(SQLITE, POSTGRES)
    assert claims.supersedes(replace(SQLITE, status="noticed"), POSTGRES)
    assert not claims.supersedes(POSTGRES, SQLITE)


@pytest.mark.parametrize(
    ("incoming", "existing"),
    [
        (replace(SQLITE, subject=None), replace(POSTGRES, subject=None)),
        (replace(SQLITE, subject="cache"), POSTGRES),
        (replace(SQLITE, scope=None), POSTGRES),
        (replace(SQLITE, status="hypothesis"), POSTGRES),
        (SQLITE, replace(POSTGRES, status="refuted")),
        (SQLITE, replace(POSTGRES, validity=Validity(valid_until=NOW - 1))),
        (SQLITE, replace(POSTGRES, stated_at=NOW)),
    ],
)
def test_nothing_else_replaces_by_subject(incoming: Claim, existing: Claim) -> None:
    assert not claims.supersedes(incoming, existing)


def test_the_reason_names_the_subject_and_is_known_again() -> None:
    reason = claims.succession("database")

    assert "“database”" in reason
    assert claims.is_by_subject(reason)
    assert not claims.is_by_subject("a newer wording")


def test_a_choice_is_known_by_its_question() -> None:
    first, second = (choice_text("Where do they live?", [one]) for one in ("Redis.", "Cookies."))

    assert claims.current_subject(first) == claims.current_subject(second) is not None
    assert claims.current_subject(choice_text("Where else?", ["Redis."])) != claims.current_subject(
        first
    )
