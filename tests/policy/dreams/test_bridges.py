"""Bridges: what is about one thing that hardly another memory names is connected."""

from __future__ import annotations

import pytest

from actors.policy.night.connection_graph import ConnectionKind, bridging, is_bridge
from actors.policy.night.replay import Replayed, replayed
from tests.policy.dreams import at_once
from tests.policy.text.whole import whole

INVOICES = "Invoices are rendered by the worker Quill."
FONT = "Quill needs the font package noto-extra in its image."
LISBON = "The office in Lisbon has no kitchen until May."


def told(*texts: str, project: str | None = "/shop") -> list[Replayed]:
    """Memories with these texts, a day apart, told apart as a dream does."""
    return at_once.told_apart(
        [replayed(n, 86_400.0 * n, text, project=project) for n, text in enumerate(texts, 1)]
    )


def test_a_name_that_two_memories_have_joins_them() -> None:
    assert whole(bridging(told(INVOICES, LISBON, FONT))) == {(1, 3)}


def test_a_name_that_four_memories_have_joins_none_of_them_alone() -> None:
    many = [f"Quill {what}." for what in ("stopped", "restarted", "crashed", "waited")]

    assert whole(bridging(told(*many))) == frozenset()


def test_two_names_that_four_memories_have_join_them() -> None:
    many = [f"Quill and Heron {what}." for what in ("stopped", "restarted", "crashed", "waited")]

    assert len(whole(bridging(told(*many)))) == 6


def test_two_projects_are_not_joined() -> None:
    one, other = told(INVOICES, project="/shop")[0], replayed(2, 0.0, FONT, project="/bank")

    assert whole(bridging([one, other])) == frozenset()


def test_memories_that_are_not_alike_are_connected_over_what_only_they_name() -> None:
    """No neighbour in vector space: the strength is that of a bridge, and the evidence says so."""
    (found,) = at_once.connections(told(INVOICES, LISBON, FONT), {})

    assert (found.one, found.other, found.kind) == (1, 3, ConnectionKind.COMPLEMENTARY)
    assert found.strength == pytest.approx(0.7)
    assert found.evidence == "1 shared concept that few others have, 2 days apart"


def test_memories_that_are_alike_anyway_are_connected_as_they_were() -> None:
    (found,) = at_once.connections(told(INVOICES, LISBON, FONT), {1: [(3, 0.55)]})

    assert found.strength == pytest.approx(0.55)
    assert "similarity 0.55" in found.evidence


def test_what_one_thing_joins_makes_no_group_but_two_do() -> None:
    """Episodes and what becomes general knowledge rest on more than one word."""
    (one,) = at_once.connections(told(INVOICES, LISBON, FONT), {})
    (two,) = at_once.connections(told("Quill feeds Heron.", LISBON, "Heron waits for Quill."), {})

    assert is_bridge(one)
    assert two.kind is ConnectionKind.SHARED_CONCEPT
    assert not is_bridge(two)
