"""Starting a daemon, and making sure that the right one answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

import hooks.start
from daemon.api.status import Greet, Stop
from daemon.home import Home
from daemon.launch import (
    INHERITED,
    INHERITED_PREFIXES,
    STALE_START,
    StartFailed,
    daemon_environment,
    ensure_daemon,
    own_command,
    record_command,
    stop_daemon,
)
from daemon.lock import alive
from tests.cli.fake_daemon import FakeDaemon
from tests.daemon.process import lock_taker
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def fake_command(mode: str) -> list[str]:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
        "from tests.cli.fake_daemon import _main; _main(sys.argv[1])"
    )
    return [sys.executable, "-c", program, mode]


@pytest.fixture
def started(home: Home) -> Generator[list[int]]:
    """Processes that the test must not leave behind."""
    processes: list[int] = []
    yield processes
    for process in processes:
        if alive(process):
            os.kill(process, signal.SIGKILL)


def ensured(home: Home, mode: str, said: list[str] | None = None, within: float = PATIENCE) -> int:
    say = (said if said is not None else []).append
    command = fake_command(mode)
    found = ensure_daemon(home, within=within, command=command, say=say)
    return found.pid


def test_a_daemon_that_answers_is_not_started_again(home: Home, daemon: FakeDaemon) -> None:
    pid = ensured(home, "die")

    assert pid == os.getpid()
    assert not home.command.exists()


def test_a_daemon_that_is_away_is_started_and_recorded(home: Home, started: list[int]) -> None:
    said: list[str] = []

    started.append(ensured(home, "serve", said))

    assert alive(started[0])
    assert said == ["starting the daemon"]
    assert home.command.read_text().splitlines() == fake_command("serve")
    assert home.command.stat().st_mode & 0o777 == 0o600
    assert not home.starting.exists()


def test_the_started_daemon_has_no_terminal_and_no_folder_of_ours(
    home: Home, started: list[int]
) -> None:
    started.append(ensured(home, "serve"))

    process = Path(f"/proc/{started[0]}")
    if not process.is_dir():
        pytest.skip("needs /proc")
    session = process.joinpath("stat").read_text().rpartition(")")[2].split()[3]
    assert (process / "cwd").readlink() == Path("/")
    assert (process / "fd" / "0").readlink() == Path(os.devnull)
    assert int(session) != os.getsid(0)


def test_many_who_need_it_start_one_daemon(home: Home, started: list[int]) -> None:
    pids: list[int] = []
    threads = [
        threading.Thread(target=lambda: pids.append(ensured(home, "serve"))) for _ in range(4)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    started.extend(pids)
    assert len(pids) == 4
    assert len(set(pids)) == 1


def test_a_daemon_that_ends_is_explained_by_its_last_line(home: Home) -> None:
    with pytest.raises(StartFailed, match=r"ended while it started.*the-disk-is-full"):
        ensured(home, "die")

    assert not home.starting.exists()


def test_a_daemon_that_never_listens_is_given_up(home: Home) -> None:
    with pytest.raises(StartFailed, match=r"not ready within 0\.3 s"):
        ensured(home, "hang", within=0.3)

    assert not home.starting.exists()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            ours = f"REVERIE_HOME={home.root}".encode() in entry.read_bytes()
        except OSError:
            continue
        if ours and int(entry.parent.name) != os.getpid():
            os.kill(int(entry.parent.name), signal.SIGKILL)


def test_a_token_left_by_a_dead_starter_does_not_last(home: Home, started: list[int]) -> None:
    home.prepare()
    home.starting.touch()
    long_ago = home.starting.stat().st_mtime - STALE_START - 1.0
    os.utime(home.starting, (long_ago, long_ago))

    started.append(ensured(home, "serve"))

    assert alive(started[0])


def test_a_token_of_another_starter_is_waited_for(home: Home) -> None:
    home.prepare()
    home.starting.touch()

    with pytest.raises(StartFailed, match="not ready within"):
        ensured(home, "serve", within=0.3)

    assert home.starting.exists()
    assert not home.command.exists()


def ended_process() -> int:
    """The id of a process that has ended."""
    with subprocess.Popen(["/bin/sh", "-c", ":"]) as process:
        return process.pid


def test_an_older_daemon_hands_over(home: Home, started: list[int]) -> None:
    old = FakeDaemon(home, version="ancient")  # no number: before every release
    old.pid = ended_process()
    leaving = threading.Thread(target=old.close_when_stopped)
    leaving.start()
    said: list[str] = []

    started.append(ensured(home, "serve", said))
    leaving.join()

    assert any(isinstance(request, Stop) for request in old.asked)
    assert said[0].startswith("replacing the daemon of version ancient")
    assert alive(started[0])


def test_a_newer_daemon_stays_and_is_named(home: Home, daemon: FakeDaemon) -> None:
    daemon.version = "999.1"
    said: list[str] = []

    ensured(home, "die", said)

    assert not daemon.stopped.is_set()
    assert len(said) == 1
    assert "999.1" in said[0]


def test_a_daemon_that_is_not_ready_yet_is_waited_for(home: Home, daemon: FakeDaemon) -> None:
    daemon.ready = False
    greet = daemon.answers[Greet]
    greeted: list[int] = []

    def ready_at_the_third(request: object, say: object) -> object:
        greeted.append(1)
        daemon.ready = len(greeted) >= 3
        return greet(request, say)  # type: ignore[arg-type]

    daemon.answers[Greet] = ready_at_the_third  # type: ignore[assignment]

    ensured(home, "die")

    assert len(greeted) == 3


def test_stopping_waits_until_the_process_has_left(home: Home, started: list[int]) -> None:
    started.append(ensured(home, "serve"))

    left = stop_daemon(home)

    assert left is not None
    assert left.pid == started[0]
    assert not alive(started[0])


def test_who_misses_a_killed_daemon_starts_none_once_a_person_said_that_it_shall_stay_away(
    home: Home,
) -> None:
    home.prepare()
    home.lock.write_text("4000000\n")  # it was killed
    assert stop_daemon(home) is None

    with pytest.raises(StartFailed, match="told to leave"):
        ensure_daemon(home, within=PATIENCE, if_killed=True)

    assert not home.starting.exists()


def test_who_misses_a_killed_daemon_starts_one(home: Home, started: list[int]) -> None:
    home.prepare()
    home.lock.write_text("4000000\n")
    command = fake_command("serve")

    met = ensure_daemon(home, within=PATIENCE, command=command, if_killed=True)

    started.append(met.pid)
    assert alive(started[0])


def test_a_stale_address_means_nobody_listens(home: Home) -> None:
    home.prepare()
    home.address.write_text(f"{home.socket}\n")

    assert stop_daemon(home) is None


def test_the_recorded_command_is_one_argument_a_line(home: Home) -> None:
    home.prepare()

    record_command(home, ["/a folder/reverie", "x"])

    assert home.command.read_text() == "/a folder/reverie\nx\n"


def test_our_own_command_runs_in_any_folder(tmp_path: Path) -> None:
    (tmp_path / "daemon").mkdir()
    (tmp_path / "daemon" / "__init__.py").write_text("raise SystemExit('the wrong package')")

    done = subprocess.run(
        [*own_command(), "--version"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.stdout.startswith("reverie ")
    assert done.returncode == 0


def test_the_daemon_inherits_no_token_of_an_agent(home: Home) -> None:
    environ = {"PATH": "/bin", "AGENT_TOKEN": "x", "REVERIE_HOME": "relative", "LC_ALL": "C"}

    inherited = daemon_environment(home, environ)

    assert inherited == {"PATH": "/bin", "LC_ALL": "C", "REVERIE_HOME": str(home.root)}


def test_hooks_pass_on_the_same_environment() -> None:
    assert {name.decode() for name in hooks.start.NAMES} == INHERITED
    assert {prefix.decode() for prefix in hooks.start.PREFIXES} == set(INHERITED_PREFIXES)


def test_a_holder_of_the_lock_that_leaves_is_followed_by_a_new_daemon(
    home: Home, started: list[int]
) -> None:
    home.prepare()
    leaving = lock_taker(home)
    attempts = home.root / "attempts"
    # The first start finds the lock taken, as a real daemon would, and the holder then leaves.
    script = f"""
        echo x >>{attempts}
        [ $(wc -l <{attempts}) -gt 1 ] && exec "$@"
        (sleep 0.2; kill {leaving.pid}) &
        exit 1
    """
    command = ["/bin/sh", "-c", script, "sh", *fake_command("serve")]

    found = ensure_daemon(home, within=PATIENCE, command=command)
    started.append(found.pid)
    leaving.communicate()

    assert attempts.read_text() == "x\nx\n"
