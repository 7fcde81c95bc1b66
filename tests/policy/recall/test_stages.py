"""The stages of recall: what each does, and that the trace gives the same number."""

from __future__ import annotations

from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.recall.candidates import Facts, QueryFacts
from actors.policy.recall.stages import terms_of
from actors.policy.recall.ways import FUSED, STAGE, TABLE, composite, stages, traced
from actors.policy.statements.sources import NOTICED

NAMES = [way.name for way in TABLE if way.kind == STAGE]
OFF = frozenset[str]()
ON = frozenset(NAMES)

Candidates: TypeAlias = dict[int, dict[str, float]]  # the shares of each


def among(**scores: float) -> Candidates:
    """Candidates a, b, c ... as 1, 2, 3 ..."""
    return {"abcdefgh".index(name) + 1: {"all": score} for name, score in scores.items()}


def test_with_everything_off_the_shares_are_the_score() -> None:
    answer = traced({1: {"words": 0.2, "vectors": 0.1}, 2: {"words": 0.4}}, QueryFacts(), OFF)

    assert (answer.order, answer.scores) == ((2, 1), {1: 0.2 + 0.1, 2: 0.4})
    assert [one.stage for one in answer.passed] == [FUSED]


def test_each_scoring_stage_that_is_on_by_hand() -> None:
    known = QueryFacts(past={1}, made_of={1: NOTICED}, remaining={1: 0.5}, labelled={1: 1.0})
    expected = {"past": 0.8, "noticed": 0.3, "suppression": 0.5, "label": 1.2}

    for name, times in expected.items():
        answer = traced(among(a=0.4, b=0.1), known, frozenset({name}))
        assert answer.scores == pytest.approx({1: 0.4 * times, 2: 0.1}), name


SHARE = st.floats(0, 1)
IDS = st.integers(1, 12)


def facts(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.dictionaries(IDS, values)


FACTS = st.builds(
    Facts,
    tier=st.just("normal"),
    used=st.none(),
    retrievability=st.just(1.0),
    uses=st.integers(0, 5),
)
KNOWN = st.builds(
    QueryFacts,
    terms=st.just(["whale", "port"]),
    frequencies=st.just({"whale": 2}),
    total=st.integers(0, 99),
    words=facts(st.floats(0, 20)),
    past=st.frozensets(IDS),
    facts=facts(FACTS),
    at=st.floats(9e6, 9.1e6),
    stems=facts(st.frozensets(st.sampled_from(["whale", "port", "squid"]))),
    remaining=facts(SHARE),
    cosines=facts(SHARE),
    phrases=facts(st.integers(1, 3)),
)
SETTINGS = st.frozensets(st.sampled_from(NAMES))
CANDIDATES = facts(st.dictionaries(st.sampled_from(["words", "vectors"]), SHARE))


@given(CANDIDATES, KNOWN, SETTINGS)
def test_recomputing_from_the_trace_gives_the_same_number(
    candidates: Candidates, known: QueryFacts, settings: frozenset[str]
) -> None:
    """Explain is the score, bit by bit, with any stages and any facts."""
    answer = traced(candidates, known, settings)

    for one, score in answer.scores.items():
        again = 0.0
        for term in terms_of(answer.passed, one):
            again = again * term.times + term.plus
        assert again == score


@given(CANDIDATES, KNOWN, SETTINGS, st.integers(0, 8))
def test_each_stage_takes_what_the_one_before_it_left(
    candidates: Candidates, known: QueryFacts, settings: frozenset[str], limit: int
) -> None:
    """The trace lists the stages that ran, in their order."""
    answer = traced(candidates, known, settings, limit)

    ran = [one.stage for one in answer.passed]
    assert ran == [FUSED, *(name for name, _ in stages(settings))]
    for before, after in zip(answer.passed, answer.passed[1:], strict=False):
        assert after.entered == before.left
    assert len({*answer.order}) == len(answer.order)


@given(CANDIDATES, SETTINGS)
def test_a_stage_that_knows_nothing_changes_no_score(
    candidates: Candidates, settings: frozenset[str]
) -> None:
    plain = traced(candidates, QueryFacts(), OFF).scores

    answer = traced(candidates, QueryFacts(), settings - {"confidence"})

    assert answer.scores == plain


def test_the_terms_of_each_tell_every_step() -> None:
    candidates = {n: {"words": n / 10, "vectors": 0.1} for n in range(1, 5)}
    known = QueryFacts(past={2}, literal={3}, remaining={1: 0.5})
    answer = traced(candidates, known, ON)

    terms = {one: [term.name for term in terms_of(answer.passed, one)] for one in answer.order}

    assert terms[3] == ["words", "vectors", "literal"]
    assert terms[2] == ["words", "vectors", "past"]


# ---- stages that are off, each by hand


NOW = 1_800_000_000.0
DAY = 86_400.0
NOTE = Facts("normal", used=None, uses=0, retrievability=1.0)
KEEL, SAIL = frozenset({"keel", "green"}), frozenset({"sail", "white"})


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
