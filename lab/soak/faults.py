"""Faults by chance; each is over when its function returns, and the daemon is back then.

A full disk is RLIMIT_FSIZE on the running daemon: files can be written but none grows beyond the
database. A real one needs a file system of its own, which takes root.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Final

from lab.soak.stand import ROOT, Stand

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
