"""Rows for another home: an export of memories, and its gaps by digests."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from actors.memory.use import Reviewed
from actors.memory.writes import (
    Connected,
    Ended,
    Erased,
    ErasedElsewhere,
    ErasedEverything,
    Origin,
    Pinned,
    Rewritten,
)
from actors.policy.gate.gate_features import content_hash
from actors.policy.statements.sources import Life
from actors.reader.messages import Cue, NoteRead
from daemon.storage import homes
from daemon.storage.database.sql import Sql
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


# ---- what ended and what was erased, by digests; and what of a text is here


OTHER = "0123456789abcdef"  # the id of another store


def rewritten(memory_id: int, text: str) -> Rewritten:
    return Rewritten(memory_id, text, "t", (), (), content_hash(text), BEGINNING + 1, "edit")


async def test_a_page_says_what_ended_and_was_erased_and_no_text(store: OpenStore) -> None:
    await written(
        store,
        new("the host is db1", project=SHOP),
        new("forgotten", project=SHOP),
        new("erased"),
        new("lives"),
        rewritten(1, "the host is db2"),
        Ended(2, "forgotten", BEGINNING + 2),
    )
    await written(store, Erased((3,), at=BEGINNING + 3))
    salt = await store.reading.read(homes.store_id)
    rows, after = await store.reading.read(homes.gaps_page, 0, 9, None)
    of_shop, _ = await store.reading.read(homes.gaps_page, 0, 9, SHOP)
    first, more = await store.reading.read(homes.gaps_page, 0, 1, None)

    assert [(row["how"], row["at"], row.get("project")) for row in rows] == [
        ("deprecated", BEGINNING + 1, SHOP),
        ("forgotten", BEGINNING + 2, SHOP),
        ("erased", BEGINNING + 3, None),
    ]
    assert rows[2]["gone"] == homes.digest(salt, content_hash("erased")).hex()
    assert {row["salt"] for row in rows} == {salt}
    assert (after, of_shop, first, more) == (None, rows[:2], rows[:1], 1)


async def test_what_lives_elsewhere_in_its_project_has_not_ended(store: OpenStore) -> None:
    await written(store, new("said twice"), Ended(1, "forgotten", BEGINNING), new("said twice"))
    rows, _ = await store.reading.read(homes.gaps_page, 0, 9, None)

    assert rows == []


async def test_a_text_is_here_by_what_a_memory_says_and_by_what_it_said(store: OpenStore) -> None:
    await written(
        store, new("the host is db1", project=SHOP), new("ended"), rewritten(1, "the host is db2"),
        Ended(2, "forgotten", BEGINNING + 2),
    )  # fmt: skip
    texts = [
        (SHOP, "The host is db2."), (SHOP, "the host is db1"), (None, "the host is db2"),
        (None, "ended"),
    ]  # fmt: skip
    now, former, elsewhere, ended = await store.reading.read(
        homes.here, [(project, content_hash(text)) for project, text in texts]
    )

    assert now.now is not None
    assert (now.now.memory_id, now.now.life, now.former) == (1, Life(True, BEGINNING + 1), None)
    assert (former.now, former.former) == (None, Life(False, BEGINNING + 1))
    assert (elsewhere.now, elsewhere.former) == (None, None)
    assert ended.now is not None
    assert ended.now.life == Life(False, BEGINNING + 2)


async def test_a_digest_of_another_home_is_kept_and_tells_the_text_again(store: OpenStore) -> None:
    one = homes.digest(OTHER, content_hash("the vault opens with marzipan"))
    heard = ErasedElsewhere(OTHER, ((one, BEGINNING),))
    (new_ones,) = await written(store, heard)
    (again,) = await written(store, heard)
    (later,) = await written(store, replace(heard, digests=((one, BEGINNING + 1),)))
    asked = [content_hash("The vault opens with marzipan."), content_hash("the port is 5432")]

    assert (new_ones, again, later) == (1, 0, 1)
    assert await store.reading.read(homes.erased_at, asked) == {asked[0]: BEGINNING + 1}


async def test_a_former_wording_that_another_memory_says_is_not_erased_with_the_first(
    store: OpenStore,
) -> None:
    await written(store, new("the host is db1"), new("the host is db1", project=SHOP))
    await written(store, rewritten(1, "the host is db2"), Erased((1,), at=BEGINNING + 2))
    asked = [content_hash("the host is db1"), content_hash("the host is db2")]

    assert await store.reading.read(homes.erased_at, asked) == {asked[1]: BEGINNING + 2}


async def test_emptying_the_store_leaves_no_digest(store: OpenStore) -> None:
    await written(store, new("erased"), Erased((1,)))
    before, _ = await store.reading.read(homes.gaps_page, 0, 9, None)
    await written(store, ErasedEverything(whole_store=True))

    assert len(before) == 1
    assert await store.reading.read(homes.gaps_page, 0, 9, None) == ([], None)


async def test_whether_a_text_was_erased_costs_the_same_whatever_was_erased_before(
    store: OpenStore,
) -> None:
    await written(
        store,
        *(ErasedElsewhere(f"store-{one}", ((bytes([one]) * 16, BEGINNING),)) for one in range(3)),
    )
    plan = await store.reading.read(
        lambda sql: [str(row) for row in sql.rows("EXPLAIN QUERY PLAN " + homes.SALTS)]
    )
    salts = await store.reading.read(Sql.column, homes.SALTS)

    assert salts == ["store-0", "store-1", "store-2"]
    assert [row for row in plan if "SCAN erased_text" in row] == []
