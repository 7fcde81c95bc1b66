"""Density, coverage and parts of a graph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph import link_graph
from actors.policy.graph.link_graph import (
    UNCOUNTED,
    Band,
    regions,
)


def test_three_edges_among_ten_memories_are_sparse_and_need_two() -> None:
    found = link_graph.density_of(3, 10)

    assert (found.density, found.band, found.needed) == (0.3, Band.SPARSE, 2)


@pytest.mark.parametrize(
    ("edges", "nodes", "band", "needed"),
    [
        (0, 0, Band.EMPTY, 0),
        (4, 10, Band.SPARSE, 1),
        (5, 10, Band.MODERATE, 0),
        (9, 10, Band.MODERATE, 0),
        (10, 10, Band.DENSE, 0),
        (4, 9, Band.SPARSE, 1),
    ],
)
def test_bands(edges: int, nodes: int, band: Band, needed: int) -> None:
    found = link_graph.density_of(edges, nodes)

    assert (found.band, found.needed) == (band, needed)


def test_edges_that_could_not_be_counted_read_as_sparse() -> None:
    assert (UNCOUNTED.density, UNCOUNTED.band) == (0.0, Band.SPARSE)


def test_density_goes_by_the_nodes_that_take_part_and_the_store_is_told_beside_it() -> None:
    found = link_graph.density_of(3, 4, memories=12)

    assert (found.edges, found.nodes) == (3, 4)
    assert (found.density, found.per_memory) == (0.75, 0.25)
    assert link_graph.density_of(3, 4).per_memory == 0


@given(st.integers(0, 500), st.integers(1, 500))
def test_what_is_needed_reaches_the_moderate_band(edges: int, nodes: int) -> None:
    needed = link_graph.density_of(edges, nodes).needed

    assert link_graph.density_of(edges + needed, nodes).needed == 0
    assert needed == 0 or link_graph.density_of(edges + needed - 1, nodes).needed == 1


def test_what_is_missing_to_a_dense_graph_is_one_edge_a_node() -> None:
    """Of 3 edges among 10 nodes 7 are missing; each edge has two ends."""
    found = link_graph.density_of(3, 10)

    assert (found.to_dense, link_graph.density_of(12, 10).to_dense) == (7, 0)
    assert found.mean_degree == 0.6


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
