"""Which channels a query is worth asking."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.complexity import ASKING, Tier, route_of
from actors.policy.recall.switches import CHANNELS, Channels

EVERYTHING = Channels(**dict.fromkeys(CHANNELS, True))


@pytest.mark.parametrize(
    ("terms", "tier", "left_out"),
    [
        (3, Tier.SIMPLE, ("graph", "degree", "causes")),
        (8, Tier.MODERATE, ("graph", "degree", "causes")),
        (9, Tier.COMPLEX, ()),
    ],
)
def test_only_a_complex_question_follows_links(
    terms: int, tier: Tier, left_out: tuple[str, ...]
) -> None:
    route = route_of(" ".join(["whale"] * terms), EVERYTHING)

    assert (route.complexity.tier, route.left_out) == (tier, left_out)


def test_what_was_not_asked_is_said_and_why() -> None:
    assert (
        route_of("whale", Channels()).said
        == "a simple question (1 term, high confidence): graph not asked"
    )
    assert (
        route_of("which whale port was it", EVERYTHING).said
        == "a moderate question (5 terms, medium confidence): graph, degree, causes not asked"
    )


def test_nothing_is_said_of_what_was_off_anyway() -> None:
    route = route_of("whale", Channels(graph=False))

    assert (route.left_out, route.said) == ((), None)


def test_a_question_that_cannot_be_judged_asks_everything() -> None:
    assert route_of("  ", EVERYTHING).on == EVERYTHING


@given(
    st.lists(st.sampled_from(["whale", "the", "port"]), max_size=14),
    st.sets(st.sampled_from(sorted(CHANNELS))),
)
def test_a_route_turns_nothing_on_and_only_links_off(words: list[str], on: set[str]) -> None:
    before = Channels(**{name: name in on for name in CHANNELS})

    route = route_of(" ".join(words), before)

    left = {name for name in CHANNELS if getattr(route.on, name)}
    assert left == on - set(route.left_out)
    assert set(route.left_out) <= {name for names in ASKING.values() for name in names} & on
