"""``doctor --secrets``: what earlier rules let in is found, and is in no file afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest
import trio

from daemon.api.erase import Secrets, SecretsAt, SecretsFound
from daemon.home import Home
from daemon.storage.database.sql import Sql
from tests.cli.conftest import Program, Run, document
from tests.cli.fake_daemon import FakeDaemon
from tests.durability.test_copies import copied, filled
from tests.holders import holders

SECRET = "acme_kiwifruit"
RULE = "[redaction]\npatterns = ['acme_[a-z]+']\n"


def spooled(home: Home, name: str, **event: object) -> Path:
    """An event as a hook leaves it."""
    path = home.spool / f"{name}.json"
    path.write_text(
        json.dumps({"v": 1, "agent": "claude", "event_id": "00" * 16, "at": 1, "event": event})
    )
    return path


@pytest.fixture
def clean(daemon: FakeDaemon) -> FakeDaemon:
    """A daemon in whose store nothing is found."""
    daemon.reply(Secrets, SecretsFound(places=[], rows=7))
    return daemon


def asked(daemon: FakeDaemon) -> list[bool]:
    return [one.take_out for one in daemon.asked if isinstance(one, Secrets)]


@pytest.mark.slow
def test_a_real_store_its_spool_log_and_backups_are_cleaned(program: Program, home: Home) -> None:
    home.prepare()
    program("remember", f"the gate opens with {SECRET} on mondays", "--trigger", SECRET)
    program("remember", f"{SECRET} is old")
    program("edit", "m2", "oaks are old")
    program("down")
    copy = home.backups / "before-schema-99.db"
    with apsw.Connection(str(home.database)) as source, apsw.Connection(str(copy)) as target:
        target.backup("main", source, "main").step()
    with home.log.open("a") as log:
        log.write(f"a line with {SECRET}\n")
    aside = home.spool / "1.json.unreadable"
    aside.write_text(f"no event: {SECRET}")
    before = {Path(name).name for name in holders(home.root, SECRET)}
    home.config.write_text(RULE)

    found = document(program("doctor", "--secrets", "--yes", "--json"))
    again = document(program("doctor", "--secrets", "--yes", "--json"))
    shown = document(program("list", "--json"))

    assert before >= {"reverie.db", copy.name, "daemon.log", aside.name}
    assert found["taken_out"] is True
    assert found["places"].keys() >= {
        "memory.text", "memory_version.text", "spool", "logs", f"backups/{copy.name}",
    }  # fmt: skip
    assert holders(home.root, SECRET) == []
    assert (again["places"], again["taken_out"]) == ({}, False)
    assert {memory["text"] for memory in shown["memories"]} == {
        "the gate opens with [REDACTED] on mondays", "oaks are old",
    }  # fmt: skip
    sql = Sql(apsw.Connection(str(copy)))
    assert sql.column("SELECT count(*) FROM memory") == [2]
    assert sql.column("PRAGMA integrity_check") == ["ok"]


def test_counts_are_shown_and_nothing_is_changed_without_a_yes(
    daemon: FakeDaemon, run: Run, home: Home
) -> None:
    home.config.write_text(RULE)
    path = spooled(home, "1", prompt=f"use {SECRET}")
    daemon.reply(Secrets, SecretsFound(places=[SecretsAt(place="memory.text", secrets=3)], rows=9))

    done = run("doctor", "--secrets", input="n\n")

    assert done.exit_code == 1
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["memory.text", "3"],
        ["spool", "1"],
    ]
    assert "cannot be undone" in done.stderr
    assert "nothing was changed" in done.stderr
    assert SECRET in path.read_text()
    assert asked(daemon) == [False]
    assert SECRET not in done.output


def test_a_yes_takes_them_out(daemon: FakeDaemon, run: Run, home: Home) -> None:
    home.config.write_text(RULE)
    path = spooled(home, "1", prompt=f"use {SECRET}")
    places = [SecretsAt(place="memory.text", secrets=3)]
    daemon.reply(Secrets, SecretsFound(places=places, rows=9, forgotten=1))

    done = run("doctor", "--secrets", input="y\n")

    assert done.exit_code == 0
    assert "4 secrets taken out" in done.stdout
    assert "1 memory said nothing else and was forgotten" in done.stdout
    assert json.loads(path.read_text())["event"] == {"prompt": "use [REDACTED]"}
    assert asked(daemon) == [False, True]


def test_what_a_spooled_command_read_of_secrets_goes_as_well(
    clean: FakeDaemon, run: Run, home: Home
) -> None:
    told = {"tool_name": "Bash", "tool_input": {"command": "pass show db"}, "tool_response": "oak"}
    path = spooled(home, "1", **told)

    run("doctor", "--secrets", "--yes")

    assert json.loads(path.read_text())["event"]["tool_response"] == "[REDACTED]"


def test_a_copy_that_is_no_database_is_left_alone(clean: FakeDaemon, run: Run, home: Home) -> None:
    broken = home.backups / "broken.db"
    broken.write_bytes(b"not a database " * 100)

    done = run("doctor", "--secrets", "--yes")

    assert broken.read_bytes() == b"not a database " * 100
    assert "broken.db cannot be looked through" in done.stderr
    assert done.exit_code == 1


def test_a_damaged_copy_is_named_and_the_others_are_cleaned(
    clean: FakeDaemon, run: Run, home: Home
) -> None:
    home.config.write_text(RULE)
    trio.run(filled, home, f"the gate opens with {SECRET}", *("x" * 500 for _ in range(50)))
    damaged = copied(home, "aside-20261101T000000Z.db")
    whole = copied(home, "backup-20261102T000000Z.db")
    content = bytearray(damaged.read_bytes())
    content[4_096:40_960] = b"\xff" * (40_960 - 4_096)
    damaged.write_bytes(content)

    done = run("doctor", "--secrets", "--yes")

    (said,) = [line for line in done.stderr.splitlines() if damaged.name in line]
    assert "cannot be looked through (CorruptError) and may hold secrets" in said
    assert damaged.read_bytes() == bytes(content)
    assert SECRET not in whole.read_bytes().decode("latin-1")
    assert "backups/backup-20261102T000000Z.db" in done.stdout
    assert done.exit_code == 1


def test_a_pattern_that_cannot_be_used_stops_before_anything_is_read(
    clean: FakeDaemon, run: Run, home: Home
) -> None:
    home.config.write_text("[redaction]\npatterns = ['acme(a+)+']\n")

    done = run("doctor", "--secrets", "--yes")

    assert done.exit_code == 1
    assert "a repeat within a repeat" in done.stderr
    assert asked(clean) == []
