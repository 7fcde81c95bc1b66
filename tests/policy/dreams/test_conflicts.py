"""Contradictions that a dream points at, and what only looks like one."""

from __future__ import annotations

import pytest

from actors.policy.dreams import conflicts, replay
from actors.policy.dreams.conflicts import Conflict
from actors.policy.dreams.replay import Replayed
from tests.policy.dreams import at_once

DAY = 86_400.0


def note(number: int, text: str) -> Replayed:
    return replay.replayed(number, number * 30 * DAY, text, "fact", "episodic", "/p")


def opposed(old: str, new: str, alike: float = 0.72) -> Conflict | None:
    return conflicts.conflict(note(1, old), note(2, new), alike)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "The export writes timestamps as Unix seconds",
            "The export writes timestamps as ISO 8601 strings",
        ),
        ("Sessions are stored as signed cookies", "Sessions are stored as rows in Postgres"),
        ("The importer is started by cron", "The importer is started by a webhook"),
        ("Audit logs are kept for 30 days", "Audit logs are kept for one year"),
    ],
)
def test_two_ends_of_one_sentence_exclude_each_other(old: str, new: str) -> None:
    assert opposed(old, new) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Released without a rollback script",
            "The rollback script was missing in the release",
        ),
        (
            "The card terminal crashed while it read the firmware of its reader",
            "The card terminal crashed again, reader firmware could not be read",
        ),
        (
            "The TLS certificate of the sandbox expired and nobody had noticed",
            "Another expired certificate on the sandbox host",
        ),
        (
            "The TLS certificate of the sandbox expired and nobody had noticed",
            "Sandbox was unreachable: its certificate had run out once more",
        ),
    ],
)
def test_what_says_the_same_thing_with_and_without_a_negation_is_none(old: str, new: str) -> None:
    assert opposed(old, new, 0.75) is None


def test_one_sentence_that_goes_on_where_the_other_ends_is_none() -> None:
    assert (
        opposed("The importer is started by cron", "The importer is started by cron jobs") is None
    )


def test_texts_that_lie_too_far_apart_exclude_nothing() -> None:
    assert (
        opposed("Audit logs are kept for 30 days", "Audit logs are kept for one year", 0.5) is None
    )


def test_two_of_a_row_of_events_exclude_nothing() -> None:
    text = "Release {} went out to the shops in the north"

    assert opposed(text.format(1), text.format(2), 0.95) is None


def test_what_one_session_says_first_and_last_excludes_nothing() -> None:
    old, new = (
        replay.replayed(n, n * DAY, text, "fact", "episodic", "/p", session="s1")
        for n, text in enumerate(("Logs are kept for 30 days", "Logs are kept for one year"))
    )

    assert conflicts.conflict(old, new, 0.9) is None


def test_a_long_text_needs_more_than_a_chance() -> None:
    """Of two long accounts the weights see a conflict wherever one has a negation."""
    wish = "We should follow the version that the vendor recommends officially"
    found = (
        "Read the version from errorVersion, not from the samples: the vendor has a floor in the"
        " plugin, and the workflow parses it from the pinned checkout on each nightly upgrade run"
    )

    assert opposed(wish, found, 0.6) is None


def test_texts_that_hardly_share_a_word_are_not_compared() -> None:
    one, other = (
        note(1, "The cache holds rendered pages of each tenant"),
        note(2, "The build uses ninja"),
    )

    assert at_once.conflicts([one, other], {1: [(2, 0.9)]}) == []


def test_of_many_pairs_the_most_alike_are_compared() -> None:
    texts = [f"Audit logs of service{n // 2} are kept for {30 + n} days" for n in range(8)]
    notes = [note(n + 1, text) for n, text in enumerate(texts)]
    near = {n: [(n + 1, 0.7 + n / 100)] for n in (1, 3, 5, 7)}

    assert [(one.older.id, one.newer.id) for one in at_once.conflicts(notes, near, compared=1)] == [
        (7, 8)
    ]


def test_a_standing_order_and_what_happened_once_are_none() -> None:
    rule = "Never deploy the ledger on Fridays after 14:00"

    assert opposed("Ledger 4.2 was released on Tuesday evening.", rule, 0.581) is None
