"""Another user attacks the hooks of root: nothing of theirs runs, nothing is sent, one line says why."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from daemon.wire import Frame
from tests.hooks.clients import EVENT, RAW, Client, Home, listening, replying
from tests.hooks.test_hook import CONTEXT, slowly
from tests.patience import HOOKS
from tests.strangers import (
    ADA,
    MALLORY,
    file,
    folder,
    foreign_server,
    given,
    heard,
    link,
    only_root,
)

pytestmark = only_root

REPLY = replying(CONTEXT)(Frame(0, "hook", []))  # what another user would say to the agent


def trap(path: Path, user: int = 0, mode: int = 0o755) -> Path:
    """A program that leaves a trace of having run, and puts words into the agent's context."""
    file(path, f"#!/bin/sh\necho \"$@\" >>'{path}.ran'\necho injected\n", user, mode)
    return path


def ran(program: Path) -> bool:
    return Path(f"{program}.ran").exists()


def one_line(result: subprocess.CompletedProcess[bytes]) -> str:
    """Why nothing was done: the agent gets no word and no complaint."""
    assert (result.returncode, result.stdout) == (0, b"")
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith("reverie: ")
    return line


def planted_home(root: Path, user: int, mode: int = 0o700) -> Home:
    """A home of this user, in which everything that could run leaves a trace."""
    folder(root, user, mode)
    file(root / "command", f"{trap(root / 'command-trap', user)}\n", user)
    file(root / "hook-client", f"{trap(root / 'client-trap', user)}\n", user)
    file(root / "address", f"{root}/daemon.sock\n", user)
    return Home(root)


def traps(home: Home) -> list[str]:
    return sorted(path.name for path in home.root.rglob("*.ran"))


@pytest.mark.parametrize("variable", ["REVERIE_HOME", "HOME", "XDG_DATA_HOME"])
def test_the_home_of_another_user_is_not_used(client: Client, ground: Path, variable: str) -> None:
    theirs = folder(ground / "mallory", MALLORY, 0o755)
    below = [".local", "share", "reverie"] if variable == "HOME" else ["reverie"]
    root = theirs
    for name in below[:-1]:
        root = folder(root / name, MALLORY, 0o755)
    home = planted_home(root / "reverie", MALLORY)
    value = str(home.root if variable == "REVERIE_HOME" else theirs)
    environ = {"REVERIE_HOME": "", "HOME": "/root", variable: value}

    with foreign_server(home.root / "daemon.sock", MALLORY, REPLY) as server:
        result = client.run(home, RAW, **environ)

        assert f"belongs to user {MALLORY}" in one_line(result)
        assert "heard" not in heard(server)
    assert traps(home) == []
    assert not home.spool.exists()


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777, 0o722])
def test_a_home_that_others_may_write_is_not_used(client: Client, ground: Path, mode: int) -> None:
    home = planted_home(ground / "home", 0)
    given(home.root, 0, mode, MALLORY)

    with listening(home, replying(CONTEXT)) as daemon:
        assert f"may write {home.root}" in one_line(client.run(home))
    assert daemon.frames == []
    assert traps(home) == []
    assert not home.spool.exists()


def test_a_home_that_is_not_there_yet_is_not_made_in_the_folder_of_another(
    client: Client, ground: Path
) -> None:
    home = Home(folder(ground / "mallory", MALLORY, 0o755) / ".local" / "share" / "reverie")

    assert f"belongs to user {MALLORY}" in one_line(client.run(home))
    assert list((ground / "mallory").iterdir()) == []


@pytest.mark.parametrize("user", [65_534, ADA])
def test_a_socket_that_another_user_serves_is_told_nothing(
    client: Client, home: Home, ground: Path, user: int
) -> None:
    place = folder(ground / "tmp", 0, 0o1777) / "s"
    (home.root / "address").write_text(f"{place}\n")
    (home.root / "command").unlink()
    file(home.root / "command", f"{shutil.which('true')}\n")

    with foreign_server(place, user, REPLY) as server:
        result = client.run(home)

        assert f"user {user} is at the other end of the socket" in one_line(result)
        assert "heard" not in heard(server)
    assert [kept["event"] for kept in home.spooled()] == [EVENT]


@pytest.mark.parametrize(("user", "mode"), [(MALLORY, 0o644), (0, 0o666), (0, 0o620)])
def test_an_address_that_another_user_could_have_written_is_not_used(
    client: Client, home: Home, user: int, mode: int
) -> None:
    with listening(home, replying(CONTEXT)) as daemon:
        given(home.root / "address", user, mode, MALLORY)
        line = one_line(client.run(home))

    assert "nothing is sent" in line
    assert str(home.root / "address") in line
    assert daemon.frames == []
    assert [kept["event"] for kept in home.spooled()] == [EVENT]


@pytest.mark.parametrize(("user", "mode"), [(MALLORY, 0o644), (0, 0o666), (0, 0o620)])
def test_nobody_waits_longer_because_another_user_could_have_said_so(
    hurried: Client, home: Home, user: int, mode: int
) -> None:
    given(file(home.root / "hook-budget", "790\n"), user, mode, MALLORY)
    with listening(home, slowly):
        result = hurried.run(home)

    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert [kept["event"] for kept in home.spooled()] == [EVENT]


@pytest.mark.parametrize(("user", "mode"), [(MALLORY, 0o644), (0, 0o666), (0, 0o620)])
def test_a_command_that_another_user_could_have_written_starts_nothing(
    client: Client, home: Home, ground: Path, user: int, mode: int
) -> None:
    program = trap(ground / "program")
    (home.root / "command").unlink()
    given(file(home.root / "command", f"{program}\n"), user, mode, MALLORY)

    assert "the daemon is not started" in one_line(client.run(home))
    time.sleep(0.2)  # a daemon would be nobody's child: there is nothing to wait on
    assert not ran(program)
    assert not (home.root / "starting").exists()
    assert [kept["event"] for kept in home.spooled()] == [EVENT]


def bad_programs(ground: Path) -> list[tuple[Path, str]]:
    """Programs that another user could have put there, and why they are not run."""
    theirs = folder(ground / "theirs", MALLORY, 0o755)
    sticky = folder(ground / "sticky", 0, 0o1777)
    own = folder(ground / "own", 0, 0o755)
    return [
        (trap(own / "of-another", MALLORY), f"belongs to user {MALLORY}"),
        (trap(own / "for-all", 0, 0o777), "everybody may write"),
        (given(trap(own / "for-a-group"), 0, 0o775, MALLORY), f"group {MALLORY} may write"),
        (trap(theirs / "beside", 0), f"{theirs} belongs to user {MALLORY}"),
        (trap(sticky / "in-tmp", 0), f"everybody may write {sticky}"),
        (link(sticky / "laid", trap(own / "target"), MALLORY), f"everybody may write {sticky}"),
    ]


@pytest.mark.parametrize("which", range(6))
def test_a_daemon_that_another_user_could_have_put_there_is_not_started(
    client: Client, home: Home, ground: Path, which: int
) -> None:
    program, why = bad_programs(ground)[which]
    (home.root / "command").write_text(f"{program}\n")

    assert why in one_line(client.run(home))
    time.sleep(0.2)
    assert list(ground.rglob("*.ran")) == []


@pytest.mark.parametrize("which", range(6))
def test_a_client_that_another_user_could_have_put_there_is_not_run(
    shell: Client, home: Home, ground: Path, which: int
) -> None:
    program, why = bad_programs(ground)[which]
    (home.root / "hook-client").write_text(f"{program}\n")

    with listening(home, replying(b"{}")) as daemon:
        result = shell.run(home)

    assert list(ground.rglob("*.ran")) == []
    assert why in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1
    assert (result.returncode, result.stdout) == (0, b"{}")  # the hooks' own client did it
    assert len(daemon.frames) == 1


@pytest.mark.parametrize(("user", "mode"), [(MALLORY, 0o644), (0, 0o666), (0, 0o620)])
def test_a_record_that_another_user_could_have_written_names_no_client(
    shell: Client, home: Home, ground: Path, user: int, mode: int
) -> None:
    program = trap(ground / "program")
    given(file(home.root / "hook-client", f"{program}\n"), user, mode, MALLORY)

    with listening(home, replying(b"{}")):
        result = shell.run(home)

    assert not ran(program)
    assert "hook-client" in result.stderr.decode()
    assert (result.returncode, result.stdout) == (0, b"{}")


def test_a_pipe_in_the_place_of_the_record_holds_nobody(shell: Client, ground: Path) -> None:
    home = planted_home(ground / "home", MALLORY)
    (home.root / "hook-client").unlink()
    os.mkfifo(home.root / "hook-client")

    assert f"belongs to user {MALLORY}" in one_line(shell.run(home))


# ---- What was trusted is sealed ------------------------------------------------------


@pytest.fixture
def sealed(home: Home, native: Client, shell: Client, ground: Path) -> Path:
    """The native client of a home, which ran once and is sealed."""
    program = folder(home.root / "bin") / "reverie-hook"
    shutil.copy(native.before[0], program)
    (home.root / "hook-client").write_text(f"{program}\n")
    past = time.time() - 60  # noqa: TID251 - files' ages
    for path in (program, program.parent, home.root / "hook-client"):
        os.utime(path, (past, past))
    with listening(home, replying(b"{}")):
        result = shell.run(home)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"{}", b"")
    assert (home.root / "hook-client.trusted").stat().st_mode & 0o777 == 0o600
    return program


def test_a_sealed_client_runs_without_another_look(
    hooks: Path, home: Home, sealed: Path, ground: Path
) -> None:
    shutil.copytree(hooks, ground / "hooks", ignore=lambda _folder, _names: {"ownership.sh"})
    script = Client("without ownership.sh", ("/bin/sh", str(ground / "hooks" / "hook.sh")))

    with listening(home, replying(b"{}")):
        result = script.run(home)

    assert (result.returncode, result.stdout, result.stderr) == (0, b"{}", b"")


def test_the_seal_is_the_users_alone_under_any_umask(
    shell: Client, home: Home, sealed: Path
) -> None:
    seal = home.root / "hook-client.trusted"
    seal.unlink()

    shell.run(home, shell='umask 0; exec "$@"')

    assert seal.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("what", ["client", "record", "folder"])
def test_a_seal_is_broken_by_whoever_writes(
    shell: Client, home: Home, sealed: Path, ground: Path, what: str
) -> None:
    if what == "client":
        given(sealed, 0, 0o777)
        sealed.write_bytes(trap(ground / "source").read_bytes())
    if what == "record":
        file(home.root / "hook-client", f"{trap(ground / 'program', 0, 0o777)}\n")
    if what == "folder":
        given(sealed.parent, 0, 0o777)
        trap(ground / "source", MALLORY).rename(sealed)

    with listening(home, replying(b"{}")):
        result = shell.run(home)

    assert list(ground.rglob("*.ran")) == []
    assert (result.returncode, result.stdout) == (0, b"{}")
    assert result.stderr.count(b"\n") == 1


# ---- Ordinary homes ------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0, 0o002])
def test_what_a_hook_leaves_is_the_users_alone_under_any_umask(ground: Path, umask: int) -> None:
    shutil.copytree(HOOKS, ground / "hooks")  # beside it lies no reverie that could be started
    (ground / "actors").symlink_to(HOOKS.parent / "actors")
    home = Home(ground / "not" / "yet" / "home")
    words = [sys.executable, "-I", "-S", str(ground / "hooks" / "hook.py"), "claude"]

    subprocess.run(words, input=RAW, env={**home.environ, "PATH": ""}, umask=umask, check=True)

    found = [home.root, *home.root.rglob("*")]
    modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in found}
    assert modes == {(True, 0o700), (False, 0o600)}
    assert home.root.parent.stat().st_mode & 0o022 == 0
    assert [kept["event"] for kept in home.spooled()] == [EVENT]
