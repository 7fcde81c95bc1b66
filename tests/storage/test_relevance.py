"""What the relevance of a memory is computed of, in the store."""

from __future__ import annotations

import pytest

from actors.memory.writes import Connected, Ended
from actors.night.shapes import ConnectionsDrawn
from actors.policy.decay.archival import DAY, relevance
from actors.policy.night.replay import Connection, ConnectionKind
from daemon.storage import strength
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.writing import new, written

pytestmark = pytest.mark.trio


async def test_relations_count_for_both_ends_of_links_and_connections(store: OpenStore) -> None:
    await written(store, new("one"), new("two"), new("three"), new("four"))
    shared = Connection(1, 3, ConnectionKind.SEMANTIC, 1.5, "cosine 0.9")
    await written(
        store,
        Connected(1, 2, "caused", 0.4, "", BEGINNING),
        ConnectionsDrawn((shared,), BEGINNING),
        Ended(4, "archived", BEGINNING),
    )
    uses = [
        await store.reading.read(strength.use_of, number, BEGINNING + 10 * DAY)
        for number in range(1, 5)
    ]
    one, two, three, gone = uses

    assert gone is None
    assert one is not None
    assert two is not None
    assert three is not None
    assert (one.age, one.relations, two.relations, three.relations) == (10, 2, 1, 1)
    assert [one.confidence, two.confidence] == pytest.approx([0.7, 0.4])
    assert three.confidence == 1.0  # 1.5 counts as 1
    assert relevance(one) > relevance(two)
