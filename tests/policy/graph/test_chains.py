"""Chains from one memory to another."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph.causal import Direction, Edge, Relation
from actors.policy.graph.exploring import DEPTH, LEAST, PATHS, Chain, chains


def graph(*links: tuple[str, str, float]) -> list[Edge]:
    return [Edge(f"{s}{t}", s, t, Relation.CAUSED, strength) for s, t, strength in links]


def memories(found: tuple[Chain, ...]) -> list[str]:
    return ["".join(chain.memories) for chain in found]


def test_the_surest_chain_comes_first() -> None:
    net = graph(("a", "b", 0.9), ("b", "c", 0.9), ("a", "c", 0.5))

    found = chains(net, "a", "c")

    assert memories(found) == ["abc", "ac"]
    assert [chain.sure for chain in found] == pytest.approx([0.81, 0.5])
    assert [edge.id for edge in found[0].links] == ["ab", "bc"]


def test_a_link_below_a_fifth_is_no_link() -> None:
    assert memories(chains(graph(("a", "b", 0.2)), "a", "b")) == ["ab"]
    assert chains(graph(("a", "b", 0.19)), "a", "b") == ()


def test_a_chain_has_at_most_ten_links() -> None:
    names = "abcdefghijkl"
    line = graph(*((one, two, 1.0) for one, two in pairwise(names)))

    assert memories(chains(line, "a", "k")) == ["abcdefghijk"]
    assert chains(line, "a", "l") == ()


def test_the_search_ends_after_a_thousand_ways() -> None:
    everyone = [f"m{n:02}" for n in range(12)]
    crowd = graph(*((one, two, 1.0) for one in everyone for two in everyone if one < two))

    found = chains(crowd, "m00", "m11")

    assert (DEPTH, PATHS, LEAST) == (10, 1000, 0.2)
    assert 0 < len(found) < 1000


def test_directions() -> None:
    net = graph(("a", "b", 1.0), ("c", "b", 1.0))

    assert memories(chains(net, "a", "c")) == ["abc"]
    assert chains(net, "a", "c", Direction.OUTGOING) == ()


def test_from_a_memory_to_itself_there_is_no_chain() -> None:
    assert chains(graph(("a", "b", 1.0), ("b", "a", 1.0)), "a", "a") == ()


@given(
    st.lists(
        st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.floats(0, 1)),
        max_size=12,
        unique_by=lambda link: link[:2],
    )
)
def test_chains_are_simple_ordered_and_the_same_in_any_order(
    links: list[tuple[str, str, float]],
) -> None:
    found = chains(graph(*links), "a", "e")

    assert found == chains(graph(*reversed(links)), "a", "e")
    sureness = [chain.sure for chain in found]
    assert sureness == sorted(sureness, reverse=True)
    for chain in found:
        assert len(set(chain.memories)) == len(chain.memories) == len(chain.links) + 1
        assert (chain.memories[0], chain.memories[-1]) == ("a", "e")
