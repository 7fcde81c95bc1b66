"""A soak: ``python -m lab.soak --minutes 60 [--seed N] [--vectors]``; Linux only.

Rounds of load and faults; after each all is still, and everything is looked at. The seed gives the
acts of each thread and their order; how the threads meet is the machine's.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from lab.soak.stand import ROOT, Account, Act, Stand, act, editing, judge, report

# ---- faults by chance; each is over when its function returns, and the daemon is back then
#
# A full disk is RLIMIT_FSIZE on the running daemon: files can be written but none grows beyond the
# database. A real one needs a file system of its own, which takes root.

OLDER: Final = (
    "import daemon; daemon.own_version = lambda: '0.0.1'; from daemon.cli import main; main()"
)
IDLE: Final = 260  # connections, more than the gateway has places


def _killed(_: Random, __: Stand, process: int) -> str:
    os.kill(process, signal.SIGKILL)
    return "SIGKILL of the daemon"


def _worker_killed(_: Random, stand: Stand, process: int) -> str:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    return f"SIGKILL of {len(children)} embedding workers" if stand.vectors else "no worker to kill"


def _stopped(chance: Random, _: Stand, process: int) -> str:
    seconds = chance.uniform(0.2, 8.0)
    os.kill(process, signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        os.kill(process, signal.SIGCONT)
    return f"SIGSTOP for {seconds:.1f} s"


def _full(chance: Random, stand: Stand, process: int) -> str:
    seconds = chance.uniform(0.5, 6.0)
    before = resource.prlimit(process, resource.RLIMIT_FSIZE)
    size = max(path.stat().st_size for path in stand.home.root.glob("reverie.db*"))
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        time.sleep(seconds)
    finally:
        with suppress(ProcessLookupError):
            resource.prlimit(process, resource.RLIMIT_FSIZE, before)
    return f"no file over {size:,} bytes for {seconds:.1f} s"


def _rubbish(chance: Random, stand: Stand, _: int) -> str:
    name = f"{time.time_ns():020d}-{chance.randbytes(16).hex()}.json"
    content = chance.choice((b"", b"{", b"[]", b'{"v":1,"event_id":"00"}', chance.randbytes(999)))
    (stand.home.spool / name).write_bytes(content)
    return f"{len(content)} bytes of rubbish in the spool"


def _older(_: Random, stand: Stand, __: int) -> str:
    stand.run("down")
    older = subprocess.Popen(
        [sys.executable, "-c", OLDER, "daemon"], cwd=ROOT, env=stand.environ,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    until = time.monotonic() + 30.0
    while stand.pid() != older.pid and older.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    stand.run("up")
    return "a daemon of an older version to take over from"


def _crowd(_: Random, stand: Stand, __: int) -> str:
    address = stand.home.address.read_text().strip()
    with ExitStack() as stack, suppress(OSError):
        for _number in range(IDLE):
            stack.enter_context(socket.socket(socket.AF_UNIX)).connect(address)
        stand.run("status")
    return f"{IDLE} idle connections"


FAULTS: Final[tuple[tuple[int, Callable[[Random, Stand, int], str]], ...]] = (
    (6, _killed), (1, _worker_killed), (3, _stopped), (2, _full), (2, _rubbish), (1, _older),
    (1, _crowd),
)  # fmt: skip


def fault(chance: Random, stand: Stand) -> None:
    """Cause one fault, then demand the daemon back."""
    process, account = stand.pid(), stand.account
    if process is not None:
        weights = [weight for weight, _ in FAULTS]
        cause = chance.choices([cause for _, cause in FAULTS], weights)[0]
        # Somebody else's kill, or a hand-over, may have ended it meanwhile.
        with suppress(ProcessLookupError, FileNotFoundError):
            account.fault(cause(chance, stand, process))
            account.rubbish += cause is _rubbish
    if stand.act("up", "--json") is None:
        account.violation("the daemon did not come back after a fault")


def no_fault_left(stand: Stand) -> None:
    """Let whatever stands go on."""
    process = stand.pid()
    if process is not None:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


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
