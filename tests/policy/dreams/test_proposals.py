"""Proposals of a dream."""

import pytest

from actors.policy.dreams import proposals
from actors.policy.dreams.replay import replayed
from tests.policy.text.whole import whole

LONG = "Invoices are rendered by the worker Quill and kept for seven years"


@pytest.mark.parametrize(
    ("newer", "kind", "alike", "expected"),
    [
        (LONG + " in Glacier", "fact", 0.93, [[1]]),
        (LONG + " in Glacier", "fact", 0.89, []),
        (LONG + " in Glacier", "decision", 0.93, []),
        ("Invoices of Heron are rendered elsewhere", "fact", 0.93, []),
    ],
    ids=["says all of it", "less alike", "of another kind", "says something else"],
)
def test_the_older_of_near_twins_is_proposed_to_be_put_away(
    newer: str, kind: str, alike: float, expected: list[list[int]]
) -> None:
    memories = [replayed(1, 1.0, LONG, "fact"), replayed(2, 2.0, newer, kind)]
    found = whole(proposals.twins(memories, {(1, 2): alike}))

    assert [[memory for memory, _ in one.steps] for one in found] == expected
