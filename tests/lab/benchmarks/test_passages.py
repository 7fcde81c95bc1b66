"""The benchmark of the archive, on one of some passages."""

from __future__ import annotations

from pathlib import Path

import trio

from daemon.home import Home
from lab.benchmarks.passages import filled, measured


def test_an_archive_is_filled_and_its_search_timed(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    trio.run(filled, home, 25)

    found = trio.run(measured, home, 2)

    assert found["counts"]["passages"] == found["counts"]["chunks"] == 25
    assert found["held"]["passages"] == 25
    assert found["figures"].keys() == {"a search", "words", "vectors"}
