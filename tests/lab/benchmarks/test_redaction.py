"""The scorer of redaction, and the shape of the frozen set."""

import hashlib
from pathlib import Path

import pytest

from lab.benchmarks.redaction import FROZEN, THIRD, Row, Tally, half_left, masked

# The sets are never edited: a change of one would make today's figures those of another set.
DIGESTS = {
    FROZEN: "9c4e5a051a1c870d1fe809e0b7c713cd5b1eaa1106fabda2b45c3b382202704e",
    THIRD: "5b87c376125334b44018c31556d005e2f1eda6a858049fa5eba6ba11ebb67f65",
}


@pytest.mark.parametrize("path", DIGESTS, ids=lambda path: path.name)
def test_a_frozen_set_is_the_one_that_was_made(path: Path) -> None:
    assert hashlib.sha256(path.read_bytes()).hexdigest() == DIGESTS[path]


def test_a_secret_counts_as_gone_when_the_whole_is_not_left() -> None:
    tally = Tally()

    tally.add(Row("pw abcdefghij", True, "x", "abcdefghij"), "pw [REDACTED]")
    tally.add(Row("pw abcdefghij", True, "x", "abcdefghij"), "pw abcdefghij")
    tally.add(Row("pw abcdefghij", True, "x", "abcdefghij"), "pw abcdefgh[REDACTED]")

    assert (tally.rows, tally.gone, tally.no_half) == (3, 2, 1)


def test_a_half_that_stands_elsewhere_in_the_text_is_not_left_of_the_secret() -> None:
    assert not half_left("harbour7x", "the harbour: harbour7x", "the harbour: [REDACTED]")
    assert half_left("harbour7x", "key harbour7x", "key harbour[REDACTED]")
    assert half_left("toor", "root:toor", "root:toor")


def test_a_whole_event_is_scored_with_its_command() -> None:
    event: dict[str, object] = {"tool_name": "Bash", "tool_response": {"stdout": "plain"}}

    assert "plain" in masked(Row("plain", False, "x", event=event)).splitlines()
