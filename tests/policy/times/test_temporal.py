"""Nearness in time."""

from hypothesis import strategies as st

from actors.policy.times import temporal

NOW = 1_800_000_000.0
DAY = 86_400.0

moments = st.floats(NOW, NOW + 2 * DAY)


def test_neighbours_are_listed_nearest_first() -> None:
    made = {1: NOW, 2: NOW - 60, 3: NOW + 30, 4: NOW + 3600, 5: NOW + 3601}

    assert temporal.neighbours(1, made, window=3600) == [(3, 30), (2, -60), (4, 3600)]
    assert temporal.neighbours(1, made, window=30) == [(3, 30)]
    assert temporal.neighbours(9, made, window=3600) == []


def test_a_timeline_begins_with_the_newest() -> None:
    made = [(1, NOW), (2, NOW + 60), (3, NOW - 60), (4, NOW)]

    assert temporal.timeline(made) == [2, 4, 1, 3]
