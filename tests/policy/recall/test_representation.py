"""A place for every channel that found something good."""

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall.diversity import promoted

A, B, C, D = range(4)
SCORES = {A: 0.9, B: 0.8, C: 0.5, D: 0.19}


def test_a_channel_without_a_place_brings_in_its_best() -> None:
    channels = {"words": [A, B], "graph": [D, C]}

    assert promoted([A, B, C, D], SCORES, channels, places=2) == (C,)


def test_what_is_under_the_floor_is_not_promoted() -> None:
    """.2 on normalised scores."""
    channels = {"words": [A, B], "graph": [D]}

    assert promoted([A, B, C, D], SCORES, channels, places=2) == ()


def test_a_channel_that_found_nothing_is_owed_nothing() -> None:
    assert promoted([A, B], SCORES, {"words": [A, B], "graph": []}, places=2) == ()


def test_one_result_can_stand_for_two_channels() -> None:
    channels = {"words": [A, B], "graph": [C], "degree": [C]}

    assert promoted([A, B, C], SCORES, channels, places=2) == (C,)


@given(
    st.lists(st.integers(0, 20), unique=True),
    st.dictionaries(st.sampled_from("xyz"), st.lists(st.integers(0, 20), max_size=5)),
    st.integers(0, 10),
)
def test_at_most_one_comes_for_each_channel_and_then_each_has_a_place(
    ranked: list[int], channels: dict[str, list[int]], places: int
) -> None:
    scores = {one: 1 - at / 100 for at, one in enumerate(ranked)}

    found = promoted(ranked, scores, channels, places)

    kept = {*ranked[:places], *found}
    assert len(found) <= len(channels)
    assert not set(found) & set(ranked[:places])
    for own in map(set, channels.values()):
        assert own & kept or not own & set(ranked)
