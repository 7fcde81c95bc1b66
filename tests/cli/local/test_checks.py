"""What ``doctor`` looks at, one check at a time, on real files."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from daemon import own_version
from daemon.commands.local import checks
from daemon.commands.local.doctor import agents_check, examined, hook_check, reader_check
from daemon.durability.copies import BACKUP, copy_name
from daemon.embedding.models import MINILM
from daemon.home import Home
from daemon.installing.agents import Places, install, uninstall, usual_places
from daemon.storage.store import open_store
from tests.cli.test_status import STATUS
from tests.durability.test_copies import exclusive
from tests.writing import event, written

NOW = 1_800_000_000.0


@pytest.fixture
def prepared(home: Home) -> Home:
    home.prepare()
    return home


def repaired(check: checks.Check) -> None:
    assert check.repair is not None
    check.repair()


def test_a_private_home_is_in_order(prepared: Home) -> None:
    assert checks.home_check(prepared).state == "ok"


def test_a_home_that_others_may_enter_fails_until_it_is_repaired(prepared: Home) -> None:
    prepared.root.chmod(0o755)
    prepared.config.touch(0o644)
    found = checks.home_check(prepared)

    repaired(found)

    assert found.state == "fail"
    assert "2 paths" in found.detail
    assert checks.home_check(prepared).state == "ok"
    assert prepared.config.stat().st_mode & 0o777 == 0o600


def test_what_is_no_folder_in_the_place_of_one_is_all_that_doctor_tells(prepared: Home) -> None:
    prepared.spool.rmdir()
    prepared.spool.touch()

    (told,) = examined(prepared)
    assert (told.state, told.detail) == ("fail", f"{prepared.spool} is no folder")


@pytest.mark.parametrize(
    ("version", "ready", "state", "remedy"),
    [
        (own_version(), True, "ok", ""),
        (own_version(), False, "warn", "reverie log --daemon"),
        ("ancient", True, "warn", "reverie up"),
        ("999.0", True, "warn", "update this reverie"),
    ],
)
def test_a_daemon_is_in_order_when_it_is_ready_and_of_this_version(
    prepared: Home, version: str, ready: bool, state: str, remedy: str
) -> None:
    reply = msgspec.structs.replace(STATUS, version=version, ready=ready, degraded=[])
    found = checks.daemon_check(prepared, reply)

    assert (found.state, found.remedy) == (state, remedy)


def test_a_daemon_that_hangs_fails_and_one_that_is_away_does_not(prepared: Home) -> None:
    assert checks.daemon_check(prepared, None, "it did not answer").state == "fail"
    assert checks.daemon_check(prepared, None).state == "warn"


def test_what_is_degraded_is_named(prepared: Home) -> None:
    found = checks.daemon_check(prepared, msgspec.structs.replace(STATUS, version=own_version()))

    assert (found.state, found.detail) == ("warn", "dreaming is switched off")


def test_a_lock_that_somebody_holds_names_the_process(prepared: Home) -> None:
    with prepared.lock.open("w") as file:
        file.write("4242\n")
        file.flush()
        fcntl.flock(file, fcntl.LOCK_EX)

        found = checks.daemon_check(prepared, None)

    assert found.state == "fail"
    assert "4242" in found.detail


@pytest.mark.parametrize(
    ("waits", "running", "state"), [(5.0, True, "ok"), (600.0, True, "warn"), (5.0, False, "warn")]
)
def test_a_spool_may_wait_for_a_moment_only(
    prepared: Home, waits: float, running: bool, state: str
) -> None:
    event = prepared.spool / "1-ab.json"
    event.touch()
    os.utime(event, (NOW - waits, NOW - waits))

    assert checks.spool_check(prepared, running, NOW).state == state


def database(home: Home, rows: int) -> None:
    with closing(sqlite3.connect(home.database)) as connection, connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.execute("CREATE TABLE t (x TEXT)")
        connection.executemany("INSERT INTO t VALUES (?)", [("x" * 100,)] * rows)


def test_a_damaged_database_fails(prepared: Home) -> None:
    database(prepared, 1_000)
    content = bytearray(prepared.database.read_bytes())
    content[4_096:40_960] = b"\xff" * (40_960 - 4_096)
    prepared.database.write_bytes(content)

    assert checks.database_check(prepared).state == "fail"


def test_a_database_that_another_program_holds_is_busy_and_not_damaged(prepared: Home) -> None:
    database(prepared, 10)
    with closing(exclusive(prepared)):
        found = checks.database_check(prepared)

    assert found.state == "warn"
    assert "held by another program" in found.detail
    assert "try again" in found.remedy


def test_a_database_that_vanished_fails_and_one_that_never_was_does_not(prepared: Home) -> None:
    never = checks.database_check(prepared)
    prepared.marker.touch()

    assert never.state == "ok"
    assert checks.database_check(prepared).state == "fail"


def test_the_default_model_is_in_order_while_its_digest_is_right(prepared: Home) -> None:
    for name in (MINILM.file, "other.gguf"):
        (prepared.models / name).write_bytes(b"weights")

    assert checks.model_check(prepared.models / MINILM.file).state == "fail"
    assert checks.model_check(prepared.models / "other.gguf").state == "ok"


def test_a_recorded_hook_client_must_run(prepared: Home, tmp_path: Path) -> None:
    client = tmp_path / "hook"
    client.write_text("#!/bin/sh\n")
    none = hook_check(prepared)
    (prepared.root / "hook-client").write_text(f"{client}\n")
    broken = hook_check(prepared)
    client.chmod(0o700)

    assert none.state == "warn"
    assert broken.state == "fail"
    assert hook_check(prepared).state == "ok"


@pytest.fixture
def places(prepared: Home, tmp_path: Path) -> Places:
    """Those of a user whose agent has its settings in ``tmp_path``."""
    usual = usual_places(prepared, {"CLAUDE_CONFIG_DIR": str(tmp_path)})
    return replace(usual, compiler=None)


def test_an_agent_that_is_connected_is_in_order_until_it_is_disconnected(places: Places) -> None:
    before = agents_check(places)
    install("claude", places)
    between = agents_check(places)
    uninstall("claude", places)

    assert before.state == "warn"
    assert between.state == "ok"
    assert agents_check(places).state == "warn"


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ('{"enabledPlugins": {"reverie@reverie-local": true}}', "ok"),
        ('{"enabledPlugins": {"reverie@reverie-local": false}}', "warn"),
        ('{"enabledPlugins": {"reverie@x": true}, "disableAllHooks": true}', "fail"),
        ("nonsense", "fail"),
        ('{"hooks": []}', "fail"),
        ("{}", "warn"),
    ],
)
def test_the_agents_settings_decide(places: Places, settings: str, state: str) -> None:
    places.settings.write_text(settings)

    assert agents_check(places).state == state


def test_another_agent_is_in_order_until_its_hooks_are_of_another_installation(
    places: Places, tmp_path: Path
) -> None:
    (tmp_path / ".codex").mkdir()
    here = replace(places, claude=tmp_path / "nowhere", user=tmp_path, environ={})
    none = agents_check(here)
    install("codex", here)
    connected = agents_check(here)
    moved = agents_check(replace(here, hooks=tmp_path / "moved" / "hooks"))
    (tmp_path / ".codex" / "hooks.json").write_text('{"hooks": "hook.sh codex --reverie"}')

    assert (none.state, none.detail) == ("ok", "connected: none")
    assert (connected.state, connected.detail) == ("ok", "connected: codex")
    assert (moved.state, moved.remedy) == ("warn", "reverie install codex")
    assert agents_check(here).state == "fail"


def test_a_daemon_that_complains_of_its_database_does_not_vouch_for_it(prepared: Home) -> None:
    damaged = f"{prepared.database} is not a sound database: put back a copy"
    complaining = msgspec.structs.replace(STATUS, degraded=[damaged])

    assert checks.is_database_in_doubt(prepared, complaining)
    assert not checks.is_database_in_doubt(prepared, STATUS)


def test_what_others_could_have_written_is_not_called_in_order(prepared: Home) -> None:
    client = prepared.root / "reverie-hook"
    client.touch(0o755)
    prepared.hook_client.write_text(f"{client}\n")
    fine = hook_check(prepared).state
    client.chmod(0o777)
    model = prepared.models / "m.gguf"
    model.touch()
    model.chmod(0o666)

    assert fine == "ok"
    assert "everybody may write" in hook_check(prepared).detail
    assert "everybody may write" in checks.model_check(model).detail
    repaired(checks.home_check(prepared))
    assert checks.model_check(model).state == "ok"


@pytest.mark.trio
async def test_a_first_backup_is_asked_for_after_seven_days(prepared: Home) -> None:
    found = [checks.backup_check(prepared, NOW)]
    async with open_store(prepared) as store:
        await written(store, event(1, received_at=NOW - 6 * 86_400.0))
    for day in (0, 2):
        for path in prepared.root.glob("reverie.db*"):
            os.utime(path, (NOW + day * 86_400.0, NOW + day * 86_400.0))
        found.append(checks.backup_check(prepared, NOW))

    assert [one.state for one in found] == ["ok", "ok", "warn"]
    assert found[2].detail == "none yet; reverie was used for 1 week"


def test_a_backup_is_asked_for_after_seven_days_without_one(prepared: Home) -> None:
    prepared.database.touch()
    os.utime(prepared.database, (NOW, NOW))
    none = checks.backup_check(prepared, NOW)
    (prepared.backups / copy_name(BACKUP, NOW - 9 * 86_400.0)).touch()
    old = checks.backup_check(prepared, NOW)
    (prepared.backups / copy_name(BACKUP, NOW - 7 * 86_400.0)).touch()
    fresh = checks.backup_check(prepared, NOW)

    assert (none.state, old.state, fresh.state) == ("ok", "warn", "ok")
    assert "none yet" in none.detail
    assert old.remedy == "reverie backup now"
    assert "1 week ago" in fresh.detail


# ---- the reader


@pytest.mark.parametrize(
    ("settings", "state", "detail"),
    [
        ("engine = 'command'\ncommand = ['/nowhere/read']", "warn", "cannot be run"),
        ("engine = 'command'\ncommand = ['/bin/cat', '-n']", "ok", "command /bin/cat -n"),
        ("engine = 'http'", "fail", "needs an address"),
    ],
)
def test_an_engine_that_cannot_read_is_told_before_it_fails(
    prepared: Home, settings: str, state: str, detail: str
) -> None:
    prepared.config.write_text(f"[reader]\n{settings}\n")

    found = reader_check(prepared)

    assert found is not None
    assert (found.state, detail in found.detail) == (state, True)
