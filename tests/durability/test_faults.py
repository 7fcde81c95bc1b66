"""Faults below SQLite: whatever write or sync fails, a unit is there whole or not at all.

Each piece of work is done once without a fault, to count its writes and syncs, and then once for each of
them and each way to fail. Then the store opens, is sound, is as before or as after, and whoever
asked was told.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import apsw
import pytest
import trio
from msgspec import Struct

from actors.core.failures import Unwritable
from actors.gate.messages import Audited
from actors.intake.messages import Derived
from actors.memory.commit import Unit
from actors.memory.use import Exposed, Reviewed
from actors.memory.writes import Erased, Linked, ModelChosen, Origin, Rewritten
from actors.night.shapes import DreamBegun, DreamEnded, InsightFound
from actors.policy.gate.gate_features import content_hash
from actors.policy.night.insights import Insight, InsightKind
from daemon.conditions import Activity
from daemon.durability.backups import BackupFailed, Backups
from daemon.durability.copies import copies, examined
from daemon.home import Home
from daemon.settings import Backups as Settings
from daemon.storage.database.connection import PRAGMAS
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore, StoreBroken, open_store
from tests.clock import BEGINNING, FollowingClock
from tests.durability.disk import HOWS, Disk, Fault, failing_disk
from tests.holders import holders
from tests.new_store import of_version
from tests.writing import DIMENSIONS, MODEL, event, new, vectors, written

SECRET: Final = "gooseberry jam lies in the cellar"
OLD: Final = 12  # migrations that an old store has had
NONE: Final = Fault("error", 0)
FEW: Final = 7  # places at which each way to fail is tried where time is short

Faults = Callable[[Sequence[str]], Iterator[Fault]]  # by the kind of each write and sync
Digest = dict[str, list[tuple[object, ...]]]


class Work(Struct, frozen=True):
    """Something that a store is asked to do, in one piece."""

    name: str
    do: Callable[[OpenStore, Home], Awaitable[object]]
    failure: type[Exception] = Unwritable
    is_seen: bool = True  # whether the store is another one afterwards
    first: Unit = ()  # what is done before, on a disk that works


def commits(name: str, *units: Unit) -> Work:
    """These units, in one group."""

    async def do(store: OpenStore, _: Home) -> None:
        for outcome in await store.writing.commit(units):
            if isinstance(outcome, Exception):
                raise outcome

    return Work(name, do)


def insight(text: str, *sources: int) -> InsightFound:
    told = Insight(InsightKind.RECURRING_PATTERN, text, sources, ("3 memories",), 0.7)
    return InsightFound(1, told, BEGINNING)


async def scrub(store: OpenStore, home: Home) -> None:
    """Rewrite the file, so that nothing erased is left."""
    await store.writing.scrub()
    assert holders(home.root, SECRET) == []


async def checkpoint(store: OpenStore, _: Home) -> None:
    """Move the log into the database."""
    await store.writing.checkpoint(truncate=True)


async def backup(store: OpenStore, _: Home) -> None:
    """Make a backup."""
    made = Backups(store.soundness, Settings(), store.store_id, FollowingClock(), Activity())
    copy = (await made.make()).copy
    assert examined(copy.path).damage == ""


_ORIGIN: Final = Origin("wish", "s1", 1, "wish")
_TEXT: Final = "the port of staging is 5433 now"
WORKS: Final = (
    commits("journaling", *((event(100 + n, body=b"\x81\xa1p" * 300),) for n in range(12))),
    commits(
        "gate",
        (
            new(_TEXT, origin=_ORIGIN, supersedes=3, derived=("staging", "port")),
            Audited("SUPERSEDE", 0, 3, 0.9, "alike", None, content_hash(_TEXT), None, BEGINNING, _ORIGIN),
            vectors(21, _TEXT, 7),
            Derived(1),
        ),
        (Rewritten(4, _TEXT, "port", (), (), content_hash(_TEXT), BEGINNING, "edit"),),
        (Linked(5, 6, "related", 0.8, BEGINNING), Exposed((5, 6), "s1", "prompt", BEGINNING)),
    ),
    commits(
        "dream",
        (
            insight("It keeps coming up: jam", 7, 8, 9),
            Reviewed(7, 3.0, 5.0, 0, 3, "replay", implicit=True, at=BEGINNING),
            DreamEnded(1, "finished", BEGINNING, {"transfer": {"episodes": 1}}),
        ),
    ),
    commits("erasure", (Erased((19, 20), at=BEGINNING),)),
    Work("scrub", scrub, is_seen=False, first=(Erased((19, 20), at=BEGINNING),)),
    Work("checkpoint", checkpoint, is_seen=False, first=(new("what is in the log"),)),
    Work("backup", backup, BackupFailed, is_seen=False, first=(new("what is in the log"),)),
)  # fmt: skip
EVERY: Final = [pytest.param(work, id=work.name) for work in WORKS]


async def prepare(home: Home) -> None:
    """A small store with everything that the works need."""
    async with open_store(home) as store:
        await written(store, ModelChosen(MODEL, DIMENSIONS))
        await written(store, *(event(number) for number in range(1, 9)))
        await written(store, *(new(f"memory number {n} of some words") for n in range(18)))
        await written(store, vectors(3, "memory number 2 of some words", 1, 2))
        for text in (SECRET, f"{SECRET} since monday"):
            await written(store, new(text))
        await written(store, DreamBegun("a test", 18, BEGINNING))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The store that every work begins with."""
    home = Home(tmp_path_factory.mktemp("whole"))
    home.prepare()
    trio.run(prepare, home)
    return home


def begun(whole: Home, folder: Path) -> Home:
    """A copy of the home, in the place of the one before."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole.root, folder)
    return Home(folder)


def digest(home: Home) -> Digest:
    """All rows of a store that is sound; opened as the next daemon would."""
    connection = apsw.Connection(str(home.database))
    try:
        sql = Sql(connection)
        assert sql.rows("PRAGMA integrity_check") == [("ok",)]
        assert sql.rows("PRAGMA foreign_key_check") == []
        names = sql.column(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
            " AND name NOT LIKE 'sqlite_stat%' AND name <> 'sqlite_schema'"
        )
        found: Digest = {
            name: sorted(sql.rows(f"SELECT * FROM {name}"), key=repr) for name in names
        }
        found["words"] = sql.rows("SELECT rowid FROM memory_words ORDER BY rowid")
        return found
    finally:
        connection.close()


def is_told(work: Work, home: Home, disk: Disk | None) -> bool:
    """Do the work on this disk; whether it was said to be done. Tried again, it is.

    Without a disk only what comes first is done.
    """

    async def run() -> bool:
        async with open_store(home) as store:
            await written(store, *work.first)
            if disk is None:
                return False
            disk.arm()
            try:
                await work.do(store, home)
            except work.failure:
                disk.disarm()
                if not disk.is_dead:
                    await work.do(store, home)
                return False
            disk.disarm()
            return True

    return trio.run(run)


def is_migrated(home: Home, disk: Disk) -> bool:
    """Open an old store on this disk; whether it was opened. Tried again, it is."""

    async def run() -> bool:
        disk.arm()
        try:
            async with open_store(home):
                disk.disarm()
        except (StoreBroken, apsw.IOError):  # the latter of a close (see ``Disk.disarm``)
            disk.disarm()
            return False
        return True

    return trio.run(run)


def hold(work: Work, whole: Home, folder: Path, faults: Faults) -> int:
    """See that the work stands every one of these faults; how many writes and syncs it has."""
    home = begun(whole, folder)
    is_told(work, home, None)
    before = digest(home)
    home = begun(whole, folder)
    with failing_disk(home.database, NONE) as disk:
        assert is_told(work, home, disk)
    after = digest(home)
    assert (after != before) == work.is_seen
    for fault in faults(disk.kinds):
        home = begun(whole, folder)
        with failing_disk(home.database, fault) as failing:
            told = is_told(work, home, failing)
        if failing.is_dead:
            failing.lose_power()
        found = digest(home)
        assert found == after or (failing.is_dead and not told and found == before), fault
        assert not any(examined(copy.path).damage for copy in copies(home)), fault
    return len(disk.kinds)


def some(kinds: Sequence[str]) -> Iterator[Fault]:
    """Every way to fail at some places, from the first to right after the last."""
    for place in range(FEW):
        yield Fault(HOWS[place % len(HOWS)], 1 + place * len(kinds) // (FEW - 1))


def every(kinds: Sequence[str]) -> Iterator[Fault]:
    """Every way to fail at every place, and a loss of power right after the answer."""
    return (Fault(how, at) for at in range(1, len(kinds) + 2) for how in HOWS)


def in_turn(kinds: Sequence[str]) -> Iterator[Fault]:
    """A fault at every place; every way to fail at the first and the last place of each kind.

    In between the ways take turns: each migration writes and syncs as the one before it.
    """
    places: dict[str, list[int]] = {}
    for at, kind in enumerate((*kinds, "after the answer"), 1):
        places.setdefault(kind, []).append(at)
    for alike in places.values():
        for turn, at in enumerate(alike):
            ends = at in (alike[0], alike[-1])
            yield from (Fault(how, at) for how in (HOWS if ends else (HOWS[turn % len(HOWS)],)))


@pytest.mark.parametrize("work", EVERY)
def test_a_fault_leaves_a_store_as_before_or_after(work: Work, whole: Home, tmp_path: Path) -> None:
    hold(work, whole, tmp_path / "home", some)


@pytest.mark.slow
@pytest.mark.parametrize("work", EVERY)
def test_no_fault_at_any_place_leaves_a_store_in_between(
    work: Work, whole: Home, tmp_path: Path
) -> None:
    count = hold(work, whole, tmp_path / "home", every)
    sys.stdout.write(f"{work.name}: {count} writes and syncs, {len(HOWS)} faults at each\n")


def test_a_fault_in_a_migration_costs_another_start(old: Home, tmp_path: Path) -> None:
    hold_migration(old, tmp_path / "home", some)


@pytest.mark.slow
def test_a_fault_at_any_place_of_a_migration_costs_another_start(old: Home, tmp_path: Path) -> None:
    count = hold_migration(old, tmp_path / "home", in_turn)
    sys.stdout.write(f"migration: {count} writes and syncs, a fault at each\n")


@pytest.fixture
def old(tmp_path: Path) -> Home:
    """A store of an earlier version."""
    home = Home(tmp_path / "old")
    home.prepare()
    sql = of_version(home.database, OLD)
    sql.rows("INSERT INTO store VALUES ('id', 'an old one')")
    for number in range(40):
        columns = {"text": f"memory {number}", "title": "t", "kind": "fact", "tier": "normal"}
        columns |= {"memory_type": "semantic", "context_type": "general", "source": "hand"}
        numbers = dict.fromkeys(("created_at", "updated_at", "stability", "difficulty"), 2.0)
        filled = {**columns, **numbers, "importance": 0.5, "content_hash": b"h"}
        sql.put("memory", **filled)
    sql.raw.close()
    return home


def hold_migration(old: Home, folder: Path, faults: Faults) -> int:
    """See that the next start brings the store up to date, whatever happened to this one."""
    home = begun(old, folder)
    with failing_disk(home.database, NONE) as disk:
        assert is_migrated(home, disk)
    after = digest(home)
    for fault in faults(disk.kinds):
        home = begun(old, folder)
        with failing_disk(home.database, fault) as failing:
            told = is_migrated(home, failing)
        if failing.is_dead:
            failing.lose_power()
        assert not any(examined(copy.path).damage for copy in copies(home)), fault
        if not told:
            with failing_disk(home.database, NONE) as sound:
                assert is_migrated(home, sound), fault
        assert digest(home) == after, fault
    return len(disk.kinds)


def test_a_store_that_does_not_wait_for_the_disk_does_not_stand_it(
    whole: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pragmas = [("synchronous", "OFF", "") if one[0] == "synchronous" else one for one in PRAGMAS]
    monkeypatch.setattr("daemon.storage.database.connection.PRAGMAS", tuple(pragmas))
    work = commits("two", (new("one"),), (new("two"),))

    def lost(kinds: Sequence[str]) -> Iterator[Fault]:
        yield Fault("power", len(kinds) + 1)

    with pytest.raises(AssertionError):
        hold(work, whole, tmp_path / "home", lost)
