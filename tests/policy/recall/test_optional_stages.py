"""Stages of recall that are off, each by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from actors.policy.recall.candidates import Facts, QueryFacts
from actors.policy.recall.ways import composite, traced

NOW = 1_800_000_000.0
DAY = 86_400.0
NOTE = Facts("normal", used=None, uses=0, retrievability=1.0)
KEEL, SAIL = frozenset({"keel", "green"}), frozenset({"sail", "white"})


def among(**scores: float) -> dict[int, dict[str, float]]:
    """Candidates a, b, c ... as 1, 2, 3 ..., with the shares of each."""
    return {"abcdefgh".index(name) + 1: {"all": score} for name, score in scores.items()}


def with_stage(name: str, known: QueryFacts, **scores: float) -> dict[int, float]:
    """The scores in their order."""
    answer = traced(among(**scores), known, frozenset({name}))
    return {one: answer.scores[one] for one in answer.order}


def test_the_querys_words_in_a_text_count_again_by_their_rarity() -> None:
    known = QueryFacts(terms=["keel"], frequencies={"keel": 1}, total=9, stems={1: KEEL, 2: SAIL})

    assert with_stage("rerank", known, a=0.4, b=0.1) == pytest.approx({1: 0.4 + 0.3, 2: 0.1})


def test_the_five_factors_of_a_memory_by_their_weights() -> None:
    """Used five times, the last one five days ago, it is found as the best."""
    known = QueryFacts(
        at=NOW, facts={1: replace(NOTE, uses=5, used=NOW - 5 * DAY, retrievability=0.75)}
    )

    factors = composite(known, {1: 1.0})[1]

    assert list(factors.values()) == pytest.approx([0.1875, 0.075, 0.125, 0.2, 0.1])
    never = composite(QueryFacts(at=NOW, facts={1: NOTE}), {})[1]
    assert (never["pattern"], never["citation"]) == (0.0, 0.0)


def test_competition_raises_the_best_and_lowers_those_beside_it() -> None:
    known = QueryFacts(cosines={1: 0.9, 2: 0.8, 3: 0.1})

    scores = with_stage("competition", known, a=0.9, b=0.8, c=0.7)

    assert scores == pytest.approx({1: 0.99, 3: 0.7, 2: 0.68})


def test_what_stands_behind_the_first_steep_fall_is_cut() -> None:
    scores = {"a": 0.95, "b": 0.92, "c": 0.90, "d": 0.88, "e": 0.40, "f": 0.35, "g": 0.30}

    assert list(with_stage("confidence", QueryFacts(), **scores)) == [1, 2, 3, 4]


def test_a_channel_cut_by_what_was_asked_for_gets_its_place_behind_it() -> None:
    known = QueryFacts(words={1: 2.0}, cosines={3: 0.4, 2: 0.5}, literal={4})
    candidates, on = among(a=0.9, b=0.4, c=0.3, d=0.1), frozenset({"representation"})

    assert list(traced(candidates, known, on, wanted=1).order) == [1, 2]
    assert list(traced(candidates, known, on).order) == [1, 2, 3, 4]


def test_of_results_that_say_the_same_one_waits() -> None:
    """1 and 2 say the same; nothing is known of the words of 4."""
    known = QueryFacts(stems={1: KEEL, 2: KEEL, 3: SAIL})

    assert list(with_stage("diversity", known, a=0.9, b=0.8, c=0.6, d=0.5)) == [1, 3, 4, 2]
