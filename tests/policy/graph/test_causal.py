"""Walking the causal graph: relations, edges and the reasons of a memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph import causal
from actors.policy.graph.causal import Edge, InvalidLink, Lineage, Relation, Step

A, B, C, D, E = range(1, 6)


def edges(*links: tuple[int, str, int]) -> list[Edge]:
    return [causal.edge(one, other, relation) for one, relation, other in links]


def steps(found: Lineage) -> list[Step]:
    """The steps of all relations, the nearest first."""
    every = [step for group in found.groups.values() for step in group]
    return sorted(every, key=lambda step: (step.hops, -step.weight, step.memory_id))


def reached(found: Lineage) -> list[tuple[int, int]]:
    return [(step.memory_id, step.hops) for step in steps(found)]


def test_a_link_keeps_what_was_asked_for() -> None:
    made = causal.edge(A, B, "derived_from", 0.5, "ADR 3")

    assert made == Edge(A, B, Relation.DERIVED_FROM, 0.5, "ADR 3")
    assert causal.edge(A, B, "caused").strength == 1.0


@pytest.mark.parametrize(
    ("source", "relation", "strength"),
    [
        (A, "related_to", 1.0),
        (A, "", 1.0),
        (B, "caused", 1.0),
        (A, "caused", 1.1),
        (A, "caused", -0.1),
        (A, "caused", float("nan")),
    ],
)
def test_other_links_are_rejected(source: int, relation: str, strength: float) -> None:
    with pytest.raises(InvalidLink):
        causal.edge(source, B, relation, strength)


CHAIN = edges((A, "caused", B), (B, "caused", C), (C, "caused", D), (D, "caused", E))


def test_a_walk_ends_at_its_depth_and_says_when_there_is_more() -> None:
    far = edges(*((one, "caused", one + 1) for one in range(12)))

    assert reached(causal.lineage(CHAIN, A)) == [(B, 1), (C, 2), (D, 3)]
    assert (causal.lineage(CHAIN, A, 3).cut, causal.lineage(CHAIN, A, 4).cut) == (True, False)
    assert len(steps(causal.lineage(far, 0, 99))) == 10
    assert causal.lineage(far, 0, 99).cut


def test_a_cycle_ends_and_each_edge_is_met_once() -> None:
    ring = edges((A, "caused", B), (B, "caused", C), (C, "caused", A), (B, "contradicts", A))

    assert {step.edge for step in steps(causal.lineage(ring, A, 10))} == {*ring}


def test_a_memory_is_left_by_its_weightiest_shortest_path() -> None:
    """A newer version weighs half as much again, a contradiction four fifths."""
    net = edges((A, "contradicts", B), (A, "supersedes", C), (B, "caused", D), (C, "caused", D))

    first, *_, last = steps(causal.lineage([*net, *edges((D, "caused", E))], A))

    assert (first.memory_id, first.weight) == (C, 1.5)
    assert (last.path, last.weight) == ((A, C, D, E), 1.5)


def test_why_groups_the_edges_by_relation() -> None:
    links = edges((A, "caused", B), (B, "supersedes", C), (B, "caused", D))

    found = causal.lineage(links, B)

    assert set(found.groups) == set(Relation)
    assert {step.edge for step in found.groups[Relation.CAUSED]} == {links[0], links[2]}
    assert [step.edge for step in found.groups[Relation.SUPERSEDES]] == [links[1]]
    assert not found.cut


IDS = st.integers(1, 6)
LINKS = st.lists(
    st.builds(Edge, IDS, IDS, st.sampled_from(Relation), st.floats(0, 1)),
    max_size=16,
    unique_by=lambda edge: edge[:3],
)


@given(LINKS, st.integers(0, 6))
def test_any_graph_is_walked_alike_in_any_order(graph: list[Edge], depth: int) -> None:
    found = causal.lineage(graph, A, depth)

    assert causal.lineage(graph[::-1], A, depth) == found
    met = steps(found)
    assert len({step.edge for step in met}) == len(met)
    assert all(step.hops <= depth and len(step.path) == step.hops + 1 for step in met)
