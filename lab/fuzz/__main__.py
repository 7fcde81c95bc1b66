"""Fuzz each border: ``python -m lab.fuzz [--count 10000] [--seed N] [--only NAME ...]``; Linux only.

Each border is a process of its own, so that its memory is its own. A finding is a line with the
first input that showed it.
"""

from __future__ import annotations

import argparse
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random, SystemRandom
from types import FrameType
from typing import Final

from lab.fuzz.borders import BORDERS, Hung

GROWTH: Final = 300  # MB that a border's process may grow


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _ring(_: int, __: FrameType | None) -> None:
    raise Hung


def fuzzed(name: str, count: int, seed: int) -> bool:
    """Fuzz one border here and print a line, and one for each finding; whether there is none."""
    signal.signal(signal.SIGALRM, _ring)
    began, before = time.monotonic(), _peak()
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        found = BORDERS[name](count, Random(f"{seed} {name}"), Path(folder))
    if _peak() - before > GROWTH:
        found.add(f"this process grew by {_peak() - before:.0f} MB", "")
    print(
        f"{name:9} {count:,} inputs in {time.monotonic() - began:.0f} s, the slowest"
        f" {1000 * found.slowest:.0f} ms of CPU, {_peak() - before:.0f} MB grown,"
        f" {len(found.found)} findings", flush=True,
    )  # fmt: skip
    for what, given in found.found.items():
        print(f"  {what}: {given}", flush=True)
    return not found.found


def main() -> int:
    """Fuzz all borders, or those that are named; 1 when there are findings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only", nargs="+", choices=BORDERS, default=[*BORDERS])
    parser.add_argument("--here", action="store_true", help="in this process")
    chosen = parser.parse_args()
    seed = SystemRandom().randrange(10**6) if chosen.seed is None else chosen.seed
    if chosen.here:
        return int(sum(fuzzed(name, chosen.count, seed) for name in chosen.only) < len(chosen.only))
    print(f"seed {seed}", flush=True)
    words = [sys.executable, "-m", "lab.fuzz", "--here", "--count", str(chosen.count)]
    ended = [
        subprocess.run([*words, "--seed", str(seed), "--only", name], check=False).returncode
        for name in chosen.only
    ]
    return int(any(ended))


if __name__ == "__main__":
    sys.exit(main())
