"""Observations of recall, for those who watch."""

from __future__ import annotations

from pathlib import Path

from actors.memory.observatory import ObservationKind, Observatory
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.recall.bench import ASKED, WHALE, open_bench
from tests.clock import VIRTUAL_TIME, FollowingClock

ROOT = Path(__file__).resolve().parents[3]


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
