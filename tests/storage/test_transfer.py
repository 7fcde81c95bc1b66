"""Memories as rows of an export."""

from __future__ import annotations

from functools import partial

import pytest

from actors.memory.edges import Connected
from actors.memory.use import Reviewed
from actors.memory.writes import Ended, Origin, Pinned
from actors.reader.messages import Cue, NoteRead
from daemon.storage import homes
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.writing import new, written

pytestmark = pytest.mark.trio

SHOP = "/shop"


async def test_a_page_has_strength_pin_and_links_of_what_lives(store: OpenStore) -> None:
    await written(
        store,
        new("the port is 5432", project=SHOP, key="note-1"),
        new("the host is db1"),
        new("ended", project=SHOP),
        Connected(1, 2, "supports", 0.5, "said together", BEGINNING),
        Pinned(1, pinned=True, at=BEGINNING),
        Reviewed(1, 11.0, 5.0, 0, 3, "cited", implicit=True, at=BEGINNING),
        Ended(3, "forgotten", BEGINNING),
    )

    page = partial(homes.living_page, whole=True)
    (first, second), after = await store.reading.read(page, 0, 9, None)
    of_shop, more = await store.reading.read(page, 0, 1, SHOP)

    assert after is None
    assert (first["id"], first["key"], first["pinned"]) == ("m1", "note-1", True)
    assert first["strength"] == {"stability": 11.0, "difficulty": 5.0, "at": BEGINNING}
    assert first["links"] == [
        {"relation": "supports", "to": "m2", "strength": 0.5, "evidence": "said together"}
    ]
    assert not {"pinned", "strength", "links", "status", "since"} & second.keys()
    assert ([row["id"] for row in of_shop], more) == (["m1"], 1)


async def test_a_page_has_what_proves_a_note_of_the_reader(store: OpenStore) -> None:
    origin = Origin("reader", "s1", 1, "reader")
    proof = NoteRead(
        0, 1, "s1", 1, "wish", "user", "always", "never push to main", BEGINNING,
        cues=(Cue("prompt", "push it"), Cue("command", "git push")),
    )  # fmt: skip
    await written(store, new("open a pull request", project=SHOP, origin=origin), proof)
    (row,), _ = await store.reading.read(partial(homes.living_page, whole=True), 0, 9, None)

    assert row["read"] == {
        "kind": "wish", "said_by": "user", "scope": "always", "quotation": "never push to main",
        "agreed_to": "", "session": "s1",
        "cues": [{"kind": "command", "text": "git push"}, {"kind": "prompt", "text": "push it"}],
    }  # fmt: skip
