"""The account of a soak: what was acknowledged, done and broken; threads write to it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from lab.soak.stand import Done

YARDSTICK: Final = "a Python that does nothing"  # as slow as the machine is at that moment
STAYS: Final = "recall of what stays"  # as many memories match at the end as at the beginning
GROWS: Final = "recall of what grows"  # ever more match: a fresh copy of the store is its measure


@dataclass
class Account:
    """What must be found again at the end, and what happened on the way."""

    events: set[str] = field(default_factory=set[str])  # marks that were acknowledged
    stored: set[str] = field(default_factory=set[str])  # marks of memories
    ids: dict[str, str] = field(default_factory=dict[str, str])  # by mark, of what may be erased
    erased: set[str] = field(default_factory=set[str])  # marks
    abroad: set[str] = field(default_factory=set[str])  # marks kept in the second home
    rubbish: int = 0  # files that were put into the spool and are no events
    done: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])  # ended with 1 and a reason
    faults: list[str] = field(default_factory=list[str])
    violations: list[str] = field(default_factory=list[str])
    latencies: dict[str, list[float]] = field(default_factory=dict[str, list[float]])  # ms
    began: float = field(default_factory=time.monotonic)
    _last: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mark(self) -> str:
        """A word that nothing else holds."""
        with self._lock:
            self._last += 1
            return f"zq{self._last:07d}x"

    def fault(self, what: str) -> None:
        """Note a fault with its second."""
        self.faults.append(f"{time.monotonic() - self.began:7.1f} s  {what}")

    def violation(self, what: str) -> None:
        """Note what must not be, once."""
        if what not in self.violations:
            self.violations.append(what)

    def ended(self, done: Done) -> bool:
        """Note the end of a command; whether it did what it was asked."""
        with self._lock:
            (self.refused if done.code else self.done)[done.words[0]] += 1
        if done.wrong:
            said = " | ".join(done.errors.splitlines()[-3:])
            self.violation(f"reverie {' '.join(done.words[:3])} {done.wrong}: {said[:300]}")
        return done.code == 0

    def took(self, what: str, seconds: float) -> None:
        """Note how long something took."""
        self.latencies.setdefault(what, []).append(1000 * seconds)
