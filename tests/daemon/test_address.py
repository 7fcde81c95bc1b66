"""The lock, the socket and the address file."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
import tempfile
import threading
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest

from daemon.asking import DaemonAway, read_address
from daemon.gateway import LONGEST_PATH, NoPlaceForSocket, listening, socket_path
from daemon.home import Home
from daemon.lock import (
    LOOK,
    AlreadyRunning,
    excuse,
    held_lock,
    was_killed,
)
from tests.strangers import only_root


@pytest.fixture
def short() -> Generator[Home]:
    """A home with a path that is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="rv-") as name:
        home = Home(Path(name))
        home.prepare()
        yield home


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Home]:
    """A home with a path that no socket takes, and a short runtime folder."""
    with tempfile.TemporaryDirectory(prefix="rt-") as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        home = Home(tmp_path / ("long" * 30))
        home.prepare()
        yield home


def talks(home: Home) -> bool:
    """Whether a client that reads the address reaches the listener."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(read_address(home))
    return True


def test_only_one_holds_the_lock_and_the_other_is_told_who(home: Home) -> None:
    with (
        held_lock(home),
        pytest.raises(AlreadyRunning, match=f"process {os.getpid()}"),
        held_lock(home),
    ):
        pass


def test_who_only_looks_at_the_lock_keeps_no_daemon_from_it(home: Home) -> None:
    home.lock.write_text("4000000\n")  # the daemon that was killed
    taken = threading.Event()

    def start() -> None:
        with held_lock(home):
            taken.set()

    with home.lock.open() as look:
        fcntl.flock(look, fcntl.LOCK_SH)
        daemon = threading.Thread(target=start)
        daemon.start()
        assert not taken.wait(3 * LOOK)
    daemon.join()

    assert taken.is_set()


def test_who_leaves_in_order_is_not_missed_and_who_was_killed_is(home: Home) -> None:
    assert not was_killed(home)  # nobody was here
    with held_lock(home):
        assert not was_killed(home)
    assert not was_killed(home)

    with suppress(ZeroDivisionError), held_lock(home):
        raise ZeroDivisionError
    assert was_killed(home)
    with held_lock(home):
        assert not was_killed(home)  # another one came

    home.lock.write_text("1\n")
    excuse(home)
    assert not was_killed(home)


def test_the_socket_lies_in_the_home_and_clients_find_it(short: Home) -> None:
    with listening(short, 0.21):
        assert short.address.read_text() == f"{short.socket}\n"
        assert stat.S_IMODE(short.socket.stat().st_mode) == 0o600
        assert stat.S_IMODE(short.address.stat().st_mode) == 0o600
        assert talks(short)


@pytest.mark.parametrize(("deadline", "budget"), [(0.21, "240"), (0.08, "110"), (5.0, "5030")])
def test_hooks_wait_a_little_longer_than_a_prompt_is_given(
    short: Home, deadline: float, budget: str
) -> None:
    with listening(short, deadline):
        assert short.hook_budget.read_text() == f"{budget}\n"
        assert stat.S_IMODE(short.hook_budget.stat().st_mode) == 0o600


def test_nothing_is_left_of_a_daemon_that_stops(short: Home) -> None:
    with listening(short, 0.21):
        pass

    assert not short.socket.exists()
    assert not short.address.exists()
    assert not short.hook_budget.exists()
    with pytest.raises(DaemonAway):
        read_address(short)


def test_a_dead_daemons_socket_is_replaced(short: Home) -> None:
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(short.socket))
    dead.close()
    with listening(short, 0.21):
        assert talks(short)


def test_a_path_that_is_too_long_falls_back_to_a_private_short_one(long: Home) -> None:
    with listening(long, 0.21):
        path = Path(read_address(long))

        assert len(os.fsencode(path)) <= LONGEST_PATH
        assert path.parent.parent == Path(os.environ["XDG_RUNTIME_DIR"])
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert talks(long)


def test_a_runtime_folder_that_is_itself_too_long_is_passed_over(
    long: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/" + "x" * 200)
    path = socket_path(long)
    path.parent.rmdir()

    assert len(os.fsencode(path)) <= LONGEST_PATH


@only_root
def test_a_runtime_folder_of_somebody_else_is_refused(long: Home) -> None:
    place = socket_path(long).parent
    os.chown(place, 65534, 65534)
    with pytest.raises(NoPlaceForSocket, match="somebody else"):
        socket_path(long)


def test_a_runtime_folder_that_others_could_enter_is_refused(long: Home) -> None:
    place = socket_path(long).parent
    place.chmod(0o711)
    with pytest.raises(NoPlaceForSocket, match="others may enter"):
        socket_path(long)
