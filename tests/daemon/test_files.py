"""Files that are not ours, the thread they are read on, and the private log."""

from __future__ import annotations

import json
import logging
import stat
import tempfile
import threading
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from daemon.files import last_lines, read_spooled, waiting
from daemon.home import Home
from daemon.host import to_file
from daemon.supervisor import WorkThread


def file(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "transcript.jsonl"
    path.write_bytes(data)
    return path


def test_a_line_that_is_still_being_written_is_read_as_far_as_it_is(tmp_path: Path) -> None:
    assert last_lines(file(tmp_path, b"one\ntwo"), 100) == ["one", "two"]


def test_of_a_long_file_only_whole_lines_at_its_end_are_read(tmp_path: Path) -> None:
    assert last_lines(file(tmp_path, b"one\ntwo\nthree\n"), 8) == ["three"]


def test_a_separator_inside_a_line_of_json_does_not_end_it(tmp_path: Path) -> None:
    line = '{"text": "a\u2028b\u0085c"}'

    assert last_lines(file(tmp_path, f"{line}\nx\n".encode()), 100) == [line, "x"]


def test_bytes_that_are_no_text_do_not_stop_the_reading(tmp_path: Path) -> None:
    assert last_lines(file(tmp_path, b"\xff\xfe\nok\n"), 100) == ["��", "ok"]


def test_an_empty_or_absent_file_has_no_lines(tmp_path: Path) -> None:
    assert last_lines(file(tmp_path, b""), 100) == []
    assert last_lines(tmp_path / "absent", 100) == []
    assert last_lines(tmp_path, 100) == []


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"))))
def test_the_lines_of_a_tail_are_lines_of_the_file(lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t"
        path.write_bytes("".join(f"{line}\n" for line in lines).encode())
        tail = last_lines(path, 12)

    assert all(line in lines for line in tail)


def test_spooled_events_are_named_oldest_first_and_nothing_else_is(home: Home) -> None:
    for name in ("2.json", "1.json", ".3.json.tmp", "0.json.unreadable", "x"):
        (home.spool / name).touch()

    assert waiting(home.spool) == ["1.json", "2.json"]
    assert waiting(home.root / "absent") == []


@given(st.binary(max_size=60))
def test_any_bytes_are_an_event_or_none(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.json"
        path.write_bytes(data)

        assert read_spooled(path) is None


def test_a_lone_surrogate_in_a_spooled_agents_name_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(
        json.dumps({"agent": "cl\ud800", "event_id": "0f" * 16, "at": 1, "event": {}}),
        encoding="utf-8",
    )
    found = read_spooled(path)

    assert found is not None
    assert found.agent == "cl?"


# -- the thread


@pytest.mark.trio
async def test_work_runs_on_the_named_thread_one_piece_at_a_time() -> None:
    names: list[str] = []
    overlaps: list[int] = []
    running = 0

    def work() -> None:
        nonlocal running
        running += 1
        overlaps.append(running)
        names.append(threading.current_thread().name)
        running -= 1

    thread = WorkThread("files")
    async with trio.open_nursery() as nursery:
        for _ in range(10):
            nursery.start_soon(thread.run, work)

    assert names == ["files"] * 10
    assert overlaps == [1] * 10
    assert thread.in_flight == 0


@pytest.mark.trio
async def test_an_error_comes_back_to_who_asked() -> None:
    def fail() -> None:
        raise KeyError("x")

    thread = WorkThread("files")
    with pytest.raises(KeyError):
        await thread.run(fail)

    assert await thread.run(lambda: 7) == 7


@pytest.mark.trio
async def test_who_gives_up_leaves_and_its_work_still_takes_its_place() -> None:
    go = threading.Event()
    thread = WorkThread("files")
    with trio.move_on_after(0.01) as first:
        await thread.run(go.wait)
    with trio.move_on_after(0.01) as second:
        await thread.run(lambda: None)
    held = thread.in_flight
    go.set()

    assert await thread.run(lambda: 7) == 7
    assert (first.cancelled_caught, second.cancelled_caught, held) == (True, True, 1)


# -- the log


def test_the_log_and_its_older_parts_are_private(home: Home) -> None:
    handler = to_file(home.log, "info")
    try:
        handler.maxBytes = 200  # type: ignore[attr-defined]
        for number in range(20):
            logging.getLogger("x").warning("event number=%d", number)
        logging.getLogger("x").debug("not at this level")
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    files = list(home.log.parent.iterdir())

    assert len(files) > 1
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert "number=19" in home.log.read_text()
    assert "not at this level" not in "".join(path.read_text() for path in files)
