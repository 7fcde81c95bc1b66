"""The connection graph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.night import connection_graph as graph
from actors.policy.night import replay
from actors.policy.night.connection_graph import Connection, ConnectionKind
from actors.policy.night.replay import Replayed
from tests.policy.dreams import at_once

HOUR = 3_600.0
DAY = 86_400.0


def note(memory_id: int, text: str, at: float = 0.0, kind: str = "") -> Replayed:
    return replay.replayed(memory_id, at, text, kind, "/p")


def edge(one: int, other: int, strength: float = 0.5) -> Connection:
    return Connection(one, other, ConnectionKind.SEMANTIC, strength, "")


def test_without_vectors_four_tenths_are_concepts_and_six_words() -> None:
    one, other = note(1, "kafka lag"), note(2, "kafka keys")

    assert graph.likeness(one, other) == pytest.approx(0.4 / 3 + 0.6 / 3)


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (0.4, "similarity 0.55, 1 shared concept, within an hour"),
        (1.2, "similarity 0.55, 1 shared concept, an hour apart"),
        (5.6, "similarity 0.55, 1 shared concept, 6 hours apart"),
        (150, "similarity 0.55, 1 shared concept, 6 days apart"),
    ],
)
def test_what_was_seen_of_a_pair_is_told_in_words(hours: float, said: str) -> None:
    memories = [note(1, "kafka tea"), note(2, "kafka milk", hours * HOUR)]
    (found,) = at_once.connections(memories, {1: [(2, 0.55)]})

    assert found.evidence == said


@pytest.mark.parametrize(
    ("one", "other", "hours", "alike", "expected"),
    [
        ("kafka topic lag", "lag of a kafka topic", 500, 0.55, ConnectionKind.SHARED_CONCEPT),
        ("tea", "coffee", 24, 0.61, ConnectionKind.TEMPORAL),
        ("tea", "coffee", 25, 0.81, ConnectionKind.SEMANTIC),
        ("tea", "coffee", 25, 0.8, ConnectionKind.COMPLEMENTARY),
        ("tea", "coffee", 24, 0.6, ConnectionKind.COMPLEMENTARY),
        ("tea", "coffee", 1, 0.49, None),
    ],
)  # fmt: skip
def test_each_type_of_connection_can_be_found(
    one: str, other: str, hours: float, alike: float, expected: ConnectionKind | None
) -> None:
    memories = [note(1, one), note(2, other, hours * HOUR)]
    found = at_once.connections(memories, {1: [(2, alike)]})

    assert [each.kind for each in found] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("hours", "kind", "expected"),
    [
        (168, "bugfix", ConnectionKind.CAUSAL_CHAIN),
        # No cause after a week; that nobody else names kafka joins them (bridges).
        (169, "bugfix", ConnectionKind.COMPLEMENTARY),
        (2, "fact", ConnectionKind.COMPLEMENTARY),
    ],
)
def test_a_fix_within_a_week_after_a_change_of_the_same_is_its_effect(
    hours: float, kind: str, expected: ConnectionKind
) -> None:
    change = replay.replayed(1, 0.0, "The kafka lag limit is 9", "change")
    fix = replay.replayed(2, hours * HOUR, "Kafka waits no longer", kind)
    (found,) = at_once.connections([change, fix], {1: [(2, 0.3)]})

    assert (found.kind, found.one, found.other) == (expected, 1, 2)


def test_a_memory_has_at_most_eight_connections() -> None:
    memories = [note(number, "tea") for number in range(30)]
    near = {0: [(other, 0.9) for other in range(1, 30)]}

    assert len(at_once.connections(memories, near)) == 8


def test_clusters_are_what_is_connected_over_any_number_of_steps() -> None:
    found = graph.clusters([edge(1, 2), edge(3, 2), edge(7, 8)])

    assert found == [(1, 2, 3), (7, 8)]


def test_neighbours_by_words_share_what_they_are_about() -> None:
    memories = [note(1, "kafka lag"), note(2, "kafka lag again"), note(3, "tea")]

    assert list(at_once.near_by_words(memories)) == [(1, 2)]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.floats(0, 1)), max_size=80))
def test_connections_are_distinct_bounded_and_between_what_was_given(
    near: list[tuple[int, int, float]],
) -> None:
    memories = [note(number, "tea", number * DAY) for number in range(15)]
    table: dict[int, list[tuple[int, float]]] = {}
    for one, other, alike in near:
        table.setdefault(one, []).append((other, alike))
    found = at_once.connections(memories, table)

    ends = [(one.one, one.other) for one in found]
    assert len(set(ends)) == len(ends)
    assert all(one < other < 15 for one, other in ends)
    assert all(sum(n in pair for pair in ends) <= graph.DEGREE for n in range(15))
    assert all(0.5 <= one.strength <= 1 for one in found)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(31, 60)), max_size=40))
def test_each_memory_is_in_one_cluster(pairs: list[tuple[int, int]]) -> None:
    found = graph.clusters(edge(*pair) for pair in pairs)
    held = [one for cluster in found for one in cluster]

    assert sorted(held) == sorted({end for pair in pairs for end in pair})
    assert all(any(set(pair) <= set(cluster) for cluster in found) for pair in pairs)
