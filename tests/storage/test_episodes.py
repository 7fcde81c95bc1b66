"""Tags of turns, moments and captures in the store: what a write may and may not do."""

from __future__ import annotations

from typing import Any

import pytest

from actors.memory.writes import Erased, ErasedEverything, Origin
from actors.night.shapes import Faded
from actors.passages.shapes import PassagesKept
from actors.policy.decay.capture import Capture, Raised, TurnTagged
from actors.policy.passages import Piece
from daemon.storage import episodes
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.writing import event, new, written

pytestmark = pytest.mark.trio

HOUR = 3600.0


def moment(seq: int = 9) -> Raised:
    touched = b"a" * 8
    return Raised(
        f"{seq}-revert", "revert", 0.85, BEGINNING, "s1", "/p", "git revert", seq, touched
    )


def turn(first: int = 1, hours: float = 0.0, project: str | None = "/p") -> TurnTagged:
    return TurnTagged(first, first + 2, "s1", project, BEGINNING + hours * HOUR, b"a" * 8)


def taken(first: int = 1, seq: int = 9) -> Capture:
    return Capture(first, f"{seq}-revert", 0.8, 1.0)


async def listed(store: OpenStore) -> list[tuple[Raised, list[dict[str, Any]]]]:
    _, found = await store.reading.read(episodes.episodes, None, 9)
    return found


async def test_a_moment_is_noted_once_and_keeps_what_it_has_to_do_with(store: OpenStore) -> None:
    bare = Raised("9-revert", "revert", 0.85, BEGINNING, "s1", "/p", "git revert", 9)
    await written(store, bare, moment(), bare)

    assert await store.reading.moments("/p", "s1", 0.0, BEGINNING, 9) == [moment()]


async def test_a_moment_of_an_erased_event_is_not_noted(store: OpenStore) -> None:
    """Erased while extraction had it in hand."""
    await written(store, event(1), new("marzipan", origin=Origin("r", "s1", 1, "r")))
    await written(store, Erased((1,)))

    assert await written(store, moment(1)) == [0]


async def test_a_turn_is_tagged_once_and_captured_once_by_each_moment(store: OpenStore) -> None:
    await written(store, moment(), moment(10))
    outcome = await written(
        store, turn(), turn(), taken(), taken(), taken(seq=10), taken(first=5), taken(seq=11)
    )

    assert outcome == [1, 0, 1, 0, 1, 0, 0]


async def test_an_episode_tells_what_was_asked_and_what_was_remembered(store: OpenStore) -> None:
    kept = PassagesKept(
        "turn", "/p", "s1/1", (Piece("why a lock?", "why a lock?"),), "s1", 1, 3, BEGINNING
    )
    memory = new("a lock", origin=Origin("decision", "s1", 2, "decision"))
    elsewhere = new("a key", origin=Origin("decision", "s2", 2, "other"))
    await written(store, kept, memory, elsewhere, moment(), turn(), taken())
    ((_, (member,)),) = await listed(store)

    assert (member["said"], member["memories"], member["score"]) == ("why a lock?", "[1]", 0.8)


async def test_passages_of_captured_turns_have_their_vectors_first_and_stay_longer(
    store: OpenStore,
) -> None:
    for first in (1, 5):
        piece = Piece("", f"turn {first}")
        place = f"s1/{first}"
        await written(
            store, PassagesKept("turn", "/p", place, (piece,), "s1", first, first, BEGINNING - 9)
        )
    await written(store, moment(), turn(5), taken(5))
    used = await store.reading.read(Sql.column, "SELECT used_at FROM passage")

    assert await store.reading.captured_without_vectors([], 9) == [2]
    assert await store.reading.captured_without_vectors([2], 9) == []
    assert used == [BEGINNING - 9, BEGINNING]


async def test_fading_takes_old_turns_and_moments_but_for_what_was_captured(
    store: OpenStore,
) -> None:
    turns = (turn(1, -9), turn(4, -9), turn(7, 1))
    await written(store, *turns, moment(), moment(10), taken(4))
    (gone,) = await written(store, Faded(BEGINNING + 1, 99))
    tags = await store.reading.turn_tags("/p", None, 0.0, 9)
    (again,) = await written(store, Faded(BEGINNING - HOUR, 0))

    assert (gone, [one.first_seq for one in tags], again) == (1, [7, 4], 1)
    assert await listed(store) == []


async def test_turns_without_a_project_are_their_sessions_own(store: OpenStore) -> None:
    await written(store, turn(1, project=None), turn(4))
    own = await store.reading.turn_tags(None, "s1", 0.0, 9)

    assert [one.first_seq for one in own] == [1]
    assert await store.reading.turn_tags(None, "s2", 0.0, 9) == []


@pytest.mark.parametrize(
    "order", [ErasedEverything("/p"), ErasedEverything(None, whole_store=True)]
)
async def test_a_purge_takes_tags_and_captures_with_it(
    store: OpenStore, order: ErasedEverything
) -> None:
    await written(store, moment(), turn(), taken())
    await written(store, order)
    tables = ("turn_tag", "turn_capture", "importance_event")
    left = await store.reading.read(
        lambda sql: [sql.number(f"SELECT count(*) FROM {one}") for one in tables]
    )

    assert left == [0, 0, 0]


async def test_an_erased_memory_leaves_no_reason_of_its_moment(store: OpenStore) -> None:
    await written(store, new("marzipan", origin=Origin("r", "s1", 2, "r")))
    await written(store, moment(), turn(), taken())
    await written(store, Erased((1,)))

    assert [moment.reason for moment, _ in await listed(store)] == [""]
