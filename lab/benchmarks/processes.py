"""Cost of a daemon as a process: CPU until it is ready and answers, memory.

Linux only: CPU and memory come from /proc. Private memory has no file behind it (RssAnon); mapped
parts of its files lie in the page cache and are counted apart.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TICKS = os.sysconf("SC_CLK_TCK")
_SCHEDULED = 2  # of a process's clocks the one of all its threads (CPUCLOCK_SCHED)
_WITHIN = 120.0  # seconds for a start
_MAIN = "from daemon.cli import main; main()"
_CONFIG = "[embedding]\nenabled = false\n"


@dataclass(frozen=True, slots=True)
class Process:
    """A daemon at work on a home."""

    pid: int
    home: Path

    def cpu(self) -> float:
        """Seconds of CPU since its start, its children's included."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(int(field) for field in fields[11:15]) / _TICKS

    def precise(self) -> float:
        """Seconds of CPU of the process alone, by its clock, which no tick rounds."""
        return time.clock_gettime(~self.pid << 3 | _SCHEDULED)

    def memory(self) -> dict[str, float]:
        """MB without a file behind them, and MB of mapped files in memory."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        found = dict(line.split(":\t", 1) for line in lines if line.startswith("Rss"))
        return {
            name: int(found[field].split()[0]) / 1024
            for name, field in (("private", "RssAnon"), ("mapped", "RssFile"))
        }

    def ask(self, *words: str) -> Any:
        """Output of a command, as JSON."""
        done = subprocess.run(
            started_with(*words), env=_environment(self.home),
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)


def started_with(*words: str) -> list[str]:
    """The command line of ``reverie`` with these words."""
    return [sys.executable, "-c", _MAIN, *words]


def _environment(home: Path) -> dict[str, str]:
    return os.environ | {"REVERIE_HOME": str(home), "XDG_DATA_HOME": str(home)}  # its own models


@contextmanager
def daemon(home: Path, *, model: bool = False) -> Generator[Process]:
    """A daemon on this home, with its model or with none; it listens when this begins."""
    if not model:
        (home / "config.toml").write_text(_CONFIG)
    (home / "address").unlink(missing_ok=True)
    with subprocess.Popen(
        started_with("daemon"),
        env=_environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as started:  # fmt: skip
        try:
            began = time.monotonic()
            while not (home / "address").exists():
                if started.poll() is not None or time.monotonic() - began > _WITHIN:
                    raise RuntimeError("the daemon did not start")
                time.sleep(0.005)
            yield Process(started.pid, home)
        finally:
            started.send_signal(signal.SIGTERM)
            started.wait()
