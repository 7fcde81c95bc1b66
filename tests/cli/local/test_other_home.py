"""``import --merge``: what another home has, from its export."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from actors.memory.use import Reviewed
from actors.memory.writes import Connected, Ended, Pinned
from daemon.durability.copies import counted_in
from daemon.home import Home
from daemon.storage.homes import gaps_page, living_page
from daemon.storage.store import open_store
from tests.cli.conftest import Program, Run, document
from tests.cli.test_backup import texts
from tests.clock import BEGINNING
from tests.writing import new, written

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def other(tmp_path: Path) -> Home:
    """Another home with linked memories, one of which an earlier version let a secret into."""
    other = Home(tmp_path / "other")
    other.prepare()
    trio.run(filled, other)
    return other


async def filled(home: Home) -> None:
    async with open_store(home) as store:
        await written(
            store,
            new("shared by both", project="/shop"),
            new("the port is 5432", project="/shop"),
            new(f"the token of the build is {TOKEN}", project="/shop"),
            new("forgotten there"),
            Connected(2, 1, "supports", 0.5, "said together", BEGINNING),
            Connected(2, 4, "supports", 1.0, "", BEGINNING),
            Pinned(2, pinned=True, at=BEGINNING),
            Reviewed(2, 11.0, 5.0, 0, 3, "cited", implicit=True, at=BEGINNING),
            Ended(4, "forgotten", BEGINNING),
        )


async def exported(home: Home) -> bytes:
    """Rows that ``export --whole`` writes there."""
    async with open_store(home) as store:
        gone, _ = await store.reading.read(gaps_page, 0, 99, None)
        rows, _ = await store.reading.read(partial(living_page, whole=True), 0, 99, None)
    return b"".join(msgspec.json.encode(row) + b"\n" for row in (*gone, *rows))


def test_what_another_home_has_comes_once_and_as_it_is_there(
    command: Program, home: Home, other: Home, tmp_path: Path
) -> None:
    command("remember", "Shared by both.", "--project", "/shop")
    file = tmp_path / "export.jsonl"
    file.write_bytes(trio.run(exported, other))
    done = document(command("import", "--merge", str(file), "--no-embed", "--json"))
    again = document(command("import", "--merge", str(file), "--no-embed", "--json"))
    command("down")

    said = counted_in(
        home.database,
        lambda sql: sql.rows(
            "SELECT m.pinned, m.stability, l.relation, l.target_id, l.evidence"
            " FROM memory m JOIN memory_link l ON l.source_id = m.id"
        ),
    )
    assert (done["actions"], done["brought"]) == ({"HERE": 1, "CREATE": 2}, ["m2", "m3"])
    assert said == [(1, 11.0, "supports", 1, "said together")]
    assert (again["actions"], again["brought"]) == ({"HERE": 3}, [])
    assert texts(command) == {
        "Shared by both.", "the port is 5432", "the token of the build is [REDACTED]",
    }  # fmt: skip


def test_a_folder_is_no_export(run: Run, tmp_path: Path) -> None:
    done = run("import", "--merge", str(tmp_path))
    both = run("import", "--merge", "--no-gate", str(tmp_path))

    assert f"REVERIE_HOME={tmp_path} reverie export --whole" in done.output
    assert (done.exit_code, both.exit_code) == (1, 2)


@pytest.mark.parametrize(
    ("field", "value"),
    [("gone", "x" * 32), ("salt", "€" * 30), ("how", "burnt"), ("at", 1e300), ("project", 1)],
)
def test_a_line_of_what_is_gone_that_is_wrong_is_named_and_nothing_is_done(
    command: Program, tmp_path: Path, field: str, value: object
) -> None:
    line = {"gone": "0" * 32, "salt": "0123456789abcdef", "how": "erased", "at": 1.0, field: value}
    (tmp_path / "export.jsonl").write_text(json.dumps(line) + "\n")
    done = command("import", "--merge", str(tmp_path / "export.jsonl"), "--no-embed")

    assert done.returncode == 1
    assert "line 1" in done.stderr
