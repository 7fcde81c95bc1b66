"""``doctor --fix`` of a damaged database, as a person meets it."""

from __future__ import annotations

import json

import pytest

from daemon.home import Home
from tests.cli.conftest import Program, Run, document

PAGE = 4096  # bytes


@pytest.fixture
def damaged(program: Program, home: Home) -> Home:
    """A real store whose first page is gone, with an event that waits in the spool."""
    rows = "".join(f'{{"text": "the port of server{n} is {5000 + n}"}}\n' for n in range(60))
    program("import", "-", "--no-gate", "--no-embed", stdin=rows)
    program("down")
    data = home.database.read_bytes()
    home.database.write_bytes(b"\xff" * PAGE + data[PAGE:])
    return home


@pytest.mark.slow
def test_what_can_be_read_is_there_again(damaged: Home, program: Program) -> None:
    sick = program("doctor")
    refused = program("recall", "server7")
    cured = program("doctor", "--fix", "--yes")
    found = document(program("recall", "server7", "--json"))

    assert sick.returncode == 1
    assert "reverie doctor --fix" in sick.stdout
    assert "reverie doctor --fix" in refused.stderr
    assert "60 memories from the damaged file, 0 missing" in cured.stdout
    assert "server" not in cured.stdout + cured.stderr
    assert "the port of server7 is 5007" in [result["text"] for result in found["results"]]


def test_nothing_is_done_unless_a_person_says_so(damaged: Home, run: Run) -> None:
    before = damaged.database.read_bytes()
    done = run("doctor", "--fix", input="n\n")

    assert done.exit_code == 1
    assert "left as it is" in done.output
    assert damaged.database.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [b"\xff\xfe\xfd", b"9999"])
def test_a_text_that_is_another_one_is_damage_though_every_page_is_sound(
    program: Program, run: Run, home: Home, wrong: bytes
) -> None:
    program("remember", "the port of the linter is 5432")
    program("remember", "the queue is called amber")
    program("down")
    data = home.database.read_bytes()
    home.database.write_bytes(data.replace(b"linter is 5432", b"linter is " + wrong.ljust(4)))
    sick = run("doctor")
    cured = run("doctor", "--fix", "--yes")

    assert sick.exit_code == 1
    assert "cannot be read as written" in " ".join(sick.output.split())
    assert "1 memory from the damaged file, 1 missing" in cured.output
    assert "fail  database" not in cured.output


@pytest.mark.slow
def test_for_programs_it_is_one_document(damaged: Home, run: Run) -> None:
    done = json.loads(run("doctor", "--fix", "--yes", "--json").stdout)
    checks = {check["name"]: check for check in done["checks"]}

    assert done["salvaged"]["memories"] == {"salvaged": 60, "restored": 0, "missing": 0}
    assert (checks["database"]["state"], checks["database"]["repaired"]) == ("ok", True)


@pytest.mark.slow
def test_a_sound_database_is_left_alone(program: Program, home: Home) -> None:
    program("remember", "the queue is called amber")
    program("down")
    before = home.database.read_bytes()
    done = document(program("doctor", "--fix", "--yes", "--json"))

    assert done["salvaged"] is None
    assert home.database.read_bytes() == before
