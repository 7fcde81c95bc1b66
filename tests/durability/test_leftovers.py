"""Leftovers: what lies in the spool and is no event is named, ages out, and goes with what is erased."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.files import KEPT, KILLED_AFTER, leftovers, read_spooled, waiting
from daemon.files import erase_leftovers as erase
from daemon.files import tidy_spool as tidy
from tests.strangers import MALLORY, file, only_root

EVENT = '{"v":1,"agent":"a","event_id":"' + "0" * 32 + '","at":1,"event":{"prompt":"hello"}}'
NAME = f"{1:020d}-{0:032x}.json"


def kinds(folder: Path, later: float = 0.0) -> dict[str, bool]:
    """Whether each leftover is half-written, by its name, as they are seen so many seconds later."""
    return {left.path.name: left.is_half for left in leftovers(folder, now(folder) + later)}


def now(folder: Path) -> float:
    """When the newest thing came into the spool."""
    return max((path.lstat().st_ctime for path in folder.iterdir()), default=0.0)


def test_an_event_and_what_a_hook_is_writing_are_no_leftovers(tmp_path: Path) -> None:
    file(tmp_path / NAME, EVENT)
    file(tmp_path / f".{NAME}.tmp", EVENT[:10])

    assert kinds(tmp_path) == {}
    assert kinds(tmp_path, later=KILLED_AFTER + 1) == {f".{NAME}.tmp": True}


def test_everything_else_is_named(tmp_path: Path) -> None:
    file(tmp_path / "a.json.unreadable", "{")
    file(tmp_path / "notes.txt", "mine")
    (tmp_path / "b.json").mkdir()
    (tmp_path / "c.json").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "d.json")

    assert kinds(tmp_path) == dict.fromkeys(
        ("a.json.unreadable", "notes.txt", "b.json", "c.json", "d.json"), False
    )


def test_a_pipe_in_the_spool_is_no_event_and_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)

    assert read_spooled(tmp_path / NAME) is None


@only_root
def test_what_another_user_put_there_is_no_event(tmp_path: Path) -> None:
    foreign = file(tmp_path / NAME, EVENT, user=MALLORY)

    assert read_spooled(foreign) is None
    assert kinds(tmp_path) == {NAME: False}


def test_a_hook_that_was_killed_before_it_named_its_event_loses_nothing(tmp_path: Path) -> None:
    file(tmp_path / f".{NAME}.tmp", EVENT)

    tidy(tmp_path, now(tmp_path))
    assert waiting(tmp_path) == []  # it may be at work yet
    tidy(tmp_path, now(tmp_path) + KILLED_AFTER + 1)

    assert waiting(tmp_path) == [NAME]
    assert read_spooled(tmp_path / NAME) is not None


def test_half_an_event_is_removed_once_its_hook_is_gone(tmp_path: Path) -> None:
    file(tmp_path / f".{NAME}.tmp", EVENT[:-1])

    tidy(tmp_path, now(tmp_path) + KILLED_AFTER + 1)

    assert list(tmp_path.iterdir()) == []


def test_the_rest_goes_after_a_week_and_not_before(tmp_path: Path) -> None:
    file(tmp_path / "a.json.unreadable", "{")
    (tmp_path / "b.json").mkdir()
    file(tmp_path / "b.json" / "inside", "x")
    file(tmp_path / NAME, EVENT)
    came = now(tmp_path)

    tidy(tmp_path, came + KEPT - 1)
    assert len(list(tmp_path.iterdir())) == 3
    tidy(tmp_path, came + KEPT + 1)

    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_erasing_takes_all_of_it_at_once_and_no_event(tmp_path: Path) -> None:
    file(tmp_path / "a.json.unreadable", "{")
    (tmp_path / "c.json").symlink_to("/etc/passwd")
    file(tmp_path / NAME, EVENT)

    erase(tmp_path, now(tmp_path))

    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    assert Path("/etc/passwd").exists()


def test_erasing_leaves_and_counts_what_a_hook_may_be_writing(tmp_path: Path) -> None:
    file(tmp_path / f".{NAME}.tmp", EVENT)

    assert erase(tmp_path, now(tmp_path)) == 1
    assert [path.name for path in tmp_path.iterdir()] == [f".{NAME}.tmp"]
    assert erase(tmp_path, now(tmp_path) + KILLED_AFTER + 1) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("work", [tidy, erase])
def test_a_spool_that_is_not_there_is_in_order(
    tmp_path: Path, work: Callable[[Path, float], object]
) -> None:
    work(tmp_path / "spool", 0.0)

    assert not (tmp_path / "spool").exists()
