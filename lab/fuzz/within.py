"""One input in this process: it may be refused in the border's own words, and in its time."""

from __future__ import annotations

import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Final

HANGS: Final = 60  # seconds after which an input counts as hung
SLOW: Final = 5.0  # seconds of CPU for one input


class Hung(BaseException):
    """The input did not end; no ``except Exception`` hides it."""


@dataclass
class Findings:
    """What was wrong at a border, each by its kind once, with the first input that showed it."""

    found: dict[str, str] = field(default_factory=dict[str, str])
    slowest: float = 0.0  # seconds of CPU

    def add(self, what: str, given: object) -> None:
        """Note something that must not be."""
        self.found.setdefault(what, ascii(given)[:300])


def tried(
    act: Callable[[], object], given: object, may: tuple[type[Exception], ...], to: Findings
) -> None:
    """Do it; anything raised but ``may``, a hang and slowness are findings."""
    before = time.process_time()
    signal.alarm(HANGS)
    try:
        act()
    except may:
        pass
    except Hung:
        to.add("hung", given)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        to.add(f"{type(error).__name__} at {last.filename}:{last.lineno}", given)
    finally:
        signal.alarm(0)
    spent = time.process_time() - before
    to.slowest = max(to.slowest, spent)
    if spent > SLOW:
        to.add(f"more than {SLOW:g} s of CPU", given)


def _ring(_: int, __: FrameType | None) -> None:
    raise Hung


def watch_for_hangs() -> None:
    """Let the alarm end what hangs."""
    signal.signal(signal.SIGALRM, _ring)
