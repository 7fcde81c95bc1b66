"""What an update would do, tried on a copy: said in numbers, and nothing is touched."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from daemon.durability.migrating import copy_of, migrated
from daemon.home import Home
from daemon.storage.database.schema import SCHEMA_VERSION
from daemon.storage.database.sql import Sql
from tests.cli.conftest import Run
from tests.durability.test_copies import filled
from tests.storage.test_migrations import KEPT, blank, kept_in_version_15


def older(home: Home) -> None:
    """A home of version 15 with some memories."""
    home.prepare()
    sql = kept_in_version_15(home.database)
    sql.rows("PRAGMA journal_mode = WAL")
    sql.raw.close()


def files(home: Home) -> dict[str, bytes]:
    return {
        str(path.relative_to(home.root)): path.read_bytes()
        for path in home.root.rglob("*")
        if path.is_file()
    }


def test_an_older_home_is_tried_on_a_copy_and_left_as_it_is(home: Home, run: Run) -> None:
    older(home)
    before = files(home)
    said, document = run("doctor", "--try-update"), run("doctor", "--try-update", "--json")

    tried = json.loads(document.output)
    assert f"schema 15 becomes {SCHEMA_VERSION} in " in said.output
    assert f"{len(KEPT)} living memories (before: {len(KEPT)})" in said.output
    assert "\nnew tables: " in said.output
    assert (tried["before"]["schema"], tried["after"]["schema"]) == (15, SCHEMA_VERSION)
    assert tried["damage"] == ""
    assert files(home) == before


@pytest.mark.trio
async def test_what_is_up_to_date_is_said_to_be(home: Home) -> None:
    await filled(home, "the port is 5432")
    with copy_of(home.database, home) as copy:
        tried = migrated(copy)

    assert tried.before == tried.after
    assert (tried.before.schema, tried.before.memories) == (SCHEMA_VERSION, 1)
    assert not list(home.backups.iterdir())


def test_a_migration_that_cannot_be_tried_says_why_and_leaves_no_copy(home: Home, run: Run) -> None:
    nothing = run("doctor", "--try-update")
    home.prepare()
    with closing(blank(home.database, SCHEMA_VERSION)) as connection:
        Sql(connection).rows(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    newer = run("doctor", "--try-update")
    home.database.write_bytes(b"no database " * 100)
    broken = run("doctor", "--try-update")
    mixed = run("doctor", "--try-update", "--fix")

    assert "there is no database" in nothing.output
    assert "update it" in newer.output
    assert "the database: " in broken.output
    assert [done.exit_code for done in (nothing, newer, broken, mixed)] == [1, 1, 1, 2]
    assert not list(home.backups.iterdir())
