"""A real Neovim with the plugin of ``editors/neovim`` and the real language server.

Opt-in (``-m real_client``); it needs Neovim 0.11 as ``nvim`` on the path or in
``REVERIE_NVIM``. ``docs/testing.md`` says how to get one.
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

from daemon.api.opinions import Feedback
from daemon.api.remember import Remember
from tests.lsp.fake_daemon import FakeDaemon
from tests.patience import PATIENCE

NVIM = os.environ.get("REVERIE_NVIM") or shutil.which("nvim")
ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "editors/neovim"
SERVER = [
    sys.executable,
    "-c",
    "from daemon.commands.local.processes import serve_editor; serve_editor()",
]

pytestmark = [
    pytest.mark.real_client,
    pytest.mark.skipif(NVIM is None, reason="Neovim is not installed (docs/testing.md says how)"),
]


def neovim(script: str, tmp_path: Path, **environment: str) -> dict[str, Any]:
    """What the script saw in a Neovim of its own."""
    out = tmp_path / "said.json"
    run = subprocess.run(
        [
            str(NVIM),
            *("--headless", "-u", "NONE", "-n", "--cmd", f"set rtp^={PLUGIN}"),
            *("-c", f"luafile {Path(__file__).with_name(script)}"),
        ],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "HOME": str(tmp_path),
            "REVERIE_TEST_SAID": str(out),
            **{f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "STATE")},
            **environment,
        },
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert out.exists(), run.stderr.decode()
    result: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert "problem" not in result, json.dumps(result, indent=1)
    return result


@pytest.fixture
def said(daemon: FakeDaemon, tmp_path: Path) -> dict[str, Any]:
    """What a Neovim session saw; the daemon keeps what it was asked."""
    daemon.start()
    file = tmp_path / "pay.py"
    file.write_text("import pay\n# the retry budget is small\npay.now()\n", encoding="utf-8")
    return neovim(
        "neovim_check.lua",
        tmp_path,
        REVERIE_HOME=str(daemon.home.root),
        REVERIE_TEST_COMMAND=json.dumps(SERVER),
        REVERIE_TEST_FILE=str(file),
    )


def test_neovim_shows_and_does_what_the_server_offers(
    said: dict[str, Any], daemon: FakeDaemon, tmp_path: Path
) -> None:
    assert (said["statusline_before"], said["statusline"]) == ("", "◦ 1")
    assert "reverie: it starts: try again in a moment" in said["early"][0]
    assert said["early"][1] == ""
    assert said["first"] == [[1, "· Retries: at most 3"]]
    assert said["redrawn"] == said["first"]
    line = "# the retry budget is small"
    assert said["wide"] == f"{line}  · Retries: at most 3"
    assert said["narrow"] == f"{line}  · Retries:…"
    assert said["beside_signs"] == f"  {line}  · Retrie…"
    assert said["beside_others"] == f"{line} !!  · Retri…"
    assert said["hardly"] == f"{line}  ·"
    assert said["cut"] == ["· 税率は…", "· 税率は整数", "· e\u0301tat d…", ""]
    assert said["typing"] == [line, said["wide"]]
    assert not said["typed"]
    assert not said["deleted"]
    assert said["moved"] == [[3, "· Retries: at most 3"]]
    assert "Retry three times, then fail." in said["hover"]
    assert [title.partition(" “")[0] for title in said["actions"]] == ["Memory:"]
    assert said["choices"] == [
        "Useful", "Not useful here", "Mute here", "Pin", "Forget", "Why?",
    ]  # fmt: skip
    assert Feedback(id="m1", useful=False) in daemon.asked
    remembered = [request for request in daemon.asked if isinstance(request, Remember)]
    assert said["question"].startswith("What about it?")
    assert [request.text for request in remembered] == ["Never in cents."]
    assert [request.line.text for request in remembered if request.line] == ["# one"]
    assert said["found"].endswith("Retries: at most 3")
    assert said["about"] == ["# About pay.py"]
    assert said["about_name"] == f"reverie://file{tmp_path / 'pay.py'}.md"
    assert said["completed"] == ["search"]
    assert said["not_completed"] == []
    assert "reverie: 1 memory, found by meaning and words" in said["messages"]
    assert "reverie: there is no :Reverie serch; see :help reverie" in said["messages"]
    health = "\n".join(said["health"])
    for line in ("the language server runs", "the daemon answers; it has 1", "hints are on"):
        assert line in health


def test_a_missing_program_is_said_once_with_what_to_do(tmp_path: Path) -> None:
    found = neovim("neovim_words.lua", tmp_path)

    assert found["said"] == [
        "reverie: there is no program reverie-is-not-here; :checkhealth reverie says what to do",
        "reverie: not running here; :checkhealth reverie says why",
    ]
    assert any("no program `reverie-is-not-here`" in line for line in found["health"])


def test_an_older_neovim_is_told_so_once(tmp_path: Path) -> None:
    found = neovim("neovim_words.lua", tmp_path, REVERIE_TEST_OLD="1")

    (only,) = found["said"]
    assert only.startswith("reverie needs Neovim 0.11 or newer; this is 0.")


def test_the_tags_of_the_help_file_are_as_neovim_makes_them(tmp_path: Path) -> None:
    shutil.copytree(PLUGIN / "doc", tmp_path / "doc")
    (tmp_path / "doc/tags").unlink()

    subprocess.run(
        [str(NVIM), "--headless", "-u", "NONE", "-c", f"helptags {tmp_path / 'doc'}", "-c", "q"],
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )

    assert (tmp_path / "doc/tags").read_bytes() == (PLUGIN / "doc/tags").read_bytes()
