"""Some memories of a copy as they were then; everything else as it is today."""

from __future__ import annotations

from pathlib import Path

import pytest

from actors.gate.drafts import content_hash
from actors.memory.use import Reviewed
from actors.memory.writes import Ended, Erased, Linked, Pinned, Revived, Rewritten
from daemon.durability.copies import counted_in
from daemon.durability.copying import keep, snapshot_of, snapshots
from daemon.durability.restoring import (
    CARRIED,
    Differences,
    bring_project_back,
    carried,
    differences,
)
from daemon.home import Home
from daemon.storage.database.sql import Row, Sql
from daemon.storage.store import open_store
from tests.clock import BEGINNING
from tests.durability.test_copies import copied, filled
from tests.writing import new, written

pytestmark = pytest.mark.trio

NOW = BEGINNING + 86_400.0
# Noted of the days, or computed anew (``belongings``).
LEFT = frozenset(
    {
        "association", "association_look", "backfill", "capture", "chunk", "connection",
        "considered", "dreamt_episode", "exposure", "importance_event", "insight",
        "insight_source", "labile", "listing", "plan", "plan_step", "proposal", "shared_note", "synaptic_tag",
        "working_memory",
    }
)  # fmt: skip
ONE, TWO = "/home/one", "/home/two"


def rows_of(database: Path, *ids: int) -> dict[str, list[Row]]:
    """Every row that belongs to these memories, by table."""
    named = ", ".join(map(str, ids))

    def read(sql: Sql) -> dict[str, list[Row]]:
        found = {"memory": sql.rows(f"SELECT * FROM memory WHERE id IN ({named}) ORDER BY id")}
        for table in carried(sql):
            of_these = " OR ".join(f"{end} IN ({named})" for end in table.ends)
            key = ", ".join(table.key)
            found[table.name] = sql.rows(
                f"SELECT * FROM {table.name} WHERE {of_these} ORDER BY {key}"
            )
        return found

    return counted_in(database, read)


def rewritten(number: int, text: str) -> Rewritten:
    return Rewritten(number, text, text, (), ("said anew",), content_hash(text), NOW, "edit")


async def lived(home: Home) -> Path:
    """A copy of a store of four memories in two projects, which lived on since."""
    async with open_store(home) as store:
        await written(
            store,
            new("the port is 5432", project=ONE, derived=("port",)),
            new("the host is db1", project=ONE),
            new("the build uses make", project=TWO),
            new("forgotten before", project=ONE),
            Linked(1, 2, "related", None, BEGINNING),
            Linked(2, 3, "related", 0.8, BEGINNING),
            Ended(4, "forgotten", BEGINNING),
        )
        await store.writing.checkpoint(truncate=True)
    copy = copied(home, "then.db")
    async with open_store(home) as store:
        await written(
            store,
            rewritten(1, "the port is 6543"),
            Reviewed(1, 9.0, 5.0, 0, 3, "cited", implicit=True, at=NOW),
            Ended(2, "forgotten", NOW),
            Pinned(3, pinned=True, at=NOW),
            rewritten(3, "the build uses ninja"),
            Revived(4, NOW),
            new("said since", project=ONE),
            Linked(5, 1, "related", 0.9, NOW),
        )
        await store.writing.checkpoint(truncate=True)
    return copy


async def found(home: Home, word: str) -> list[int]:
    """Memories that the words find."""
    async with open_store(home) as store:
        return [one.id for one in await store.reading.living(0, 99) if word in one.text]


async def test_a_project_is_as_it_was_and_the_rest_as_it_is(home: Home) -> None:
    copy = await lived(home)
    before, others = rows_of(copy, 1, 2, 4), rows_of(home.database, 3, 5)

    would = differences(home.database, copy, ONE)
    done = bring_project_back(home.database, copy, ONE, NOW)

    after = rows_of(home.database, 1, 2, 4)
    newer = after["memory_link"].pop()  # of what came since
    assert done == would == Differences((2,), (4,), (1,), unchanged=0, erased=0, newer=1)
    assert newer[:2] == (5, 1)
    assert after == before
    assert rows_of(home.database, 3, 5) == others
    assert differences(home.database, copy, ONE).all == ()
    async with open_store(home) as store:
        words = await store.reading.read(
            lambda sql: sql.column("SELECT rowid FROM memory_words WHERE memory_words MATCH '5432'")
        )
    assert words == [1]


async def test_what_is_erased_for_good_does_not_come_back(home: Home, tmp_path: Path) -> None:
    copy = (await lived(home)).rename(tmp_path / "elsewhere.db")
    async with open_store(home) as store:
        await written(store, Erased((2,)), new("another one", project=ONE))
        await store.writing.scrub()

    done = bring_project_back(home.database, copy, ONE, NOW)

    assert done.erased == 1
    assert await found(home, "host") == []
    assert await found(home, "another") == [6]


async def test_a_snapshot_of_before_undoes_it(home: Home) -> None:
    copy = await lived(home)
    today = rows_of(home.database, 1, 2, 3, 4, 5)
    keep(home, "before-restore", NOW)
    bring_project_back(home.database, copy, ONE, NOW)
    before = snapshot_of(home, "before-restore")
    assert before is not None

    bring_project_back(home.database, before.path, ONE, NOW + 60)

    assert rows_of(home.database, 1, 2, 3, 4, 5) == today


async def test_one_snapshot_of_a_name_stays(home: Home) -> None:
    await filled(home, "the port is 5432")
    for name, at in (("one", NOW), ("one", NOW + 60), ("other", NOW)):
        keep(home, name, at)

    assert [(copy.name, copy.at) for copy in snapshots(home)] == [("one", NOW + 60), ("other", NOW)]
    assert not list(home.backups.glob("*.part*"))


async def test_an_erasure_takes_snapshots_as_every_copy(home: Home) -> None:
    await filled(home, "the vault opens with marzipan")
    keep(home, "vault", NOW)
    async with open_store(home) as store:
        await written(store, Erased((1,)))
        await store.writing.scrub()

    assert snapshots(home) == []


async def test_of_every_table_it_is_said_whether_it_is_carried(home: Home) -> None:
    """A new table of rows that belong to memories has to stand in one of the two lists."""
    await filled(home)
    belonging = counted_in(
        home.database,
        lambda sql: sql.column(
            "SELECT DISTINCT m.name FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f"
            " WHERE m.type = 'table' AND f.\"table\" = 'memory' AND m.name <> 'memory'"
        ),
    )

    assert sorted(belonging) == sorted([*CARRIED, *LEFT])
