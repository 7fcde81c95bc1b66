"""A short throw-away home, the installed ``reverie`` and a real agent client in it."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field

from actors.policy.recall.notes import HEADING
from daemon.embedding.models import located
from daemon.home import Home
from daemon.lock import alive, holder
from tests.daemon.process import IMPORTED, PROGRAM
from tests.e2e.messages_api import MessagesApi, Turn, messages_api
from tests.holders import holders
from tests.own_models import MODELS
from tests.patience import HOOKS, PATIENCE, ROOT, UNHURRIED
from tests.warm import python

HOOK = ("/bin/sh", str(HOOKS / "hook.sh"), "claude")
NOTES = re.compile(r"<reverie-notes>.*?</reverie-notes>", re.DOTALL)


class Reverie(Struct):
    """The command line, in a home of its own, without vectors."""

    home: Home
    folder: Path
    environ: dict[str, str]
    hooks: Path  # that wait for an answer as long as it takes
    command: list[str]  # of ``reverie``

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run ``reverie`` with these arguments."""
        return subprocess.run(
            [*self.command, *arguments],
            input=stdin,
            cwd=self.folder,
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def document(self, *arguments: str) -> Any:
        """What a command prints with ``--json``."""
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def hook(self, **event: Any) -> subprocess.CompletedProcess[bytes]:
        """Send one event through the hook client that agents run: it may give up and spool."""
        return self._hooked(HOOK, event)

    def told(self, **event: Any) -> subprocess.CompletedProcess[bytes]:
        """Send one event and wait for what the daemon has to say to it."""
        return self._hooked(("/bin/sh", str(self.hooks / "hook.sh"), "claude"), event)

    def _hooked(
        self, words: tuple[str, ...], event: dict[str, Any]
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            words,
            input=json.dumps(event).encode(),
            env=self.environ,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )

    def settle(self) -> None:
        """Wait until nothing is spooled and every event is worked through."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            status = self.document("status")
            if status["spooled"] == 0 and status["undone"] == 0:
                return
            time.sleep(0.1)
        raise AssertionError("the events were not worked through in time")

    def model_judged(self) -> None:
        """Wait until the daemon knows whether its model can be used."""
        deadline = time.monotonic() + PATIENCE
        while self.document("status")["vectors"] == "building":
            assert time.monotonic() < deadline
            time.sleep(0.1)

    def journal(self) -> list[dict[str, Any]]:
        """Every event that arrived."""
        return [json.loads(line) for line in self.run("journal", "--json").stdout.splitlines()]

    def pid(self) -> int | None:
        """The daemon's process, if there is one: it may still be starting."""
        return holder(self.home)

    def kill(self) -> None:
        """End the daemon with SIGKILL, if there is one."""
        process = self.pid()
        if process is not None:
            os.kill(process, signal.SIGKILL)
            while alive(process):
                time.sleep(0.01)

    def files_with(self, text: str) -> list[str]:
        """The files of the home in which this text stands."""
        return holders(self.home.root, text)


@pytest.fixture(scope="module")
def models() -> Path:
    """Where the model is."""
    found = next(filter(None, (located(folder, "") for folder in MODELS)), None)
    if found is None or importlib.util.find_spec("llama_cpp") is None:
        pytest.skip("the model is not provisioned: run `make setup`")
    return found.parent


@pytest.fixture
def command() -> list[str]:
    """``reverie``, forked from a process that has imported it; the promises run the installed program."""
    return [*python(*IMPORTED), PROGRAM]


@pytest.fixture
def reverie(hooks: Path, command: list[str], monkeypatch: pytest.MonkeyPatch) -> Generator[Reverie]:
    """``reverie`` in a throw-away home; its daemon ends with the test."""
    folder = Path(tempfile.mkdtemp(prefix="rv"))  # pytest's folders are too long for a socket
    home = Home(folder / "home")
    home.prepare()
    (folder / "shop").mkdir()
    environ = {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "REVERIE_HOME": str(home.root),
        **UNHURRIED,
    }
    monkeypatch.setenv("REVERIE_HOME", str(home.root))
    made = Reverie(home, folder / "shop", environ, hooks, command)
    try:
        yield made
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


class Run(Struct):
    """One run of the client: its end, its hooks, and what the model was asked."""

    code: int
    messages: list[dict[str, Any]]
    asked: list[dict[str, Any]]

    @property
    def session(self) -> str:
        """The id of the session, to resume it."""
        return str(next(m["session_id"] for m in self.messages if m.get("subtype") == "init"))

    @property
    def hooks(self) -> list[tuple[str, str]]:
        """Each hook that answered: its event and how it ended."""
        return [
            (str(m["hook_event"]), str(m["outcome"]))
            for m in self.messages
            if m.get("subtype") == "hook_response"
        ]

    @property
    def notes(self) -> list[str]:
        """The notes in the last request of the conversation, in order."""
        last = next(request for request in reversed(self.asked) if request.get("tools"))
        return [note for text in _texts(last["messages"]) for note in NOTES.findall(text)]

    @property
    def recalled(self) -> list[str]:
        """The notes that came with a prompt: not the page with which a session begins."""
        return [note for note in self.notes if HEADING in note]


def _texts(value: Any) -> Generator[str]:
    """Every string in the messages of a request."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, list):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(item)


class Claude(Struct):
    """Claude Code with this repository as its plugin, before a scripted API."""

    program: str
    api: MessagesApi
    reverie: Reverie
    plugin: Path = ROOT
    entrypoint: str = "claude-desktop"  # a person's; without one the client says sdk-cli
    runs: list[Run] = field(default_factory=list[Run])

    @property
    def environ(self) -> dict[str, str]:
        """What the client gets to see of the world: nothing of this user's."""
        return {
            **self.reverie.environ,
            "IS_SANDBOX": "1",
            "CLAUDE_CODE_ENTRYPOINT": self.entrypoint,
            "ANTHROPIC_API_KEY": "no-key-is-needed",
            "ANTHROPIC_BASE_URL": self.api.url,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    def run(
        self, prompt: str, *turns: Turn, resume: str = "", forks: bool = False, asks: bool = False
    ) -> Run:
        """Give one prompt; the model says the turns one after the other.

        ``asks``: the client asks before it runs something, which here means no.
        """
        self.api.turns[:] = turns
        self.api.asked.clear()
        options = ["--resume", resume] if resume else []
        options += ["--fork-session"] if forks else []
        options += [] if asks else ["--dangerously-skip-permissions"]
        done = subprocess.run(
            [
                self.program, "-p", prompt, *options,
                "--plugin-dir", str(self.plugin),
                "--output-format", "stream-json", "--verbose", "--include-hook-events",
            ],
            stdin=subprocess.DEVNULL,
            cwd=self.reverie.folder,
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )  # fmt: skip
        messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return Run(done.returncode, messages, list(self.api.asked))


@pytest.fixture
def claude(reverie: Reverie) -> Generator[Claude]:
    """The real client, where there is one."""
    program = os.environ.get("CLAUDE_BIN") or shutil.which("claude")
    if program is None or not os.access(program, os.X_OK):
        pytest.skip("no Claude Code: set CLAUDE_BIN to its program")
    with messages_api() as api:
        yield Claude(program, api, reverie)
