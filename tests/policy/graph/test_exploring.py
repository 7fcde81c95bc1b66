"""Ways through all that connects memories."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph.link_graph import LEAST, Link, Way, around, between, bridges

A = Link(1, 2, "caused", 0.9)
B = Link(3, 2, "shared_concept", 0.5)
C = Link(1, 3, "similar", 0.4)


def test_what_is_around_a_memory_comes_surest_first() -> None:
    assert around([C, B, A], 1) == (
        Way(0.9, (1, 2), (A,)),
        Way(0.45, (1, 2, 3), (A, B)),
    )


def test_a_link_under_a_fifth_is_not_gone() -> None:
    assert around([Link(1, 2, "caused", 0.19)], 1) == ()
    assert between([Link(1, 2, "caused", 0.19)], 1, 2) == ()
    assert len(around([Link(1, 2, "caused", LEAST)], 1)) == 1


def test_the_depth_is_kept_and_is_at_most_ten() -> None:
    line = [Link(one, one + 1, "caused", 1.0) for one in range(1, 14)]

    assert [way.memories[-1] for way in around(line, 1, depth=2)] == [2, 3]
    assert len(around(line, 1, depth=99)) == 10
    assert between(line, 1, 11) != ()
    assert between(line, 1, 12) == ()


def test_the_ways_between_two_come_surest_first() -> None:
    assert [way.memories for way in between([A, B, C], 1, 3)] == [(1, 2, 3), (1, 3)]


def test_there_is_no_way_from_a_memory_to_itself() -> None:
    assert between([A], 1, 1) == ()


def test_bridges_stand_between_and_tell_the_surest_way() -> None:
    (bridge,) = bridges(between([A, B, C], 1, 3))

    assert (bridge.memory, bridge.ways) == (2, 1)
    assert bridge.best.memories == (1, 2, 3)


def test_of_two_links_of_a_pair_the_stronger_counts() -> None:
    weaker = Link(2, 1, "similar", 0.7)

    assert around([weaker, A], 1) == around([A, weaker], 1) == (Way(0.9, (1, 2), (A,)),)


LINKS = st.lists(
    st.builds(
        Link,
        st.integers(1, 7),
        st.integers(1, 7),
        st.sampled_from(("caused", "similar", "temporal")),
        st.floats(0, 2),
    ),
    max_size=20,
)


@given(LINKS, st.randoms(use_true_random=False))
def test_the_order_of_links_does_not_matter(links: list[Link], shuffling: object) -> None:
    mixed = list(links)
    shuffling.shuffle(mixed)  # type: ignore[attr-defined]

    assert around(links, 1) == around(mixed, 1)
    assert between(links, 1, 2) == between(mixed, 1, 2)


@given(LINKS, st.integers(1, 10))
def test_every_way_is_as_sure_as_its_links_and_meets_no_memory_twice(
    links: list[Link], depth: int
) -> None:
    for way in (*around(links, 1, depth), *between(links, 1, 2, depth)):
        assert math.isclose(way.sure, math.prod(min(1.0, one.strength) for one in way.links))
        assert all(one.strength >= LEAST for one in way.links)
        assert len(set(way.memories)) == len(way.memories) == len(way.links) + 1 <= depth + 1


@given(LINKS)
def test_surer_ways_come_first(links: list[Link]) -> None:
    sure = [way.sure for way in between(links, 1, 2)]

    assert sure == sorted(sure, reverse=True)


def test_a_dense_graph_ends_after_a_thousand_ways() -> None:
    dense = [Link(one, other, "caused", 1.0) for one in range(40) for other in range(one)]

    assert len(between(dense, 0, 39)) <= 1000
    assert len(around(dense, 0)) == 39
