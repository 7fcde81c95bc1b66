"""The connections of a dream."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.night import replay
from actors.policy.night.replay import ConnectionKind, Replayed
from tests.policy.dreams import at_once

HOUR = 3_600.0


def note(memory_id: int, hours: float = 0.0, kind: str = "fact") -> Replayed:
    return Replayed(memory_id, hours * HOUR, "tea", kind, "/p")


@pytest.mark.parametrize(
    ("kind", "hours", "alike", "expected"),
    [
        ("fact", 24, 0.61, ConnectionKind.TEMPORAL),
        ("fact", 25, 0.81, ConnectionKind.SEMANTIC),
        ("fact", 25, 0.8, ConnectionKind.SHARED_CONCEPT),
        ("decision", 24, 0.6, ConnectionKind.COMPLEMENTARY),
        ("fact", 1, 0.49, None),
    ],
)
def test_each_type_of_connection_can_be_found(
    kind: str, hours: float, alike: float, expected: ConnectionKind | None
) -> None:
    found = at_once.connections([note(1), note(2, hours, kind)], {(1, 2): alike})

    assert [each.kind for each in found] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("hours", "kind", "expected", "evidence"),
    [
        (168, "bugfix", ConnectionKind.CAUSAL_CHAIN, "change then bugfix, similarity 0.55"),
        (169, "bugfix", ConnectionKind.COMPLEMENTARY, "similarity 0.55"),
        (2, "fact", ConnectionKind.COMPLEMENTARY, "similarity 0.55"),
    ],
)
def test_a_fix_within_a_week_after_a_change_of_the_same_is_its_effect(
    hours: float, kind: str, expected: ConnectionKind, evidence: str
) -> None:
    memories = [note(1, hours, kind), note(2, 0.0, "change")]
    (found,) = at_once.connections(memories, {(1, 2): 0.55})

    assert (found.kind, found.evidence) == (expected, evidence)
    assert (found.one, found.other) == (
        (2, 1) if expected is ConnectionKind.CAUSAL_CHAIN else (1, 2)
    )


def test_memories_replayed_one_after_the_other_strengthen_their_connection() -> None:
    order = [one.id for one in replay.sequence([note(3, 2), note(1, 0), note(2, 1)])]

    assert replay.gains(order, {(1, 2), (1, 3)}) == [(1, 2, replay.CONSECUTIVE)]


def test_the_latest_hundred_are_replayed_in_order_of_time() -> None:
    found = replay.sequence([note(number, -number) for number in range(150)])

    assert [one.id for one in found] == list(range(99, -1, -1))


NEAR = st.dictionaries(
    st.sampled_from(list(combinations(range(15), 2))), st.floats(0, 1), max_size=80
)


@given(NEAR)
def test_connections_are_distinct_bounded_and_between_what_was_given(
    near: dict[replay.Pair, float],
) -> None:
    memories = [note(number, 24 * number) for number in range(15)]
    found = at_once.connections(memories, near)

    ends = [(one.one, one.other) for one in found]
    assert len(set(ends)) == len(ends)
    assert set(ends) <= {pair for pair, alike in near.items() if alike >= replay.SIMILARITY}
    assert all(sum(n in pair for pair in ends) <= replay.DEGREE for n in range(15))
