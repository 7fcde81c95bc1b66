"""All benchmarks, one after the other: ``python -m lab.benchmarks``.

Each measures beside its baseline in the same run and prints a table and its figures as
JSON; the targets of the design stand beside them. One that misses a target says so and
does not stop the others; the exit code is 1 then.
"""

import subprocess
import sys

NAMES = ("hook_cost", "recall", "language_server", "redaction")


def main() -> int:
    """Run them; how many failed or missed a target decides the exit code."""
    missed: list[str] = []
    for name in NAMES:
        print(f"\n=== {name}", flush=True)
        done = subprocess.run([sys.executable, "-m", f"lab.benchmarks.{name}"], check=False)
        if done.returncode:
            missed.append(name)
    if missed:
        print(f"\nmissed a target, or failed: {', '.join(missed)}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
