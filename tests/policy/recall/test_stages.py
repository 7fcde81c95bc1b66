"""The stages of recall: what each does, and that the trace gives the same number."""

from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.candidates import Facts, QueryFacts
from actors.policy.recall.stages import terms_of
from actors.policy.recall.ways import FUSED, STAGE, TABLE, stages, traced
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
