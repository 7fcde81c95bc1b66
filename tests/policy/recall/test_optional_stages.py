"""Stages of recall that are off, each by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from actors.policy.decay.accessibility import Accessibility
from actors.policy.graph import causal
from actors.policy.recall.known import Facts, Known, Reach
from actors.policy.recall.trace import terms_of
from actors.policy.recall.ways import traced

NOW = 1_800_000_000.0
HOUR, DAY = 3_600.0, 86_400.0
NOTE = Facts("", "", (), "fact", "normal", None, None, NOW, NOW, None, 0, 0, 1.0)
ONE, OTHER = np.array([1, 0], np.float32), np.array([0, 1], np.float32)


def among(**scores: float) -> dict[int, dict[str, float]]:
    """Candidates a, b, c ... as 1, 2, 3 ..., with the shares of each."""
    return {"abcdefgh".index(name) + 1: {"all": score} for name, score in scores.items()}


def with_stage(name: str, known: Known, **scores: float) -> dict[int, float]:
    """The scores in their order."""
    answer = traced(among(**scores), known, frozenset({name}))
    return {one: answer.scores[one] for one in answer.order}


def test_a_text_that_holds_the_words_gains_and_a_long_one_less() -> None:
    known = Known(terms=["whale"], frequencies={"whale": 1}, total=9)
    short = replace(NOTE, text="whale " + "x" * 493 + " ")
    known.facts = {1: short, 2: replace(NOTE, text=short.text * 4), 3: NOTE}

    scores = with_stage("rerank", known, a=0.4, b=0.4, c=0.4)

    assert scores[1] == pytest.approx(0.4 + 0.3 * 1 / (1 + 1.2))
    assert scores[3] == 0.4
    assert scores[2] == pytest.approx(0.4 + 0.3 * 4 / (4 + 1.2 * (0.25 + 0.75 * 4)))


def test_stages_that_go_by_one_fact_by_hand() -> None:
    known = Known(
        reach={1: Reach(Accessibility.DORMANT, 24.0, 5)},
        captured={1},
        degrees={1: 0.1},
        facts={1: replace(NOTE, uses=3, returned=4)},
    )
    expected = {
        "accessibility": 0.4 * 0.7 + 0.075 + 0.05,
        "captured": 0.4 * 1.05,
        "degree": 0.4 * 1.1,
        "utility": 0.4 * 1.1125,
    }

    for name, score in expected.items():
        assert with_stage(name, known, a=0.4, b=0.1) == pytest.approx({1: score, 2: 0.1}), name


def test_what_was_made_within_the_hour_of_another_result_gains() -> None:
    """.85 beside one of half an hour ago is .91375; what is alone stays as it is."""
    made = {1: NOW, 2: NOW + HOUR / 2, 3: NOW - DAY}
    known = Known(facts={one: replace(NOTE, created=at) for one, at in made.items()})

    scores = with_stage("contiguity", known, a=0.85, b=0.78, c=0.72)

    assert scores == pytest.approx({1: 0.91375, 2: 0.8385, 3: 0.72})


def test_what_is_new_comes_sooner_up_to_95_hundredths() -> None:
    """12 hours give .055182; what is over .95, or older than two days, stays as it is."""
    ages = {1: 40.0, 2: 0.5, 3: 0.0, 4: 0.0, 5: 2.01}
    facts = {one: replace(NOTE, created=NOW - days * DAY) for one, days in ages.items()}

    scores = with_stage("novelty", Known(at=NOW, facts=facts), a=0.54, b=0.5, c=0.9, d=1.3, e=0.3)

    assert scores == pytest.approx({4: 1.3, 3: 0.95, 2: 0.555182, 1: 0.54, 5: 0.3}, abs=1e-6)
    assert list(scores) == [4, 3, 2, 1, 5]


def test_what_was_made_in_circumstances_like_these_gains() -> None:
    """Topics count half, the session .3, the hour of the day .2."""
    here = replace(NOTE, phrases=("whale port",), session="s1")
    known = Known(at=NOW, session="s1", terms=["whale", "port"])
    known.facts = {1: here, 2: replace(here, session="s2", created=NOW - 12 * HOUR), 3: NOTE}

    scores = with_stage("context", known, a=0.4, b=0.4, c=0.4)

    assert scores == pytest.approx({1: 0.4 * 1.3, 2: 0.4 * 1.15, 3: 0.4 * 1.06})


def test_boosts_are_told_one_by_one_and_stay_under_their_ceiling() -> None:
    edges = [causal.edge("e", "1", "2", "caused")]
    known = Known(edges=edges, held={2: 0.5}, vectors=dict.fromkeys((1, 2), ONE))

    answer = traced(among(a=0.9, b=0.5), known, frozenset({"boosts"}))

    terms = answer.passed[-1].terms[2]
    assert [one.name for one in terms] == ["causal", "session", "coactivation"]
    assert 0.5 < answer.scores[2] <= 0.5 * 1.2


def test_attention_alone_adds_fifteen_hundredths_of_it() -> None:
    scores = with_stage("boosts", Known(held={1: 1.0, 2: 0.5}), a=0.4, b=0.2)

    assert scores == pytest.approx({1: 0.46, 2: 0.215})


def test_results_that_say_much_the_same_yield_to_another() -> None:
    """A score over 1 loses no more for it than one of 1; other projects do not count."""
    same = replace(NOTE, title="Keel of the boat painted green")
    known = Known(facts={1: same, 2: same, 3: NOTE, 4: same, 5: replace(same, project="/p")})

    scores = with_stage("interference", known, a=0.60, b=0.58, c=0.55, d=1.4, e=0.5)

    assert scores == pytest.approx({4: 1.24, 3: 0.55, 5: 0.5, 1: 0.44, 2: 0.42})


def test_what_yields_for_being_alike_may_still_be_lifted_for_being_new() -> None:
    same = replace(NOTE, title="Keel of the boat")
    known = Known(at=NOW, facts={1: same, 2: same})

    answer = traced(among(a=0.5, b=0.4), known, frozenset({"novelty", "interference"}))

    assert answer.scores == pytest.approx({1: 0.57, 2: 0.47})
    assert [one.name for one in terms_of(answer.passed, 1)][-2:] == ["interference", "novelty"]


def test_competition_raises_the_best_and_lowers_those_beside_it() -> None:
    known = Known(cosines={1: 0.9, 2: 0.8, 3: 0.1})

    scores = with_stage("competition", known, a=0.9, b=0.8, c=0.7)

    assert scores == pytest.approx({1: 0.99, 3: 0.7, 2: 0.68})


def test_what_stands_behind_the_first_steep_fall_is_cut() -> None:
    scores = {"a": 0.95, "b": 0.92, "c": 0.90, "d": 0.88, "e": 0.40, "f": 0.35, "g": 0.30}

    assert list(with_stage("confidence", Known(), **scores)) == [1, 2, 3, 4]


def test_what_says_another_thing_goes_before_what_says_the_same_again() -> None:
    known = Known(vectors={1: ONE, 2: ONE, 3: OTHER})

    assert list(with_stage("diversity", known, a=0.9, b=0.8, c=0.6)) == [1, 3, 2]
    assert list(with_stage("diversity", Known(), a=0.9, b=0.8, c=0.6)) == [1, 2, 3]


def test_a_channel_cut_by_what_was_asked_for_gets_its_place_behind_it() -> None:
    known = Known(words={1: 2.0}, cosines={3: 0.4, 2: 0.5}, literal={4})
    candidates, on = among(a=0.9, b=0.4, c=0.3, d=0.1), frozenset({"representation"})

    assert list(traced(candidates, known, on, wanted=1).order) == [1, 2]
    assert list(traced(candidates, known, on).order) == [1, 2, 3, 4]
