"""Folders whose sessions are recorded and not read by the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.assembly import always_on
from daemon.home import Home
from daemon.host import beside_engines
from daemon.recording import Recording

NOW = 1_800_000_000.0


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A folder below which a project lies."""
    folder = tmp_path / "clients" / "acme"
    (folder / "shop").mkdir(parents=True)
    return folder


def unread(home: Home, folder: Path) -> str:
    return Recording(home).unread([str(folder)], "s1", NOW)


def test_a_session_is_read_unless_something_says_no(home: Home, client: Path) -> None:
    assert unread(home, client / "shop") == ""


def test_a_mark_keeps_its_folder_and_what_is_below_it_unread(home: Home, client: Path) -> None:
    (client / ".noreader").touch()

    assert unread(home, client / "shop") == f"{client} holds .noreader"
    assert unread(home, client.parent) == ""
    assert Recording(home).off([str(client / "shop")], "s1", NOW, NOW) is None


def test_a_private_folder_of_the_reader_is_recorded_and_unread(home: Home, client: Path) -> None:
    home.root.mkdir(exist_ok=True)
    home.config.write_text("[reader]\nprivate = ['clients/*']\n")

    assert unread(home, client / "shop") == (
        f"{client} is private ([reader] private = 'clients/*')"
    )
    assert Recording(home).off([str(client / "shop")], "s1", NOW, NOW) is None


def test_what_is_not_recorded_is_not_read(home: Home, client: Path) -> None:
    (client / ".nomemory").touch()

    assert unread(home, client / "shop").startswith(f"recording is off here: {client}")


def test_nothing_is_read_while_the_file_of_settings_cannot_be_read(
    home: Home, client: Path
) -> None:
    home.root.mkdir(exist_ok=True)
    home.config.write_text("[reader]\nprivate = 'clients'\n")

    assert unread(home, client / "shop") == "config.toml in the data home cannot be read"


@pytest.mark.parametrize(
    ("place", "is_off"),
    [
        pytest.param("reader", True, id="the folder that engines run in"),
        pytest.param("reader/below", True, id="below it"),
        pytest.param("reader-files", False, id="beside it"),
    ],
)
def test_no_engine_feeds_the_next_reading_by_its_own_events(
    tmp_path: Path, place: str, is_off: bool
) -> None:
    off = beside_engines(always_on, tmp_path / "reader")

    assert (off([str(tmp_path / place)], "s", 0.0, 1.0) is not None) is is_off
