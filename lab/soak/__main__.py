"""A soak: ``python -m lab.soak --minutes 60 [--seed N] [--vectors]``; Linux only.

Rounds of load and faults; after each all is still, and everything is looked at. The seed gives the
acts of each thread and their order; how the threads meet is the machine's.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from lab.soak.faults import fault, no_fault_left
from lab.soak.judging import judge
from lab.soak.load import Act, act, editing, report
from lab.soak.stand import Account, Stand

ROUND: Final = 120.0  # seconds between two looks
PAUSES: Final = {"agent": 0.1, "agent2": 0.3, "person": 0.3, "editor": 0.2, "fault": 8.0}  # at most


def soak(stand: Stand, seed: int, seconds: float) -> None:
    """Load and faults, round after round."""
    number, end = 0, stand.account.began + seconds
    while time.monotonic() < end:
        until = min(time.monotonic() + ROUND, end)
        with editing(stand) as use:
            work: dict[str, Act] = {
                "agent": partial(report, stand=stand),
                "agent2": partial(report, stand=stand),
                "person": partial(act, stand=stand),
                "editor": use,
                "fault": partial(fault, stand=stand),
            }
            threads = [
                threading.Thread(
                    target=_until, name=name,
                    args=(until, doing, Random(f"{seed} {number} {name}"), stand.account),
                )
                for name, doing in work.items()
            ]  # fmt: skip
            try:
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            finally:
                no_fault_left(stand)
        print(f"  {judge(stand)}", flush=True)
        number += 1


def _until(until: float, doing: Act, chance: Random, account: Account) -> None:
    """Do it again and again; whatever it raises is a violation, and the end of this thread."""
    name = threading.current_thread().name
    try:
        while time.monotonic() < until:
            doing(chance)
            time.sleep(chance.uniform(0.0, PAUSES[name]))
    except Exception as error:
        account.violation(f"{name}: {type(error).__name__}: {error}")


def main() -> int:
    """Soak, and tell seed, sizes, faults and verdict; 1 when something was violated."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--vectors", action="store_true", help="with the model")
    chosen = parser.parse_args()
    seed = SystemRandom().randrange(10**6) if chosen.seed is None else chosen.seed
    folder = Path(tempfile.mkdtemp(prefix="rv-"))
    print(f"seed {seed}, {chosen.minutes:g} minutes, in {folder}", flush=True)
    stand = Stand(folder, vectors=chosen.vectors)
    account = stand.account
    try:
        account.fault(f"first start of process {stand.document('up')['pid']}")
        soak(stand, seed, 60 * chosen.minutes)
    finally:
        stand.run("down")
    marks = {"events": account.events, "memories": account.stored, "erased": account.erased}
    acknowledged = ", ".join(f"{len(these)} {what}" for what, these in marks.items())
    told = [
        *account.faults, f"done: {dict(account.done)}",
        f"refused with a reason: {dict(account.refused)}", f"acknowledged: {acknowledged}",
        *(f"VIOLATED: {one}" for one in account.violations),
    ]  # fmt: skip
    print("\n".join(told))
    print("verdict: " + (f"violated, see {folder}" if account.violations else "all held"))
    if not account.violations:
        shutil.rmtree(folder)
    return int(bool(account.violations))


if __name__ == "__main__":
    sys.exit(main())
