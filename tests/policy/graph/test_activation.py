"""Spreading activation: what a memory brings to mind."""

from itertools import pairwise

from actors.policy.graph.link_graph import Link, Way, associated

A, B, C, D = range(1, 5)


def alike(*edges: tuple[int, int, float]) -> list[Link]:
    return [Link(one, other, "similar", strength) for one, other, strength in edges]


def activation(seed: int, links: list[Link]) -> dict[int, float]:
    """What arrives at each memory, to three decimals."""
    return {way.memories[-1]: round(way.sure, 3) for way in associated(seed, links)}


def test_activation_halves_with_each_link_and_keeps_its_way() -> None:
    near, far = alike((42, 71, 0.85), (71, 84, 0.85))

    assert associated(42, [near, far]) == [
        Way(0.5 * 0.85, (42, 71), (near,)),
        Way(0.5 * 0.85 * 0.5 * 0.85, (42, 71, 84), (near, far)),
    ]
    assert activation(42, [near, far]) == {71: 0.425, 84: 0.181}


def test_activation_ends_after_two_links() -> None:
    chain = alike(*((one, other, 1.0) for one, other in pairwise((A, B, C, D))))

    assert activation(A, chain) == {B: 0.5, C: 0.25}


def test_a_likeness_below_seventy_carries_nothing_but_a_causal_link_may_be_weak() -> None:
    links = [*alike((A, B, 0.69), (A, C, 0.70)), Link(A, D, "caused", 0.3)]

    assert activation(A, links) == {C: 0.35, D: 0.15}


def test_the_heavier_of_a_likeness_and_a_causal_edge_counts() -> None:
    caused = [Link(A, B, "caused", 0.9), Link(A, C, "caused", 0.4)]

    assert activation(A, [*alike((A, B, 0.75), (A, C, 0.65)), *caused]) == {B: 0.45, C: 0.2}


def test_only_the_five_nearest_neighbours_are_activated() -> None:
    star = alike(*((100, n, 0.70 + n / 100) for n in range(9)))

    assert [*activation(100, star)] == [8, 7, 6, 5, 4]


def test_what_arrives_below_a_hundredth_is_pruned() -> None:
    assert activation(A, [Link(A, B, "caused", 0.019)]) == {}
    assert activation(A, [Link(A, B, "caused", 0.02)]) == {B: 0.01}


def test_a_cycle_is_walked_once() -> None:
    ring = alike((A, B, 1.0), (B, C, 1.0), (C, A, 1.0), (B, B, 1.0))

    assert activation(A, ring) == {B: 0.5, C: 0.5}


def test_the_strongest_way_wins_and_none_is_told_twice() -> None:
    net = [Link(A, B, "caused", 0.3), Link(A, C, "caused", 1.0), Link(C, B, "caused", 1.0)]

    assert [way.memories for way in associated(A, net)] == [(A, C), (A, C, B)]
