"""``up --at-login``: the files are written, shown and taken back; nothing is started."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from daemon.home import Home
from tests.cli.conftest import Run


@pytest.mark.skipif(sys.platform == "darwin", reason="launchd's file lies elsewhere")
def test_what_starts_with_the_session_is_written_shown_and_taken_back(
    home: Home, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    shown = run("up", "--at-login").output
    again = json.loads(run("up", "--at-login", "--json").output)
    gone = json.loads(run("up", "--not-at-login", "--json").output)

    assert f"wrote {tmp_path}/systemd/user/reverie.service" in shown
    assert f'Environment="REVERIE_HOME={home.root}"' in shown
    assert again == {"on": True, "wrote": []}
    assert (gone["on"], len(gone["removed"])) == (False, 2)
    assert not home.address.exists()


def test_both_at_once_are_wrong_usage(run: Run) -> None:
    assert run("up", "--at-login", "--not-at-login").exit_code == 2
