"""The stages of recall: what each does, and that the trace gives the same number."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay.accessibility import Accessibility
from actors.policy.graph import causal
from actors.policy.graph.activation import Breadth
from actors.policy.recall.known import Known, Reach
from actors.policy.recall.stage_rules import Strengths, utility
from actors.policy.recall.stages import (
    FUSED,
    WIDTHS,
    Answer,
    Candidate,
    met,
    ranked,
    recomputed,
)
from actors.policy.recall.switches import STAGES, Stages, selected
from actors.policy.statements.sources import NOTICED

OFF = Stages(**dict.fromkeys(STAGES, False))
ON = Stages(**dict.fromkeys(STAGES, True))


def among(**scores: float) -> list[Candidate]:
    """Candidates a, b, c ... as 1, 2, 3 ..."""
    return [Candidate("abcdefgh".index(name) + 1, {"all": s}) for name, s in scores.items()]


def found(answer: Answer) -> dict[int, float]:
    return {one.identity: one.score for one in answer.results}


def test_with_everything_off_the_shares_are_the_score() -> None:
    answer = ranked(
        [Candidate(1, {"words": 0.2, "vectors": 0.1}), Candidate(2, {"words": 0.4})], Known(), OFF
    )

    assert [(one.identity, one.score) for one in answer.results] == [(2, 0.4), (1, 0.2 + 0.1)]
    assert [one.stage for one in answer.trace] == [FUSED]


def test_what_leads_by_words_counts_twice() -> None:
    """From .8 of the best on."""
    answer = ranked(
        among(a=0.3, b=0.2, c=0.4),
        Known(words={1: 8.0, 2: 10.0, 3: 7.9}),
        replace(OFF, keyword_first=True),
    )

    assert found(answer) == pytest.approx({1: 0.6, 2: 0.4, 3: 0.4})


def test_each_scoring_stage_by_hand() -> None:
    known = Known(
        overlap={1: 0.5},
        characters={1: 10},
        ages={1: 0.0},
        past={1},
        made_of={1: NOTICED},
        reach={1: Reach(Accessibility.DORMANT, 24.0, 5)},
        remaining={1: 0.5},
        contexts={1: 0.5},
        uses={1: (3, 4)},
    )
    expected = {
        "rerank": 0.4 + 0.3 * 0.5,
        "length": 0.4 * 0.9,
        "temporal": 0.4 + 0.02,
        "past": 0.4 * 0.8,
        "noticed": 0.4 * 0.3,
        "accessibility": 0.4 * 0.7 + 0.075 + 0.05,
        "suppression": 0.4 * 0.5,
        "context": 0.4 * 1.15,
        "utility": 0.4 * 1.1125,
    }

    for name, score in expected.items():
        answer = ranked(among(a=0.4, b=0.1), known, replace(OFF, **{name: True}))
        assert found(answer) == pytest.approx({1: score, 2: 0.1}), name


def test_what_was_made_within_the_hour_of_another_result_gains() -> None:
    """.85 beside one of half an hour ago is .91375; what is alone stays as it is."""
    known = Known(ages={1: 2.0, 2: 2.0 - 1 / 48, 3: 9.0})

    answer = ranked(among(a=0.85, b=0.78, c=0.72), known, replace(OFF, contiguity=True))

    assert found(answer) == pytest.approx({1: 0.91375, 2: 0.8385, 3: 0.72})


def test_boosts_are_told_one_by_one_and_stay_under_their_ceiling() -> None:
    known = Known(
        edges=[causal.edge("e", "1", "2", "caused")], held={2: 0.5}, coactive={2: [0.9] * 5}
    )

    answer = ranked(among(a=0.9, b=0.5), known, replace(OFF, boosts=True))

    terms = answer.trace[-1].terms[2]
    assert [one.name for one in terms] == ["causal", "session", "coactivation"]
    assert found(answer)[2] == pytest.approx(0.5 * 1.2)


def test_what_is_new_comes_sooner_up_to_95_hundredths() -> None:
    """12 hours give .055182; what is over .95, or older than two days, stays as it is."""
    known = Known(ages={1: 40.0, 2: 0.5, 3: 0.0, 4: 0.0, 5: 2.01})

    answer = ranked(among(a=0.54, b=0.5, c=0.9, d=1.3, e=0.3), known, replace(OFF, novelty=True))

    assert found(answer) == pytest.approx({4: 1.3, 3: 0.95, 2: 0.555182, 1: 0.54, 5: 0.3}, abs=1e-6)
    assert list(found(answer)) == [4, 3, 2, 1, 5]
    assert {*answer.trace[-1].terms} == {2, 3}


def test_results_that_say_much_the_same_yield_to_another() -> None:
    """A score over 1 loses no more for it than one of 1."""
    known = Known(siblings={1: 1, 2: 1, 4: 2, 5: 9})

    answer = ranked(
        among(a=0.60, b=0.58, c=0.55, d=1.4, e=0.5), known, replace(OFF, interference=True)
    )

    assert found(answer) == pytest.approx({4: 1.24, 3: 0.55, 1: 0.52, 2: 0.50, 5: 0.0})
    assert list(found(answer)) == [4, 3, 1, 2, 5]


def test_what_yields_for_being_alike_may_still_be_lifted_for_being_new() -> None:
    known = Known(siblings={1: 1, 2: 1}, ages={1: 0.0, 2: 0.0})

    answer = ranked(among(a=0.5, b=0.4), known, replace(OFF, novelty=True, interference=True))

    assert found(answer) == pytest.approx({1: 0.57, 2: 0.47})
    assert [one.name for one in met(answer.trace)[1]][-2:] == ["interference", "novelty"]


def test_competition_raises_the_best_and_lowers_those_beside_it() -> None:
    answer = ranked(
        among(a=0.9, b=0.8, c=0.7),
        Known(cosines={1: 0.9, 2: 0.8, 3: 0.1}),
        replace(OFF, competition=True),
    )

    assert found(answer) == pytest.approx({1: 0.99, 3: 0.7, 2: 0.68})


def test_each_arranging_stage_by_hand() -> None:
    scores = {"a": 0.95, "b": 0.92, "c": 0.90, "d": 0.88, "e": 0.40, "f": 0.35, "g": 0.30}
    one, other = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    known = Known(
        intent="understand",
        vectors={**dict.fromkeys(range(1, 7), one), 7: other},
        regions={1: "x", 2: "x", 3: "y"},
    )
    expected = {
        "confidence": [1, 2, 3, 4],
        "diversity": [1, 7, 2, 3, 4, 5, 6],
        "regions": [1, 3, 4, 2, 5, 6, 7],
        "representation": [1, 2, 3, 4, 5, 6, 7],
    }

    for name, order in expected.items():
        answer = ranked(among(**scores), known, replace(OFF, **{name: True}))
        assert list(found(answer)) == order, name


def test_a_channel_cut_by_what_was_asked_for_gets_its_place_behind_it() -> None:
    known = Known(words={1: 2.0}, cosines={3: 0.4, 2: 0.5})

    answer = ranked(
        among(a=0.9, b=0.4, c=0.3), known, replace(OFF, representation=True), Strengths(limit=1)
    )

    assert list(found(answer)) == [1, 2]
    assert answer.trace[1].dropped == (3,)


def test_regions_are_left_alone_where_there_are_none() -> None:
    assert list(found(ranked(among(a=0.2, b=0.9), Known(), replace(OFF, regions=True)))) == [2, 1]


SHARE = st.floats(0, 1)
IDS = st.integers(1, 12)


def facts(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.dictionaries(IDS, values)


KNOWN = st.builds(
    Known,
    intent=st.sampled_from(["understand", "fix_bug", "other"]),
    words=facts(st.floats(0, 20)),
    overlap=facts(SHARE),
    characters=facts(st.integers(0, 3000)),
    ages=facts(st.floats(0, 800)),
    past=st.frozensets(IDS),
    siblings=facts(st.integers(1, 20)),
    reach=facts(
        st.builds(Reach, st.sampled_from(Accessibility), st.floats(0, 90), st.integers(0, 20))
    ),
    remaining=facts(SHARE),
    contexts=facts(SHARE),
    held=facts(SHARE),
    coactive=facts(st.lists(SHARE, max_size=5)),
    uses=facts(st.tuples(st.integers(0, 5), st.integers(0, 5))),
    cosines=facts(SHARE),
    regions=facts(st.integers(0, 3)),
    phrases=facts(st.integers(1, 3)),
)
SETTINGS = st.builds(Stages, **dict.fromkeys(STAGES, st.booleans()))
MODES = st.sampled_from(Breadth)
CANDIDATES = st.lists(
    st.builds(Candidate, IDS, st.dictionaries(st.sampled_from(["words", "vectors"]), SHARE)),
    unique_by=lambda one: one.identity,
)


@given(CANDIDATES, KNOWN, SETTINGS)
def test_recomputing_from_the_trace_gives_the_same_number(
    candidates: list[Candidate], known: Known, settings: Stages
) -> None:
    """Explain is the score, bit by bit, with any stages and any facts."""
    answer = ranked(candidates, known, settings)

    for result in answer.results:
        assert recomputed(answer.trace, result.identity) == result.score


@given(CANDIDATES, KNOWN, SETTINGS, MODES, st.integers(0, 8))
def test_each_stage_takes_what_the_one_before_it_left(
    candidates: list[Candidate], known: Known, settings: Stages, mode: Breadth, limit: int
) -> None:
    """The trace lists the stages that ran, in their order."""
    answer = ranked(candidates, known, settings, Strengths(limit=limit), mode)

    ran = [one.stage for one in answer.trace]
    assert ran == [FUSED, *(name for name, _ in selected(settings, mode))]
    for before, after in zip(answer.trace, answer.trace[1:], strict=False):
        assert after.entered == before.left
    assert [one.identity for one in answer.results] == list(answer.trace[-1].left)
    assert len({one.identity for one in answer.results}) == len(answer.results)


@given(CANDIDATES, SETTINGS)
def test_a_stage_that_knows_nothing_changes_no_score(
    candidates: list[Candidate], settings: Stages
) -> None:
    plain = {one.identity: one.score for one in ranked(candidates, Known(), OFF).results}

    answer = ranked(candidates, Known(), replace(settings, confidence=False))

    assert found(answer) == plain


def test_the_terms_of_each_tell_every_step_and_end_with_the_score() -> None:
    candidates = [Candidate(n, {"words": n / 10, "vectors": 0.1}) for n in range(1, 5)]
    known = Known(
        past={2}, literal={3}, held={3: 1.0, 4: 0.5}, remaining={1: 0.5}, uses={2: (1, 2)}
    )
    answer = ranked(candidates, known, replace(ON, keyword_first=False))

    terms = met(answer.trace)

    assert [one.name for one in terms[3]] == ["words", "vectors", "literal", "session"]
    assert [one.name for one in terms[2]] == ["words", "vectors", "past", "utility"]
    for result in answer.results:
        score = 0.0
        for term in terms[result.identity]:
            score = term.applied(score)
        assert score == result.score == recomputed(answer.trace, result.identity)


def test_modes_look_at_once_three_or_five_times_as_many() -> None:
    assert [WIDTHS[mode] for mode in Breadth] == [1, 3, 5]


def test_more_uses_than_returns_count_as_always_and_none_as_nothing() -> None:
    assert utility(3, 4) == 0.75
    assert utility(9, 3) == 1.0
    assert utility(-1, 5) == utility(0, 0) == 0.0


@given(st.integers(0, 100), st.integers(1, 100))
def test_showing_it_once_more_without_use_never_helps(used: int, returned: int) -> None:
    assert utility(used, returned + 1) <= utility(used, returned)
