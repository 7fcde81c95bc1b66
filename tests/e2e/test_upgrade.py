"""An upgrade of the program while an agent works: the old daemon is replaced, and no event is lost.

Two wheels of this source with two versions, installed one after the other into one environment, as
``uv tool`` and ``pipx`` do; the dependencies are those of this environment.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path
from typing import Any

import pytest

import daemon
from tests.e2e.conftest import Reverie
from tests.patience import PATIENCE, ROOT

OLD, NEW = "0.1.0", "0.2.0"
PARTS = ("actors", "daemon", "hooks", "lab", "lsp", "toolserver")
FILES = ("pyproject.toml", "README.md", "LICENSE")


def run(*words: str | Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, capture_output=True, text=True, check=True, timeout=PATIENCE, **settings
    )


def wheel(folder: Path, version: str) -> Path:
    """A wheel of this source that says that it is this version."""
    source = folder / version
    for part in PARTS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, source / part, ignore=ignored)
    for file in FILES:
        shutil.copy(ROOT / file, source)
    own = source / "daemon" / "__init__.py"
    own.write_text(own.read_text().replace(daemon.__version__, version))
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", source, cwd=source)
    return next(source.glob("*.whl"))


class Environment:
    """An environment of its own, which borrows the dependencies of this one."""

    def __init__(self, folder: Path, reverie: Reverie) -> None:
        run(sys.executable, "-m", "venv", "--without-pip", folder)
        self.python, self.program = folder / "bin" / "python", folder / "bin" / "reverie"
        self.reverie = reverie
        (site,) = folder.glob("lib/python*/site-packages")
        # Only the folder: what its own .pth files name (this checkout) is not looked at.
        (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")

    def install(self, file: Path) -> None:
        """Put this wheel in the place of whatever is installed."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install"]
        run(*pip, "--no-deps", "--no-index", "--force-reinstall", "--quiet", file)

    def document(self, *arguments: str) -> Any:
        """What a command prints with ``--json``."""
        done = run(self.program, *arguments, "--json", env=self.reverie.environ, cwd="/")
        return json.loads(done.stdout)


class Agent(threading.Thread):
    """An agent that sends one prompt after the other by the plugin's hooks."""

    def __init__(self, reverie: Reverie) -> None:
        super().__init__(name="agent")
        self.reverie = reverie
        self.sent: list[str] = []
        self.codes: set[int] = set()
        self.over = threading.Event()

    def run(self) -> None:
        """Send until it is over."""
        while not self.over.is_set():
            prompt = f"Please look at part {len(self.sent)} of the shop."
            event = {
                "hook_event_name": "UserPromptSubmit",
                "session_id": "upgrade",
                "cwd": str(self.reverie.folder),
                "prompt": prompt,
            }
            self.codes.add(self.reverie.hook(**event).returncode)
            self.sent.append(prompt)

    def sends(self, more: int) -> None:
        """Wait until so many more prompts are sent."""
        until = len(self.sent) + more
        while len(self.sent) < until:
            self.over.wait(0.01)


@pytest.mark.slow
def test_an_upgrade_under_way_of_a_session_replaces_the_daemon_and_loses_no_event(
    reverie: Reverie, tmp_path: Path
) -> None:
    environment = Environment(tmp_path / "env", reverie)
    older, newer = wheel(tmp_path, OLD), wheel(tmp_path, NEW)
    environment.install(older)
    before = environment.document("up")
    agent = Agent(reverie)
    agent.start()
    try:
        agent.sends(10)
        environment.install(newer)
        agent.sends(10)  # the old daemon still answers: nobody of the new version came yet
        after = environment.document("up")
        agent.sends(10)
    finally:
        agent.over.set()
        agent.join()
    reverie.settle()

    assert (before["version"], after["version"]) == (OLD, NEW)
    assert after["pid"] != before["pid"]
    assert agent.codes == {0}
    kinds = [event["kind"] for event in reverie.journal()]
    assert kinds.count("prompt") == len(agent.sent)
