"""A home in a short folder, with a repository and its worktree, and every way to run things in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from daemon.home import Home
from daemon.launch import alive, lock_holder, own_command

ROOT: Final = Path(__file__).resolve().parents[2]
HANGS: Final = 240.0  # seconds after which a command counts as hung: the machine may be busy
CONFIG: Final = "[embedding]\nenabled = {vectors}\n[injection]\ncharacters = {budget}\n"


@dataclass(frozen=True, slots=True)
class Done:
    """A command that ended."""

    words: tuple[str, ...]
    code: int
    output: str
    errors: str

    @property
    def wrong(self) -> str:
        """What is wrong with its end: it must be 0, or 1 with one line of reason; empty if it is."""
        named = [line for line in self.errors.splitlines() if line.startswith("reverie: ")]
        if "Traceback" in self.errors:
            return "printed a traceback"
        if self.code == 1 and len(named) != 1 and not self.output:
            return f"failed with {len(named)} lines of reason"
        return "" if self.code in (0, 1) else f"ended with {self.code}"


@dataclass
class Stand:
    """Two homes of one person, one for a copy, and three folders to work in."""

    folder: Path
    vectors: bool
    home: Home = field(init=False)
    second: Home = field(init=False)
    copy: Home = field(init=False)
    places: list[Path] = field(init=False)

    def __post_init__(self) -> None:
        self.home, self.second, self.copy = (Home(self.folder / name) for name in "hij")
        for home in self.homes():
            home.prepare()
            self.configure(home, 2000)
        self.places = [self.folder / name for name in ("shop", "tree", "other")]
        shop, tree, other = self.places
        shop.mkdir()
        other.mkdir()
        self._git("init", "-q")
        self._git("commit", "-q", "--allow-empty", "-m", "begin")
        self._git("worktree", "add", "-q", str(tree))

    def homes(self) -> tuple[Home, ...]:
        """All of them."""
        return self.home, self.second, self.copy

    def _git(self, *words: str) -> None:
        identity = ("-c", "user.name=soak", "-c", "user.email=soak@example.org")
        subprocess.run(["git", *identity, *words], cwd=self.places[0], check=True)

    def configure(self, home: Home, budget: int) -> None:
        """Write settings; ``budget`` is in characters. They hold from the next start on."""
        vectors = "true" if self.vectors else "false"
        home.config.write_text(CONFIG.format(vectors=vectors, budget=budget), encoding="utf-8")

    def environ(self, home: Home) -> dict[str, str]:
        """What a process sees of the world: nothing of this user's but the model."""
        return {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.folder), "LANG": "C.UTF-8", "REVERIE_HOME": str(home.root),
            **{name: value for name, value in os.environ.items() if name.startswith("REVERIE_EMB")},
        }  # fmt: skip

    def run(self, *words: str, home: Home | None = None, place: int = 0) -> Done:
        """Run ``reverie`` to its end. Raises ``subprocess.TimeoutExpired`` when it hangs."""
        done = subprocess.run(
            [*own_command(), *words], cwd=self.places[place], env=self.environ(home or self.home),
            stdin=subprocess.DEVNULL, capture_output=True, timeout=HANGS, check=False,
        )  # fmt: skip
        return Done(
            words, done.returncode, done.stdout.decode("utf-8", "replace"),
            done.stderr.decode("utf-8", "replace"),
        )  # fmt: skip

    def document(self, *words: str) -> Any:
        """What a command prints as JSON. Raises ``AssertionError`` when it fails."""
        done = self.run(*words, "--json")
        assert done.code == 0, f"{' '.join(words)}: {done.errors.strip()}"
        return json.loads(done.output)

    def hook(self, event: dict[str, Any]) -> int:
        """Send an event through the script that agents run; its exit code."""
        return subprocess.run(
            ["/bin/sh", str(ROOT / "hooks" / "hook.sh"), "claude"],
            input=json.dumps(event).encode(), env=self.environ(self.home),
            capture_output=True, timeout=HANGS, check=False,
        ).returncode  # fmt: skip

    def pid(self) -> int | None:
        """The daemon's process, if there is one."""
        return lock_holder(self.home)

    def end(self) -> None:
        """End the daemons, in order if they can, and wait until they are gone."""
        for home in self.homes():
            process = lock_holder(home)
            self.run("down", home=home)
            until = time.monotonic() + HANGS
            while process is not None and alive(process) and time.monotonic() < until:
                time.sleep(0.05)
