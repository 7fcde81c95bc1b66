"""The daemon as a process: one a home, nothing acknowledged is lost, every bad end explained."""

from __future__ import annotations

import json
import random
import resource
import secrets
import signal
import stat
import sys
import threading
import time

import pytest

from daemon.lock import TAKEN
from daemon.wire import Frame, encoded
from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, Gone, Refusal, ended, prompt, wait_for
from tests.holders import looked_over
from tests.patience import PATIENCE

WHALE = "the blue whale database listens on port 5432 in staging"
ASKED = "which port does the blue whale database listen on in staging?"


# -- one daemon a home


def test_of_many_that_are_started_at_once_one_stays(make: Make) -> None:
    daemon = make()
    processes = [daemon.launch() for _ in range(12)]
    deadline = time.monotonic() + PATIENCE
    while sum(process.poll() is None for process in processes) > 1:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    (left,) = [process for process in processes if process.poll() is None]
    daemon.process = left
    wait_for(daemon.answers, left)
    codes = [ended(process)[0] for process in processes if process is not left]

    assert codes == [TAKEN] * 11
    assert daemon.ask("greet", version="x")["pid"] == left.pid


def test_everything_in_the_home_is_the_owners_alone(daemon: Daemon) -> None:
    daemon.remember(WHALE)
    daemon.hook(b"1" * 16, prompt("hello"))
    found = [mode for _, mode in looked_over(daemon.home.root, lambda path: path.lstat().st_mode)]
    modes = {(stat.S_ISDIR(m), stat.S_IMODE(m)) for m in found if not stat.S_ISLNK(m)}

    assert modes == {(True, 0o700), (False, 0o600)}


# -- nothing acknowledged is lost


def test_what_was_journaled_and_not_derived_is_derived_after_a_kill(daemon: Daemon) -> None:
    text = "the staging database is on port 5433"
    daemon.hook(b"1" * 16, prompt(f"remember that {text}"))
    daemon.kill()
    daemon.start()
    daemon.settled()

    assert [
        found.lower().rstrip(".") for found in daemon.recall("staging database", everywhere=True)
    ] == [text]


def test_an_event_that_comes_again_after_a_restart_counts_once(daemon: Daemon) -> None:
    event = prompt("remember that the staging database is on port 5433")
    daemon.hook(b"1" * 16, event)
    daemon.kill()
    daemon.start()
    again = daemon.hook(b"1" * 16, event)
    daemon.settled()

    assert again == b""
    assert len(daemon.ask("journal")["events"]) == 1
    assert daemon.ask("list")["total"] == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_daemon_that_is_asked_to_end_finishes_what_it_has(
    daemon: Daemon, number: signal.Signals
) -> None:
    for index in range(30):
        text = f"remember that the port of service {index} in staging is {9000 + index}"
        daemon.hook(index.to_bytes(16, "big"), prompt(text))
    code, errors = daemon.end(number)
    left = {path.name for path in daemon.home.root.iterdir()}
    daemon.start()
    daemon.settled()
    marker = json.loads(daemon.home.marker.read_text())

    assert (code, errors) == (0, "")
    assert not {"daemon.sock", "address", "starting"} & left
    assert daemon.ask("list", limit=100)["total"] == marker["memories"] > 0


def test_a_client_can_ask_it_to_end(daemon: Daemon) -> None:
    daemon.ask("stop")

    assert ended(daemon.running) == (0, "")


def test_a_daemon_that_nobody_needs_leaves(make: Make) -> None:
    """It is not asked whether it answers: on a busy machine it has left by then."""
    daemon = make(REVERIE_DAEMON_IDLE_EXIT="0.5")

    assert ended(daemon.launch()) == (0, "")
    assert "ready" in daemon.home.log.read_text()


def test_who_waits_when_the_daemon_ends_is_let_go(daemon: Daemon) -> None:
    with daemon.line() as line:
        line.send(encoded(Frame(1, "watch", {})))
        first = line.receive()
        code, _ = daemon.end()

        assert first.kind == "progress"
        with pytest.raises(Gone):
            line.receive()
    assert code == 0


def test_events_that_were_spooled_are_taken_in_at_the_start(make: Make) -> None:
    daemon = make()
    for number in range(3):
        content = {
            "v": 1, "agent": "claude", "event_id": number.to_bytes(16, "big").hex(),
            "at": 1_700_000_000_000_000_000 + number,
            "event": prompt("remember that the staging database is on port 5433"),
        }  # fmt: skip
        (daemon.home.spool / f"{number:020d}-{number:032x}.json").write_text(json.dumps(content))
    daemon.start()
    daemon.settled()
    events = daemon.ask("journal")["events"]

    assert [event["event_id"][-1] for event in events] == ["0", "1", "2"]
    assert list(daemon.home.spool.iterdir()) == []
    assert daemon.ask("list")["total"] == 1


@pytest.mark.slow
def test_a_storm_of_hooks_and_kills_loses_nothing_that_was_acknowledged(daemon: Daemon) -> None:
    """Eight clients report events while the daemon is killed at random moments."""
    source = random.Random(7)
    acknowledged: set[bytes] = set()
    stop = threading.Event()

    def client() -> None:
        while not stop.is_set():
            event_id = secrets.token_bytes(16)
            try:
                with daemon.line() as line:
                    for _ in range(20):
                        line.hook(event_id, prompt(f"event {event_id.hex()} " + "x" * 500))
                        acknowledged.add(event_id)
                        event_id = secrets.token_bytes(16)
            except (Gone, FileNotFoundError):
                time.sleep(0.01)

    clients = [threading.Thread(target=client) for _ in range(8)]
    for one in clients:
        one.start()
    try:
        for _ in range(3):
            time.sleep(source.uniform(0.2, 0.5))
            daemon.kill()
            journaled = daemon.journal()
            assert acknowledged <= journaled
            daemon.start()
    finally:
        stop.set()
        for one in clients:
            one.join()
    before = len(acknowledged)
    daemon.kill()

    assert acknowledged <= daemon.journal()
    assert before > 20


# -- what goes wrong


@pytest.mark.skipif(sys.platform != "linux", reason="sets the limits of another process")
def test_a_full_disk_refuses_and_loses_nothing_and_passes(daemon: Daemon) -> None:
    kept = daemon.remember(WHALE)
    limit = resource.prlimit(daemon.running.pid, resource.RLIMIT_FSIZE)
    room = ((daemon.home.root / "reverie.db-wal").stat().st_size, limit[1])
    resource.prlimit(daemon.running.pid, resource.RLIMIT_FSIZE, room)
    refused: list[str] = []
    for number in range(5):
        try:
            daemon.hook(number.to_bytes(16, "big"), prompt("x" * 20_000))
        except Refusal as refusal:
            refused.append(str(refusal).partition(":")[0])
    degraded = daemon.ask("status")["degraded"]
    still_there = daemon.recall("whale")
    resource.prlimit(daemon.running.pid, resource.RLIMIT_FSIZE, limit)
    after = daemon.remember("there is room on the disk again")
    troubles = daemon.ask("status")["degraded"]
    code, _ = daemon.end()

    assert set(refused) == {"unwritable"}
    assert any(str(daemon.home.root) in trouble for trouble in degraded)
    assert still_there == [WHALE]
    assert after != kept
    assert not any(str(daemon.home.root) in trouble for trouble in troubles)
    assert code == 0
    assert len(daemon.journal()) == 5 - len(refused)


def test_a_vanished_database_stops_the_daemon_with_one_line(daemon: Daemon) -> None:
    daemon.remember(WHALE)
    daemon.end()
    for path in daemon.home.root.glob("reverie.db*"):
        if path != daemon.home.marker:
            path.unlink()
    code, errors = ended(daemon.fork())

    assert code == 1
    assert errors.startswith("reverie: ")
    assert "1 memory was in it" in errors
    assert errors.count("\n") == 1


def test_neither_the_log_nor_a_refusal_holds_a_memorys_text(make: Make) -> None:
    daemon = make(REVERIE_DAEMON_LOG_LEVEL="debug").start()
    kept = daemon.remember(WHALE)
    daemon.hook(b"1" * 16, prompt(ASKED))
    daemon.hook(b"2" * 16, prompt(f"remember that {WHALE} as well"))
    with pytest.raises(Refusal) as refused:
        daemon.ask("show", id="m999")
    daemon.ask("erase", ids=[kept], yes=True)
    daemon.end()
    log = daemon.home.log.read_text()

    assert "whale" not in log
    assert "whale" not in str(refused.value)
    assert "ready" in log
    assert "stopped" in log
