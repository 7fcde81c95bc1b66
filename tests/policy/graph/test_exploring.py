"""Ways from a memory through all that connects memories."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph.link_graph import LEAST, Link, Way, around

A = Link(1, 2, "caused", 0.9)
B = Link(3, 2, "shared_concept", 0.5)
C = Link(1, 3, "similar", 0.4)


def test_what_is_around_a_memory_comes_surest_first() -> None:
    assert around([C, B, A], 1, 3) == (
        Way(0.9, (1, 2), (A,)),
        Way(0.45, (1, 2, 3), (A, B)),
    )


def test_a_link_under_a_fifth_is_not_gone() -> None:
    assert around([Link(1, 2, "caused", 0.19)], 1, 3) == ()
    assert len(around([Link(1, 2, "caused", LEAST)], 1, 3)) == 1


def test_of_two_links_of_a_pair_the_stronger_counts() -> None:
    weaker = Link(2, 1, "similar", 0.7)

    assert around([weaker, A], 1, 3) == around([A, weaker], 1, 3) == (Way(0.9, (1, 2), (A,)),)


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


@given(LINKS, st.integers(1, 10))
def test_in_any_order_every_way_is_as_sure_as_its_links_and_meets_no_memory_twice(
    links: list[Link], depth: int
) -> None:
    found = around(links, 1, depth)

    assert around(links[::-1], 1, depth) == found
    assert [way.sure for way in found] == sorted((way.sure for way in found), reverse=True)
    for way in found:
        assert math.isclose(way.sure, math.prod(min(1.0, one.strength) for one in way.links))
        assert all(one.strength >= LEAST for one in way.links)
        assert len(set(way.memories)) == len(way.memories) == len(way.links) + 1 <= depth + 1


def test_a_dense_graph_is_explored_to_its_end() -> None:
    dense = [Link(one, other, "caused", 1.0) for one in range(40) for other in range(one)]

    assert len(around(dense, 0, 10)) == 39
