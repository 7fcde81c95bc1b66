"""Walking the causal graph: relations, lineage and boosts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph import causal
from actors.policy.graph.causal import (
    MULTIPLIERS,
    Direction,
    Edge,
    InvalidLink,
    Relation,
    Step,
)


def edges(*links: str) -> list[Edge]:
    """Edges of "a caused b" or "a supports b .5"; their ids are their places."""
    made: list[Edge] = []
    for number, link in enumerate(links):
        source, relation, target, strength = (*link.split(), "1")[:4]
        made.append(Edge(str(number), source, target, Relation(relation), float(strength)))
    return made


def reached(steps: tuple[Step, ...]) -> list[tuple[str, int]]:
    return [(step.memory_id, step.hops) for step in steps]


def test_a_link_keeps_what_was_asked_for() -> None:
    made = causal.edge("1", "a", "b", "derived_from", 0.5, "ADR 3")

    assert made == Edge("1", "a", "b", Relation.DERIVED_FROM, 0.5, "ADR 3")
    assert causal.edge("1", "a", "b", "caused").strength == 1.0
    assert (made.other("a"), made.other("b")) == ("b", "a")


@pytest.mark.parametrize(
    ("source", "relation", "strength"),
    [
        ("a", "related_to", 1.0),
        ("a", "explains", 1.0),
        ("a", "", 1.0),
        ("b", "caused", 1.0),
        ("a", "caused", 1.1),
        ("a", "caused", -0.1),
        ("a", "caused", float("nan")),
    ],
)
def test_other_links_are_rejected(source: str, relation: str, strength: float) -> None:
    with pytest.raises(InvalidLink):
        causal.edge("1", source, "b", relation, strength)


def test_what_passes_over_an_edge() -> None:
    expected = {Relation.SUPERSEDES: 1.5, Relation.CONTRADICTS: 0.8}

    assert {r: MULTIPLIERS[r] for r in Relation} == {r: expected.get(r, 1.0) for r in Relation}
    assert causal.passing(edges("a supersedes b .5")[0]) == pytest.approx(0.75)


CHAIN = edges("a caused b", "b caused c", "c caused d", "d caused e")


def test_a_walk_ends_at_its_depth() -> None:
    assert reached(causal.walked(CHAIN, ["a"])) == [("b", 1), ("c", 2), ("d", 3)]
    assert reached(causal.walked(CHAIN, ["a"], 2)) == [("b", 1), ("c", 2)]
    assert causal.walked(CHAIN, ["a"], 0) == ()


def test_directions() -> None:
    assert reached(causal.walked(CHAIN, ["c"], 1, Direction.OUTGOING)) == [("d", 1)]
    assert reached(causal.walked(CHAIN, ["c"], 1, Direction.INCOMING)) == [("b", 1)]
    assert reached(causal.walked(CHAIN, ["c"], 1)) == [("b", 1), ("d", 1)]


def test_a_cycle_ends_and_each_edge_is_met_once() -> None:
    ring = edges("a caused b", "b caused c", "c caused a", "b contradicts a")

    found = causal.walked(ring, ["a"], 10)

    assert sorted(step.edge.id for step in found) == ["0", "1", "2", "3"]
    assert reached(causal.walked(ring, ["a"], 10, Direction.OUTGOING)) == [
        ("b", 1),
        ("c", 2),
        ("a", 2),
        ("a", 3),
    ]


def test_a_memory_is_left_by_its_weightiest_shortest_path() -> None:
    net = edges("a supports x .2", "b supersedes x", "x caused y")

    last = causal.walked(net, ["a", "b"])[-1]

    assert last.path == ("b", "x", "y")
    assert last.weight == pytest.approx(1.5)


def edge_ids(found: causal.Lineage) -> tuple[str, ...]:
    return tuple(step.edge.id for group in found.groups.values() for step in group)


def test_why_groups_the_edges_by_relation() -> None:
    found = causal.lineage(edges("bug caused fix", "fix supersedes hack", "fix caused v2"), "fix")

    assert set(found.groups) == set(Relation)
    assert [step.edge.id for step in found.groups[Relation.CAUSED]] == ["0", "2"]
    assert [step.edge.id for step in found.groups[Relation.SUPERSEDES]] == ["1"]
    assert (found.hint, found.cut) == ("", False)


def test_a_contradiction_in_the_chain_is_pointed_out() -> None:
    found = causal.lineage(edges("a contradicts b", "b contradicts c", "c caused d"), "a")

    assert found.hint == "2 of these links contradict: look at both ends"


def test_it_says_when_there_is_more_beyond_the_depth() -> None:
    long = edges(*(f"m{number} caused m{number + 1}" for number in range(12)))

    assert causal.lineage(CHAIN, "a", 3).cut
    assert not causal.lineage(CHAIN, "a", 4).cut
    assert causal.lineage(long, "m0", 10).cut
    assert len(edge_ids(causal.lineage(long, "m0", 99))) == 10


def test_a_direction_narrows_it() -> None:
    assert edge_ids(causal.lineage(CHAIN, "c", 9, Direction.INCOMING)) == ("1", "0")


NAMES = st.sampled_from("abcdef")
LINKS = st.lists(
    st.tuples(NAMES, NAMES, st.sampled_from(Relation), st.floats(0, 1)), max_size=16
).map(lambda links: [Edge(str(n), *link) for n, link in enumerate(links)])


@given(LINKS, st.integers(0, 6), st.sampled_from(Direction))
def test_any_graph_is_walked_alike_in_any_order(
    graph: list[Edge], depth: int, direction: Direction
) -> None:
    found = causal.walked(graph, ["a", "b"], depth, direction)

    assert causal.walked(graph[::-1], ["b", "a"], depth, direction) == found
    assert len({step.edge.id for step in found}) == len(found)
    assert all(step.hops <= depth and len(step.path) == step.hops + 1 for step in found)
    deeper = causal.walked(graph, ["a", "b"], depth + 1, direction)
    assert deeper[: len(found)] == found
