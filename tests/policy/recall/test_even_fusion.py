"""Fusing in which every channel counts alike: by hand, and as the rows' own modules do it.

Rows K07, K08, K29, C26, C27, D09.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import fusion, rank_fusion, score_fusion
from actors.policy.recall.even_fusion import Known, Shares, over_readings, places, ranks, relative
from actors.policy.recall.fusion import Ranked
from actors.policy.recall.fusion_methods import PRESETS, Method, fused
from actors.policy.recall.readings import Query, Reading
from actors.policy.recall.score_fusion import Hit

SHIPPED = fusion.Settings()
WORDS = {1: 8.0, 2: 4.0}
COSINES = {1: 0.3, 2: 0.6, 3: 0.15}
TWO = Known(WORDS, COSINES)

DISTINCT = st.dictionaries(st.integers(0, 9), st.integers(1, 1000), min_size=1, max_size=8).filter(
    lambda given: len(set(given.values())) == len(given)
)
CHANNEL = st.dictionaries(st.integers(0, 9), st.floats(-1.0, 1.0), max_size=8)


def by_id(ranked: list[Ranked]) -> dict[int, float]:
    return {one.identity: one.score for one in ranked}


# ---- ranks


def test_ranks_are_reciprocal_and_the_first_of_all_channels_has_one() -> None:
    """K07: 61/61 and 61/62 of two channels, and the bonus in the same measure."""
    ranked = ranks(Known({1: 8.0, 2: 4.0}, {1: 0.6, 2: 0.3}), SHIPPED, rank_fusion.PLAIN)

    assert by_id(ranked) == pytest.approx({1: 1.0, 2: 61 / 62})


def test_places_are_shared_by_equal_scores() -> None:
    assert places({5: 0.9, 6: 0.5, 7: 0.5, 8: 0.1}) == {5: 1, 6: 2, 7: 2, 8: 4}
    assert places({}) == {}


def test_counted_from_zero_the_first_has_a_sixtieth() -> None:
    """K29"""
    ranked = ranks(Known({1: 8.0, 2: 4.0}, {}), SHIPPED, PRESETS[Method.RANKS_FROM_ZERO])

    assert by_id(ranked) == pytest.approx({1: 1.0, 2: 60 / 61})


def test_the_flat_bonus_outweighs_any_place() -> None:
    """C26: 100 places behind in two channels beats the first of one."""
    words = {place: 1000.0 - place for place in range(200)}
    known = Known(words, {150: 0.9}, told={7: 1.0})

    flat = ranks(known, SHIPPED, PRESETS[Method.RANKS_FLAT])
    plain = ranks(known, SHIPPED, rank_fusion.PLAIN)

    assert {one.identity for one in flat[:2]} == {7, 150}
    assert flat[0].parts.bonus > 0.4 > plain[0].parts.bonus == 0.0


@given(DISTINCT, DISTINCT, st.sampled_from(tuple(PRESETS)))
def test_ranks_are_those_of_rank_fusion_in_another_measure(
    words: dict[int, int], cosines: dict[int, int], method: Method
) -> None:
    """K07, C26"""
    by = PRESETS[method]
    channels = {
        "words": sorted(words, key=lambda one: -words[one]),
        "vectors": sorted(cosines, key=lambda one: -cosines[one]),
    }
    wanted = {one.identity: one.score for one in rank_fusion.fused(channels, settings=by)}
    most = 2 * rank_fusion.reciprocal(1, settings=by)
    most += rank_fusion.convergence_bonus(2, 2, 0.5, by)

    known = Known(
        {one: float(score) for one, score in words.items()},
        {one: score / 1000 for one, score in cosines.items()},
    )

    assert by_id(ranks(known, SHIPPED, by)) == pytest.approx(
        {one: score / most for one, score in wanted.items()}
    )


# ---- relative scores


def test_a_relative_score_of_one_channel_is_halved() -> None:
    """K08: 1 leads words, 2 leads vectors and is last by words."""
    assert by_id(relative(TWO, SHIPPED)) == pytest.approx({1: 0.5 + 1 / 6, 2: 0.5, 3: 0.0})


def hits(values: dict[int, float]) -> list[Hit[int]]:
    return [Hit(one, value) for one, value in values.items()]


@given(CHANNEL, CHANNEL, CHANNEL)
def test_relative_is_the_score_fusion_of_many(
    words: dict[int, float], cosines: dict[int, float], late: dict[int, float]
) -> None:
    """K08, C27"""
    wanted = score_fusion.fused_many([hits(words), hits(cosines), hits(late)])

    found = by_id(relative(Known(words, cosines, late=late), SHIPPED))

    assert found == pytest.approx({one.identity: one.score for one in wanted})


@given(CHANNEL, CHANNEL)
def test_a_pair_looks_at_words_and_vectors_alone(
    words: dict[int, float], cosines: dict[int, float]
) -> None:
    """K08"""
    wanted = score_fusion.fused_pair(hits(words), hits(cosines)) if words and cosines else None

    found = fused(words, cosines, told={1: 1.0}, late={2: 0.5}, method=Method.RELATIVE_PAIR)

    if wanted is not None:
        assert by_id(found) == pytest.approx({one.identity: one.score for one in wanted})
    assert all(one.parts.told == one.parts.late == 0.0 for one in found)


@given(st.lists(st.tuples(CHANNEL, CHANNEL), min_size=1, max_size=3))
def test_over_readings_each_further_one_adds_a_tenth(
    each: list[tuple[dict[int, float], dict[int, float]]],
) -> None:
    """K08, C27: what the merged channels know of is ranked as ``fused_variants`` does."""
    wanted = score_fusion.fused_variants([[hits(words), hits(cosines)] for words, cosines in each])
    merged = {one: 1.0 for channels in each for channel in channels for one in channel}
    readings = tuple(Reading(words, cosines) for words, cosines in each)

    found = fused(merged, {}, method=Method.RELATIVE_READINGS, query=Query(readings=readings))

    assert by_id(found) == pytest.approx({one.identity: one.score for one in wanted})


def test_without_readings_the_querys_own_channels_are_fused() -> None:
    assert by_id(over_readings(TWO, (), SHIPPED)) == by_id(relative(TWO, SHIPPED))


def test_a_reading_brings_back_nothing_that_ended() -> None:
    ended = Reading({9: 1.0}, {9: 0.9})

    assert 9 not in by_id(over_readings(TWO, (ended,), SHIPPED))


def test_shares_grow_together() -> None:
    twice = Shares(0.1, 0.2, 0.0, 0.0, 0.05).times(2.0)

    assert twice == Shares(0.2, 0.4, 0.0, 0.0, 0.1)
    assert twice.whole == pytest.approx(0.7)
