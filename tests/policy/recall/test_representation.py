"""A place for every channel that found something good.

Rows K20, C42.
"""

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.representation import RAW_FLOOR, represented

SCORES = {"a": 0.9, "b": 0.8, "c": 0.5, "d": 0.19}


def test_a_channel_without_a_place_brings_in_its_best() -> None:
    """K20"""
    answer = represented("abcd", SCORES, {"words": "ab", "graph": "dc"}, places=2)

    assert answer.identities == ("a", "b", "c")
    assert answer.promoted == ("c",)
    assert answer.counts == {"words": 2, "graph": 1}


def test_what_is_under_the_floor_is_not_promoted() -> None:
    """C42: .2 on normalised scores; .005 is the preset for raw ones."""
    channels = {"words": "ab", "graph": "d"}

    assert represented("abcd", SCORES, channels, places=2).promoted == ()
    assert represented("abcd", SCORES, channels, 2, RAW_FLOOR).promoted == ("d",)


def test_a_channel_that_found_nothing_is_owed_nothing() -> None:
    answer = represented("ab", SCORES, {"words": "ab", "graph": ""}, places=2)

    assert answer.identities == ("a", "b")
    assert answer.counts == {"words": 2, "graph": 0}


def test_one_result_can_stand_for_two_channels() -> None:
    channels = {"words": "ab", "graph": "c", "degree": "c"}

    assert represented("abc", SCORES, channels, places=2).promoted == ("c",)


def test_after_a_promotion_the_answer_is_sorted_by_score() -> None:
    answer = represented("bacd", SCORES, {"graph": "c"}, places=2)

    assert answer.identities == ("a", "b", "c")


@given(
    st.lists(st.integers(0, 20), unique=True),
    st.dictionaries(st.sampled_from("xyz"), st.lists(st.integers(0, 20), max_size=5)),
    st.integers(0, 10),
)
def test_the_first_places_stay_and_at_most_one_comes_for_each_channel(
    ranked: list[int], channels: dict[str, list[int]], places: int
) -> None:
    scores = {one: 1 - at / 100 for at, one in enumerate(ranked)}

    answer = represented(ranked, scores, channels, places)

    assert answer.identities[:places] == tuple(ranked[:places])
    assert len(answer.promoted) <= len(channels)
    for name, found in channels.items():
        assert answer.counts[name] > 0 or not set(found) & set(ranked)
