"""The daemon as a service: the files for it, taken back to the byte, and its word that it lives."""

from __future__ import annotations

import plistlib
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
import trio

from daemon import autostart as units
from daemon.home import Home
from tests.clock import VIRTUAL_TIME
from tests.patience import PATIENCE

# Each sign that systemd would read as its own.
COMMAND = ['/opt/my tools/50% "x"/reverie', "-c", "$HOME\\n"]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A folder of settings that holds something already."""
    folder = tmp_path / "config"
    (folder / "git").mkdir(parents=True)
    return folder


def wanted(home: Home, config: Path, command: list[str] = COMMAND) -> units.Autostart:
    return units.autostart(home, command, {"XDG_CONFIG_HOME": str(config)}, "linux")


def tree(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def test_what_is_written_is_taken_back_to_the_byte(home: Home, config: Path) -> None:
    before = tree(config)
    new = units.switch_on(wanted(home, config))
    again = units.switch_on(wanted(home, config))
    linked = config / "systemd/user/default.target.wants/reverie.service"

    assert [path.name for path in new] == ["reverie.service"] * 2
    assert linked.read_bytes() == wanted(home, config).text
    assert again == []
    assert set(units.switch_off(wanted(home, config))) == set(new)
    assert tree(config) == before
    assert units.switch_off(wanted(home, config)) == []


def test_another_installation_takes_the_units_place(home: Home, config: Path) -> None:
    units.switch_on(wanted(home, config))
    (new,) = units.switch_on(wanted(home, config, ["/elsewhere/reverie"]))

    assert b'ExecStart="/elsewhere/reverie" "daemon"' in new.read_bytes()


def test_a_file_that_is_not_ours_stays(home: Home, config: Path) -> None:
    file = wanted(home, config).file
    file.parent.mkdir(parents=True)
    file.write_text("[Unit]\n")

    for switch in (units.switch_on, units.switch_off):
        with pytest.raises(units.NotOurs, match="move it away"):
            switch(wanted(home, config))
    assert file.read_text() == "[Unit]\n"


def test_systemd_takes_the_unit_as_it_is(home: Home, config: Path, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("NOT TESTED: no systemd-analyze here")
    command = tmp_path / "my tools" / "50% $x"
    command.parent.mkdir()
    command.write_text("#!/bin/sh\n")
    command.chmod(0o700)
    units.switch_on(wanted(home, config, [str(command)]))

    done = subprocess.run(
        [program, "verify", "--user", str(wanted(home, config).file)],
        env={"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_launchds_agent_is_a_property_list_with_the_words_as_they_are(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    made = units.autostart(home, COMMAND, {}, "darwin")
    units.switch_on(made)
    read = plistlib.loads(made.file.read_bytes())

    assert made.file == tmp_path / "Library/LaunchAgents/reverie.daemon.plist"
    assert read["ProgramArguments"] == [*COMMAND, "daemon"]
    assert read["EnvironmentVariables"] == {"REVERIE_HOME": str(home.root)}
    assert units.switch_off(made) == [made.file]


@VIRTUAL_TIME
@pytest.mark.parametrize("sign", ["", "@"])
async def test_systemd_hears_that_the_daemon_is_ready_and_that_it_lives(
    sign: str, tmp_path: Path
) -> None:
    path = str(tmp_path / "notify")[-100:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(path if not sign else "\0" + path)
        environ = {"NOTIFY_SOCKET": sign + path, "WATCHDOG_USEC": "120000000"}
        with trio.move_on_after(100):
            await units.report(environ)
        listener.setblocking(False)
        heard = [listener.recv(64) for _ in range(3)]

    assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]


@pytest.mark.trio
async def test_a_daemon_that_no_service_started_says_nothing_and_goes_on() -> None:
    await units.report({})
    await units.report({"NOTIFY_SOCKET": "/nowhere/notify"})
