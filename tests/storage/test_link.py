"""Edges and associations on disk: what a migration keeps, and what erasing takes."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from actors.memory.edges import Connected
from actors.memory.writes import Erased, ErasedEverything
from daemon.home import Home
from daemon.storage.database.schema import MIGRATIONS, migrate
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from tests.writing import new, written


def test_links_from_before_are_certain_and_say_nothing_of_why(tmp_path: Path) -> None:
    sql = Sql(apsw.Connection(str(tmp_path / "old.db")))
    for migration in MIGRATIONS[:3]:
        migration(sql)
    sql.rows("PRAGMA user_version = 3")
    sql.rows("INSERT INTO memory_link VALUES (2, 1, 'supersedes', 0.9, 7.0)")

    migrate(sql, backups=tmp_path)

    assert sql.rows("SELECT similarity, at, strength, evidence FROM memory_link") == [
        (0.9, 7.0, 1.0, "")
    ]


@pytest.mark.trio
@pytest.mark.parametrize("purged", [False, True])
async def test_no_byte_of_the_evidence_of_an_erased_memory_stays(
    store: OpenStore, home: Home, purged: bool
) -> None:
    one, other = await written(store, new("one"), new("the other"))
    await written(store, Connected(one, other, "caused", 0.5, "marzipan says so", 1.0))
    await written(store, ErasedEverything(whole_store=True) if purged else Erased((one,)))
    await store.writing.scrub()

    holders = [path.name for path in home.root.rglob("*") if b"marzipan" in _bytes(path)]
    assert holders == []


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
