"""A real Neovim with the plugin of ``editors/neovim`` and the real language server.

Opt-in (``-m real_client``); it needs Neovim 0.11 as ``nvim`` on the path or in
``REVERIE_NVIM``. ``docs/editors.md`` says how to get one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from daemon.requests.plans import ApplyPlan, UndoPlan
from daemon.requests.remember import Remember
from daemon.requests.strength import Feedback
from tests.lsp.fake_daemon import FakeDaemon, plan
from tests.patience import PATIENCE

NVIM = os.environ.get("REVERIE_NVIM") or shutil.which("nvim")
ROOT = Path(__file__).parents[2]
SERVER = [
    sys.executable,
    "-c",
    "from daemon.commands.local.frontends import serve_editor; serve_editor()",
]

pytestmark = [
    pytest.mark.real_client,
    pytest.mark.skipif(NVIM is None, reason="Neovim is not installed (docs/editors.md says how)"),
]


@pytest.fixture
def said(daemon: FakeDaemon, tmp_path: Path) -> dict[str, Any]:
    """What a Neovim session saw; the daemon keeps what it was asked."""
    daemon.plans = [plan(7, "m1")]
    daemon.start()
    file, out = tmp_path / "pay.py", tmp_path / "said.json"
    file.write_text("import pay\n# the retry budget is small\npay.now()\n", encoding="utf-8")
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "REVERIE_HOME": str(daemon.home.root),
        "REVERIE_TEST_COMMAND": json.dumps(SERVER),
        "REVERIE_TEST_FILE": str(file),
        "REVERIE_TEST_SAID": str(out),
        **{f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "STATE")},
    }
    subprocess.run(
        [
            str(NVIM),
            *("--headless", "-u", "NONE", "-n", "--cmd", f"set rtp^={ROOT / 'editors/neovim'}"),
            *("-c", f"luafile {Path(__file__).with_name('neovim_check.lua')}"),
        ],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    result: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert "problem" not in result, json.dumps(result, indent=1)
    return result


def test_neovim_shows_and_does_what_the_server_offers(
    said: dict[str, Any], daemon: FakeDaemon
) -> None:
    assert (said["statusline_before"], said["statusline"]) == ("", "◦ 1")
    assert said["first"] == [[1, "· Retries: at most 3"]]
    assert said["redrawn"] == said["first"]
    assert not said["typed"]
    assert said["moved"] == [[3, "· Retries: at most 3"]]
    assert "Retry three times, then fail." in said["hover"]
    assert [title.partition(" “")[0] for title in said["actions"]] == [
        "Memory:",
        "Apply plan 7: archive 1 memory",
        "Show plan 7",
        "Dismiss plan 7",
    ]
    assert said["choices"] == ["Useful", "Not useful here", "Forget", "Why?"]
    assert Feedback(id="m1", useful=False) in daemon.asked
    remembered = [request for request in daemon.asked if isinstance(request, Remember)]
    assert [request.text for request in remembered] == ["# one"]
    assert said["plans"] == ["7: archive 1 memory (older than 90 days)"]
    assert [daemon.count(ApplyPlan), daemon.count(UndoPlan)] == [1, 1]
    assert (said["dreaming"], said["woken"]) == ("◦ 1 · Dreaming", "◦ 1")
    assert daemon.dreams_left.acquire(timeout=PATIENCE)
    assert said["dreamt"] == ["# Dream 3"]
    assert said["found"] == "[String] Retries: at most 3"
    assert said["page"][0] == "reverie://memory/m1.md"
    assert said["page"][1][0] == "# Retries: at most 3"
