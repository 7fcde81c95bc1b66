"""Spreading activation: the numbers of the documents, then what must hold for any graph."""

from dataclasses import replace

import pytest

from actors.policy.graph import activation
from actors.policy.graph.activation import (
    DEFAULT,
    Activation,
    Adjacency,
    Link,
    Neighbour,
    Settings,
)

A, B, C, D, E = range(1, 6)
HUB = 100
WIDER = Settings(hops=3, decay=0.7, related=50, least_similarity=0.0, least=0.1, places=6)


def graph(*edges: tuple[int, int, float], link: Link = Link.SEMANTIC) -> Adjacency:
    """Directed edges as an adjacency."""
    rows: dict[int, tuple[Neighbour, ...]] = {}
    for source, target, weight in edges:
        rows[source] = (*rows.get(source, ()), Neighbour(target, weight, link))
    return rows


def both_ways(*edges: tuple[int, int, float]) -> Adjacency:
    return graph(*edges, *((target, source, weight) for source, target, weight in edges))


def scores(found: tuple[Activation, ...]) -> dict[int, float]:
    return {one.memory_id: one.score for one in found}


def weights(row: tuple[Neighbour, ...]) -> dict[int, float]:
    return {neighbour.memory_id: neighbour.weight for neighbour in row}


def test_activation_halves_with_each_hop_and_keeps_its_path() -> None:
    found = activation.spread({42: 1.0}, graph((42, 71, 85), (71, 84, 85)))

    assert found == (
        Activation(71, 0.425, 1, (42, 71)),
        Activation(84, 0.181, 2, (42, 71, 84)),
    )


def test_activation_ends_after_two_hops() -> None:
    chain = graph((A, B, 1.0), (B, C, 1.0), (C, D, 1.0))

    assert scores(activation.spread({A: 1.0}, chain)) == {B: 0.5, C: 0.25}
    assert activation.spread({A: 1.0}, chain, replace(DEFAULT, hops=0)) == ()


def test_a_similarity_below_seventy_carries_nothing_but_a_causal_link_may_be_weak() -> None:
    alike = graph((A, B, 0.69), (A, C, 0.70))
    caused = graph((A, D, 0.3), link=Link.CAUSAL)

    found = activation.spread({A: 1.0}, activation.merged(alike, caused))

    assert scores(found) == {C: 0.35, D: 0.15}


def test_the_heavier_of_a_similar_and_a_causal_edge_counts() -> None:
    alike = graph((A, B, 0.75), (A, C, 0.65))
    caused = graph((A, B, 0.9), (A, C, 0.4), link=Link.CAUSAL)

    found = activation.spread({A: 1.0}, activation.merged(alike, caused, alike))

    assert scores(found) == {B: 0.45, C: 0.2}


def test_only_the_five_nearest_neighbours_are_activated() -> None:
    star = graph(*((HUB, n, 0.70 + n / 100) for n in range(9)))

    found = activation.spread({HUB: 1.0}, star)

    assert [one.memory_id for one in found] == [8, 7, 6, 5, 4]


def test_at_most_twenty_results_come_back() -> None:
    wide = graph(*((HUB + n, 10 * n + k, 0.9) for n in range(5) for k in range(5)))

    found = activation.spread({HUB + n: 1.0 for n in range(5)}, wide)

    assert len(found) == 20
    assert found[0].memory_id == 0  # ties by the smaller id


def test_what_arrives_below_a_hundredth_is_pruned() -> None:
    one = graph((A, B, 1.0))

    assert activation.spread({A: 0.019}, one) == ()
    assert scores(activation.spread({A: 0.02}, one)) == {B: 0.01}


def test_a_cycle_is_walked_once() -> None:
    ring = graph((A, B, 1.0), (B, C, 1.0), (C, A, 1.0), (B, B, 1.0))

    found = activation.spread({A: 1.0}, ring, replace(DEFAULT, hops=10))

    assert scores(found) == {B: 0.5, C: 0.25}


def test_seeds_are_not_reported_and_the_strongest_way_wins() -> None:
    net = both_ways((A, B, 0.9), (B, C, 0.9), (A, C, 0.8))

    found = activation.spread({A: 1.0, B: 0.2}, net)

    assert found == (Activation(C, 0.4, 1, (A, C)),)


def test_the_strongest_activation_goes_first_and_none_is_reported_twice() -> None:
    net = graph((A, B, 0.70), (A, C, 1.0), (C, B, 1.0), (B, D, 1.0))
    far = replace(DEFAULT, decay=0.9, hops=2)

    found = activation.spread({A: 1.0}, net, far)

    # b is best reached over c, by two hops; d is out of reach from there, but not from a - b.
    assert [(one.memory_id, one.path) for one in found] == [
        (C, (A, C)),
        (B, (A, C, B)),
        (D, (A, B, D)),
    ]
    assert found[2].score == pytest.approx(0.567)


def test_three_hops_over_edges_of_four_fifths() -> None:
    chain = both_ways((A, B, 0.8), (B, C, 0.8), (C, D, 0.8), (D, E, 0.8))

    found = activation.spread({A: 1.0}, chain, WIDER)

    assert scores(found) == pytest.approx({B: 0.56, C: 0.3136, D: 0.1756}, abs=1e-4)


def test_what_is_too_faint_does_not_arrive() -> None:
    faint = graph((A, B, 0.14), (A, C, 0.15))

    assert scores(activation.spread({A: 1.0}, faint, WIDER)) == {C: 0.105}
