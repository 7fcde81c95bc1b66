"""How much a query asks, and the channels it is worth asking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.complexity import (
    ALL,
    STOP_WORDS,
    Channel,
    Complexity,
    Sureness,
    Tier,
    complexity,
    routed,
)
from tests.policy.adversarial import too_slow


def _terms(count: int) -> str:
    return " ".join(f"term{number}" for number in range(count))


@pytest.mark.parametrize(
    ("count", "tier"),
    [
        (1, Tier.SIMPLE), (3, Tier.SIMPLE), (4, Tier.MODERATE), (8, Tier.MODERATE),
        (9, Tier.COMPLEX), (40, Tier.COMPLEX),
    ],
)  # fmt: skip
def test_the_tier_follows_the_number_of_terms(count: int, tier: Tier) -> None:
    found = complexity(_terms(count))

    assert (found.tier, found.terms) == (tier, count)


def test_white_space_of_any_kind_divides_terms() -> None:
    assert complexity(" one\ttwo \n three  ").terms == 3


def test_a_trigger_phrase_is_simple_however_long() -> None:
    phrase = _terms(20)

    found = complexity(phrase.upper().replace(" ", "  "), frozenset({phrase}))

    assert found == Complexity(Tier.SIMPLE, Sureness.HIGH, 20, trigger=True)


def test_a_query_that_only_holds_a_trigger_phrase_is_judged_by_its_terms() -> None:
    assert complexity("please save the context of this", {"save the context"}).trigger is False


@pytest.mark.parametrize(
    ("query", "sureness"),
    [
        (_terms(2), Sureness.HIGH),
        (_terms(3), Sureness.MEDIUM),  # beside the border
        (_terms(4), Sureness.LOW),
        (_terms(6), Sureness.MEDIUM),
        (_terms(8), Sureness.LOW),
        (_terms(9), Sureness.HIGH),
        ("the of and to in on for with by", Sureness.MEDIUM),  # nine terms that say nothing
        ("the of and to in on for with by is are was were", Sureness.HIGH),  # but thirteen
    ],
)
def test_how_sure_the_tier_is(query: str, sureness: Sureness) -> None:
    assert complexity(query).sureness is sureness


@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_what_cannot_be_judged_is_complex(query: str) -> None:
    assert complexity(query) == Complexity(Tier.COMPLEX, Sureness.FALLBACK)


def test_thirty_seven_stop_words_are_counted() -> None:
    assert len(STOP_WORDS) == 37


def test_each_tier_asks_its_channels() -> None:
    assert routed(Tier.SIMPLE) == (Channel.VECTOR, Channel.FTS)
    assert routed(Tier.MODERATE) == (Channel.VECTOR, Channel.FTS, Channel.BM25)
    assert routed(Tier.COMPLEX) == ALL


@given(st.text(max_size=200), st.sets(st.text(max_size=10)))
def test_at_least_two_different_channels_are_asked(query: str, triggers: set[str]) -> None:
    channels = routed(complexity(query, triggers).tier)

    assert len(set(channels)) == len(channels) >= 2


def test_no_text_takes_long() -> None:
    assert too_slow(complexity) == []
