"""The ways of fusing that can be chosen: by hand, against their rows, then what holds for all."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import fusion
from actors.policy.recall.fusion import Place, Ranked
from actors.policy.recall.fusion_methods import RANKS, fused, spread_out
from actors.policy.recall.ways import FUSIONS

WORDS = {1: 8.0, 2: 4.0}
COSINES = {1: 0.3, 2: 0.6, 3: 0.15}
AROUND: dict[int, Place] = {1: ("a", 1), 2: ("a", 2), 7: ("a", 3)}

SHARE = st.dictionaries(st.integers(0, 9), st.floats(0.0, 1.0), max_size=8)
CHANNEL = st.dictionaries(st.integers(0, 9), st.floats(-1.0, 1.0), max_size=8)


def shares_of(one: Ranked) -> list[float]:
    """In the order in which the stages sum them up."""
    p = one.parts
    return [p.words, p.vectors, p.found, p.told, p.late, p.neighbours, p.bonus]


def test_nothing_chosen_is_what_is_shipped() -> None:
    told, late = {1: 0.5}, {2: 0.7}

    wanted = fusion.fused(WORDS, COSINES, told=told, late=late, places=AROUND)

    assert fused(WORDS, COSINES, told=told, late=late, places=AROUND) == wanted


def test_relative_scores_are_spread_by_their_lowest_and_highest() -> None:
    assert spread_out({1: 0.2, 2: 0.5, 3: 0.8}) == pytest.approx({1: 0.0, 2: 0.5, 3: 1.0})


# ---- whatever is chosen


@given(
    CHANNEL, CHANNEL, SHARE, SHARE, SHARE,
    st.sampled_from(FUSIONS),
)  # fmt: skip
def test_shares_sum_to_a_score_between_0_and_1(
    words: dict[int, float],
    cosines: dict[int, float],
    told: dict[int, float],
    found: dict[int, float],
    late: dict[int, float],
    method: str,
) -> None:
    words = {one: abs(score) * 10 for one, score in words.items()}
    ranked = fused(
        words, cosines, found=found, told=told, late=late, places=AROUND,
        bonuses={3: 0.3}, lengths={1: 80}, method=method,
    )  # fmt: skip

    assert ranked == sorted(ranked, key=lambda one: (-one.score, one.identity))
    assert {*words, *cosines, *AROUND, 3} <= {one.identity for one in ranked}
    for one in ranked:
        assert 0.0 <= one.score <= 1.0
        assert all(share >= 0.0 for share in shares_of(one))
        assert math.isclose(sum(shares_of(one)), one.score, abs_tol=1e-9)
        assert one.parts.cosine == cosines.get(one.identity)
        assert one.parts.word_score == words.get(one.identity)


@pytest.mark.parametrize("method", FUSIONS)
def test_triggers_count_whatever_is_chosen_and_neighbours_where_scores_are(method: str) -> None:
    bonuses = {3: 0.3}
    found = fused(WORDS, COSINES, places=AROUND, bonuses=bonuses, method=method)
    parts = {one.identity: one.parts for one in found}

    assert (parts[7].neighbours > 0.0) == (method != RANKS)
    assert parts[3].bonus > 0.0


@pytest.mark.parametrize("method", FUSIONS)
def test_nothing_found_ranks_nothing(method: str) -> None:
    assert fused({}, {}, method=method) == []
    assert [one.score for one in fused({}, {}, places={1: ("a", 1)}, method=method)] == [0.0]


@pytest.mark.parametrize("method", FUSIONS)
def test_whoever_is_named_by_any_argument_is_a_candidate(method: str) -> None:
    """What only a link led to has none of the query's words, and without a model no cosine."""
    ranked = fused(
        {1: 3.0}, {1: 0.9, 2: 0.4, 3: 0.2}, found={1: 1.0, 4: 0.0}, told={1: 1.0, 4: 0.0},
        late={3: 0.1}, method=method,
    )  # fmt: skip

    assert {one.identity for one in ranked} == {1, 2, 3, 4}
    assert ranked[-1].score == 0.0
