"""Lag of the event loop: each of its turns is timed, and a long one names the running function.

A turn is the loop's work between two looks at its sockets and timers; as long as it lasts, no
prompt is answered. Two calls a turn measure it. A thread looks at a long turn and notes the
innermost function of ours in it; while the loop is idle the thread sleeps. Functions are named,
never their data.
"""

import logging
import math
import sys
import threading
import time
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

import trio

log = logging.getLogger(__name__)

HELD: Final = 0.1  # seconds of a turn that are counted and logged
LOOK: Final = HELD  # seconds between two looks of the thread while the loop works
LASTS: Final = 0.01  # seconds from which a turn is one that lasts
TURNS: Final = 4_096  # the last ones, of which the 99th percentile is told
OURS: Final = ("actors.", "daemon.")
UNSEEN: Final = "unseen"  # a turn that was over before the thread looked


class LoopLag(trio.abc.Instrument):
    """Times the turns of its loop."""

    def __init__(self) -> None:
        self._loop = threading.get_ident()
        self._last: deque[float] = deque(maxlen=TURNS)
        self._began: float | None = None  # of the turn that is under way
        self._cpu = 0.0
        self._seen = ""  # what the thread saw in it
        self._idle = True  # the thread sleeps
        self._work = threading.Event()
        self._over = False
        self.thread = threading.Thread(target=self._look, name="loop-lag", daemon=True)
        self.turns = 0
        self.held = 0
        self.longest = 0.0  # seconds
        self.busy = 0  # turns that were held by their own work
        self.longest_cpu = 0.0  # seconds of CPU
        self.by = ""

    def statistics(self) -> dict[str, Any]:
        """Turns, the longest and the 99th percentile in milliseconds, and the held ones.

        A machine busy with others holds a turn as well; a turn held by its own work takes as much
        CPU.
        """
        last = sorted(self._last)
        p99 = last[math.ceil(0.99 * len(last)) - 1] if last else 0.0
        return {
            "turns": self.turns,
            "held": self.held,
            "busy": self.busy,
            "longest_ms": round(1000 * self.longest, 1),
            "longest_cpu_ms": round(1000 * self.longest_cpu, 1),
            "p99_ms": round(1000 * p99, 1),
            "held_by": self.by,
        }

    # ---- On the loop ---------------------------------------------------------------

    def after_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio names it
        """A turn begins."""
        self._cpu = time.thread_time()
        self._began = time.perf_counter()
        if self._idle:
            self._idle = False
            self._work.set()

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002
        """The turn is over."""
        if self._began is None:
            return
        took = time.perf_counter() - self._began
        self._began = None
        self.turns += 1
        self._last.append(took)
        self.longest = max(self.longest, took)
        if took >= HELD or took > self.longest_cpu:  # no turn takes more CPU than time
            cpu = time.thread_time() - self._cpu
            self.longest_cpu = max(self.longest_cpu, cpu)
            if took >= HELD:
                self._was_held(took, cpu)
        self._seen = ""

    def _was_held(self, took: float, cpu: float) -> None:
        self.held += 1
        self.busy += cpu >= HELD
        self.by = self._seen or UNSEEN
        log.warning("loop_held seconds=%.3f cpu=%.3f by=%s", took, cpu, self.by)

    # ---- On the thread -------------------------------------------------------------

    def _look(self) -> None:
        """Look at long turns, until told to stop."""
        while not self._over:
            self._work.wait()
            time.sleep(LOOK)
            began = self._began
            if began is None:
                self._work.clear()
                self._idle = True  # the next turn says so,
                if self._began is not None:  # unless it has begun meanwhile
                    self._work.set()
            elif time.perf_counter() - began >= LASTS and not self._seen:
                # The only way to another thread's stack; documented, for all its underscore.
                frames = sys._current_frames()  # pyright: ignore[reportPrivateUsage]
                self._seen = running_function(frames.get(self._loop))

    def stop(self) -> None:
        """Let the thread end."""
        self._over = True
        self._work.set()


def running_function(frame: FrameType | None) -> str:
    """The innermost function of ours in a stack, with its line."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(OURS) and module != __name__:
            return f"{module}.{frame.f_code.co_qualname}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


@contextmanager
def timed_loop() -> Generator[LoopLag]:
    """Time the turns of the running loop, as long as the block lasts."""
    lag = LoopLag()
    lag.thread.start()
    trio.lowlevel.add_instrument(lag)
    try:
        yield lag
    finally:
        trio.lowlevel.remove_instrument(lag)
        lag.stop()
