"""What happened just now, for whoever follows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from actors.gate.messages import Judged
from actors.memory.observatory import (
    KEPT,
    Observation,
    ObservationKind,
    Observations,
    Observatory,
    noticed,
)
from actors.memory.use import Suppressed
from actors.memory.writes import Ended, Rewritten
from actors.night.shapes import ConnectionsDrawn
from actors.policy.night.replay import Connection, ConnectionKind
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.recall.bench import ASKED, WHALE, open_bench
from tests.clock import VIRTUAL_TIME, FollowingClock
from tests.writing import new

KINDS = ObservationKind
ROOT = Path(__file__).resolve().parents[3]


def happenings(*ids: int) -> list[Observation]:
    return [Observation(KINDS.MEMORY_CREATED, 1.0, {"id": one}) for one in ids]


def ids_in(answer: Observations) -> list[Any]:
    return [observation.data["id"] for _, observation in answer.observations]


@pytest.mark.trio
async def test_a_follower_gets_each_thing_once_and_in_order() -> None:
    observatory = Observatory()
    observatory.keep(*happenings(1, 2, 3))
    first = await observatory.after(0, 2)
    second = await observatory.after(first.last, 2)

    assert (ids_in(first), first.dropped) == ([1, 2], 0)
    assert (ids_in(second), second.last) == ([3], 3)


@VIRTUAL_TIME
async def test_all_who_are_ahead_wait_until_something_happens() -> None:
    observatory = Observatory()
    observatory.keep(*happenings(1))
    answers: list[Observations] = []

    async def follow() -> None:
        answers.append(await observatory.after(1, 100))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(follow)
        nursery.start_soon(follow)
        await trio.sleep(5)
        waiting = observatory.statistics()["followers"], len(answers)
        observatory.keep(*happenings(2))

    assert waiting == (2, 0)
    assert [ids_in(answer) for answer in answers] == [[2], [2]]
    assert observatory.statistics()["followers"] == 0


@pytest.mark.trio
async def test_who_comes_too_late_is_told_how_much_is_gone() -> None:
    observatory = Observatory()
    observatory.keep(*happenings(*range(1, KEPT + 16)))
    answer = await observatory.after(3, 10)

    assert ids_in(answer) == list(range(16, 26))
    assert answer.dropped == 12  # 4 to 15


@pytest.mark.trio
async def test_from_now_on_begins_behind_what_was() -> None:
    observatory = Observatory()
    observatory.keep(*happenings(1, 2))
    answer = await observatory.after(-1, 100)

    assert answer == Observations((), 2, 0)


def test_what_is_done_to_memories_is_noticed_with_ids_and_without_text() -> None:
    unit = (
        new("the text of a memory"),
        Rewritten(4, "its other text", "t", (), (), b"h", 5.0, "edited"),
        Judged(4),
        Ended(4, "forgotten", 5.0),
        Ended(5, "archived", 5.0),  # it had ended before: nothing was done
        Suppressed(6, None),
    )

    seen = noticed(unit, (9, 1, 1, 1, 0, 0), 5.0)

    assert [one.kind for one in seen] == [
        KINDS.MEMORY_CREATED,
        KINDS.MEMORY_UPDATED,
        KINDS.MEMORY_DELETED,
        KINDS.MEMORY_UNSUPPRESSED,
    ]
    assert seen[0].data["id"] == 9
    assert "text" not in repr(seen)


def test_connections_that_are_found_again_are_no_discovery() -> None:
    drawn = ConnectionsDrawn((Connection(1, 2, ConnectionKind.SEMANTIC, 0.9, "cosine 0.90"),), 5.0)

    assert [one.kind for one in noticed((drawn,), (1,), 5.0)] == [KINDS.CONNECTION_DISCOVERED]
    assert noticed((drawn,), (0,), 5.0) == []


# ---- who tells it


def test_every_kind_has_somebody_who_tells_it() -> None:
    """A kind that nothing can send must not stand in the list."""
    sources = [
        path.read_text(encoding="utf-8")
        for folder in ("actors", "daemon/answers", "daemon/api")
        for path in (ROOT / folder).rglob("*.py")
    ]

    untold = [
        kind.value
        for kind in ObservationKind
        if not any(f"inds.{kind.name}" in text or f"Kind.{kind.name}" in text for text in sources)
    ]
    assert not untold


@VIRTUAL_TIME
async def test_a_search_is_told_with_counts_and_not_with_its_words(store: OpenStore) -> None:
    watched = Observatory()
    async with open_bench(
        store, TableEmbedding({WHALE: at(1.0), ASKED: at(0.8)}), FollowingClock()
    ) as bench:
        kept = await bench.house.keep(WHALE)
        bench.actor.observatory = watched
        await bench.search(ASKED)
        await bench.house.settled()
    page = await watched.after(0, 10)

    ((_, seen),) = page.observations
    assert seen.kind is ObservationKind.SEARCH_PERFORMED
    assert {**seen.data, "milliseconds": 0} == {
        "by": "search", "found": 1, "id": kept.memory_id, "known_in_session": None,
        "milliseconds": 0,
    }  # fmt: skip
