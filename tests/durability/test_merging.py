"""Another home merged into this one: what is new comes as it is, and nothing twice."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from actors.gate.drafts import content_hash
from actors.gate.writes import Remarked
from actors.intentions.writes import IntentionMade
from actors.memory.writes import Ended, Erased, ErasedEverything, Linked, Pinned, Rewritten
from actors.policy.intentions.intention_triggers import At
from actors.policy.intentions.intentions import Intention
from actors.strength.writes import Reviewed
from daemon.durability.copies import counted_in, examined
from daemon.durability.merging import Merged, merge, preview, run_of, take_back
from daemon.durability.migrating import copy_of, migrated
from daemon.home import Home
from daemon.storage.database.sql import Row
from daemon.storage.store import open_store
from tests.clock import BEGINNING
from tests.storage.test_migrations import KEPT, kept_in_version_15
from tests.writing import new, written

pytestmark = pytest.mark.trio

NOW = BEGINNING + 86_400.0
SHOP = "/shop"


@pytest.fixture
def other(tmp_path: Path) -> Home:
    """Another empty home."""
    other = Home(tmp_path / "other")
    other.prepare()
    return other


def untold(_: str) -> None:
    """Nobody watches how far it is."""


def merged(home: Home, other: Home, run: str = "run", at: float = NOW) -> Merged:
    """Merge the other home, as the command does, and have what was said before."""
    with copy_of(other.database, home) as copy:
        assert migrated(copy).damage == ""
        would = preview(home.database, copy)
        done = merge(home.database, copy, run, at, untold)
    assert would == replace(done, run="")
    assert examined(home.database).damage == ""
    return done


def rows(home: Home, statement: str) -> list[Row]:
    return counted_in(home.database, lambda sql: sql.rows(statement))


def told(home: Home) -> list[str]:
    return [str(row[0]) for row in rows(home, "SELECT text FROM memory WHERE ended IS NULL")]


def intended(text: str) -> IntentionMade:
    return IntentionMade(Intention("0", text, At(NOW), made_at=BEGINNING, project=SHOP), seq=None)


async def filled(home: Home) -> None:
    """Four memories with what belongs to them, and an intention."""
    async with open_store(home) as store:
        await written(
            store,
            new("the port is 5432", project=SHOP, derived=("port",), stability=9.5),
            new("the host is db1", project=SHOP),
            new("the host was db0", project=SHOP, key="note-3"),
            new("shared by both", project=SHOP),
            Pinned(1, pinned=True, at=BEGINNING),
            Reviewed(1, 11.0, 5.0, 0, 3, "cited", implicit=True, at=BEGINNING),
            Linked(1, 2, "related", 0.8, BEGINNING),
            Linked(2, 4, "related", 0.7, BEGINNING),
            Ended(3, "deprecated", BEGINNING, superseded_by=2),
            Rewritten(
                2, "the host is db2", "t", (), ("host",), content_hash("the host is db2"),
                BEGINNING, "edit",
            ),
            Remarked(1, 7, "no, another port", 0.9, BEGINNING),
            intended("renew the certificate"),
        )  # fmt: skip


async def of_ours(home: Home) -> None:
    async with open_store(home) as store:
        await written(store, new("of ours"), new("Shared by both.", project=SHOP))


async def test_what_is_new_comes_as_it_is_and_what_is_here_stays(home: Home, other: Home) -> None:
    await of_ours(home)
    await filled(other)
    before = other.database.read_bytes()

    done = merged(home, other)

    how = "pinned, stability, reviews, ended, project, key, versions"
    assert (done.memories, done.ended, done.there, done.intentions) == (2, 1, 1, 1)
    assert sorted(told(home)) == sorted(
        ["of ours", "Shared by both.", "the port is 5432", "the host is db2"]
    )
    assert rows(home, f"SELECT {how} FROM memory WHERE id > 2 ORDER BY id") == rows(
        other, f"SELECT {how} FROM memory WHERE id <= 3 ORDER BY id"
    )
    assert rows(home, "SELECT id, superseded_by FROM memory WHERE superseded_by IS NOT NULL") == [
        (5, 4)
    ]
    assert rows(home, "SELECT source_id, target_id FROM memory_link ORDER BY 1, 2") == [
        (3, 4), (4, 2),
    ]  # fmt: skip
    assert rows(home, "SELECT memory_id, grade FROM review") == [(3, 3)]
    assert rows(home, "SELECT memory_id, text FROM memory_version") == [(4, "the host is db1")]
    assert rows(home, "SELECT memory_id, seq FROM remark") == [(3, -7)]
    assert rows(home, "SELECT text, project FROM intention") == [("renew the certificate", SHOP)]
    assert rows(home, "SELECT count(*) FROM intention_event") == [(1,)]
    assert rows(home, "SELECT rowid FROM memory_words WHERE memory_words MATCH 'db2'") == [(4,)]
    assert other.database.read_bytes() == before


async def test_done_twice_it_brings_nothing_twice(home: Home, other: Home) -> None:
    await filled(other)
    await of_ours(home)
    merged(home, other)
    async with open_store(home) as store:  # also when it was changed here since
        await written(
            store,
            Rewritten(3, "edited here", "t", (), (), content_hash("edited here"), NOW, "edit"),
        )
    before = rows(home, "SELECT * FROM memory ORDER BY id")

    again = merged(home, other, "second", NOW + 60)

    assert (again.memories, again.ended, again.intentions, again.there) == (0, 0, 0, 4)
    assert rows(home, "SELECT * FROM memory ORDER BY id") == before
    assert rows(home, "SELECT count(*) FROM memory_link") == [(2,)]


async def test_what_was_erased_here_stays_away(home: Home, other: Home) -> None:
    """By its text; by its number once it was brought; by an earlier text of it."""
    await filled(other)
    async with open_store(home) as store:
        await written(store, new("The port is 5432"), new("the host is db1"))
        await written(store, Erased((1, 2)))
    first = merged(home, other)
    async with open_store(home) as store:
        found = [one.id for one in await store.reading.living(0, 99)]
        await written(store, Erased(tuple(found)))
    async with open_store(other) as store:  # where it is changed afterwards
        await written(store, Rewritten(4, "anew", "t", (), (), content_hash("anew"), NOW, "edit"))

    second = merged(home, other, "second", NOW + 60)

    assert (first.memories, first.erased) == (1, 2)
    assert (second.memories, second.erased) == (0, 3)
    assert told(home) == []


async def test_a_copy_of_this_home_that_went_on_by_itself_brings_what_it_made_since(
    home: Home, tmp_path: Path
) -> None:
    await filled(home)
    other = Home(tmp_path / "other")
    shutil.copytree(home.root, other.root)
    async with open_store(home) as store:
        await written(store, Erased((1,)), new("made here since", at=NOW))
    async with open_store(other) as store:
        await written(store, new("made there since", at=NOW + 1))
        await written(store, Rewritten(1, "else", "t", (), (), content_hash("else"), NOW, "edit"))

    done = merged(home, other)

    assert (done.memories, done.there, done.erased) == (1, 3, 1)
    assert "made there since" in told(home)
    assert "else" not in told(home)


async def test_a_merge_is_taken_back_but_for_what_was_changed_since(
    home: Home, other: Home
) -> None:
    await of_ours(home)
    await filled(other)
    merged(home, other)
    async with open_store(home) as store:
        await written(store, Pinned(4, pinned=True, at=NOW + 60))
    run = run_of(home.database, "")
    assert run == "run"

    count = take_back(home.database, run, NOW + 120)

    assert count == 1
    assert sorted(told(home)) == ["Shared by both.", "of ours", "the host is db2"]
    assert rows(home, "SELECT count(*) FROM intention") == [(0,)]
    assert run_of(home.database, "") is None

    again = merged(home, other, "second", NOW + 180)

    assert (again.memories, again.again, again.intentions) == (0, 1, 1)
    assert "the port is 5432" in told(home)
    assert run_of(home.database, "") == "second"
    assert take_back(home.database, "second", NOW + 240) == 1


async def test_a_home_of_an_earlier_version_is_merged_and_left_as_it_is(
    home: Home, other: Home
) -> None:
    await of_ours(home)
    sql = kept_in_version_15(other.database)
    sql.rows("INSERT INTO store VALUES ('id', 'another')")
    sql.raw.close()
    before = other.database.read_bytes()

    done = merged(home, other)

    assert done.memories == len(KEPT)
    assert other.database.read_bytes() == before


async def test_the_whole_store_emptied_forgets_what_was_erased_and_brought(
    home: Home, other: Home
) -> None:
    await filled(other)
    await of_ours(home)
    merged(home, other)
    async with open_store(home) as store:
        await written(store, ErasedEverything(whole_store=True))

    assert rows(home, "SELECT * FROM brought") == []
    assert rows(home, "SELECT * FROM erased_text") == []
