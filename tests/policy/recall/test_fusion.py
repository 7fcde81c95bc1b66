"""One ranking out of several channels: examples by hand, then what holds for any scores."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.candidates import Place
from actors.policy.recall.fusion import (
    BY_INTENT,
    SHIPPED,
    Weights,
    beginning,
    between,
    by_rank,
    evenly,
    fused,
    joined,
    placed,
    spread_out,
    synonyms,
    told_beside,
    weighed,
)
from actors.policy.recall.ways import FUSIONS


def test_each_channel_is_measured_against_its_best() -> None:
    ranked = fused({1: 8.0, 2: 4.0}, {1: 0.3, 2: 0.6, 3: 0.15}, weights=Weights(0.5, 0.5))

    assert [(r.memory, round(r.score, 3)) for r in ranked] == [(1, 0.75), (2, 0.75), (3, 0.125)]


def test_without_one_of_them_words_or_vectors_carry_the_whole_weight() -> None:
    assert [r.score for r in fused({1: 8.0, 2: 2.0}, {})] == [1.0, 0.25]
    assert [r.score for r in fused({}, {1: 0.5, 2: 0.25})] == [1.0, 0.5]


def test_vectors_that_are_all_unrelated_add_nothing() -> None:
    assert [r.score for r in fused({}, {1: -0.2, 2: 0.0})] == [0.0, 0.0]


def test_a_neighbour_of_the_answer_comes_before_a_stranger() -> None:
    places: dict[int, Place] = {1: ("a", 10), 2: ("a", 11), 3: ("a", 40), 4: ("b", 11)}

    ranked = fused({1: 9.0, 2: 3.0, 3: 3.0, 4: 3.0}, {}, places=places)

    assert [r.memory for r in ranked] == [1, 2, 3, 4]
    assert ranked[1].score > ranked[2].score
    assert ranked[2].parts["neighbours"] == 0.0


def test_a_neighbour_that_no_channel_found_is_ranked_by_what_it_is_lent() -> None:
    ranked = fused({1: 9.0}, {}, places={1: ("a", 1), 2: ("a", 2), 3: ("a", 5)})

    assert [r.memory for r in ranked] == [1, 2, 3]
    assert ranked[1].score == pytest.approx((0.1 + 0.15) / 1.45)
    assert ranked[2].score == 0.0


def test_stretches_that_overlap_become_one_timeline() -> None:
    places = placed([[3, 1, 4], [4, 7], [9, 8]])

    assert places == {3: (3, 0), 1: (3, 1), 4: (3, 2), 7: (3, 3), 9: (9, 0), 8: (9, 1)}


def test_a_stretch_that_runs_into_another_leaves_it_its_places() -> None:
    assert placed([[1, 3], [2, 3]]) == {1: (1, 0), 3: (1, 1), 2: (2, 0)}


@given(st.permutations(range(12)), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 3))))
def test_neighbours_in_a_stretch_stay_neighbours(
    timeline: list[int], stretches: list[tuple[int, int]]
) -> None:
    runs = [timeline[max(at - reach, 0) : at + reach + 1] for at, reach in stretches]

    places = placed(runs)

    assert set(places) == {identity for run in runs for identity in run}
    for run in runs:
        head = places[run[0]]
        assert [places[identity] for identity in run] == [
            (head[0], head[1] + step) for step in range(len(run))
        ]


_IDS = st.integers(0, 12)
_WORDS = st.dictionaries(_IDS, st.floats(0, 50))
_COSINES = st.dictionaries(_IDS, st.floats(-1, 1))
_SHARES = st.dictionaries(_IDS, st.floats(0, 1))


@given(_WORDS, _COSINES, _SHARES)
def test_the_order_of_the_arguments_does_not_matter(
    words: dict[int, float], cosines: dict[int, float], found: dict[int, float]
) -> None:
    backwards = [dict(reversed(list(channel.items()))) for channel in (words, cosines, found)]

    assert fused(words, cosines, found=found) == fused(
        backwards[0], backwards[1], found=backwards[2]
    )


def test_what_was_told_beside_a_note_counts_for_it() -> None:
    """Half the query's words stand in the note, the other half in the one before it."""
    said = {1: frozenset({"stage"}), 2: frozenset({"port"}), 3: frozenset({"tea"})}
    places = {1: ("a", 0), 2: ("a", 1), 3: ("b", 0)}

    told = told_beside({"stage": 1.0, "port": 3.0}, said, places)

    assert told == {1: 1.0, 2: 1.0, 3: 0.0}


def test_a_long_text_gets_less_of_what_is_beside_it() -> None:
    long = frozenset(f"word{number}" for number in range(60))
    said = {1: long | {"stage"}, 2: frozenset({"port"})}

    told = told_beside({"stage": 1.0, "port": 1.0}, said, {1: ("a", 0), 2: ("a", 1)})

    assert told[1] == pytest.approx((1 + 40 / 61) / 2)


def test_no_word_of_the_query_is_telling_then_nothing_is_told() -> None:
    assert told_beside({}, {1: frozenset({"port"})}, {}) == {}


def test_a_long_text_is_lent_less() -> None:
    places = {1: ("a", 0), 2: ("a", 1)}
    brief = fused({1: 9.0, 2: 3.0}, {}, places=places, lengths={1: 10, 2: 10})
    long = fused({1: 9.0, 2: 3.0}, {}, places=places, lengths={1: 10, 2: 400})

    lent = {one.memory: one.parts["neighbours"] for one in brief}
    less = {one.memory: one.parts["neighbours"] for one in long}

    assert less[2] == pytest.approx(lent[2] * 40 / 400)
    assert less[1] == lent[1]


def test_late_interaction_counts_beside_the_other_channels() -> None:
    """.3 of 1.45: the one that meets the query best gains what the other lacks."""
    ranked = fused({1: 2.0, 2: 2.0}, {}, late={1: 1.0, 2: 0.0})

    assert [one.memory for one in ranked] == [1, 2]
    assert ranked[0].score == pytest.approx(1.0)
    assert ranked[1].score == pytest.approx(1.15 / 1.45)
    assert ranked[0].parts["tokens"] == pytest.approx(0.3 / 1.45)


def test_what_has_no_tokens_neither_gains_nor_loses() -> None:
    words = {1: 4.0, 2: 2.0, 3: 1.0}

    plain = {one.memory: one.score for one in fused(words, {})}
    some = {one.memory: one.score for one in fused(words, {}, late={1: 0.0})}

    assert some[2] == pytest.approx(plain[2])
    assert some[3] == pytest.approx(plain[3])
    assert some[1] < plain[1]


# ---- ways in which every channel counts alike

WORDS = {1: 8.0, 2: 4.0}
COSINES = {1: 0.3, 2: 0.6, 3: 0.15}
AROUND: dict[int, Place] = {1: ("a", 1), 2: ("a", 2), 7: ("a", 3)}
CHANNEL = st.dictionaries(st.integers(0, 9), st.floats(-1.0, 1.0), max_size=8)


def whole(own: dict[int, dict[str, float]]) -> dict[int, float]:
    return {one: sum(shares.values()) for one, shares in own.items()}


def test_ranks_are_shared_by_equal_scores() -> None:
    assert by_rank({5: 0.9, 6: 0.5, 7: 0.5, 8: 0.1}, k=0) == {5: 1, 6: 1 / 2, 7: 1 / 2, 8: 1 / 4}
    assert by_rank({}) == {}


def test_a_channel_that_found_nothing_is_absent() -> None:
    for share_of in (by_rank, spread_out):
        alone = evenly({"words": WORDS}, share_of)
        assert evenly({"words": WORDS, "vectors": {}, "tokens": {1: -0.1}}, share_of) == alone


def test_by_ranks_the_first_of_all_channels_has_one_whatever_its_lead() -> None:
    own = evenly({"words": WORDS, "vectors": {1: 0.6, 3: 0.3}}, by_rank)

    assert whole(own) == pytest.approx({1: 1.0, 2: 61 / 62 / 2, 3: 61 / 62 / 2})
    assert own == evenly({"words": {1: 90.0, 2: 4.0}, "vectors": {1: 0.6, 3: 0.3}}, by_rank)


def test_a_relative_score_of_one_channel_is_halved() -> None:
    """1 leads words, 2 leads vectors and is last by words."""
    own = evenly({"words": WORDS, "vectors": COSINES}, spread_out)

    assert whole(own) == pytest.approx({1: 0.5 + 1 / 6, 2: 0.5, 3: 0.0})


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([2, 4, 3], [0, 1, 0.5]),
        ([0.07], [1]),
        ([0.3, 0.3], [1, 1]),
        ([], []),
        ([1, math.nan, 3, math.inf], [0, 0, 1, 0]),
        ([math.nan], [0]),
    ],
)
def test_scores_are_spread_over_the_whole_range(scores: list[float], expected: list[float]) -> None:
    assert list(spread_out(dict(enumerate(scores))).values()) == expected


# ---- whatever is chosen


@given(
    CHANNEL, CHANNEL, _SHARES, _SHARES, _SHARES, st.sampled_from(FUSIONS),
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

    assert ranked == sorted(ranked, key=lambda one: (-one.score, one.memory))
    assert {*words, *cosines, *AROUND, 3} <= {one.memory for one in ranked}
    for one in ranked:
        assert 0.0 <= one.score <= 1.0
        assert all(share >= 0.0 for share in one.parts.values())
        assert math.isclose(sum(one.parts.values()), one.score, abs_tol=1e-9)


@pytest.mark.parametrize("method", FUSIONS)
def test_triggers_count_whatever_is_chosen_and_neighbours_where_scores_are(method: str) -> None:
    bonuses = {3: 0.3}
    found = fused(WORDS, COSINES, places=AROUND, bonuses=bonuses, method=method)
    shares = {one.memory: one.parts for one in found}

    assert (shares[7]["neighbours"] > 0.0) == (method != "ranks")
    assert shares[3]["bonus"] > 0.0


# ---- a query in other words, as its answer, and by what it is meant for


def test_a_word_has_others_of_its_meaning_and_what_is_asked_is_none_of_them() -> None:
    assert "login" in synonyms(["authentication"])
    assert "auth" not in synonyms(["authentication", "auth"])
    assert synonyms(["whale", "src/auth.py"]) == []


def test_the_best_of_other_words_counts_half_of_the_querys_best() -> None:
    assert joined({1: 6.0, 2: 2.0}, {2: 10.0, 3: 5.0}) == {1: 6.0, 2: 3.0, 3: 1.5}
    assert joined({}, {4: 10.0, 5: 5.0}) == {4: 5.0, 5: 2.5}
    assert joined({1: 6.0}, {}) == {1: 6.0}


def test_a_query_that_says_nothing_has_no_answer() -> None:
    assert beginning(["hardware", "key"]) == "hardware key is"
    assert beginning([]) == ""


def test_half_way_is_the_direction_between_the_vectors() -> None:
    one, other = (np.array(row, np.float32).tobytes() for row in ([3.0, 0.0], [0.0, 0.5]))
    found = np.frombuffer(between(one, other), np.float32)

    assert found.tolist() == pytest.approx([0.707107, 0.707107], abs=1e-6)


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("fix the crash of the login", "mending"),
        ("explain how the gate works", "understanding"),
        ("redis", "anything"),
        ("", "anything"),
    ],
)
def test_mending_weighs_words_more_and_understanding_meaning(query: str, meant: str) -> None:
    name, by = weighed(query)

    parts = {one: part for one, part, _ in BY_INTENT} | {"anything": 0.4}
    assert name == meant
    assert by.words == pytest.approx(parts[meant] * 0.75)
    assert by.words + by.vectors == pytest.approx(SHIPPED.words + SHIPPED.vectors)
