"""A file that a person names is replaced whole; what is no plain file is written in place."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from daemon.commands.terminal.files import target_file

OLD, NEW = b"what was there", b"what is there now"


def write(target: Path, problem: Exception | None = None) -> None:
    with target_file(target) as file:
        file.write(NEW)
        if problem is not None:
            raise problem


def test_a_new_file_is_only_its_owners(tmp_path: Path) -> None:
    target = tmp_path / "new"
    write(target)

    assert target.read_bytes() == NEW
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_file_stays_as_it_was_when_the_work_fails(tmp_path: Path) -> None:
    target = tmp_path / "old"
    target.write_bytes(OLD)

    with pytest.raises(ValueError, match="half way"):
        write(target, ValueError("half way"))

    assert target.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link_and_what_it_leads_to_is_replaced(tmp_path: Path, there: bool) -> None:
    (tmp_path / "elsewhere").mkdir()
    file, link = tmp_path / "elsewhere" / "file", tmp_path / "link"
    if there:
        file.write_bytes(OLD)
    link.symlink_to(Path("elsewhere") / "file")
    write(link)

    assert link.is_symlink()
    assert file.read_bytes() == NEW
    assert list(file.parent.iterdir()) == [file]


def test_a_named_pipe_stays_one_and_its_reader_gets_what_is_written(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe)
    reader.join()

    assert read == [NEW]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_standard_output_by_its_name_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with file.open("wb") as opened:
        before = file.stat().st_ino
        write(Path(f"/dev/fd/{opened.fileno()}"))

    assert file.stat().st_ino == before
    assert file.read_bytes() == NEW


@pytest.mark.parametrize("name", [".", "..", "/", "folder"])
def test_a_folder_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    with pytest.raises(IsADirectoryError) as refused, target_file(Path(name)):
        pytest.fail("nothing may be written")

    assert refused.value.filename == name
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


def test_an_error_names_what_the_person_named(tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "file"
    with pytest.raises(FileNotFoundError) as refused:
        write(target)

    assert refused.value.filename == str(target)
