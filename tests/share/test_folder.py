"""The folder of notes: what is read, what is refused and why, and that nothing leads out of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from daemon.projects import remote_of
from daemon.shapes.replies import Fault
from daemon.share import folder
from daemon.share.folder import seen, stamp, take_out, write
from daemon.share.note import FOLDER, LARGE, Refused, written
from tests.repositories import git
from tests.share.test_note import NOTE

OTHER = replace(NOTE, id="be8d572c49ff", title="Never change a migration")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository without notes."""
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "--quiet")
    return root


def put(root: Path, **files: bytes) -> Path:
    """The folder with these files, by their names without the ending."""
    notes = root / FOLDER
    notes.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (notes / f"{name}.md").write_bytes(data)
    return notes


def test_what_is_written_is_read_and_taken_out_again(repository: Path) -> None:
    write(repository, {"a.md": written(NOTE), "b.md": written(OTHER)})
    found = seen(repository)

    assert found.notes == {NOTE.id: NOTE, OTHER.id: OTHER}
    assert found.files == {NOTE.id: "a.md", OTHER.id: "b.md"}
    assert take_out(repository, ["a.md", "c.md"]) == ["a.md"]
    assert [one.name for one in (repository / FOLDER).iterdir()] == ["b.md"]


def test_a_word_to_people_and_what_an_editor_leaves_are_no_notes(repository: Path) -> None:
    put(repository, README=b"What this folder is.", **{".a.md": b"", "a.md~": b""})
    found = seen(repository)

    assert found.notes == {}
    assert found.faults == [Fault(file="a.md~.md", reason=found.faults[0].reason)]


def test_every_file_that_is_not_read_has_a_line_of_reason_and_the_others_are_read(
    repository: Path, tmp_path: Path
) -> None:
    notes = put(
        repository, good=written(OTHER), half=written(NOTE)[:40], twice=written(NOTE),
        twin=written(NOTE), path=written(NOTE).replace(NOTE.id.encode(), b"../../x"),
    )  # fmt: skip
    with (notes / "large.md").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    (tmp_path / "secret").write_bytes(written(replace(NOTE, id="secret-note")))
    (notes / "link.md").symlink_to(tmp_path / "secret")
    os.mkfifo(notes / "pipe.md")
    (notes / "folder.md").mkdir()

    found = seen(repository)

    assert list(found.notes) == [OTHER.id]
    assert {one.file: one.reason for one in found.faults} == {
        "folder.md": "it is no file of yours",
        "half.md": "it is not whole: --- does not end what stands above the text"
        if written(NOTE)[:40].endswith(b"\n")
        else "it is not whole: a note begins with --- and ends with a line",
        "large.md": f"it is larger than {LARGE // 1024} KB",
        "link.md": "it is a link: a note is a file of its own",
        "path.md": "its id is none: letters a to z, digits and -, 6 to 40 of them",
        "pipe.md": "it is no file of yours",
        "twice.md": "twice.md and twin.md have one id: give one of them another",
        "twin.md": "twice.md and twin.md have one id: give one of them another",
    }


@pytest.mark.parametrize("step", [".reverie", ".reverie/notes"])
def test_nothing_is_read_or_written_through_a_folder_that_leads_out(
    repository: Path, tmp_path: Path, step: str
) -> None:
    outside = tmp_path / "outside"
    (outside / "notes").mkdir(parents=True)
    (outside / "notes" / "a.md").write_bytes(written(NOTE))
    (repository / step).parent.mkdir(exist_ok=True)
    (repository / step).symlink_to(outside if step == ".reverie" else outside / "notes")

    found = seen(repository)
    with pytest.raises(Refused):
        write(repository, {"b.md": written(OTHER)})

    assert found.notes == {}
    assert "is a link" in found.busy
    assert take_out(repository, ["a.md"]) == []
    assert [one.name for one in (outside / "notes").iterdir()] == ["a.md"]


def test_a_link_in_the_place_of_a_file_is_replaced_and_not_written_through(
    repository: Path, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    (put(repository) / "a.md").symlink_to(target)

    write(repository, {"a.md": written(NOTE)})

    assert target.read_text() == "mine"
    assert seen(repository).notes == {NOTE.id: NOTE}


@pytest.mark.parametrize(("name", "words"), sorted(folder.AT_WORK.items()))
def test_while_git_is_at_work_nothing_counts(repository: Path, name: str, words: str) -> None:
    put(repository, a=written(NOTE))
    (repository / ".git" / name).touch()

    assert seen(repository).busy == words


def test_more_files_than_are_read_are_counted(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "MOST", 1)
    put(repository, a=written(NOTE), b=written(OTHER))
    found = seen(repository)

    assert list(found.notes) == [NOTE.id]
    assert found.faults == [Fault(file=FOLDER, reason="1 files over 1 are not read")]


def test_the_stamp_changes_with_the_folder_the_remote_and_the_work_of_git(repository: Path) -> None:
    stamps = [stamp(repository), stamp(repository)]
    put(repository, a=written(NOTE))
    stamps.append(stamp(repository))
    (repository / FOLDER / "a.md").unlink()
    stamps.append(stamp(repository))
    git(repository, "remote", "add", "origin", "https://example.org/shop.git")
    stamps.append(stamp(repository))
    (repository / ".git" / "MERGE_HEAD").touch()
    stamps.append(stamp(repository))

    assert stamps[0] == stamps[1]
    assert len(set(stamps)) == 5
    assert stamp(repository / "nowhere") == b""


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("git@example.org:team/shop.git", "git@example.org:team/shop.git"),
        ("https://ada:hunter2@example.org/shop.git", "https://example.org/shop.git"),
        ("https://ghp_token@example.org/shop.git", "https://example.org/shop.git"),
        ("/srv/git/shop.git", "/srv/git/shop.git"),
    ],
)
def test_the_remote_is_kept_without_a_name_or_password(
    repository: Path, address: str, kept: str
) -> None:
    git(repository, "remote", "add", "zulu", "https://example.org/other.git")
    git(repository, "remote", "add", "origin", address)

    assert remote_of(repository) == kept


def test_a_folder_outside_of_git_has_no_notes(tmp_path: Path) -> None:
    put(tmp_path, a=written(NOTE))

    assert seen(tmp_path).busy == "this is no git repository"
    assert seen(tmp_path).notes == {}
