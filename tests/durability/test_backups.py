"""Backups of an open store: sound, of one moment, in nobody's way, and without what was erased."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from msgspec import Struct, field
from trio.testing import MockClock

from actors.memory.writes import Erased
from daemon.conditions import Activity
from daemon.durability import backups as making
from daemon.durability.backups import BackupFailed, Backups, Disturbed
from daemon.durability.copies import BACKUP, copy_name, examined
from daemon.home import Home
from daemon.schedule import BACKUP as JOB
from daemon.schedule import Job, Schedule, jobs
from daemon.settings import Backups as Copies
from daemon.settings import Settings
from daemon.storage.store import OpenStore, open_store
from tests.clock import BEGINNING, FollowingClock
from tests.daemon.test_schedule import DAY, HOUR, Few, scheduled
from tests.holders import holders
from tests.writing import new, written

pytestmark = pytest.mark.trio

LONG = "x" * 2_000


@pytest.fixture
def backups(threaded_store: OpenStore, clock: FollowingClock) -> Backups:
    """Backups of a store with its threads; nobody is there."""
    return Backups(threaded_store.soundness, Copies(), threaded_store.store_id, clock, Activity())


def names(home: Home) -> list[str]:
    return sorted(path.name for path in home.backups.iterdir())


async def test_a_backup_is_sound_and_alone(
    backups: Backups, threaded_store: OpenStore, home: Home
) -> None:
    await written(threaded_store, new("the port is 5432"), new("the host is db1"))

    made = await backups.make()

    assert names(home) == [copy_name(BACKUP, made.copy.at)]
    assert made.copy.path.stat().st_mode & 0o777 == 0o600
    assert (made.found.memories, made.found.damage, made.removed) == (2, "", 0)
    assert examined(made.copy.path).store_id == threaded_store.store_id


async def test_a_backup_opens_as_a_store(
    backups: Backups, threaded_store: OpenStore, other: Home
) -> None:
    await written(threaded_store, new("the port is 5432"))
    made = await backups.make()
    shutil.copy(made.copy.path, other.database)

    async with open_store(other) as store:
        assert [memory.text for memory in await store.reading.living(0, 9)] == ["the port is 5432"]


async def test_what_is_written_meanwhile_neither_stands_in_it_nor_holds_it_up(
    backups: Backups, threaded_store: OpenStore
) -> None:
    await written(threaded_store, *(new(f"memory {number} {LONG}") for number in range(1_500)))
    later: list[str] = []

    async with trio.open_nursery() as nursery:

        def before_a_step() -> bool:
            later.append(f"later {len(later)}")
            nursery.start_soon(written, threaded_store, new(later[-1]))
            return False

        made = await backups.make(before_a_step)

    assert len(later) >= 3
    assert made.found.memories == 1_500
    assert (await threaded_store.reading.counts()).memories == 1_500 + len(later)


async def test_whoever_comes_ends_it_for_this_time(
    backups: Backups, threaded_store: OpenStore, home: Home
) -> None:
    await written(threaded_store, new("the port is 5432"))

    with pytest.raises(Disturbed):
        await backups.make(lambda: True)

    assert names(home) == []
    assert backups.trouble is None


async def test_what_a_killed_process_began_is_removed(backups: Backups, home: Home) -> None:
    for name in ("backup-20260101T000000Z.part", "backup-20260101T000000Z.part-journal"):
        (home.backups / name).write_bytes(b"x")

    made = await backups.make()

    assert names(home) == [made.copy.path.name]


async def test_older_ones_go_and_those_of_migrations_stay(backups: Backups, home: Home) -> None:
    for day in range(1, 60):
        (home.backups / copy_name(BACKUP, BEGINNING - day * DAY)).write_bytes(b"x")
    (home.backups / "before-schema-3.db").write_bytes(b"x" * 100)

    made = await backups.make()

    assert made.removed == 60 - 11
    assert len(names(home)) == 12
    assert "before-schema-3.db" in names(home)


async def test_a_full_disk_says_so_and_takes_nothing(
    backups: Backups, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "SPARE", 1 << 60)

    with pytest.raises(BackupFailed, match="free some room"):
        await backups.make()

    assert names(home) == []
    assert "MB free" in str(backups.trouble)


async def test_a_folder_that_is_gone_is_made_anew(backups: Backups, home: Home) -> None:
    home.backups.rmdir()

    made = await backups.make()

    assert names(home) == [made.copy.path.name]
    assert home.backups.stat().st_mode & 0o777 == 0o700


async def test_a_file_in_place_of_the_folder_says_so_and_a_later_one_ends_the_trouble(
    backups: Backups, home: Home
) -> None:
    home.backups.rmdir()
    home.backups.touch()
    with pytest.raises(BackupFailed):
        await backups.make()
    assert backups.trouble is not None
    assert "\n" not in backups.trouble
    home.backups.unlink()
    home.backups.mkdir()

    await backups.make()

    assert backups.trouble is None


async def test_the_copy_of_a_damaged_database_is_not_kept(
    backups: Backups, threaded_store: OpenStore, home: Home
) -> None:
    """Those before it stay: what is damaged must not take the place of what is sound."""
    await written(threaded_store, *(new(f"memory {number} {LONG}") for number in range(50)))
    await threaded_store.writing.checkpoint(truncate=True)
    first = await backups.make()
    data = bytearray(home.database.read_bytes())
    at = data.index(LONG[:500].encode()) // 4096 * 4096
    with home.database.open("r+b") as file:
        file.seek(at)
        file.write(b"\xff" * 4096)

    with pytest.raises(BackupFailed, match="doctor"):
        await backups.make()

    assert names(home) == [first.copy.path.name]


async def test_another_database_in_its_place_is_not_taken_for_ours(
    backups: Backups, threaded_store: OpenStore, home: Home, other: Home, tmp_path: Path
) -> None:
    async with open_store(other) as store:
        await written(store, new("of somebody else"))
        await store.writing.checkpoint(truncate=True)
    home.database.rename(tmp_path / "moved.db")
    shutil.copy(other.database, home.database)
    for suffix in ("-wal", "-shm"):
        home.database.with_name(home.database.name + suffix).rename(tmp_path / suffix)

    with pytest.raises(BackupFailed, match="another store"):
        await backups.make()

    assert names(home) == []


# -- erasing


async def test_what_was_erased_is_in_no_backup(
    backups: Backups, threaded_store: OpenStore, home: Home
) -> None:
    (first,) = await written(threaded_store, new("the vault opens with marzipan"))
    await written(threaded_store, new("the port is 5432"))
    await backups.make()
    before = holders(home.root, "marzipan")

    await threaded_store.writing.commit([(Erased((first,)),)])
    await threaded_store.writing.scrub()
    missing = await backups.missing(backups.clock.now())
    again = await backups.make()

    assert len(before) >= 2
    assert missing == ""
    assert again.found.memories == 1
    assert holders(home.root, "marzipan") == []


async def test_an_erasure_ends_a_backup_that_is_being_made(
    backups: Backups, threaded_store: OpenStore, home: Home
) -> None:
    (first,) = await written(threaded_store, new("the vault opens with marzipan"))
    await written(threaded_store, *(new(f"memory {number} {LONG}") for number in range(1_500)))
    begun = trio.Event()
    problems: list[BackupFailed] = []

    async def make() -> None:
        try:
            await backups.make(lambda: begun.set() is not None)
        except BackupFailed as error:
            problems.append(error)

    backups.activity.happened()  # so that it goes on slowly
    async with trio.open_nursery() as nursery:
        nursery.start_soon(make)
        await begun.wait()
        await threaded_store.writing.commit([(Erased((first,)),)])
        await threaded_store.writing.scrub()

    assert [type(problem) for problem in problems] == [Disturbed]
    assert holders(home.root, "marzipan") == []
    assert names(home) == []


# -- when one is due


class Noted(Struct):
    """Backups that are only noted."""

    clock: FollowingClock
    made: list[float] = field(default_factory=list[float])
    fails: bool = False

    async def missing(self, now: float) -> str:
        return "today has its backup" if self.made and now - self.made[-1] < DAY else ""

    async def make(self, disturbed: Callable[[], bool]) -> None:
        if self.fails:
            raise BackupFailed("the disk is full")
        self.made.append(self.clock.now())


async def lived(few: Few, seconds: float) -> dict[str, Any]:
    schedule = scheduled(few)
    with trio.move_on_after(seconds):
        await schedule.run()
    return schedule.entries()


def noted(store: OpenStore, *, enabled: bool = True) -> tuple[Few, Noted]:
    few = Few(store, FollowingClock())
    few.settings = Settings(backups=Copies(enabled=enabled))
    kept = Noted(few.clock)
    few.backups = kept  # type: ignore[assignment]  # what the schedule asks of them
    return few, kept


async def test_one_is_made_on_each_day_when_nobody_is_there(
    store: OpenStore, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, kept = noted(store)
    began = few.clock.now()
    # Those that nobody answers here would keep the others waiting.
    made = tuple(job for job in jobs(scheduled(few)) if job.name == JOB)

    def only(_: Schedule) -> tuple[Job, ...]:
        return made

    monkeypatch.setattr("daemon.schedule.jobs", only)
    await lived(few, 3 * DAY)

    assert [round((at - began) / DAY) for at in kept.made] == [0, 1, 2]
    assert kept.made[0] - began < HOUR


async def test_none_is_made_while_somebody_is_there(
    store: OpenStore, autojump_clock: MockClock
) -> None:
    few, kept = noted(store)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(scheduled(few).run)
        for _ in range(60):
            few.activity.happened()
            await trio.sleep(60)
        busy = list(kept.made)
        await trio.sleep(600)
        nursery.cancel_scope.cancel()

    assert busy == []
    assert len(kept.made) == 1


async def test_one_that_failed_is_tried_again(store: OpenStore, autojump_clock: MockClock) -> None:
    few, kept = noted(store)
    kept.fails = True
    await lived(few, HOUR)
    kept.fails = False
    await lived(few, HOUR)

    assert len(kept.made) == 1


async def test_switched_off_none_is_made(store: OpenStore, autojump_clock: MockClock) -> None:
    few, kept = noted(store, enabled=False)
    entries = await lived(few, DAY)

    assert kept.made == []
    assert JOB not in entries


async def test_today_has_its_backup_until_tomorrow(backups: Backups, home: Home) -> None:
    now = backups.clock.now()
    none = await backups.missing(now)
    (home.backups / copy_name(BACKUP, now)).write_bytes(b"")

    (home.backups / copy_name(BACKUP, now + 1_000 * DAY)).write_bytes(b"")

    assert none == ""
    assert await backups.missing(now + 60)
    assert await backups.missing(now + DAY) == ""
