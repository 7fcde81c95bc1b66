"""The status line says whether a session is recorded, and what waits."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.hooks.clients import Home
from tests.patience import HOOKS, PATIENCE


def shown(home: Home, told: str) -> str:
    done = subprocess.run(
        ["/bin/sh", str(HOOKS / "statusline.sh")],
        input=told,
        env=home.environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.fixture
def told(home: Home, tmp_path: Path) -> str:
    """What the client says of a session in a folder."""
    home.spool.mkdir()
    (tmp_path / "shop").mkdir()
    return json.dumps({"session_id": "s1", "cwd": str(tmp_path / "shop")})


def test_a_session_that_is_recorded_says_what_waits(home: Home, told: str) -> None:
    before = shown(home, told)
    (home.spool / "1.json").touch()

    assert before == "reverie: on"
    assert shown(home, told) == "reverie: on, 1 event waiting"


def test_a_folder_and_a_session_that_are_off_say_so(home: Home, told: str, tmp_path: Path) -> None:
    mark = tmp_path / "shop" / ".nomemory"
    mark.touch()
    marked = shown(home, told)
    mark.unlink()
    pause: dict[str, object] = {"since": 1.0, "until": None, "folders": [], "session": "s1"}
    (home.root / "pauses.json").write_text(json.dumps([pause]))

    assert marked == shown(home, told) == "reverie: off here"
    assert shown(home, told.replace("s1", "s2")) == "reverie: on"


def test_where_reverie_was_never_used_there_is_no_line(tmp_path: Path) -> None:
    assert shown(Home(tmp_path / "none"), "{}") == ""
    assert shown(Home(tmp_path), "no JSON") == ""
