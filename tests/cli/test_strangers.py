"""Another user attacks the commands and the daemon of root; what they write is the user's alone."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from daemon.asking import StrangerServes
from daemon.client import open_client
from daemon.home import Home
from daemon.launch import own_command
from daemon.wire import Frame, encoded
from tests.cli.conftest import Program
from tests.patience import PATIENCE
from tests.strangers import (
    MALLORY,
    file,
    folder,
    foreign_server,
    given,
    heard,
    link,
    only_root,
    open_ground,
)

REPLY = encoded(Frame(1, "reply", {"pid": 1, "version": "9", "ready": True}))
COMMANDS = (
    ["daemon"],
    ["up"],
    ["status"],
    ["remember", "the whale is white"],
    ["recall", "whale"],
    ["config"],
    ["log", "--daemon"],
    ["model", "list"],
    ["install", "claude"],
    ["lsp"],
    ["doctor"],
)

Ran = subprocess.CompletedProcess[str]


def ran(home: Path, *arguments: str) -> Ran:
    """A command as a process, with this home."""
    return subprocess.run(
        [*own_command(), *arguments],
        env={**os.environ, "REVERIE_HOME": str(home), "CLAUDE_CONFIG_DIR": f"{home}-claude"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


def of_another(ground: Path) -> Path:
    return folder(ground / "home", MALLORY, 0o755)


def for_all(ground: Path) -> Path:
    return folder(ground / "home", 0, 0o777)


def for_a_group(ground: Path) -> Path:
    return folder(ground / "home", 0, 0o770, MALLORY)


def below_an_open_folder(ground: Path) -> Path:
    return folder(folder(ground / "open", 0, 0o777) / "home")


def behind_a_link(ground: Path) -> Path:
    return link(folder(ground / "tmp", 0, 0o1777) / "home", folder(ground / "target"), MALLORY)


def with_a_database_of_another(ground: Path) -> Path:
    home = folder(ground / "home")
    file(home / "reverie.db", "", MALLORY)
    return home


BAD_HOMES = (
    of_another, for_all, for_a_group, below_an_open_folder, behind_a_link,
    with_a_database_of_another,
)  # fmt: skip


@only_root
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_command_uses_the_home_of_another_user(ground: Path, arguments: list[str]) -> None:
    home = of_another(ground)
    before = home.stat()

    done = ran(home, *arguments)

    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert f"{home} belongs to user {MALLORY}" in said
    assert "Traceback" not in said
    assert list(home.iterdir()) == []
    assert (home.stat().st_uid, home.stat().st_mode) == (MALLORY, before.st_mode)
    assert not Path(f"{home}-claude").exists()


@only_root
@pytest.mark.parametrize("bad", BAD_HOMES)
def test_a_home_that_others_could_have_written_is_used_by_nobody(
    ground: Path, bad: Callable[[Path], Path]
) -> None:
    home = bad(ground)
    before = sorted(home.iterdir()), home.stat().st_mode
    said = [ran(home, command) for command in ("status", "daemon")]

    for done in said:
        assert done.returncode == 1
        assert done.stderr.startswith(f"reverie: the home {home} is not used: ")
        assert done.stderr.count("\n") == 1
    assert (sorted(home.iterdir()), home.stat().st_mode) == before


@only_root
def test_a_socket_of_another_user_is_told_nothing(ground: Path, home: Home) -> None:
    place = folder(ground / "tmp", 0, 0o1777) / "s"
    home.address.write_text(f"{place}\n")

    async def greet() -> None:
        async with open_client(home):
            raise AssertionError("somebody else was trusted")

    with foreign_server(place, MALLORY, REPLY) as server:
        with pytest.raises(StrangerServes, match=f"user {MALLORY} is at the other end"):
            anyio.run(greet)
        status = ran(home.root, "status")
        assert "heard" not in heard(server)

    assert f"user {MALLORY} is at the other end" in status.stderr
    assert status.returncode == 1


@only_root
def test_a_command_goes_to_a_daemon_of_ones_own_instead(
    ground: Path, program: Program, home: Home
) -> None:
    place = folder(ground / "tmp", 0, 0o1777) / "s"
    home.address.write_text(f"{place}\n")

    with foreign_server(place, MALLORY, REPLY) as server:
        done = program("remember", "the whale is white")
        assert "heard" not in heard(server)

    assert done.returncode == 0
    assert f"user {MALLORY} is at the other end" in done.stderr
    assert home.address.read_text() == f"{home.socket}\n"


@only_root
@pytest.mark.parametrize(("user", "mode"), [(MALLORY, 0o644), (0, 0o666), (0, 0o620)])
def test_an_address_that_another_user_could_have_written_is_not_used(
    ground: Path, home: Home, user: int, mode: int
) -> None:
    home.address.write_text(f"{home.socket}\n")
    given(home.address, user, mode, MALLORY)

    done = ran(home.root, "status")

    assert done.returncode == 1
    assert str(home.address) in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_the_record_of_a_command_that_others_may_write_is_made_anew(
    program: Program, home: Home
) -> None:
    program("up")
    recorded = home.command.read_text()
    program("down")
    home.command.chmod(0o666)
    program("up")

    assert home.command.read_text() == recorded
    assert stat.S_IMODE(home.command.stat().st_mode) == 0o600


@pytest.mark.slow
def test_doctor_closes_a_home_that_everybody_may_write(home: Home) -> None:
    home.root.chmod(0o777)

    seen = ran(home.root, "doctor")
    mended = ran(home.root, "doctor", "--fix")

    assert seen.returncode == 1
    assert "everybody may write" in seen.stdout
    assert stat.S_IMODE(home.root.stat().st_mode) == 0o700
    assert "(repaired)" in mended.stdout


@only_root
def test_doctor_gives_nobody_elses_home_another_mode(ground: Path) -> None:
    home = given(of_another(ground), MALLORY, 0o777)

    done = ran(home, "doctor", "--fix")

    assert done.returncode == 1
    assert stat.S_IMODE(home.stat().st_mode) == 0o777


EVERYTHING = """
import os, subprocess, sys
os.umask(0)
def reverie(*words):
    subprocess.run([*sys.argv[2:], *words], check=True, capture_output=True, timeout=120)
hook = ["/bin/sh", sys.argv[1] + "/hooks/hook.sh", "claude"]
event = b'{"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/", "prompt": "hi"}'
os.chdir(os.environ["PLACE"])
subprocess.run(hook, input=event, check=True)  # spooled, and starts a daemon
try:
    reverie("install", "claude")
    reverie("remember", "the whale is white")
    subprocess.run(hook, input=event, check=True)
    reverie("model", "use", os.environ["MODEL"])
    reverie("export", "out.jsonl")
    reverie("explore", "--graphml", "graph.graphml")
    reverie("dream")
    reverie("status")
    reverie("down")
    reverie("up")
finally:
    reverie("down")
"""


@pytest.mark.slow
def test_nothing_is_left_open_to_others_under_any_umask(tmp_path: Path) -> None:
    from tests.embedding.tiny import write_tiny_model

    model = write_tiny_model(tmp_path / "tiny.gguf")
    with open_ground() as ground:
        place = folder(ground / "place")
        root = Path(__file__).resolve().parents[2]
        environ = {
            "PATH": os.environ["PATH"], "HOME": str(place), "PLACE": str(place),
            "MODEL": str(model), "XDG_DATA_HOME": str(place / "share"),
        }  # fmt: skip
        subprocess.run(
            [sys.executable, "-c", EVERYTHING, str(root), *own_command()], env=environ, check=True,
            timeout=600,
        )  # fmt: skip
        found = [path for path in place.rglob("*") if not path.is_symlink()]
        home = place / "share" / "reverie"
        loose = [
            path
            for path in found
            if path.stat().st_mode & (0o077 if path.is_relative_to(home) else 0o022)
        ]
        names = {path.name for path in found}

    assert loose == []
    assert {"reverie.db", "config.toml", "hook-client", "daemon.log", "out.jsonl"} <= names
