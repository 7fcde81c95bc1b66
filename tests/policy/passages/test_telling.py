"""Whether a quotation is told beside a prompt."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.passages import NEAR, SHARED, bears, confidence, echoes, says
from actors.policy.recall.evidence import Asked
from actors.policy.text.words import stem, stems
from tests.costs import ratio

WORDS = st.frozensets(st.sampled_from("abcdefghijkl"), max_size=7)
ASKED = Asked({stem("cache"): 1.0, stem("hour"): 1.0, stem("redis"): 0.5})
PROMPT = stems("how many hours does the redis cache keep")
QUOTE = "The upstream is slow at night, so the cache in front of it keeps an hour."


def test_what_is_near_and_has_the_words_is_told() -> None:
    assert bears(ASKED, PROMPT, NEAR, QUOTE)
    assert confidence(ASKED, NEAR, QUOTE) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("cosine", "quote"),
    [
        pytest.param(NEAR - 0.01, QUOTE, id="far"),
        pytest.param(0.9, "The upstream is slow at night.", id="no word of it"),
        pytest.param(0.9, "The Redis cache keeps many hours.", id="nothing new"),
        pytest.param(0.9, "", id="nothing"),
    ],
)
def test_what_is_far_or_has_not_the_words_or_nothing_new_is_not_told(
    cosine: float, quote: str
) -> None:
    assert not bears(ASKED, PROMPT, cosine, quote)


def test_of_a_long_prompt_the_quotation_has_a_fifth_of_what_it_asks() -> None:
    longer = Asked({**ASKED.weights, **{f"word{n}": 1.0 for n in range(8)}})

    assert not bears(longer, PROMPT, 0.9, QUOTE)
    assert bears(longer, PROMPT, 0.9, QUOTE.replace("front", "Redis word1"))


def test_what_is_nearer_or_shares_more_is_surer() -> None:
    least = confidence(ASKED, NEAR, QUOTE)

    assert confidence(ASKED, 0.8, QUOTE) > least
    assert confidence(ASKED, NEAR, QUOTE.replace("front", "Redis")) > least
    assert ASKED.shared(stems(QUOTE)) == SHARED


def test_a_note_says_what_a_quotation_says_with_most_of_its_words() -> None:
    assert says("Because the upstream is slow at night, the cache keeps it for an hour.", QUOTE)
    assert not says("The cache is Redis.", QUOTE)
    assert not says("The cache is Redis.", "")


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
def test_an_echo_is_what_another_has_three_fifths_of(
    said: list[frozenset[str]], others: list[frozenset[str]]
) -> None:
    found = echoes(dict(enumerate(said)), others)

    assert found == {
        number
        for number, words in enumerate(said)
        if any(words and len(words & one) >= 0.6 * len(words) for one in others)
    }


def test_echoes_among_many_notes_take_cpu_in_proportion_to_them() -> None:
    def work(count: int) -> Callable[[], object]:
        notes = [
            frozenset(f"word{(n * 7 + k * k) % (8 * count)}" for k in range(25))
            for n in range(count)
        ]
        return lambda: echoes(dict(enumerate(notes[::2])), notes[1::2])

    assert ratio(work(4_000), work(400), 25, least=1e-3) < 25
