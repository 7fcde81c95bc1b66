"""Cost of one hook: CPU and wall time of the whole process, beside its baselines.

    python -m lab.benchmarks.hook_cost [--home HOME] [--repeats N]

Targets: on the live path CPU <= 1.2 x ``python3 -I -S -c pass`` and wall
p95 <= 100 ms; with the daemon dead or hung exit 0 within 250 ms and the event spooled.
Every command runs once a round, the rounds are interleaved, so that a busy machine slows
all of them alike. CPU is user + system of the process and of the children it waited for.

Without ``--home`` a daemon of this checkout is started on a throw-away home.
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
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from lab.benchmarks import processes
from lab.benchmarks.timing import p95

HOOKS = Path(__file__).resolve().parents[2] / "hooks"
BASELINE = "python3 -I -S -c pass"
CPU_TARGET = 1.2  # times the baseline
WALL_TARGET = 100.0  # ms, p95
FALLBACK_TARGET = 250.0  # ms
WARM_UP = 3  # rounds that are not counted: page cache, compiled bytecode

EVENT = {
    "session_id": "00000000-0000-4000-8000-0000000bench",
    "transcript_path": "/nowhere/transcript.jsonl",
    "cwd": "/nowhere",
    "hook_event_name": "UserPromptSubmit",
    "prompt": "How does the difference engine carry a ten over to the next wheel? " * 14,
}
RAW = json.dumps(EVENT).encode()

NAIVE = """
import json, socket, sys
event = json.load(sys.stdin)
connection = socket.socket(socket.AF_UNIX)
connection.connect(open(sys.argv[1]).read().strip())
"""


@dataclass
class Measured:
    """The runs of one command, in milliseconds."""

    words: list[str]
    environ: Mapping[str, str]
    target: str = ""
    cpu: list[float] = field(default_factory=list[float])
    wall: list[float] = field(default_factory=list[float])
    failures: int = 0  # runs that did not exit with 0

    def run(self, counted: bool) -> None:
        """Run the command once with the event on its standard input."""
        source, sink = os.pipe()
        os.write(sink, RAW)  # under the capacity of a pipe
        os.close(sink)
        files = [
            (os.POSIX_SPAWN_DUP2, source, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ]
        began = time.perf_counter()
        process = os.posix_spawn(self.words[0], self.words, self.environ, file_actions=files)
        _, status, usage = os.wait4(process, 0)
        wall = time.perf_counter() - began
        os.close(source)
        if counted:
            self.cpu.append((usage.ru_utime + usage.ru_stime) * 1000)
            self.wall.append(wall * 1000)
            self.failures += status != 0


# ---- What stands at the other end ---------------------------------------------------


def environ_of(home: Path) -> dict[str, str]:
    """Environment of a hook of this home."""
    return {"REVERIE_HOME": str(home), "HOME": str(home), "PATH": os.environ["PATH"]}


def spooled(home: Path) -> int:
    """Count the events that wait in the spool of this home."""
    return len(list((home / "spool").glob("*.json")))


def answers(home: Path) -> bool:
    """Return whether a hook of this home is acknowledged: nothing new lies in the spool."""
    before = spooled(home)
    words = [sys.executable, "-I", "-S", str(HOOKS / "hook.py"), "claude"]
    subprocess.run(words, input=RAW, env=environ_of(home), stdout=subprocess.DEVNULL, check=True)
    return (home / "address").exists() and spooled(home) == before


@contextmanager
def silent(home: Path) -> Generator[None]:
    """A daemon that hangs: connections succeed, nothing is ever read."""
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


# ---- The measurement ----------------------------------------------------------------


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
    """Everything that is measured, by name; the baseline is one of them."""
    python = [str(Path(sys.executable).resolve()), "-I", "-S"]
    script = ["/bin/sh", str(HOOKS / "hook.sh"), "claude"]
    dead, hung, with_native = new_home(stack), new_home(stack), new_home(stack)
    stack.enter_context(silent(hung))
    live = environ_of(home)
    quick = f"CPU <= {CPU_TARGET} x baseline, wall p95 <= {WALL_TARGET:.0f} ms"
    spooled = f"wall <= {FALLBACK_TARGET:.0f} ms, spooled"
    python_hook = [*python, str(HOOKS / "hook.py"), "claude"]
    found = {
        "/bin/true": Measured(["/bin/true"], live),
        BASELINE: Measured([*python, "-c", "pass"], live),
        "hook.py": Measured(python_hook, live, quick),
        "sh hook.sh": Measured(script, live),
        "python3 with json and socket": Measured(
            [sys.executable, "-c", NAIVE, str(home / "address")], live
        ),
        "hook.py, daemon dead": Measured(python_hook, environ_of(dead), spooled),
        "hook.py, daemon hung": Measured(python_hook, environ_of(hung), spooled),
    }
    native = native_client(stack)
    if native is not None:
        shutil.copy(home / "address", with_native / "address")
        (with_native / "hook-client").write_text(f"{native}\n")
        found["native"] = Measured([str(native), "claude", str(HOOKS)], live)
        found["sh hook.sh, native"] = Measured(script, environ_of(with_native))
        found["native, daemon hung"] = Measured(
            [str(native), "claude", str(HOOKS)], environ_of(hung), spooled
        )
    return found


def verdict(one: Measured, baseline: float, repeats: int, before: int) -> str:
    """Word on whether the command meets its target; empty for those without one.

    ``before`` is what its home's spool held when the measurement began.
    """
    if not one.target:
        return ""
    kept = spooled(Path(one.environ["REVERIE_HOME"])) - before
    if "spooled" in one.target:
        met = max(one.wall) <= FALLBACK_TARGET and kept >= repeats
    else:
        quick = median(one.cpu) <= CPU_TARGET * baseline and p95(one.wall) <= WALL_TARGET
        met = quick and kept <= 0  # each event was acknowledged
    return "met" if met and not one.failures else f"MISSED ({kept} spooled)"


def report(found: dict[str, Measured], server: str, repeats: int, before: int) -> None:
    """The table for people, and the same as one line of JSON."""
    baseline = median(found[BASELINE].cpu)
    print(f"{repeats} rounds, interleaved; answered by: {server}; times in ms")
    print(f"{'':30} {'CPU p50':>8} {'p95':>7} {'x base':>7} {'wall p50':>9} {'p95':>7} {'max':>7}")
    rows = {}
    for name, one in found.items():
        row = {
            "cpu_p50": median(one.cpu),
            "cpu_p95": p95(one.cpu),
            "ratio": median(one.cpu) / baseline,
            "wall_p50": median(one.wall),
            "wall_p95": p95(one.wall),
            "wall_max": max(one.wall),
        }
        judged = verdict(one, baseline, repeats, before if "spooled" not in one.target else 0)
        numbers = " ".join(
            f"{value:{width}.2f}"
            for value, width in zip(row.values(), (8, 7, 7, 9, 7, 7), strict=True)
        )
        print(f"{name:30} {numbers}  {one.target}{': ' if judged else ''}{judged}")
        rows[name] = {**row, "failures": one.failures, "target": one.target, "verdict": judged}
    print(json.dumps({"server": server, "repeats": repeats, "baseline": BASELINE, "rows": rows}))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--home", type=Path, help="the data home of a daemon that runs")
    parser.add_argument("--repeats", type=int, default=40)
    chosen = parser.parse_args()
    with ExitStack() as stack:
        if chosen.home:
            home, server = chosen.home.absolute(), f"the daemon of {chosen.home}"
            if not answers(home):
                raise SystemExit(f"no daemon answers hooks at {home}")
        else:
            home, server = new_home(stack), "reverie daemon"
            stack.enter_context(processes.daemon(home, model=True))
        found = commands(home, stack)
        before = spooled(home)
        for turn in range(-WARM_UP, chosen.repeats):
            for one in found.values():
                one.run(counted=turn >= 0)
        report(found, server, chosen.repeats, before)


if __name__ == "__main__":
    main()
