"""Bringing a copy back: sound, whole, and what was there is kept."""

from __future__ import annotations

import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest
import trio

from actors.memory.writes import Erased
from daemon.durability.copies import (
    ASIDE,
    BACKUP,
    Copy,
    Examined,
    copies,
    copy_at,
    copy_name,
    copy_named,
    counted_in,
    examined,
    newest,
    opened,
)
from daemon.durability.marker import Marker, marker_of, read_marker, write_marker
from daemon.durability.restoring import bring_back, why_not
from daemon.home import Home
from daemon.storage.database.sql import Sql
from daemon.storage.store import StoreVanished, open_store
from tests.clock import BEGINNING
from tests.durability.test_copies import copied, filled
from tests.holders import holders
from tests.patience import ROOT
from tests.writing import event, new, written

pytestmark = pytest.mark.trio

NOW = BEGINNING + 86_400.0


def brought_back(home: Home, copy: Copy) -> Path | None:
    return bring_back(home, copy, NOW).aside


async def texts(home: Home) -> list[str]:
    async with open_store(home) as store:
        return [memory.text for memory in await store.reading.living(0, 99)]


def events(home: Home) -> list[tuple[int, int]]:
    """Number of each journaled event, and whether it is worked through."""
    with closing(opened(home.database)) as connection:
        rows = Sql(connection).rows("SELECT event_id, done FROM journal ORDER BY seq")
    return [(int.from_bytes(event_id, "big"), done) for event_id, done in rows]


async def backed_up(home: Home, *kept: str) -> Copy:
    """A copy of a store of these memories, which remembered one more since."""
    await filled(home, *kept)
    path = copied(home, copy_name(BACKUP, BEGINNING))
    await filled(home, "said since")
    copy = copy_at(path)
    assert copy is not None
    return copy


async def test_what_was_copied_is_there_again_and_todays_is_kept(home: Home) -> None:
    copy = await backed_up(home, "the port is 5432", "the host is db1")
    (home.indexes).mkdir(exist_ok=True)
    (home.indexes / "words.npz").write_bytes(b"of other memories")

    aside = brought_back(home, copy)

    assert aside == home.backups / copy_name(ASIDE, NOW)
    assert aside is not None
    assert await texts(home) == ["the port is 5432", "the host is db1"]
    assert examined(aside).memories == 3
    assert read_marker(home) == counted_in(copy.path, marker_of)
    assert not list(home.indexes.glob("words.npz"))
    assert home.database.stat().st_mode & 0o777 == 0o600


async def test_bringing_back_what_was_set_aside_undoes_it(home: Home) -> None:
    copy = await backed_up(home, "the port is 5432")
    aside = brought_back(home, copy)
    assert aside is not None
    todays = copy_at(aside)
    assert todays is not None

    bring_back(home, todays, NOW + 60)

    assert await texts(home) == ["the port is 5432", "said since"]
    assert newest(home) == copy  # what was set aside is never taken by itself


async def test_what_lay_in_the_log_of_todays_database_is_kept_with_it(
    home: Home, tmp_path: Path
) -> None:
    """As after SIGKILL: the last memories are in the log alone."""
    copy = await backed_up(home, "the port is 5432")
    killed = tmp_path / "killed"
    async with open_store(home) as store:
        await written(store, new("in the log alone"))
        shutil.copytree(home.root, killed)
    for name in ("reverie.db", "reverie.db-wal"):
        shutil.copy(killed / name, home.root / name)

    aside = brought_back(home, copy)

    assert aside is not None
    assert examined(aside).memories == 3
    assert await texts(home) == ["the port is 5432"]
    assert not list(home.backups.glob("*.part*"))


async def test_a_damaged_database_is_kept_as_it_is(home: Home) -> None:
    copy = await backed_up(home, "the port is 5432")
    home.database.write_bytes(b"nothing of it is left")

    aside = brought_back(home, copy)

    assert aside is not None
    assert aside.read_bytes() == b"nothing of it is left"
    assert await texts(home) == ["the port is 5432"]


async def test_a_database_that_is_gone_leaves_nothing_aside(home: Home) -> None:
    copy = await backed_up(home, "the port is 5432")
    write_marker(home, Marker(examined(copy.path).store_id, 3))
    home.database.unlink()
    log = home.database.with_name("reverie.db-wal")
    log.write_bytes(b"of the one that is gone")
    with pytest.raises(StoreVanished):
        await texts(home)

    aside = brought_back(home, copy)

    assert aside is None
    assert await texts(home) == ["the port is 5432"]


async def test_what_is_erased_later_is_in_nothing_that_was_set_aside(home: Home) -> None:
    copy = await backed_up(home, "the vault opens with marzipan")
    brought_back(home, copy)
    before = holders(home.root, "marzipan")
    async with open_store(home) as store:
        await written(store, Erased((1,)))
        await store.writing.scrub()

        assert len(before) >= 3
        assert holders(home.root, "marzipan") == []
    assert copies(home) == []


async def test_the_newest_of_a_name_is_meant_and_rotation_leaves_it(home: Home) -> None:
    await filled(home, "the port is 5432")
    copied(home, "snapshot-20200101T000000Z-monday.db")  # of an earlier version
    newer = copied(home, copy_name(BACKUP, NOW, "monday"))
    found = copy_named(home, "monday")

    assert found is not None
    assert (found.path, found.is_rotated) == (newer, False)
    assert [copy.name for copy in copies(home)] == ["monday", "monday"]


async def test_a_damaged_one_and_one_of_a_later_version_are_not_brought_back(home: Home) -> None:
    copy = await backed_up(home, "the port is 5432")
    later = examined(copied(home, "later.db"))

    assert why_not(examined(copy.path)) == ""
    assert "not sound" in why_not(Examined("its first page is not one"))
    assert "update" in why_not(Examined("", 1, "", later.schema + 1))


async def test_events_that_came_since_are_worked_through_again(home: Home) -> None:
    async with open_store(home) as store:
        await written(store, event(1, done=True), new("the port is 5432"))
    copy = copy_at(copied(home, copy_name(BACKUP, BEGINNING)))
    assert copy is not None
    async with open_store(home) as store:
        await written(store, event(2, done=True), event(3), event(4, body=b""), new("by hand"))

    done = bring_back(home, copy, NOW)

    assert events(home) == [(1, 1), (2, 0), (3, 0)]
    assert done.events == 2
    assert await texts(home) == ["the port is 5432"]


async def test_events_of_another_store_or_of_a_damaged_one_are_not_taken(
    home: Home, other: Home
) -> None:
    copy = await backed_up(home, "the port is 5432")
    async with open_store(other) as store:
        await written(store, event(7))
    shutil.copy(other.database, home.database)
    of_another = bring_back(home, copy, NOW)
    home.database.write_bytes(b"nothing of it is left")
    of_damaged = bring_back(home, copy, NOW + 60)

    assert (of_another.events, of_damaged.events) == (0, None)
    assert await texts(home) == ["the port is 5432"]


# A process for each number: it ends itself before so many changes of a name in its home.
KILLED = """
import os, sys
from pathlib import Path
from daemon.durability.copies import copy_at
from daemon.durability.restoring import bring_back
from daemon.home import Home
for number, root in enumerate(sys.argv[2:], start=1):
    if child := os.fork():
        print(os.waitpid(child, 0)[1])
        continue
    home, left = Home(Path(root)), [number]
    def watch(event, _):
        if event in ("os.link", "os.rename", "os.remove"):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), 9)
    sys.addaudithook(watch)
    bring_back(home, copy_at(home.backups / sys.argv[1]), 9e8)
    os._exit(0)
"""
CHANGES = 12  # more than there are


async def test_whoever_is_killed_in_it_leaves_the_old_or_the_new_or_what_can_be_done_again(
    home: Home, tmp_path: Path
) -> None:
    """Before each change of a name; nothing of today's database is lost at any of them."""
    copy = await backed_up(home, "the port is 5432")
    living = tmp_path / "living"
    async with open_store(home) as store:
        await written(store, new("in the log alone"), event(9, done=True))
        await store.writing.mark()
        shutil.copytree(home.root, living)
    (living / "index").mkdir(exist_ok=True)
    (living / "index" / "words.npz").write_bytes(b"of other memories")
    homes = [Home(tmp_path / str(number)) for number in range(CHANGES)]
    for one in homes:
        shutil.copytree(living, one.root)
    words = [sys.executable, "-c", KILLED, copy.path.name, *(str(one.root) for one in homes)]
    ended = (await trio.run_process(words, cwd=ROOT, capture_stdout=True)).stdout.split()

    for one in homes:
        try:
            found = await texts(one)
        except StoreVanished:
            brought_back(one, copy_at(one.backups / copy.path.name) or copy)
            found = await texts(one)
            assert events(one) == [(9, 0)], "what came since is worked through again"
        kept = b"".join(path.read_bytes() for path in one.root.rglob("*") if path.is_file())

        assert found in (
            ["the port is 5432", "said since", "in the log alone"], ["the port is 5432"],
        )  # fmt: skip
        assert b"in the log alone" in kept
    assert ended[:4] == [b"9"] * 4
    assert ended[-1] == b"0"
