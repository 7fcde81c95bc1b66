"""Progress of a long call: the daemon's steps, reported to the agent as they come.

The protocol wants an ever growing number, where a work of several parts counts each from the
beginning: a new part counts on from the one before. A slow agent gets the newest step, not every
one.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio

from toolserver.asking import NotDone, Progress

R = TypeVar("R")
# Tells the agent how far a call is: done, of how much, in words; nothing where it did not ask for that.
Report = Callable[[float, float | None, str | None], Awaitable[None]]


class Steps:
    """The steps of one call."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._news = anyio.Event()
        self._step: tuple[float, float | None, str] = (0.0, None, "")
        self._before = 0.0  # steps of the parts that are over
        self._last = -1.0

    def heard(self, frame: dict[str, Any]) -> None:
        """Take a progress frame of the daemon."""
        done = float(frame.get("done", 0))
        total = frame.get("total", frame.get("documents"))
        if self._before + done <= self._last:
            self._before = self._last + 1.0 - done
        self._last = self._before + done
        doing = str(frame.get("stage") or frame.get("cycle") or "").replace("_", " ")
        whole = None if total is None else self._before + float(total)
        self._step = (self._last, whole, doing)
        self._news.set()

    async def tell(self) -> None:
        """Report each step as it is heard, until cancelled."""
        while True:
            await self._news.wait()
            self._news = anyio.Event()
            progress, total, doing = self._step
            await self._report(progress, total, doing or None)


async def reported(report: Report, work: Callable[[Progress], Awaitable[R]]) -> R:
    """Do the work and report its steps meanwhile. Raises the ``NotDone`` of the work."""
    steps = Steps(report)
    finished: list[R] = []
    problem: NotDone | None = None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(steps.tell)
        try:
            finished.append(await work(steps.heard))
        except NotDone as error:  # out of the group as it is
            problem = error
        tasks.cancel_scope.cancel()
    if problem is not None:
        raise problem
    return finished[0]
