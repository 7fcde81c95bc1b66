"""Reciprocal rank fusion and its bonus: by hand, then what holds for any rankings.

Rows K07, K29, C26.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import rank_fusion
from actors.policy.recall.rank_fusion import (
    DEFAULT,
    FLAT,
    PLAIN,
    PRESETS,
    VESTIGE,
    Settings,
    convergence_bonus,
    fused,
    reciprocal,
)


def test_the_first_place_is_worth_a_sixty_first() -> None:
    assert reciprocal(1) == pytest.approx(0.016393, abs=5e-7)
    assert reciprocal(2) == pytest.approx(1 / 62)


def test_counted_from_nought_the_first_place_is_worth_a_sixtieth() -> None:
    """K29"""
    assert reciprocal(1, settings=VESTIGE) == pytest.approx(0.016667, abs=5e-7)


def test_shares_and_bonus_sum_to_the_score() -> None:
    best, *_ = fused({"words": [1, 2], "vectors": [1, 3]})

    assert best.identity == 1
    assert dict(best.shares) == {"words": 1 / 61, "vectors": 1 / 61}
    assert best.bonus == 0.06
    assert best.score == pytest.approx(2 / 61 + 0.06)


def test_the_graph_counts_half_as_much_again_unless_it_is_weighed() -> None:
    """K07"""
    assert fused({"graph": [1]}, settings=PLAIN)[0].score == pytest.approx(1.5 / 61)
    assert fused({"graph": [1]}, {"graph": 1.0}, PLAIN)[0].score == pytest.approx(1 / 61)


def test_the_flat_bonus_is_a_tenth_for_each_further_channel() -> None:
    """K07: the preset that lost (finding 8): rank 60 twice beats rank 1 once."""
    words, vectors = list(range(1, 61)), [*range(101, 160), 60]

    ranked = fused({"words": words, "vectors": vectors}, settings=FLAT)

    assert ranked[0].identity == 60
    assert ranked[0].score == pytest.approx(2 / 120 + 0.1)


def test_the_calibrated_bonus_goes_by_overlap_and_strength() -> None:
    """C26"""
    assert convergence_bonus(2, 3, 0.4) == pytest.approx(0.03)
    assert convergence_bonus(3, 3, 0.3) == pytest.approx(0.045)
    assert convergence_bonus(3, 3, 1.0) == 0.06
    assert convergence_bonus(1, 3, 1.0) == 0.0
    assert convergence_bonus(2, 3, 0.4, FLAT) == 0.10
    assert convergence_bonus(3, 3, 0.4, VESTIGE) == 0.0


def test_a_channel_without_results_or_weight_is_absent() -> None:
    """C26: else the overlap of the others would be measured against it."""
    both = fused({"words": [1], "vectors": [1]})

    assert fused({"words": [1], "vectors": [1], "graph": []}) == both
    assert fused({"words": [1], "vectors": [1], "bm25": [2]}, {"bm25": 0.0}) == both


def test_one_named_twice_by_a_channel_counts_once_at_its_better_place() -> None:
    (one, other) = fused({"words": [7, 7, 8]}, settings=PLAIN)

    assert (one.identity, one.score) == (7, 1 / 61)
    assert (other.identity, other.score) == (8, 1 / 62)


def test_nothing_found_fuses_to_nothing() -> None:
    assert fused({}) == []
    assert fused({"words": []}) == []


def test_the_presets_are_named() -> None:
    assert PRESETS["calibrated"] is DEFAULT
    assert PRESETS["flat"].convergence is rank_fusion.Convergence.FLAT
    assert (PRESETS["vestige"].first, PRESETS["plain"].first) == (0, 1)


RANKINGS = st.dictionaries(
    st.sampled_from(["words", "vectors", "graph"]),
    st.lists(st.integers(0, 20), unique=True),
)


@given(RANKINGS, st.sampled_from(list(PRESETS.values())))
def test_every_result_comes_once_best_first_with_a_bounded_bonus(
    channels: dict[str, list[int]], settings: Settings
) -> None:
    ranked = fused(channels, settings=settings)

    found = {identity for ids in channels.values() for identity in ids}
    assert sorted(one.identity for one in ranked) == sorted(found)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    for one in ranked:
        assert one.score == pytest.approx(sum(one.shares.values()) + one.bonus)
        assert 0 <= one.bonus <= max(settings.most, settings.flat * 2)


@given(RANKINGS, st.integers(0, 20))
def test_being_found_by_a_further_channel_never_lowers_a_score(
    channels: dict[str, list[int]], identity: int
) -> None:
    before = {one.identity: one.score for one in fused(channels, settings=PLAIN)}
    after = fused({**channels, "bm25": [identity]}, settings=PLAIN)

    score = next(one.score for one in after if one.identity == identity)
    assert score > before.get(identity, 0.0)
