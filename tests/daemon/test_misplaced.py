"""A folder in the place of a file, a file in that of a folder, a link to a disk that is not there."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon import lock, main
from daemon.commands.local import doctor
from daemon.commands.local.checks import home_check
from daemon.home import Home, Misplaced, other_kind
from daemon.settings import SettingsError, load


def folder(path: Path) -> None:
    path.mkdir()


def file(path: Path) -> None:
    path.write_text("x")


def link(path: Path) -> None:
    path.symlink_to("/not/mounted")


def pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("name", "put", "said"),
    [
        ("reverie.db", folder, "is a folder, and reverie keeps a file there"),
        ("reverie.db-wal", folder, "is a folder, and reverie keeps a file there"),
        ("reverie.db", pipe, "is neither file nor folder, and reverie keeps a file there"),
        ("config.toml", folder, "is a folder, and reverie keeps a file there"),
        ("logs/daemon.log", folder, "is a folder, and reverie keeps a file there"),
        ("spool", file, "is a file, and reverie keeps a folder there"),
        ("backups", file, "is a file, and reverie keeps a folder there"),
        ("backups", link, "is a link that leads nowhere, and reverie keeps a folder there"),
        ("reverie.db", link, "is a link that leads nowhere, and reverie keeps a file there"),
    ],
)
def test_it_is_named_with_what_belongs_there(
    tmp_path: Path, name: str, put: Callable[[Path], None], said: str
) -> None:
    home = Home(tmp_path)
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    put(path)
    with pytest.raises(Misplaced) as raised:
        home.prepare()
    assert str(raised.value).startswith(f"{path} {said}: ")
    assert [check.detail for check in doctor.examined(home)] == [str(raised.value)]


def test_a_folder_that_another_process_makes_meanwhile_is_not_misplaced(tmp_path: Path) -> None:
    path, others = tmp_path / "logs", True

    def make_and_remove() -> None:
        while others:
            path.mkdir()
            path.rmdir()

    other = threading.Thread(target=make_and_remove)
    other.start()
    try:
        said = {other_kind(path, "folder") for _ in range(20_000)}
    finally:
        others = False
        other.join()
    assert said == {""}


def test_whatever_is_in_its_place_or_not_there_is_nothing_to_say(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    home.database.touch(mode=0o600)
    (tmp_path / "dotfiles").write_text("", encoding="utf-8")
    home.config.symlink_to(tmp_path / "dotfiles")
    home.prepare()
    assert home_check(home).state == "ok"


def test_a_folder_in_the_place_of_the_socket_is_named(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.socket.mkdir()

    assert home.misplaced() == f"{home.socket} is a folder, and reverie listens there: move it away"


def test_a_home_that_is_a_file_is_named_as_well(tmp_path: Path) -> None:
    file(tmp_path / "home")
    with pytest.raises(Misplaced, match="is a file, and reverie keeps a folder there"):
        Home(tmp_path / "home").prepare()


def test_hooks_rest_and_status_knows_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_HOME", str(tmp_path))
    folder(tmp_path / "reverie.db")
    before = os.umask(0o022)
    try:
        with pytest.raises(Misplaced) as raised:
            main.main()
    finally:
        os.umask(before)
    noted = lock.failed_start(Home(tmp_path))
    assert noted is not None
    assert noted.why == str(raised.value)


@pytest.mark.parametrize("put", [folder, pipe])
def test_settings_that_are_no_file_are_said_and_hold_nobody_up(
    tmp_path: Path, put: Callable[[Path], None]
) -> None:
    put(tmp_path / "config.toml")
    with pytest.raises(SettingsError, match=r"config\.toml is (a|neither).*keeps a file there"):
        load(Home(tmp_path), {})
