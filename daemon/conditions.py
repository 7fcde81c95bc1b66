"""Conditions under which the daemon works: who is there, the machine, the lag of its loop, and a service."""

import logging
import math
import os
import socket
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, cast

import trio
from msgspec import field

from actors.core.equipment import Foreground
from actors.policy.times.recurrence import Conditions
from daemon.shapes.replies import Asker

# ---- presence: the time of somebody's last act, and so the one owner of *idle*
#
# The dispatcher shows every arriving frame. Hook events count, and commands, and edits: an editor
# asks for the matches of a text when it changes, but also when the store does, so a text counts when
# it differs from the last one. Merely watching clients (status, watch) do not count.

FILES: Final = 256  # with their last text known


class Activity(Foreground):
    """Doings of people and agents."""

    _person: float = -math.inf  # monotonic
    _texts: OrderedDict[str, bytes] = field(default_factory=OrderedDict[str, bytes])

    def heard(self, asker: Asker, body: object) -> None:
        """A frame arrived; it may be somebody. A program works, for whom no person need be there."""
        asked = cast("Mapping[str, Any]", body) if isinstance(body, Mapping) else dict[str, Any]()
        if asker == "onlooker" or (asker == "editor" and not self._is_edit(asked)):
            return
        self.happened()
        if asker != "program" and asked.get("agent_in") is None:  # no tool of an agent asks
            self.person_came()

    def person_came(self) -> None:
        """A person typed a prompt, edited a file or gave a command, now."""
        self._person = trio.current_time()

    def person_idle_for(self) -> float:
        """Seconds since a person did something; infinite when none did yet."""
        return trio.current_time() - self._person

    def _is_edit(self, asked: Mapping[str, Any]) -> bool:
        """Return whether the editor shows another text of this file than it did before."""
        path, text = str(asked.get("path") or ""), str(asked.get("text", ""))
        digest = blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
        before = self._texts.pop(path, None)
        self._texts[path] = digest
        while len(self._texts) > FILES:
            self._texts.popitem(last=False)
        return digest != before


# ---- conditions of the machine: on battery or on mains, busy or not, as far as the platform tells
#
# Linux tells in ``/sys/class/power_supply``, macOS by ``pmset -g batt`` (a program of the system that
# answers in a few milliseconds). An unreadable value is unknown, and nothing waits for it.

SUPPLIES: Final = Path("/sys/class/power_supply")
PMSET: Final = ("/usr/bin/pmset", "-g", "batt")
PMSET_WITHIN: Final = 2.0  # seconds


Machine = Callable[[], Awaitable[Conditions]]
"""Tells how the machine is now."""


async def unknown_machine() -> Conditions:
    """Nothing is known of a machine on which a life is only played."""
    return Conditions()


def measured() -> Conditions:
    """Battery and load of this machine."""
    on_battery = by_pmset() if sys.platform == "darwin" else by_supplies(SUPPLIES)
    return Conditions(on_battery, load())


def load() -> float | None:
    """Runnable processes a processor, over the last minute."""
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except OSError:
        return None


def by_supplies(folder: Path) -> bool | None:
    """Return whether a battery of the machine itself discharges and no mains is there (Linux).

    A mouse has a battery too: one with ``scope: Device`` is not the machine's.
    """
    mains = discharging = known = False
    for supply in sorted(folder.glob("*")):
        if _read(supply / "scope") == "Device":
            continue
        match _read(supply / "type"):
            case "Mains" | "USB":
                mains = mains or _read(supply / "online") == "1"
                known = True
            case "Battery":
                discharging = discharging or _read(supply / "status") == "Discharging"
                known = True
            case _:
                pass
    return (discharging and not mains) if known else None


def _read(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8").strip()
    return ""


def by_pmset() -> bool | None:
    """Return whether macOS draws from its battery."""
    try:
        done = subprocess.run(
            PMSET, capture_output=True, text=True, timeout=PMSET_WITHIN, check=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return said_by_pmset(done.stdout)


def said_by_pmset(text: str) -> bool | None:
    """Power source by the first line of ``pmset -g batt``."""
    if "'Battery Power'" in text:
        return True
    return False if "'AC Power'" in text else None


# ---- lag of the event loop: each of its turns is timed, and a long one names the task that took longest
#
# A turn is the loop's work between two looks at its sockets and timers; as long as it lasts, no
# prompt is answered.

log = logging.getLogger(__name__)

HELD: Final = 0.1  # seconds of a turn that are counted and logged


class LoopLag(trio.abc.Instrument):
    """Times the turns of its loop."""

    def __init__(self) -> None:
        self._began = self._step_began = self._longest_step = 0.0
        self._cpu = 0.0
        self._name = ""  # of the task with the longest step of this turn
        self.held = 0
        self.longest = 0.0  # seconds
        self.longest_cpu = 0.0  # seconds of CPU
        self.by = ""

    def statistics(self) -> dict[str, Any]:
        """The turns that were held, and the longest one in milliseconds.

        A machine busy with others holds a turn as well; a turn held by its own work takes as much
        CPU.
        """
        return {
            "held": self.held,
            "longest_ms": round(1000 * self.longest, 1),
            "longest_cpu_ms": round(1000 * self.longest_cpu, 1),
            "held_by": self.by,
        }

    def after_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio names it
        """A turn begins."""
        self._cpu, self._longest_step = time.thread_time(), 0.0
        self._began = time.perf_counter()

    def before_task_step(self, task: trio.lowlevel.Task) -> None:  # noqa: ARG002
        """A task goes on."""
        self._step_began = time.perf_counter()

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        """It waits again."""
        took = time.perf_counter() - self._step_began
        if took > self._longest_step:
            self._longest_step, self._name = took, task.name

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002
        """The turn is over."""
        if not self._began:  # the one in which the timing began
            return
        took = time.perf_counter() - self._began
        self.longest = max(self.longest, took)
        if took >= HELD or took > self.longest_cpu:  # no turn takes more CPU than time
            cpu = time.thread_time() - self._cpu
            self.longest_cpu = max(self.longest_cpu, cpu)
            if took >= HELD:
                self.held += 1
                self.by = self._name
                log.warning("loop_held seconds=%.3f cpu=%.3f by=%s", took, cpu, self.by)


@contextmanager
def timed_loop() -> Generator[LoopLag]:
    """Time the turns of the running loop, as long as the block lasts."""
    lag = LoopLag()
    trio.lowlevel.add_instrument(lag)
    try:
        yield lag
    finally:
        trio.lowlevel.remove_instrument(lag)


# ---- the word to a service of an earlier version: being ready, and again and again the turning of the loop
#
# Its unit of systemd is ``Type=notify`` with ``WatchdogSec``: the daemon would be killed without it.

A_WATCH: Final = 3  # words in the time after which systemd would begin the daemon anew


async def report(environ: Mapping[str, str]) -> None:
    """Report the daemon as ready to ``NOTIFY_SOCKET``, then as alive, until cancelled."""
    address = environ.get("NOTIFY_SOCKET", "")
    if address.startswith("@"):  # Linux's names that are no files
        address = "\0" + address[1:]
    every = float(environ.get("WATCHDOG_USEC") or 0) / 1e6 / A_WATCH
    word = b"READY=1"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.setblocking(False)
        while address:
            with suppress(OSError):  # nobody listens any more: that is not the daemon's business
                channel.sendto(word, address)
            if not every:
                return
            await trio.sleep(every)
            word = b"WATCHDOG=1"
