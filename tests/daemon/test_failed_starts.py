"""Starts that come to nothing: what is noted, who rests, and what a person is told."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon import lock, main
from daemon.commands.local.processes import failed_line
from daemon.home import Home
from daemon.lock import FailedStart, failed_start
from hooks import start
from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, ended, lock_taker, wait_for

BROKEN = "not a sound database"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def is_resting(home: Home) -> bool:
    """Whether a hook would leave the start alone."""
    return start._rests(os.fsencode(home.failed_start))  # pyright: ignore[reportPrivateUsage]


def test_hooks_rest_for_a_minute_that_doubles_up_to_an_hour() -> None:
    rests = [lock.rest_after(times, lock.TOLD) for times in (1, 2, 3, 6, 7, 8, 500)]

    assert rests == [60, 120, 240, 1_920, 3_600, 3_600, 3_600]


def test_a_reason_is_one_line_and_counts_the_start_that_began(home: Home) -> None:
    for _ in range(3):
        lock.note_start(home)
        lock.note_failure(home, "the file\nis gone")
    noted = failed_start(home)

    assert noted == FailedStart(3, home.failed_start.stat().st_mtime, 240, "the file is gone")
    assert stat.S_IMODE(home.failed_start.stat().st_mode) == 0o600
    assert [path.name for path in home.root.iterdir()] == ["failed-start"]


def test_a_reason_names_a_home_whose_name_is_no_text(home: Home) -> None:
    root = os.fsdecode(b"/home/caf\xe9")
    lock.note_start(home)
    lock.note_failure(home, f"{root}: No space left on device")
    noted = failed_start(home)

    assert noted is not None
    assert noted.why == "/home/caf\\udce9: No space left on device"


def test_an_end_without_a_word_counts_too_and_the_first_for_ten_seconds_only(home: Home) -> None:
    """A machine that was switched off in the second of a start has no broken database."""
    lock.note_start(home)
    first = failed_start(home)
    lock.note_start(home)
    second = failed_start(home)

    assert first is not None
    assert second is not None
    assert [(one.times, one.rest) for one in (first, second)] == [(1, 10), (2, 20)]
    assert first.why == lock.UNKNOWN


def test_what_fails_after_it_was_ready_is_no_start_that_failed(home: Home) -> None:
    lock.note_start(home)
    lock.forget_failed_start(home)
    lock.note_failure(home, "an actor keeps crashing")

    assert failed_start(home) is None


@pytest.mark.parametrize("text", ["", "60\n", "60\nmany\nwhy\n", "\xff"])
def test_a_note_that_cannot_be_read_says_nothing(home: Home, text: str) -> None:
    home.failed_start.write_bytes(text.encode("latin-1"))

    assert failed_start(home) is None
    assert failed_line(home, 0.0) == ""


def test_a_person_is_told_what_is_broken_and_who_tries_again(home: Home) -> None:
    for _ in range(2):
        lock.note_start(home)
        lock.note_failure(home, "reverie.db is not a sound database: put back a copy")
    at = home.failed_start.stat().st_mtime

    assert failed_line(home, at + 61.0) == (
        "the last 2 starts failed, 1 minute ago: reverie.db is not a sound database: put back a copy;"
        " 'reverie up' tries at once, agents' hooks again in 59 s"
    )
    assert failed_line(home, at + 121.0).endswith("; 'reverie up' tries at once")


def test_a_start_that_goes_on_has_not_failed(home: Home) -> None:
    home.prepare()
    going = lock_taker(home)
    lock.note_start(home)

    assert failed_line(home, home.failed_start.stat().st_mtime) == ""
    going.kill()
    going.communicate()


@pytest.mark.slow
def test_a_broken_database_makes_hooks_rest_until_a_start_goes_well(make: Make) -> None:
    daemon = make()
    daemon.home.database.write_bytes(b"garbage" * 1000)
    codes = [ended(daemon.fork())[0] for _ in range(2)]
    noted = failed_start(daemon.home)
    resting = is_resting(daemon.home)
    told = failed_line(daemon.home, noted.at if noted is not None else 0.0)
    daemon.home.database.unlink()
    daemon.start()
    # It answers a moment before it takes the note away.
    wait_for(lambda: failed_start(daemon.home) is None, daemon.running)

    assert codes == [1, 1]
    assert noted is not None
    assert (noted.times, noted.rest) == (2, 120)
    assert resting
    assert BROKEN in told
    assert not is_resting(daemon.home)


def test_a_mistake_in_the_settings_is_noted_as_well(make: Make) -> None:
    daemon = make(REVERIE_GATE_HIHG="1")
    ended(daemon.fork())
    noted = failed_start(daemon.home)

    assert noted is not None
    assert "did you mean REVERIE_GATE_HIGH" in noted.why


def test_a_daemon_that_is_killed_when_it_was_ready_is_started_by_the_next_hook(
    daemon: Daemon,
) -> None:
    daemon.running.send_signal(signal.SIGKILL)
    daemon.running.wait()

    assert not is_resting(daemon.home)


@pytest.mark.parametrize(
    ("name", "put", "said"),
    [("spool", Path.touch, "File exists"), ("daemon.lock", Path.mkdir, "Is a directory")],
)
def test_hooks_rest_where_something_else_lies_in_the_place_of_a_folder_or_the_lock(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    put: Callable[[Path], None],
    said: str,
) -> None:
    monkeypatch.setenv("REVERIE_HOME", str(tmp_path))
    put(tmp_path / name)
    before = os.umask(0o022)
    try:
        with pytest.raises(OSError, match=said):
            main.main()
    finally:
        os.umask(before)

    noted = failed_start(Home(tmp_path))
    assert noted is not None
    assert noted.why == f"{tmp_path / name}: {said}"
