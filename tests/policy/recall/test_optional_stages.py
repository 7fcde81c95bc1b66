"""Stages of recall that are off, each by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from actors.policy.recall.candidates import Facts, QueryFacts
from actors.policy.recall.optional_stages import composite
from actors.policy.recall.ways import traced

NOW = 1_800_000_000.0
HOUR, DAY = 3_600.0, 86_400.0
NOTE = Facts("normal", None, None, NOW, None, 0, 0, 1.0)
KEEL, SAIL = frozenset({"keel", "green"}), frozenset({"sail", "white"})


def among(**scores: float) -> dict[int, dict[str, float]]:
    """Candidates a, b, c ... as 1, 2, 3 ..., with the shares of each."""
    return {"abcdefgh".index(name) + 1: {"all": score} for name, score in scores.items()}


def with_stage(name: str, known: QueryFacts, **scores: float) -> dict[int, float]:
    """The scores in their order."""
    answer = traced(among(**scores), known, frozenset({name}))
    return {one: answer.scores[one] for one in answer.order}


def test_stages_that_go_by_one_fact_by_hand() -> None:
    known = QueryFacts(
        terms=["keel"],
        frequencies={"keel": 1},
        total=9,
        degrees={1: 0.1},
        facts={1: replace(NOTE, uses=3, returned=4, retrievability=0.5)},
        stems={1: KEEL, 2: SAIL},
    )
    expected = {
        "rerank": 0.4 + 0.3,
        "accessibility": 0.4 * 0.75,
        "degree": 0.4 * 1.1,
        "utility": 0.4 * 1.1125,
    }

    for name, score in expected.items():
        assert with_stage(name, known, a=0.4, b=0.1) == pytest.approx({1: score, 2: 0.1}), name


def test_the_five_factors_of_a_memory_by_their_weights() -> None:
    """Used five times, the last one five days ago, it is found as the best."""
    known = QueryFacts(
        at=NOW, facts={1: replace(NOTE, uses=5, used=NOW - 5 * DAY, retrievability=0.75)}
    )

    factors = composite(known, {1: 1.0})[1]

    assert list(factors.values()) == pytest.approx([0.1875, 0.075, 0.125, 0.2, 0.1])
    never = composite(QueryFacts(at=NOW, facts={1: NOTE}), {})[1]
    assert (never["pattern"], never["citation"]) == (0.0, 0.0)


def test_what_was_made_within_the_hour_of_another_result_gains() -> None:
    """.85 beside one of half an hour ago is .91375; what is alone stays as it is."""
    made = {1: NOW, 2: NOW + HOUR / 2, 3: NOW - DAY}
    known = QueryFacts(facts={one: replace(NOTE, created=at) for one, at in made.items()})

    scores = with_stage("contiguity", known, a=0.85, b=0.78, c=0.72)

    assert scores == pytest.approx({1: 0.91375, 2: 0.8385, 3: 0.72})


def test_what_is_new_comes_sooner_up_to_95_hundredths() -> None:
    """12 hours give .055182; what is over .95, or older than two days, stays as it is."""
    ages = {1: 40.0, 2: 0.5, 3: 0.0, 4: 0.0, 5: 2.01}
    facts = {one: replace(NOTE, created=NOW - days * DAY) for one, days in ages.items()}

    scores = with_stage(
        "novelty", QueryFacts(at=NOW, facts=facts), a=0.54, b=0.5, c=0.9, d=1.3, e=0.3
    )

    assert scores == pytest.approx({4: 1.3, 3: 0.95, 2: 0.555182, 1: 0.54, 5: 0.3}, abs=1e-6)
    assert list(scores) == [4, 3, 2, 1, 5]


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


def test_what_was_made_in_circumstances_like_these_gains() -> None:
    """Topics count half, the session .3, the hour of the day .2."""
    here = replace(NOTE, session="s1")
    known = QueryFacts(at=NOW, session="s1", terms=["keel", "green"], stems={1: KEEL, 2: KEEL})
    known.facts = {1: here, 2: replace(here, session="s2", created=NOW - 12 * HOUR), 3: NOTE}

    scores = with_stage("context", known, a=0.4, b=0.4, c=0.4)

    assert scores == pytest.approx({1: 0.4 * 1.3, 2: 0.4 * 1.15, 3: 0.4 * 1.06})


def test_what_other_results_say_as_well_gains_or_loses_or_waits_as_is_asked() -> None:
    """1 and 2 say the same; nothing is known of the words of 4."""
    known = QueryFacts(stems={1: KEEL, 2: KEEL, 3: SAIL}, facts=dict.fromkeys((1, 2, 3, 4), NOTE))
    scores = {"a": 0.9, "b": 0.8, "c": 0.6, "d": 0.5}

    lifted = with_stage("boosts", known, **scores)
    lowered = with_stage("interference", known, **scores)
    apart = with_stage("diversity", known, **scores)

    assert lifted == pytest.approx({1: 0.945, 2: 0.84, 3: 0.6, 4: 0.5})
    assert lowered == pytest.approx({1: 0.9, 2: 0.72, 3: 0.6, 4: 0.5})
    assert list(apart) == [1, 3, 4, 2]
