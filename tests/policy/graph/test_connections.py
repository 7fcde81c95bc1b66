"""Density, coverage and parts of a graph."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph.link_graph import density, regions


def told(edges: int, nodes: int, *names: str, memories: int = 0, living: int = 0) -> list[Any]:
    found = density(edges, nodes, memories, living)
    return [found[name] for name in names]


@pytest.mark.parametrize(
    ("edges", "nodes", "band", "needed"),
    [
        (0, 0, "empty", 0),
        (3, 10, "sparse", 2),
        (4, 9, "sparse", 1),
        (5, 10, "moderate", 0),
        (9, 10, "moderate", 0),
        (10, 10, "dense", 0),
    ],
)
def test_a_class_goes_by_the_edges_a_node(edges: int, nodes: int, band: str, needed: int) -> None:
    assert told(edges, nodes, "class", "needed") == [band, needed]


def test_the_store_is_told_beside_the_nodes_that_take_part() -> None:
    found = told(3, 4, "density", "per_memory", "coverage", memories=12, living=3)

    assert found == [0.75, 0.25, 0.25]
    assert told(3, 4, "per_memory", "coverage") == [0.0, 0.0]


def test_what_is_missing_to_a_dense_graph_is_one_edge_a_node() -> None:
    """Of 3 edges among 10 nodes 7 are missing; each edge has two ends."""
    assert told(3, 10, "to_dense", "mean_degree") == [7, 0.6]
    assert told(12, 10, "to_dense") == [0]


def test_linked_memories_lie_in_one_region() -> None:
    assert regions([(5, 3), (3, 1), (7, 8)]) == {1: 1, 3: 1, 5: 1, 7: 7, 8: 7}


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40))
def test_both_ends_of_every_link_lie_in_the_same_region_named_by_its_least(
    links: list[tuple[int, int]],
) -> None:
    found = regions(links)
    assert all(found[one] == found[other] for one, other in links)
    for name in set(found.values()):
        assert name == min(one for one, region in found.items() if region == name)
