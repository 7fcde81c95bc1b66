"""Plans of earlier versions, which summed memories up or moved them: shown, taken back, erased."""

from __future__ import annotations

import json
from typing import Any

import pytest

from actors.memory.rows import Scope
from actors.memory.writes import Ended, Erased, Linked
from actors.night.shapes import PlanApplied, PlanUndone
from daemon.home import Home
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from tests.holders import holders
from tests.storage.test_plans import AT, MANY, altered, filled, found, plan, text_of
from tests.writing import new, written

pytestmark = pytest.mark.trio

TEXT = "the harbour opens at dawn and shuts at dusk"


async def kept(store: OpenStore, *ids: int, applied: bool) -> int:
    """A plan about these as version 0.9 kept it; the number of its summary, or 0."""
    made = 0
    if applied:
        (made,) = await written(store, new(TEXT))
        await written(
            store,
            *(Ended(one, "archived", AT, superseded_by=made) for one in ids),
            *(Linked(made, one, "supersedes", 1.0, AT) for one in ids),
        )
    summary: dict[str, Any] = {
        "text": TEXT, "title": "the harbour", "content_hash": "00", "kind": "insight", "project": None,
        "memory_type": "semantic", "context_type": "general", "derived": [],
    }  # fmt: skip
    state = "applied" if applied else "open"
    await altered(
        store,
        "INSERT INTO plan (act, source, reason, state, identity, proposed_at, decided_at, summary,"
        f" made_id) VALUES ('summarise', 'dreaming', 'alike', '{state}', x'00', {AT},"
        f" {AT if applied else 'NULL'}, '{json.dumps(summary)}', {made or 'NULL'})",
    )
    before = {
        "tier": "normal", "memory_type": "declarative", "valid_until": None, "updated_at": 0.0,
        "ended": None, "ended_at": None, "project": None, "tag": [AT, 1.0, None, None],
    }  # fmt: skip
    after = before | {"ended": "archived", "ended_at": AT, "tag": None}
    noted = json.dumps({"before": before, "after": after}) if applied else ""
    for place, one in enumerate(ids):
        await altered(
            store,
            "INSERT INTO plan_step SELECT (SELECT max(id) FROM plan),"
            f" {one}, {place}, 'summarise', '', '', content_hash, 0, '{noted}', '', {int(applied)}"
            f" FROM memory WHERE id = {one}",
        )
    return made


async def test_its_memories_come_back_and_the_summary_stays(store: OpenStore) -> None:
    await filled(store)
    made = await kept(store, 1, 2, applied=True)
    count = await written(store, PlanUndone(1, AT))
    after = await store.reading.memories([1, 2, made])

    assert count == [2]
    assert [after[one].ended for one in (1, 2, made)] == [None, None, None]
    assert await found(store, 1) == [1]


async def changed(store: OpenStore, values: dict[str, Any]) -> None:
    """Write these columns of the first memory."""
    for name, value in values.items():
        await altered(store, f"UPDATE memory SET {name} = json('{json.dumps(value)}') ->> '$'")


@pytest.mark.parametrize(
    ("was", "became", "since"),
    [({"project": "/w/alpha"}, {"project": None}, {"project": "/w/beta"}),
     ({"memory_type": "episodic"}, {"memory_type": "semantic"}, {"memory_type": "procedural"}),
     ({"tier": "normal", "valid_until": None}, {"tier": "temporary", "valid_until": AT},
      {"tier": "important"})],
    ids=["moved", "called general knowledge", "given a tier"],
)  # fmt: skip
@pytest.mark.parametrize("later", [False, True])
async def test_what_one_changed_in_a_memory_is_taken_back_unless_it_changed_since(
    store: OpenStore,
    was: dict[str, Any],
    became: dict[str, Any],
    since: dict[str, Any],
    later: bool,
) -> None:
    await filled(store, 1)
    await kept(store, 1, applied=False)
    stands = became | (since if later else {})
    await changed(store, stands)
    noted = {
        which: {"ended": None, "updated_at": 0.0, **values}
        for which, values in (("before", was), ("after", became))
    }
    await altered(store, "UPDATE plan SET act = 'edit', state = 'applied', summary = ''")
    await altered(store, f"UPDATE plan_step SET done = 1, before = '{json.dumps(noted)}'")
    count = await written(store, PlanUndone(1, AT))
    columns = f"SELECT {', '.join(was)} FROM memory"
    (row,) = await store.reading.read(Sql.named, columns)

    assert (count, row) == (([0], stands) if later else ([1], was))
    scope = Scope(was.get("project"))
    assert later or await store.reading.words(["boat1"], scope, 9)


async def test_one_that_waits_is_shown_and_not_carried_out(store: OpenStore) -> None:
    await filled(store)
    await kept(store, 1, 2, applied=False)
    shown = await plan(store, 1)
    count = await written(store, PlanApplied(1, AT))
    after = await plan(store, 1)

    assert (shown.act, shown.state) == ("summarise", "open")
    assert (count, after.state) == ([0], "stale")
    assert after.note == "an earlier version proposed it, and it is not done any more"
    assert (await store.reading.counts()).ended == 0


async def test_no_byte_of_a_summary_stays_when_an_original_is_erased(
    store: OpenStore, home: Home
) -> None:
    await filled(store)
    await kept(store, 1, 2, applied=False)
    made = await kept(store, 3, 4, applied=True)
    await store.writing.checkpoint(truncate=True)
    assert holders(home.root, TEXT)
    _, affected, _ = await store.writing.commit([(Erased((1, 3)),)])
    await store.writing.scrub()
    left = await store.reading.memories([2, 3, 4, made])

    assert holders(home.root, TEXT, text_of(1)[1:], text_of(3)[1:]) == []
    assert set(affected) == {1, 3, 4, made}
    assert made == MANY + 1
    assert {number: one.ended for number, one in left.items()} == {2: None, 4: None}
    assert await store.reading.plans(None, 9) == []


async def test_an_erased_summary_leaves_no_text_in_its_plan(store: OpenStore, home: Home) -> None:
    await filled(store)
    made = await kept(store, 1, 2, applied=True)
    await written(store, Erased((made,)))
    await store.writing.scrub()

    assert holders(home.root, TEXT) == []
    assert await written(store, PlanUndone(1, AT)) == [2]
