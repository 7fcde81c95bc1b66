"""The stages of recall: their order, what each does, and that the trace gives the same number.

Rows K28, K10, K12, K16, K17, K20, K21, K22, K24, K27, K30, K31, K32, B11, E07, Q12.
"""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay.accessibility import Accessibility
from actors.policy.graph import causal
from actors.policy.graph.activation import Breadth, Neighbour
from actors.policy.recall.stage_rules import FETCH_CAP, WIDTHS, Known, Reach, fetched
from actors.policy.recall.stages import (
    ARRANGING,
    LEFT_OUT,
    SCORING,
    Answer,
    Candidate,
    Settings,
    Stage,
    explained,
    met,
    ranked,
    recomputed,
    selected,
)

OFF = Settings(**dict.fromkeys((one.value for one in Stage if one is not Stage.FUSED), False))
ON = Settings(**dict.fromkeys((one.value for one in Stage if one is not Stage.FUSED), True))


def among(**scores: float) -> list[Candidate]:
    """Candidates a, b, c ... as 1, 2, 3 ..."""
    return [Candidate("abcdefgh".index(name) + 1, {"all": s}) for name, s in scores.items()]


def found(answer: Answer) -> dict[int, float]:
    return {one.identity: one.score for one in answer.results}


def test_there_is_a_switch_for_every_stage_and_a_rule_behind_each() -> None:
    """K28"""
    names = {one.value for one in Stage} - {"fused"}

    assert {one.name for one in fields(Settings)} == names
    assert {*SCORING, *ARRANGING} == {Stage(name) for name in names} - {Stage.SPREADING}


def test_the_seven_stages_of_the_documents_stand_in_their_order() -> None:
    """K28"""
    seven = ["keyword_first", "overfetch", "rerank", "temporal", "accessibility", "context"]
    seven += ["competition", "spreading"]

    assert [one.value for one in selected(ON, Breadth.BALANCED) if one.value in seven] == seven


def test_modes_look_at_once_three_or_five_times_as_many() -> None:
    """K28: cap 100."""
    assert [fetched(10, mode) for mode in WIDTHS] == [10, 30, 50]
    assert fetched(50, Breadth.EXHAUSTIVE) == FETCH_CAP == 100


def test_precise_brings_nothing_to_mind_and_exhaustive_hides_nothing() -> None:
    """K28, E07"""
    assert Stage.SPREADING not in selected(ON, Breadth.PRECISE)
    assert Stage.COMPETITION not in selected(ON, Breadth.EXHAUSTIVE)
    assert LEFT_OUT[Breadth.BALANCED] == frozenset()


def test_with_everything_off_the_shares_are_the_score() -> None:
    answer = ranked(
        [Candidate(1, {"words": 0.2, "vectors": 0.1}), Candidate(2, {"words": 0.4})], Known(), OFF
    )

    assert [(one.identity, one.score) for one in answer.results] == [(2, 0.4), (1, 0.2 + 0.1)]
    assert [one.stage for one in answer.trace] == [Stage.FUSED]


def test_what_leads_by_words_counts_twice() -> None:
    """K28: from .8 of the best on."""
    answer = ranked(
        among(a=0.3, b=0.2, c=0.4),
        Known(keyword={1: 8.0, 2: 10.0, 3: 7.9}),
        replace(OFF, keyword_first=True),
    )

    assert found(answer) == pytest.approx({1: 0.6, 2: 0.4, 3: 0.4})


def test_each_scoring_stage_by_hand() -> None:
    """K16, K27, K10, I10, B11, Q12, K30, K32"""
    known = Known(
        overlap={1: 0.5},
        characters={1: 10},
        ages={1: 0.0},
        past={1},
        noticed={1},
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


def test_boosts_are_told_one_by_one_and_stay_under_their_ceiling() -> None:
    """K17, F08"""
    known = Known(
        edges=[causal.edge("e", "1", "2", "caused")], held={2: 0.5}, coactive={2: [0.9] * 5}
    )

    answer = ranked(among(a=0.9, b=0.5), known, replace(OFF, boosts=True))

    terms = answer.trace[-1].terms[2]
    assert [one.name for one in terms] == ["causal", "session", "coactivation"]
    assert found(answer)[2] == pytest.approx(0.5 * 1.2)


def test_competition_raises_the_best_and_lowers_those_beside_it() -> None:
    """K31"""
    answer = ranked(
        among(a=0.9, b=0.8, c=0.7),
        Known(cosines={1: 0.9, 2: 0.8, 3: 0.1}),
        replace(OFF, competition=True),
    )

    assert found(answer) == pytest.approx({1: 0.99, 3: 0.7, 2: 0.68})


def test_each_arranging_stage_by_hand() -> None:
    """K12, K20, K21, K22, K24"""
    scores = {"a": 0.95, "b": 0.92, "c": 0.90, "d": 0.88, "e": 0.40, "f": 0.35, "g": 0.30}
    one, other = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    known = Known(
        limit=3,
        intent="understand",
        tokens_asked=100,
        vectors={**dict.fromkeys(range(1, 7), one), 7: other},
        regions={1: "x", 2: "x", 3: "y"},
        sizes={1: 60, 2: 60, 3: 30},
    )
    expected = {
        "overfetch": [1, 2, 3, 4, 5, 6, 7],
        "confidence": [1, 2, 3, 4],
        "diversity": [1, 7, 2, 3, 4, 5, 6],
        "regions": [1, 3, 4, 2, 5, 6, 7],
        "limit": [1, 2, 3],
        "budget": [1, 3, 4, 5, 6, 7],
    }

    for name, order in expected.items():
        answer = ranked(among(**scores), known, replace(OFF, **{name: True}))
        assert list(found(answer)) == order, name


def test_a_channel_cut_by_the_limit_gets_its_place_back() -> None:
    """K20"""
    known = Known(limit=1, channels={"words": [1], "graph": [3, 2], "degree": []})

    answer = ranked(
        among(a=0.9, b=0.4, c=0.3), known, replace(OFF, limit=True, representation=True)
    )

    assert list(found(answer)) == [1, 2]
    assert answer.trace[1].dropped == (2, 3)
    assert answer.trace[2].left == (1, 2)


def test_regions_are_left_alone_where_there_are_none() -> None:
    """K24"""
    assert list(found(ranked(among(a=0.2, b=0.9), Known(), replace(OFF, regions=True)))) == [2, 1]


def test_the_best_result_brings_others_to_mind_by_mode() -> None:
    """E07: three, five, none."""
    around = {"1": tuple(Neighbour(str(number), 0.9) for number in range(10, 20))}
    counts = {
        mode: len(ranked(among(a=0.9), Known(mode=mode, adjacency=around)).associations)
        for mode in Breadth
    }

    assert counts == {Breadth.PRECISE: 0, Breadth.BALANCED: 3, Breadth.EXHAUSTIVE: 5}
    assert ranked([], Known(adjacency=around)).associations == ()


def test_the_explanation_tells_every_step_and_ends_with_the_score() -> None:
    """K28"""
    known = Known(past={1}, uses={1: (1, 2)})

    answer = ranked([Candidate(1, {"words": 0.3, "vectors": 0.2})], known)

    lines = explained(answer.trace, 1)
    assert [(stage.value, term.name) for stage, term, _ in lines] == [
        ("fused", "words"),
        ("fused", "vectors"),
        ("past", "past"),
        ("utility", "utility"),
    ]
    assert lines[-1][2] == answer.results[0].score == recomputed(answer.trace, 1)


SHARE = st.floats(0, 1)
IDS = st.integers(1, 12)


def facts(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.dictionaries(IDS, values)


KNOWN = st.builds(
    Known,
    limit=st.integers(1, 8),
    mode=st.sampled_from(Breadth),
    intent=st.sampled_from(["understand", "fix_bug", "other"]),
    tokens_asked=st.integers(100, 400),
    keyword=facts(st.floats(0, 20)),
    overlap=facts(SHARE),
    characters=facts(st.integers(0, 3000)),
    ages=facts(st.floats(0, 800)),
    past=st.frozensets(IDS),
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
    channels=st.dictionaries(st.sampled_from("xy"), st.lists(IDS, max_size=4)),
    sizes=facts(st.integers(0, 200)),
)
SETTINGS = st.builds(
    Settings, **dict.fromkeys((one.value for one in Stage if one is not Stage.FUSED), st.booleans())
)
CANDIDATES = st.lists(
    st.builds(Candidate, IDS, st.dictionaries(st.sampled_from(["words", "vectors"]), SHARE)),
    unique_by=lambda one: one.identity,
)


@given(CANDIDATES, KNOWN, SETTINGS)
def test_recomputing_from_the_trace_gives_the_same_number(
    candidates: list[Candidate], known: Known, settings: Settings
) -> None:
    """K28: explain is the score, bit by bit, with any stages and any facts."""
    answer = ranked(candidates, known, settings)

    for result in answer.results:
        assert recomputed(answer.trace, result.identity) == result.score


@given(CANDIDATES, KNOWN, SETTINGS)
def test_each_stage_takes_what_the_one_before_it_left(
    candidates: list[Candidate], known: Known, settings: Settings
) -> None:
    """K28: the trace lists the stages that ran, in their order."""
    answer = ranked(candidates, known, settings)

    ran = [one.stage for one in answer.trace]
    assert ran == [Stage.FUSED, *selected(settings, known.mode)]
    for before, after in zip(answer.trace, answer.trace[1:], strict=False):
        assert after.entered == before.left
    assert [one.identity for one in answer.results] == list(answer.trace[-1].left)
    assert len({one.identity for one in answer.results}) == len(answer.results)


@given(CANDIDATES, SETTINGS)
def test_a_stage_that_knows_nothing_changes_no_score(
    candidates: list[Candidate], settings: Settings
) -> None:
    plain = {one.identity: one.score for one in ranked(candidates, Known(limit=100), OFF).results}

    answer = ranked(candidates, Known(limit=100), replace(settings, confidence=False))

    assert found(answer) == plain


def test_the_terms_of_all_are_those_that_each_is_explained_by() -> None:
    """K28"""
    candidates = [Candidate(n, {"words": n / 10, "vectors": 0.1}) for n in range(1, 5)]
    known = Known(past={2}, literal={3}, held={3: 1.0, 4: 0.5}, remaining={1: 0.5})
    trace = ranked(candidates, known, replace(ON, overfetch=False)).trace

    terms = met(trace)

    assert terms == {n: [term for _, term, _ in explained(trace, n)] for n in range(1, 5)}
    assert [term.name for term in terms[3]] == ["words", "vectors", "literal", "session"]
