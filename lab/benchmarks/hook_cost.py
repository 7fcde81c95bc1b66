"""Cost of one hook: CPU and wall time of the whole process, beside its baselines.

    python -m lab.benchmarks.hook_cost [--repeats N]

Targets: on the live path CPU <= 1.2 x ``python3 -I -S -c pass`` and wall p95 <= 100 ms; with the
daemon dead or hung exit 0 within 250 ms and the event spooled. Every command runs once a round, the
rounds are interleaved, so a busy machine slows all of them alike. CPU is user + system of the
process and of the children it waited for. A daemon of this checkout is started on a throw-away
home. Exit 1 when a target is missed.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from msgspec import Struct, field

from lab.benchmarks import instruments
from lab.benchmarks.instruments import Times, p95, table

HOOKS: Final = Path(__file__).resolve().parents[2] / "hooks"
PYTHON: Final = (str(Path(sys.executable).resolve()), "-I", "-S")
HOOK: Final = (*PYTHON, str(HOOKS / "hook.py"), "claude")
SCRIPT: Final = ("/bin/sh", str(HOOKS / "hook.sh"), "claude")
BASELINE: Final = "python3 -I -S -c pass"
CPU_TARGET: Final = 1.2  # times the baseline
WALL_TARGET: Final = 100.0  # ms, p95
FALLBACK_TARGET: Final = 250.0  # ms
WARM_UP: Final = 3  # rounds that are not counted: page cache, compiled bytecode
RAW: Final = json.dumps({
    "session_id": "00000000-0000-4000-8000-0000000bench",
    "transcript_path": "/nowhere/transcript.jsonl",
    "cwd": "/nowhere",
    "hook_event_name": "UserPromptSubmit",
    "prompt": "How does the difference engine carry a ten over to the next wheel? " * 14,
}).encode()  # fmt: skip


class Measured(Struct):
    """A command in the environment of a home, and its runs."""

    words: tuple[str, ...]
    home: Path
    target: str = ""  # "live" or "spooled"; empty for what is only compared with
    spooled: int = 0  # files in the home's spool before
    times: Times = field(default_factory=Times)
    failures: int = 0  # runs that did not exit with 0

    def run(self, *, counted: bool) -> None:
        """Run the command once with the event on its standard input."""
        source, sink = os.pipe()
        os.write(sink, RAW)  # under the capacity of a pipe
        os.close(sink)
        files = [
            (os.POSIX_SPAWN_DUP2, source, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ]
        began = time.perf_counter()
        environ = {
            "REVERIE_HOME": str(self.home),
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
        }
        process = os.posix_spawn(self.words[0], self.words, environ, file_actions=files)
        _, status, usage = os.wait4(process, 0)
        wall = time.perf_counter() - began
        os.close(source)
        if counted:
            self.times.add(usage.ru_utime + usage.ru_stime, wall)
            self.failures += status != 0

    def verdict(self, baseline: float) -> str:
        """Word on whether the command meets its target; ``baseline``: CPU of the bare interpreter, in ms."""
        cpu, wall = median(self.times.cpu), self.times.wall
        kept = spooled(self.home) - self.spooled
        if self.target == "spooled":
            met = max(wall) <= FALLBACK_TARGET and kept >= len(wall)
        elif self.target:  # each event was acknowledged, so none is kept
            met = cpu <= CPU_TARGET * baseline and p95(wall) <= WALL_TARGET and kept <= 0
        else:
            return f"{cpu / baseline:.2f} x"
        word = "met" if met and not self.failures else f"MISSED ({kept} spooled)"
        return f"{cpu / baseline:.2f} x; {self.target}: {word}"


def spooled(home: Path) -> int:
    """Count the events waiting in the spool of this home."""
    return len(list((home / "spool").glob("*.json")))


@contextmanager
def silent(home: Path) -> Generator[None]:
    """A hanging daemon: connections succeed, nothing is ever read."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(home / "hung.sock"))
        server.listen(1024)
        (home / "address").write_text(f"{home / 'hung.sock'}\n")
        yield


def new_home(stack: ExitStack) -> Path:
    """A throw-away home; short, because a socket lies in it."""
    home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rv")))
    (home / "command").write_text(f"{sys.executable}\n-c\npass\n")
    return home


def native_client(stack: ExitStack) -> Path | None:
    """The compiled client, built as ``reverie install`` builds it."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    program = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "reverie-hook"
    words = [compiler, "-std=c99", "-O2", "-o", str(program), str(HOOKS / "hook.c")]
    if subprocess.run([*words, "-static"], capture_output=True, check=False).returncode:
        subprocess.run(words, check=True)
    return program


def commands(home: Path, stack: ExitStack) -> dict[str, Measured]:
    """Everything to measure, by name; the baseline is one of them."""
    dead, hung, with_native = new_home(stack), new_home(stack), new_home(stack)
    stack.enter_context(silent(hung))
    found = {
        BASELINE: Measured((*PYTHON, "-c", "pass"), home),
        "hook.py": Measured(HOOK, home, "live"),
        "sh hook.sh": Measured(SCRIPT, home),
        "hook.py, daemon dead": Measured(HOOK, dead, "spooled"),
        "hook.py, daemon hung": Measured(HOOK, hung, "spooled"),
    }
    native = native_client(stack)
    if native is not None:
        shutil.copy(home / "address", with_native / "address")
        (with_native / "hook-client").write_text(f"{native}\n")
        client = (str(native), "claude", str(HOOKS))
        found["native"] = Measured(client, home)
        found["sh hook.sh, native"] = Measured(SCRIPT, with_native)
        found["native, daemon hung"] = Measured(client, hung, "spooled")
    return found


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=40)
    chosen = parser.parse_args()
    with ExitStack() as stack:
        home = new_home(stack)
        stack.enter_context(instruments.daemon(home, model=True))
        found = commands(home, stack)
        found["hook.py"].spooled = spooled(home)
        for turn in range(-WARM_UP, chosen.repeats):
            for one in found.values():
                one.run(counted=turn >= 0)
        baseline = median(found[BASELINE].times.cpu)
        verdicts = {name: one.verdict(baseline) for name, one in found.items()}
    print(f"{chosen.repeats} rounds, interleaved; ms; the last column beside {BASELINE}")
    print(table({name: one.times for name, one in found.items()}, verdicts))
    return int(any("MISSED" in verdict for verdict in verdicts.values()))


if __name__ == "__main__":
    sys.exit(main())
