"""Nearness in time: G04, G05, G06, C21."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.times import temporal, validity
from actors.policy.times.temporal import Boosted, Result, Settings
from actors.policy.times.validity import Validity

NOW = 1_800_000_000.0
DAY = 86_400.0

moments = st.floats(NOW, NOW + 2 * DAY)


def results(*rows: tuple[str, float, float]) -> list[Result]:
    return [Result(memory_id, score, NOW + seconds) for memory_id, score, seconds in rows]


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, 0.15), (1800, 0.075), (-1800, 0.075), (3600, 0), (7200, 0)],
)
def test_g04_a_pair_lends_more_the_nearer_it_is(seconds: float, expected: float) -> None:
    assert temporal.pair_boost(seconds) == pytest.approx(expected)


def test_g04_the_window_is_kept_between_a_second_and_a_day() -> None:
    assert temporal.pair_boost(43_200, Settings(window=1e9)) == pytest.approx(0.075)
    assert temporal.pair_boost(0.5, Settings(window=0)) == pytest.approx(0.075)


def test_g04_c21_the_boost_multiplies_the_score() -> None:
    found = temporal.contiguous(results(("a", 0.85, 0), ("b", 0.78, 1800), ("c", 0.72, -DAY)))

    assert [result.memory_id for result in found] == ["a", "b", "c"]
    assert found[0].score == pytest.approx(0.91375)
    assert found[0].boost == pytest.approx(0.075)
    assert found[1].score == pytest.approx(0.8385)
    assert found[2] == Boosted("c", 0.72, 0.0)


def test_g04_c21_all_boosts_together_are_at_most_a_half() -> None:
    same_moment = results(*((f"m{number}", 0.5, 0) for number in range(6)))

    found = temporal.contiguous(same_moment)
    assert {result.boost for result in found} == {0.5}
    assert {result.score for result in found} == {0.75}


def test_g04_a_boost_can_change_the_order() -> None:
    found = temporal.contiguous(results(("alone", 0.8, -DAY), ("a", 0.75, 0), ("b", 0.7, 0)))

    assert [result.memory_id for result in found] == ["a", "b", "alone"]


@given(st.lists(moments, max_size=12))
def test_g04_the_sweep_finds_every_pair(times: list[float]) -> None:
    found = temporal.contiguous([Result(str(n), 1.0, at) for n, at in enumerate(times)])

    for result in found:
        at = times[int(result.memory_id)]
        lent = sum(temporal.pair_boost(other - at) for other in times) - temporal.pair_boost(0)
        assert result.boost == pytest.approx(min(0.5, lent), abs=1e-9)


def test_g05_neighbours_are_listed_nearest_first() -> None:
    made = {"a": NOW, "b": NOW - 60, "c": NOW + 30, "d": NOW + 3600, "e": NOW + 3601}

    assert temporal.neighbours("a", made) == [("c", 30), ("b", -60), ("d", 3600)]
    assert temporal.neighbours("a", made, window=30) == [("c", 30)]
    assert temporal.neighbours("unknown", made) == []


def test_g05_a_timeline_begins_with_the_newest() -> None:
    made = [("a", NOW), ("b", NOW + 60), ("c", NOW - 60), ("d", NOW)]

    assert temporal.timeline(made) == ["b", "d", "a", "c"]
    assert temporal.timeline(made, limit=2) == ["b", "d"]


@pytest.mark.parametrize(
    ("days", "expected"),
    [(0, 1), (1, 0.95), (2, 0.9025), (30, 0.214639), (400, 0.214639), (-5, 1)],
)
def test_g06_recency_falls_by_a_twentieth_a_day_for_a_month(days: float, expected: float) -> None:
    assert temporal.recency(days) == pytest.approx(expected, abs=1e-6)


def test_g06_relevance_and_time_are_blended_85_to_15() -> None:
    # .85 * .6 + .15 * .95 * 1.5
    assert temporal.blended(0.6, 1, 1.5) == pytest.approx(0.72375)
    assert temporal.blended(1, 0, 1.5) == 1


def test_g06_what_has_expired_is_excluded() -> None:
    expired = validity.boost(Validity(valid_until=NOW), NOW)

    assert temporal.blended(1, 0, expired) == 0


@given(st.floats(0, 1), st.floats(0, 100), st.floats(0, 100))
def test_g06_the_newer_of_two_equals_is_never_behind(
    relevance: float, one: float, other: float
) -> None:
    newer, older = sorted((one, other))

    assert temporal.blended(relevance, newer, 1.5) >= temporal.blended(relevance, older, 1.5)
