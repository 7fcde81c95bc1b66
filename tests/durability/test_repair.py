"""A damaged store is made anew: what can be read, what a backup has, what the journal tells."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import apsw
import pytest
import trio

from actors.memory.rows import Scope
from daemon.durability.copies import ASIDE, BACKUP, copy_name, counted_in, examined, log_of
from daemon.durability.marker import Marker, read_marker, write_marker
from daemon.durability.repair import CARRIED, READY, Came, NothingToRepair, Repaired, finish, repair
from daemon.home import Home
from daemon.storage.database.sql import Row, Sql
from daemon.storage.store import open_store
from tests.clock import BEGINNING
from tests.durability.real_store import EVENTS, MEMORIES, fill
from tests.writing import new, written

NOW = BEGINNING + 86_400.0
SPOTS, BYTES = 10, 16  # of damage, at random offsets
WANTED = 0.9  # of the memories


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A store as a person's is after some weeks; tests damage copies of it."""
    home = Home(tmp_path_factory.mktemp("whole"))
    home.prepare()
    trio.run(fill, home)
    return home


@pytest.fixture
def hurt(whole: Home, home: Home) -> Home:
    """A home with a copy of that store, to be damaged."""
    shutil.copy(whole.database, home.database)
    shutil.copy(whole.marker, home.marker)
    return home


def damage(home: Home, seed: int) -> None:
    """Random bytes at random places of the file."""
    rng, data = random.Random(seed), bytearray(home.database.read_bytes())
    for _ in range(SPOTS):
        start = rng.randrange(len(data) - BYTES)
        data[start : start + BYTES] = rng.randbytes(BYTES)
    home.database.write_bytes(data)


def overwrite(home: Home, pages: range, byte: int = 0xFF) -> None:
    """Fill these pages, of which the first is 0, with one byte."""
    with home.database.open("r+b") as file:
        for page in pages:
            file.seek(page * 4096)
            file.write(bytes([byte]) * 4096)


def rows(path: Path, statement: str) -> list[Row]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return Sql(connection).rows(statement)
    finally:
        connection.close()


def texts(home: Home) -> dict[int, str]:
    return dict(rows(home.database, "SELECT id, text FROM memory"))


def repaired(home: Home) -> Repaired:
    return repair(home, NOW)


def measured(whole: Home, home: Home, seed: int) -> tuple[float, float]:
    """Shares of the memories and of the events that come back after damage; none is another."""
    shutil.copy(whole.database, home.database)
    shutil.copy(whole.marker, home.marker)
    damage(home, seed)
    done = repaired(home)
    before, after = texts(whole), texts(home)
    assert all(before[number] == text for number, text in after.items())
    assert examined(home.database).damage == ""
    assert done.memories.salvaged == len(after)
    assert done.memories.missing == MEMORIES - len(after)
    return len(after) / MEMORIES, done.events.salvaged / EVENTS


@pytest.mark.parametrize("seed", range(5))
def test_of_a_store_with_random_damage_nine_in_ten_rows_come_back(
    whole: Home, home: Home, seed: int
) -> None:
    memories, events = measured(whole, home, seed)

    assert memories >= WANTED
    assert events >= WANTED


@pytest.mark.slow
def test_of_twenty_stores_with_random_damage_nine_in_ten_rows_come_back(
    whole: Home, tmp_path: Path
) -> None:
    figures: list[tuple[float, float]] = []
    for seed in range(1_000, 1_020):
        home = Home(tmp_path / str(seed))
        home.prepare()
        figures.append(measured(whole, home, seed))
    memories, events = zip(*figures, strict=True)
    sys.stdout.write(f"memories {sorted(memories)}\nevents {sorted(events)}\n")

    assert min(memories) >= WANTED
    assert min(events) >= WANTED


@pytest.mark.trio
async def test_what_came_back_is_found_by_its_words(hurt: Home) -> None:
    damage(hurt, 3)
    repaired(hurt)
    async with open_store(hurt) as store:
        before = {memory.id: memory for memory in await store.reading.living(0, 9)}
        word = before[5].text.split()[-1].rstrip(".")
        found = await store.reading.words([word], Scope(everywhere=True), 9)
        added = await written(store, new("after the repair"))

    assert 5 in found
    assert added == [MEMORIES + 1]  # ids are never used again


def test_the_damaged_file_is_kept_as_it_was_and_nothing_else_is_left(hurt: Home) -> None:
    damage(hurt, 1)
    data, folder = hurt.database.read_bytes(), {path.name for path in hurt.root.iterdir()}
    done = repaired(hurt)

    assert done.aside is not None
    assert done.aside == str(hurt.backups / copy_name(ASIDE, NOW))
    assert Path(done.aside).read_bytes() == data
    assert {path.name for path in hurt.root.iterdir()} == folder
    assert hurt.database.stat().st_mode & 0o777 == 0o600
    marker = read_marker(hurt)
    assert marker is not None
    assert marker.store_id == examined(hurt.database).store_id


@pytest.mark.parametrize("byte", [0x00, 0xFF])
def test_a_lost_first_page_costs_no_row(hurt: Home, whole: Home, byte: int) -> None:
    overwrite(hurt, range(1), byte)
    done = repaired(hurt)

    assert texts(hurt) == texts(whole)
    assert done.memories.missing == 0


def test_of_a_file_that_was_cut_comes_back_what_is_left(hurt: Home, whole: Home) -> None:
    with hurt.database.open("r+b") as file:
        file.truncate(hurt.database.stat().st_size // 2 + 100)
    done = repaired(hurt)
    before, after = texts(whole), texts(hurt)

    assert 0 < len(after) <= MEMORIES
    assert all(before[number] == text for number, text in after.items())
    assert done.memories.salvaged == len(after)


@pytest.mark.trio
async def test_what_is_only_in_the_log_comes_back(hurt: Home, tmp_path: Path) -> None:
    killed = Home(tmp_path / "killed")
    killed.prepare()
    async with open_store(hurt) as store:
        await written(store, new("said in the last second"))
        for path in (hurt.database, log_of(hurt.database), hurt.marker):
            shutil.copy(path, killed.root / path.name)
    overwrite(killed, range(1))
    repaired(killed)

    assert texts(killed)[MEMORIES + 1] == "said in the last second"


def test_what_cannot_be_read_is_taken_from_the_newest_sound_backup(hurt: Home, whole: Home) -> None:
    kept = hurt.backups / copy_name(BACKUP, BEGINNING)
    shutil.copy(whole.database, kept)
    ((root,),) = rows(hurt.database, "SELECT rootpage FROM sqlite_schema WHERE name = 'memory'")
    overwrite(hurt, range(root - 1, root))  # every way to a memory
    done = repaired(hurt)

    assert texts(hurt) == texts(whole)
    assert (done.backup, done.memories.salvaged) == (kept.name, 0)
    assert (done.memories.restored, done.memories.missing) == (MEMORIES, 0)


def test_a_backup_of_another_store_is_not_taken(hurt: Home, whole: Home) -> None:
    kept = hurt.backups / copy_name(BACKUP, BEGINNING)
    shutil.copy(whole.database, kept)
    connection = apsw.Connection(str(kept))
    Sql(connection).rows("UPDATE store SET value = 'another' WHERE name = 'id'")
    connection.close()
    damage(hurt, 2)

    assert repaired(hurt).backup is None


def test_events_that_lost_memories_were_made_of_are_worked_through_again(hurt: Home) -> None:
    ((root,),) = rows(hurt.database, "SELECT rootpage FROM sqlite_schema WHERE name = 'memory'")
    overwrite(hurt, range(root - 1, root))
    done = repaired(hurt)
    undone = rows(hurt.database, "SELECT count(*) FROM journal WHERE done = 0")

    assert done.memories == Came(0, 0, MEMORIES)
    assert done.replayed == undone[0][0]
    assert done.replayed > MEMORIES // 2
    assert not rows(hurt.database, "SELECT 1 FROM decision WHERE seq IS NOT NULL")
    assert rows(hurt.database, "PRAGMA foreign_key_check") == []


def test_a_database_that_is_gone_is_made_of_its_backup(hurt: Home, whole: Home) -> None:
    shutil.copy(whole.database, hurt.backups / copy_name(BACKUP, BEGINNING))
    hurt.database.unlink()
    done = repaired(hurt)

    assert texts(hurt) == texts(whole)
    assert done.aside is None


def test_without_a_database_and_without_a_backup_nothing_is_made(home: Home) -> None:
    with pytest.raises(NothingToRepair):
        repaired(home)

    assert not home.database.exists()
    assert not home.repair.exists()


def test_a_file_of_which_nothing_can_be_read_is_left_where_it_is(hurt: Home) -> None:
    hurt.database.write_bytes(b"this is not a database at all" * 400)
    with pytest.raises(NothingToRepair, match="begin anew"):
        repaired(hurt)

    assert hurt.database.read_bytes().startswith(b"this is")
    assert not list(hurt.backups.iterdir())


def test_what_the_marker_counts_and_nothing_names_is_missing_too(hurt: Home) -> None:
    write_marker(hurt, Marker("", MEMORIES + 7))
    damage(hurt, 0)

    found = repaired(hurt).memories

    assert found.missing == MEMORIES + 7 - found.salvaged


def test_a_repair_that_was_killed_before_its_last_step_is_finished(hurt: Home) -> None:
    expected = texts(hurt)
    hurt.repair.mkdir()
    hurt.database.rename(hurt.repair / READY)

    assert finish(hurt, NOW)
    assert texts(hurt) == expected
    assert not finish(hurt, NOW)


def test_a_repair_that_was_killed_earlier_begins_anew(hurt: Home) -> None:
    hurt.repair.mkdir()
    for name in (READY, "damaged.db", "fresh.db"):
        (hurt.repair / name).write_bytes(b"of before")
    damage(hurt, 4)

    assert not finish(hurt, NOW)
    repaired(hurt)
    assert examined(hurt.database).damage == ""
    assert not hurt.repair.exists()


@pytest.mark.trio
async def test_an_erasure_leaves_nothing_that_a_killed_repair_left(hurt: Home) -> None:
    hurt.repair.mkdir()
    shutil.copy(hurt.database, hurt.repair / "damaged.db")
    async with open_store(hurt) as store:
        await store.writing.scrub()

    assert not list(hurt.repair.iterdir())


# Noted of the days, or computed anew.
LEFT = frozenset(
    {
        "association", "association_look", "backfill", "capture", "chunk", "connection",
        "considered", "dreamt_episode", "exposure", "importance_event", "insight",
        "insight_source", "labile", "listing", "plan", "plan_step", "proposal", "shared_note", "synaptic_tag",
        "working_memory",
    }
)  # fmt: skip


@pytest.mark.trio
async def test_of_every_table_it_is_said_whether_it_is_carried(home: Home) -> None:
    """A new table of rows that belong to memories has to stand in one of the two lists."""
    async with open_store(home):
        pass
    belonging = counted_in(
        home.database,
        lambda sql: sql.column(
            "SELECT DISTINCT m.name FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f"
            " WHERE m.type = 'table' AND f.\"table\" = 'memory' AND m.name <> 'memory'"
        ),
    )

    assert sorted(belonging) == sorted([*CARRIED, *LEFT])
