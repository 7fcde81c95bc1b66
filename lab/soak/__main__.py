"""A soak: ``python -m lab.soak --minutes 60 [--seed N] [--vectors]``; Linux only.

Rounds of load and faults; after each all is still, and everything is looked at. The seed gives what
is done in which order by each thread; how the threads meet is the machine's.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from lab.soak.account import Account
from lab.soak.clients import clients
from lab.soak.faults import fault, no_fault_left
from lab.soak.judging import beside_fresh, growth, judge, trend
from lab.soak.load import act, report, settle
from lab.soak.stand import Stand

ROUND: Final = 120.0  # seconds between two looks
PAUSES: Final = {"agent": 0.1, "agent2": 0.3, "person": 0.3, "editor": 0.2, "fault": 8.0}  # at most


def soak(stand: Stand, account: Account, seed: int, seconds: float) -> None:
    """Load and faults, round after round."""
    number = 0
    while time.monotonic() < account.began + seconds:
        until = min(time.monotonic() + ROUND, account.began + seconds)
        with clients(stand, account) as use, no_fault_left(stand):
            work: dict[str, Callable[[Random], None]] = {
                "agent": lambda chance: report(chance, stand, account),
                "agent2": lambda chance: report(chance, stand, account),
                "person": lambda chance: act(chance, stand, account),
                "editor": use,
                "fault": lambda chance: fault(chance, stand, account),
            }
            threads = [
                threading.Thread(
                    target=_until, name=name,
                    args=(until, doing, Random(f"{seed} {number} {name}"), PAUSES[name], account),
                )
                for name, doing in work.items()
            ]  # fmt: skip
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        print(f"  {growth(judge(stand, account))}", flush=True)
        number += 1


def _until(
    until: float, doing: Callable[[Random], None], chance: Random, pause: float, account: Account
) -> None:
    """Do it again and again; whatever it raises is a violation, and the end of this thread."""
    name = threading.current_thread().name
    try:
        while time.monotonic() < until:
            doing(chance)
            time.sleep(chance.uniform(0.0, pause))
    except Exception as error:
        account.violation(f"{name}: {type(error).__name__}: {error}")


def main() -> int:
    """Soak, and tell seed, growth, faults and verdict; 1 when something was violated."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--vectors", action="store_true", help="with the model")
    chosen = parser.parse_args()
    seed = SystemRandom().randrange(10**6) if chosen.seed is None else chosen.seed
    folder = Path(tempfile.mkdtemp(prefix="rv-"))
    print(f"seed {seed}, {chosen.minutes:g} minutes, in {folder}", flush=True)
    stand, account = Stand(folder, chosen.vectors), Account()
    try:
        account.fault(f"first start of process {stand.document('up')['pid']}")
        settle(Random(seed), stand, account)
        print(f"  {growth(judge(stand, account))}", flush=True)
        soak(stand, account, seed, 60 * chosen.minutes)
        aged = beside_fresh(stand, account)
    finally:
        stand.end()
    acknowledged = ", ".join(
        f"{len(marks)} {what}"
        for what, marks in (
            ("events", account.events), ("memories", account.stored), ("erased", account.erased),
            ("in the second home", account.abroad),
        )
    )  # fmt: skip
    told = [
        *account.faults, *trend(account), aged, f"done: {dict(account.done)}",
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
