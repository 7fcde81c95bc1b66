"""Who starts the daemon, with what, and how often."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from hooks import ownership, start
from tests.hooks.clients import RAW, Client, Home, program
from tests.patience import PATIENCE


def until_started(home: Home) -> Iterator[int]:
    """Look again and again for the trace of a start; at most ``PATIENCE`` seconds."""
    end = time.monotonic() + PATIENCE
    for look in count():
        if home.starts() or time.monotonic() > end:
            return
        time.sleep(0.01)  # the daemon is nobody's child: there is nothing to wait on
        yield look


# What agents run is one of the two behind a script.
@pytest.mark.parametrize(
    "client", ["python", pytest.param("shell", marks=pytest.mark.slow), "native"], indirect=True
)
def test_forty_hooks_at_once_start_one_daemon_and_lose_no_event(client: Client, home: Home) -> None:
    began = time.monotonic()
    hooks = [
        subprocess.Popen(
            client.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=home.environ
        )
        for _ in range(40)
    ]
    results = [(hook.communicate(RAW, PATIENCE)[0], hook.wait(PATIENCE)) for hook in hooks]
    list(until_started(home))
    client.run(home)  # and one more, when the others have long decided
    may_be_tried_again = int((time.monotonic() - began) / start.STALE)  # on a busy machine

    assert results == [(b"", 0)] * 40
    assert set(home.starts()) == {"--recorded daemon"}
    assert len(home.starts()) <= 1 + may_be_tried_again
    assert len({kept["event_id"] for kept in home.spooled()}) == 41


def test_the_daemon_is_on_its_own_and_sees_no_token_of_the_session(
    client: Client, home: Home
) -> None:
    client.run(home, CLAUDE_SESSION_TOKEN="s3cret", ANTHROPIC_API_KEY="k3y", LANG="C.UTF-8")
    list(until_started(home))

    seen = (home.root / "environment").read_text()
    assert (home.root / "folder").read_text() == "/\n"
    assert f"REVERIE_HOME={home.root}\n" in seen
    assert "LANG=C.UTF-8" in seen
    assert "s3cret" not in seen
    assert "k3y" not in seen


def test_a_relative_home_reaches_the_daemon_as_an_absolute_one(tmp_path: Path) -> None:
    environ = {b"REVERIE_HOME": b"memory", b"PATH": b"/bin", b"GITHUB_TOKEN": b"t"}

    passed = start.environment(b"/home/ada/memory", environ)

    assert passed == {b"REVERIE_HOME": b"/home/ada/memory", b"PATH": b"/bin"}


def test_the_settings_reach_the_daemon() -> None:
    environ = {b"REVERIE_STATES_HOT": b".8", b"LC_ALL": b"C", b"PWD": b"/"}

    passed = start.environment(b"/home", environ)

    assert set(passed) == {b"REVERIE_STATES_HOT", b"LC_ALL", b"REVERIE_HOME"}


def test_the_recorded_command_comes_first(tmp_path: Path) -> None:
    recorded = bytes(program(tmp_path / "bin" / "anything"))
    (tmp_path / "command").write_bytes(recorded + b"\n--with\nan argument\n")

    command = start.command_of(os.fsencode(tmp_path), {}, ownership)

    assert command == [recorded, b"--with", b"an argument", b"daemon"]


@pytest.mark.parametrize("recorded", ["/nowhere/reverie\n", "", "reverie\n", "/tmp\n"])
def test_a_recorded_command_that_is_no_program_is_passed_over(
    tmp_path: Path, recorded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "__file__", str(tmp_path / "checkout" / "hooks" / "start.py"))
    (tmp_path / "command").write_text(recorded)
    own = bytes(program(tmp_path / "checkout" / ".venv" / "bin" / "reverie"))

    assert start.command_of(os.fsencode(tmp_path), {}, ownership) == [own, b"daemon"]


def test_path_is_searched_last_and_only_where_it_is_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "__file__", str(tmp_path / "checkout" / "hooks" / "start.py"))
    monkeypatch.chdir(tmp_path)
    program(tmp_path / "project" / "reverie")
    found = bytes(program(tmp_path / "bin" / "reverie"))
    path = b"project:.::" + os.fsencode(tmp_path / "bin")

    assert start.command_of(os.fsencode(tmp_path), {b"PATH": path}, ownership) == [found, b"daemon"]
    assert start.command_of(os.fsencode(tmp_path), {b"PATH": b"project"}, ownership) is None


def test_a_start_that_led_to_nothing_is_tried_again_after_ten_seconds(home: Home) -> None:
    token = home.root / "starting"
    token.touch()

    start.start(os.fsencode(home.root), ownership)
    fresh = home.starts()
    os.utime(token, (time.time() - 11, time.time() - 11))  # noqa: TID251 - a file's age
    start.start(os.fsencode(home.root), ownership)
    list(until_started(home))

    assert fresh == []
    assert home.starts() == ["--recorded daemon"]
    assert [path.name for path in home.root.glob("starting*")] == ["starting"]


def test_without_any_command_there_is_no_start_and_no_token(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "__file__", str(home.root / "hooks" / "start.py"))
    monkeypatch.setenv("PATH", "")
    (home.root / "command").unlink()

    start.start(os.fsencode(home.root), ownership)

    assert not (home.root / "starting").exists()


def failed(home: Home, text: str, seconds_ago: float) -> None:
    """A note that the last start failed, that long ago."""
    note = home.root / "failed-start"
    note.write_text(text)
    when = time.time() - seconds_ago  # noqa: TID251 - a file's age
    os.utime(note, (when, when))


def test_after_a_start_that_failed_hooks_start_none_until_it_is_time(
    client: Client, home: Home
) -> None:
    """A broken database would have each event start a daemon that dies at once."""
    failed(home, "120\n2\nreverie.db is not a sound database\n", 100.0)
    resting = [client.run(home) for _ in range(3)]
    token = (home.root / "starting").exists()
    failed(home, "120\n2\nreverie.db is not a sound database\n", 121.0)
    client.run(home)
    list(until_started(home))

    assert [(done.stdout, done.returncode) for done in resting] == [(b"", 0)] * 3
    assert not token
    assert home.starts() == ["--recorded daemon"]
    assert len(home.spooled()) == 4


@pytest.mark.parametrize(
    ("text", "seconds_ago"),
    [
        ("", 1.0),
        ("soon\n", 1.0),
        ("nan\n1\n\n", 1.0),
        ("60\n1\nthe clock was set back\n", -90.0),
        ("99999999\n9\nsomebody wrote this\n", 3_601.0),
    ],
)
def test_a_note_that_says_nothing_keeps_no_hook_from_starting(
    home: Home, text: str, seconds_ago: float
) -> None:
    failed(home, text, seconds_ago)

    start.start(os.fsencode(home.root), ownership)
    list(until_started(home))

    assert home.starts() == ["--recorded daemon"]
