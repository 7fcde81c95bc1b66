"""Proposals of a dream."""

import pytest

from actors.policy.dreams import proposals
from actors.policy.dreams.connection_graph import Connection, ConnectionKind
from actors.policy.dreams.noticing import Theme
from actors.policy.dreams.replay import replayed
from tests.policy.text.whole import whole


def theme(*projects: str | None) -> Theme:
    text = "Cursor pagination is quick"
    members = tuple(
        replayed(number, float(number), text, project=project)
        for number, project in enumerate(projects)
    )
    return Theme(members, ("cursor",))


def test_what_did_well_in_two_projects_is_proposed_for_everywhere() -> None:
    uses = {0: (2, 1), 1: (1, 1)}
    (found,) = proposals.lifts([theme("/a", "/b", "/b", None)], uses)

    assert (found.act, found.steps) == (
        "rescope", ((0, "now in a alone"), (1, "now in b alone"), (2, "now in b alone")),
    )  # fmt: skip
    assert found.reason == (
        "the same holds in 2 projects and went well 60% of the times it was followed"
    )


def test_nothing_is_lifted_that_was_never_used_or_belongs_to_the_user() -> None:
    assert proposals.lifts([theme("/a", "/b")], {}) == []
    assert proposals.lifts([theme("/a", None)], {0: (9, 0), 1: (9, 0)}) == []


def test_nothing_is_lifted_that_went_well_in_fewer_than_six_of_ten_uses() -> None:
    assert proposals.lifts([theme("/a", "/b")], {0: (59, 41)}) == []


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


def test_what_is_used_and_connected_is_proposed_as_general_knowledge() -> None:
    memories = [
        replayed(number, 0.0, "text", "fact", "episodic", accesses=uses)
        for number, uses in ((1, 3), (2, 2), (3, 9))
    ]
    edges = [
        Connection(one, other, ConnectionKind.SEMANTIC, strength, "")
        for one, other, strength in ((1, 2, 0.6), (1, 3, 0.6), (3, 2, 0.3))
    ]
    found = proposals.transfers(memories, edges)

    assert [(one.act, one.argument, one.steps) for one in found] == [
        ("retype", "semantic", ((1, ""),))
    ]
