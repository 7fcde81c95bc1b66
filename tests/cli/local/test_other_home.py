"""``import --merge``: what another home has, from its folder and from its export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import trio

from actors.memory.use import Reviewed
from actors.memory.writes import Connected, Ended, Pinned
from daemon.durability.copies import counted_in
from daemon.home import Home
from daemon.storage.store import open_store
from tests.cli.conftest import Program, Run, document
from tests.cli.test_backup import texts
from tests.clock import BEGINNING
from tests.storage.test_migrations import KEPT, kept_in_version_15
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


def test_what_another_home_has_comes_once_and_as_it_is_there(
    command: Program, home: Home, other: Home, tmp_path: Path
) -> None:
    command("remember", "Shared by both.", "--project", "/shop")
    before = other.database.read_bytes()
    done = document(command("import", "--merge", str(other.root), "--no-embed", "--json"))
    again = document(command("import", "--merge", str(other.root), "--no-embed", "--json"))
    exported = str(tmp_path / "export.jsonl")
    command("export", exported, "--whole")
    from_file = document(command("import", "--merge", exported, "--no-embed", "--json"))
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
    assert from_file["actions"] == {"HERE": 3}
    assert other.database.read_bytes() == before
    assert texts(command) == {
        "Shared by both.", "the port is 5432", "the token of the build is [REDACTED]",
    }  # fmt: skip


def test_a_home_of_an_earlier_version_is_merged_and_left_as_it_is(
    command: Program, tmp_path: Path
) -> None:
    other = Home(tmp_path / "other")
    other.prepare()
    kept_in_version_15(other.database).raw.close()
    before = other.database.read_bytes()

    done = document(command("import", "--merge", str(other.database), "--no-embed", "--json"))

    assert done["rows"] == len(KEPT)
    assert other.database.read_bytes() == before


def test_what_cannot_be_merged_is_named(home: Home, run: Run, tmp_path: Path) -> None:
    home.prepare()
    home.database.touch()
    own = run("import", "--merge", str(home.root))
    empty = run("import", "--merge", str(tmp_path))
    both = run("import", "--merge", "--no-gate", str(tmp_path))

    assert "is this home" in own.output
    assert "there is no database" in empty.output
    assert (own.exit_code, empty.exit_code, both.exit_code) == (1, 1, 2)


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
