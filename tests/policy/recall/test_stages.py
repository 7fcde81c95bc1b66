"""The stages of recall: what each does, and that the trace gives the same number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay.accessibility import Accessibility
from actors.policy.graph.activation import Breadth
from actors.policy.recall.known import Facts, Known, Reach
from actors.policy.recall.stages import (
    FUSED,
    WIDTHS,
    Answer,
    Candidate,
    met,
    ranked,
    recomputed,
)
from actors.policy.recall.ways import STAGE, TABLE, stages
from actors.policy.statements.sources import NOTICED

NAMES = [way.name for way in TABLE if way.kind == STAGE]
OFF = frozenset[str]()
ON = frozenset(NAMES)


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


def test_each_scoring_stage_that_is_on_by_hand() -> None:
    known = Known(past={1}, made_of={1: NOTICED}, remaining={1: 0.5}, labelled={1: 1.0})
    expected = {"past": 0.8, "noticed": 0.3, "suppression": 0.5, "label": 1.2}

    for name, times in expected.items():
        answer = ranked(among(a=0.4, b=0.1), known, frozenset({name}))
        assert found(answer) == pytest.approx({1: 0.4 * times, 2: 0.1}), name


SHARE = st.floats(0, 1)
IDS = st.integers(1, 12)


def facts(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.dictionaries(IDS, values)


FACTS = st.builds(
    Facts,
    text=st.sampled_from(["", "whale port", "squid " * 90]),
    title=st.sampled_from(["", "Whale port", "Squid"]),
    phrases=st.just(()),
    kind=st.just("fact"),
    tier=st.just("normal"),
    created=st.floats(0, 9e6),
    changed=st.just(0.0),
    used=st.none(),
    retrievability=st.just(1.0),
    uses=st.integers(0, 5),
    returned=st.integers(0, 5),
    session=st.sampled_from([None, "s1"]),
    project=st.sampled_from([None, "/p"]),
)
KNOWN = st.builds(
    Known,
    terms=st.just(["whale", "port"]),
    frequencies=st.just({"whale": 2}),
    total=st.integers(0, 99),
    words=facts(st.floats(0, 20)),
    past=st.frozensets(IDS),
    facts=facts(FACTS),
    at=st.floats(9e6, 9.1e6),
    reach=facts(
        st.builds(Reach, st.sampled_from(Accessibility), st.floats(0, 90), st.integers(0, 20))
    ),
    remaining=facts(SHARE),
    held=facts(SHARE),
    captured=st.frozensets(IDS),
    cosines=facts(SHARE),
    phrases=facts(st.integers(1, 3)),
)
SETTINGS = st.frozensets(st.sampled_from(NAMES))
MODES = st.sampled_from(Breadth)
CANDIDATES = st.lists(
    st.builds(Candidate, IDS, st.dictionaries(st.sampled_from(["words", "vectors"]), SHARE)),
    unique_by=lambda one: one.identity,
)


@given(CANDIDATES, KNOWN, SETTINGS)
def test_recomputing_from_the_trace_gives_the_same_number(
    candidates: list[Candidate], known: Known, settings: frozenset[str]
) -> None:
    """Explain is the score, bit by bit, with any stages and any facts."""
    answer = ranked(candidates, known, settings)

    for result in answer.results:
        assert recomputed(answer.trace, result.identity) == result.score


@given(CANDIDATES, KNOWN, SETTINGS, MODES, st.integers(0, 8))
def test_each_stage_takes_what_the_one_before_it_left(
    candidates: list[Candidate], known: Known, settings: frozenset[str], mode: Breadth, limit: int
) -> None:
    """The trace lists the stages that ran, in their order."""
    answer = ranked(candidates, known, settings, mode, limit)

    ran = [one.stage for one in answer.trace]
    assert ran == [FUSED, *(name for name, _ in stages(settings, mode))]
    for before, after in zip(answer.trace, answer.trace[1:], strict=False):
        assert after.entered == before.left
    assert [one.identity for one in answer.results] == list(answer.trace[-1].left)
    assert len({one.identity for one in answer.results}) == len(answer.results)


@given(CANDIDATES, SETTINGS)
def test_a_stage_that_knows_nothing_changes_no_score(
    candidates: list[Candidate], settings: frozenset[str]
) -> None:
    plain = {one.identity: one.score for one in ranked(candidates, Known(), OFF).results}

    answer = ranked(candidates, Known(), settings - {"confidence"})

    assert found(answer) == plain


def test_the_terms_of_each_tell_every_step_and_end_with_the_score() -> None:
    candidates = [Candidate(n, {"words": n / 10, "vectors": 0.1}) for n in range(1, 5)]
    known = Known(past={2}, literal={3}, held={3: 1.0, 4: 0.5}, remaining={1: 0.5}, captured={2})
    answer = ranked(candidates, known, ON)

    terms = met(answer.trace)

    assert [one.name for one in terms[3]] == ["words", "vectors", "literal", "session"]
    assert [one.name for one in terms[2]] == ["words", "vectors", "past", "captured"]
    for result in answer.results:
        score = 0.0
        for term in terms[result.identity]:
            score = term.applied(score)
        assert score == result.score == recomputed(answer.trace, result.identity)


def test_modes_look_at_once_three_or_five_times_as_many() -> None:
    assert [WIDTHS[mode] for mode in Breadth] == [1, 3, 5]
