"""Nearness in time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.times import temporal

NOW = 1_800_000_000.0
DAY = 86_400.0

moments = st.floats(NOW, NOW + 2 * DAY)


@pytest.mark.parametrize(("seconds", "expected"), [(0, 0.15), (1800, 0.075), (3600, 0), (7200, 0)])
def test_a_pair_lends_more_the_nearer_it_is(seconds: float, expected: float) -> None:
    lent = temporal.contiguity({1: NOW, 2: NOW + seconds})

    assert lent == pytest.approx({1: expected, 2: expected})


def test_all_boosts_together_are_at_most_a_half() -> None:
    assert set(temporal.contiguity(dict.fromkeys(range(6), NOW)).values()) == {0.5}


@given(st.lists(moments, max_size=12))
def test_the_sweep_finds_every_pair(times: list[float]) -> None:
    found = temporal.contiguity(dict(enumerate(times)))

    for number, at in enumerate(times):
        near = [abs(other - at) for other in times]
        lent = sum(max(0.0, 1 - apart / 3600) * 0.15 for apart in near) - 0.15
        assert found[number] == pytest.approx(min(0.5, lent), abs=1e-9)


def test_neighbours_are_listed_nearest_first() -> None:
    made = {1: NOW, 2: NOW - 60, 3: NOW + 30, 4: NOW + 3600, 5: NOW + 3601}

    assert temporal.neighbours(1, made, window=3600) == [(3, 30), (2, -60), (4, 3600)]
    assert temporal.neighbours(1, made, window=30) == [(3, 30)]
    assert temporal.neighbours(9, made, window=3600) == []


def test_a_timeline_begins_with_the_newest() -> None:
    made = [(1, NOW), (2, NOW + 60), (3, NOW - 60), (4, NOW)]

    assert temporal.timeline(made) == [2, 4, 1, 3]
