"""A home in a short folder, with a repository and its worktree, and the account of events there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from daemon.home import Home
from daemon.launch import lock_holder, own_command

ROOT: Final = Path(__file__).resolve().parents[2]
HANGS: Final = 240.0  # seconds after which a command counts as hung: the machine may be busy


@dataclass
class Account:
    """Ids required at the end, and counts of the way; threads write to it."""

    events: set[str] = field(default_factory=set[str])  # marks that were acknowledged
    stored: set[str] = field(default_factory=set[str])  # marks of memories
    ids: dict[str, str] = field(default_factory=dict[str, str])  # by mark, of what may be erased
    erased: set[str] = field(default_factory=set[str])  # marks
    rubbish: int = 0  # files that were put into the spool and are no events
    done: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])  # ended with 1 and a reason
    faults: list[str] = field(default_factory=list[str])
    violations: list[str] = field(default_factory=list[str])
    began: float = field(default_factory=time.monotonic)
    _last: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mark(self) -> str:
        """A word found nowhere else."""
        with self._lock:
            self._last += 1
            return f"zq{self._last:07d}x"

    def fault(self, what: str) -> None:
        """Note a fault with its second."""
        self.faults.append(f"{time.monotonic() - self.began:7.1f} s  {what}")

    def violation(self, what: str) -> None:
        """Note a violation, once."""
        if what not in self.violations:
            self.violations.append(what)


class Stand:
    """A home, three folders to work in, and every way to run things there."""

    def __init__(self, folder: Path, *, vectors: bool) -> None:
        self.folder = folder
        self.vectors = vectors
        self.account = Account()
        self.home = Home(folder / "h")
        self.home.prepare()
        enabled = "true" if vectors else "false"
        self.home.config.write_text(f"[embedding]\nenabled = {enabled}\n", encoding="utf-8")
        self.places = [folder / name for name in ("shop", "tree", "other")]
        shop, tree, other = self.places
        shop.mkdir()
        other.mkdir()
        for words in (
            ("init", "-q"),
            ("commit", "-q", "--allow-empty", "-m", "begin"),
            ("worktree", "add", "-q", str(tree)),
        ):
            identity = ("-c", "user.name=soak", "-c", "user.email=soak@example.org")
            subprocess.run(["git", *identity, *words], cwd=shop, check=True)

    @property
    def environ(self) -> dict[str, str]:
        """Environment of a process: nothing of this user's but the model."""
        return {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.folder), "LANG": "C.UTF-8", "REVERIE_HOME": str(self.home.root),
            **{name: value for name, value in os.environ.items() if name.startswith("REVERIE_EMB")},
        }  # fmt: skip

    def run(self, *words: str, place: int = 0) -> subprocess.CompletedProcess[str]:
        """Run ``reverie`` to its end. Raises ``subprocess.TimeoutExpired`` when it hangs."""
        return subprocess.run(
            [*own_command(), *words], cwd=self.places[place], env=self.environ, text=True,
            errors="replace", stdin=subprocess.DEVNULL, capture_output=True, timeout=HANGS,
            check=False,
        )  # fmt: skip

    def act(self, *words: str, place: int = 0) -> str | None:
        """Output of a command, None when it is refused; an end in no order is a violation.

        It must end with 0, or with 1 and one line of reason.
        """
        done = self.run(*words, place=place)
        reasons = [line for line in done.stderr.splitlines() if line.startswith("reverie: ")]
        in_order = done.returncode == 0 or (
            done.returncode == 1 and (len(reasons) == 1 or bool(done.stdout))
        )
        if not in_order or "Traceback" in done.stderr:
            last = " | ".join(done.stderr.splitlines()[-3:])
            self.account.violation(
                f"reverie {' '.join(words[:3])} ended with {done.returncode}: {last[:300]}"
            )
        (self.account.refused if done.returncode else self.account.done)[words[0]] += 1
        return None if done.returncode else done.stdout

    def document(self, *words: str) -> Any:
        """JSON output of a command. Raises ``AssertionError`` when it fails."""
        done = self.run(*words, "--json")
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr.strip()}"
        return json.loads(done.stdout)

    def hook(self, event: dict[str, Any]) -> int:
        """Send an event through the agents' script; returns its exit code."""
        return subprocess.run(
            ["/bin/sh", str(ROOT / "hooks" / "hook.sh"), "claude"],
            input=json.dumps(event).encode(), env=self.environ,
            capture_output=True, timeout=HANGS, check=False,
        ).returncode  # fmt: skip

    def pid(self) -> int | None:
        """The daemon's process, if there is one."""
        return lock_holder(self.home)
