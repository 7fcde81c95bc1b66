"""The four phases of sleep: I15, I16."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.dreams import replay, sleep_profile
from actors.policy.dreams.connection_graph import Connection, ConnectionKind
from actors.policy.dreams.replay import Replayed
from actors.policy.dreams.sleep_profile import Settings


def note(memory_id: int, importance: float = 0.5, project: str = "/a") -> Replayed:
    return replay.replayed(memory_id, float(memory_id), "tea", project=project,
                           importance=importance)  # fmt: skip


def edge(one: int, other: int, strength: float) -> Connection:
    return Connection(one, other, ConnectionKind.SEMANTIC, strength, "")


def test_i15_seven_in_ten_are_replayed_by_value_and_three_by_chance() -> None:
    memories = [note(number, number / 100) for number in range(100)]
    found = [one.id for one in sleep_profile.triage(memories, 10, Random(1).random)]

    assert found == sorted(found)
    assert set(range(93, 100)) <= set(found)
    assert len(found) == 10
    assert found != [one.id for one in sleep_profile.triage(memories, 10, Random(2).random)]


def test_i15_a_replay_comes_in_waves_of_fifteen() -> None:
    found = sleep_profile.waves([note(number) for number in range(40)])

    assert [len(wave) for wave in found] == [15, 15, 10]


@pytest.mark.parametrize(
    ("importance", "replayed", "expected"),
    [(0.39, False, 0.95), (0.39, True, 1.0), (0.4, False, 1.0)],
)
def test_i15_what_is_unimportant_and_not_replayed_is_turned_down(
    importance: float, replayed: bool, expected: float
) -> None:
    assert sleep_profile.downscaled(1.0, importance, replayed=replayed) == expected


def test_i15_rem_connects_across_projects_and_the_morning_keeps_what_is_sure() -> None:
    memories = {1: note(1), 2: note(2), 3: note(3, project="/b")}
    edges = [edge(1, 2, 0.9), edge(1, 3, 0.3), edge(2, 3, 0.29), edge(3, 9, 0.9)]
    across = sleep_profile.across(edges, memories)

    assert across == [edge(1, 3, 0.3)]
    assert sleep_profile.integrated([*across, edge(1, 2, 0.4)]) == [edge(1, 2, 0.4)]


@pytest.mark.parametrize(
    ("storage", "feeling", "expected"),
    [(4, 0.51, 6), (4, 0.5, 4), (8, 0.9, 10), (12, 0.9, 12)],
)
def test_i16_what_was_felt_strongly_is_stored_more_strongly(
    storage: float, feeling: float, expected: float
) -> None:
    assert sleep_profile.promoted(storage, feeling) == expected


def test_i16_sleep_prunes_nothing_unless_it_is_switched_on() -> None:
    assert not sleep_profile.may_be_pruned(0.0, 1_000)
    assert sleep_profile.may_be_pruned(0.09, 31, Settings(prune=True))
    assert not sleep_profile.may_be_pruned(0.1, 31, Settings(prune=True))
    assert not sleep_profile.may_be_pruned(0.09, 30, Settings(prune=True))


def test_i16_a_run_embeds_a_hundred_memories() -> None:
    assert sleep_profile.embedded_now(range(250)) == list(range(100))


@given(st.lists(st.floats(0, 1), max_size=40), st.integers(0, 50), st.integers())
def test_i15_a_triage_takes_as_many_as_there_is_room_for(
    importances: list[float], most: int, seed: int
) -> None:
    memories = [note(number, value) for number, value in enumerate(importances)]
    found = sleep_profile.triage(memories, most, Random(seed).random)

    assert len({one.id for one in found}) == len(found) == min(most, len(memories))
