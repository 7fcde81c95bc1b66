"""Conditions of the machine: on battery or on mains, busy or not, as far as the platform tells.

Linux tells in ``/sys/class/power_supply``, macOS by ``pmset -g batt`` (a program of the system that
answers in a few milliseconds). An unreadable value is unknown, and nothing waits for it.
"""

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from actors.core.equipment import Worker
from actors.policy.times.recurrence import Conditions

SUPPLIES: Final = Path("/sys/class/power_supply")
PMSET: Final = ("/usr/bin/pmset", "-g", "batt")
PMSET_WITHIN: Final = 2.0  # seconds


class Machine(Protocol):
    """Tells how the machine is."""

    async def conditions(self) -> Conditions:
        """Conditions now; ``None`` for an unknown one."""
        ...


@dataclass(frozen=True, slots=True)
class SteadyMachine:
    """A machine always the same: unknown, unless a simulation or a test says otherwise."""

    always: Conditions = field(default_factory=Conditions)

    async def conditions(self) -> Conditions:
        """Conditions as they were said."""
        return self.always


@dataclass(frozen=True, slots=True)
class ThisMachine:
    """The daemon's machine, read on the thread for files."""

    thread: Worker

    async def conditions(self) -> Conditions:
        """Battery and load."""
        return await self.thread.run(measured)


def measured() -> Conditions:
    """Battery and load of this machine."""
    if sys.platform == "darwin":
        return Conditions(by_pmset(), load())
    return Conditions(by_supplies(SUPPLIES), load())


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
