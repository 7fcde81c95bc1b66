"""The graph channel: what links lead to from what was found."""

from __future__ import annotations

import math

from actors.policy.graph.link_graph import Link, Way, frontier, passing, reached, seeds
from actors.policy.recall.candidates import QueryFacts
from actors.policy.recall.stages import Trace, linked


def test_the_best_ones_found_are_seeds_by_their_share_of_the_best() -> None:
    assert seeds({1: 4.0, 2: 2.0, 3: 0.0}) == {1: 1.0, 2: 0.5}
    assert seeds(dict.fromkeys(range(99), 1.0)).keys() == set(range(10))
    assert seeds({}) == {}


def test_a_link_passes_its_strength_times_what_its_kind_is_worth() -> None:
    assert passing(Link(1, 2, "caused", 0.9)) == 0.9
    assert passing(Link(1, 2, "contradicts", 1.0)) == 0.8
    assert passing(Link(1, 2, "shared_concept", 0.5)) == 0.2
    assert passing(Link(1, 2, "shared_concept", 2.0)) == 0.4  # a strength of over 1 is 1


def test_a_weak_link_and_one_of_mere_likeness_pass_nothing() -> None:
    assert passing(Link(1, 2, "caused", 0.19)) == 0.0
    assert passing(Link(1, 2, "similar", 1.0)) == 0.0
    assert passing(Link(1, 2, "semantic", 1.0)) == 0.0


def test_what_is_linked_gets_the_square_of_the_seeds_score_times_the_strength() -> None:
    link = Link(2, 1, "caused", 0.8)

    assert reached({1: 0.5}, [link]) == {2: Way(0.25 * 0.8, (1, 2), (link,))}


def test_a_second_hop_is_worth_the_decay() -> None:
    links = (Link(1, 2, "caused", 1.0), Link(2, 3, "enabled", 0.5))

    assert reached({1: 1.0}, links)[3] == Way(0.5 * 0.7, (1, 2, 3), links)


def test_a_third_hop_is_not_gone() -> None:
    chain = [Link(one, one + 1, "caused", 1.0) for one in range(1, 5)]

    assert reached({1: 1.0}, chain).keys() == {2, 3}


def test_the_best_way_to_a_memory_counts() -> None:
    links = [Link(1, 3, "caused", 0.3), Link(1, 2, "caused", 1.0), Link(2, 3, "caused", 1.0)]

    assert reached({1: 1.0}, links)[3].memories == (1, 2, 3)


def test_seeds_lift_each_other_and_never_themselves() -> None:
    found = reached({1: 1.0, 2: 0.5}, [Link(1, 2, "caused", 1.0)])

    assert found[2].sure == 1.0
    assert found[1].sure == 0.25


def test_a_way_is_told_by_its_last_step() -> None:
    links = (Link(7, 4, "caused", 1.0), Link(4, 9, "derived_from", 1.0))

    assert Way(1.0, (7, 4, 9), links).last_step == "linked with m4 (derived from)"


def test_the_next_to_be_read_are_the_strongest_that_were_met() -> None:
    links = [Link(1, 2, "caused", 0.3), Link(1, 3, "caused", 0.9), Link(4, 1, "similar", 1.0)]

    assert frontier({1}, links, 5) == [3, 2]
    assert frontier({1}, links, 1) == [3]


def test_what_a_link_leads_to_stays_under_what_it_was_followed_from() -> None:
    now = Trace((1, 2), scores={1: 0.8, 2: 0.7})
    way = Way(1.0, (1, 2), (Link(1, 2, "caused", 1.0),))

    (term,) = linked(now, QueryFacts(graph={2: way}))[2]

    assert math.isclose(0.7 + term.plus, 0.98 * 0.8)
    assert linked(Trace((2, 1), scores={1: 0.7, 2: 0.8}), QueryFacts(graph={2: way})) == {}


def test_at_most_forty_are_reached() -> None:
    links = [Link(1, other, "caused", 1.0) for other in range(2, 62)]

    assert len(reached({1: 1.0}, links)) == 40
