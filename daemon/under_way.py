"""Long work for whoever asked: its steps are told, and it ends when the person leaves."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final, TypeVar

import trio

from actors.core.failures import Conflicting, Unreadable, Unwritable
from actors.core.mailbox import Crashed, MailboxClosed, SwitchedOff
from daemon.context import Progress
from daemon.durability.backups import BackupFailed

WITHIN: Final = 3_600.0  # seconds for everything
TOLD_EVERY: Final = 0.1  # seconds between two words of how far it is
PROBLEMS = (
    Unwritable, Unreadable, Conflicting, Crashed, SwitchedOff, MailboxClosed, trio.TooSlowError,
    BackupFailed,
)  # fmt: skip
T = TypeVar("T")


async def with_progress(
    progress: Progress, work: Callable[[Callable[[Any], None]], Awaitable[T]]
) -> T:
    """Result of the work; it gets a function for reporting each step (a dataclass) taken."""
    latest: list[Any] = []
    found: list[T] = []
    problem: Exception | None = None

    def seen(step: Any) -> None:
        latest[:] = [step]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_tell, latest, progress)
        try:
            found.append(await work(seen))
        except PROBLEMS as error:  # raised below: here it would come out as a group
            problem = error
        nursery.cancel_scope.cancel()
    if problem is not None:
        raise problem
    return found[0]


async def _tell(latest: list[Any], progress: Progress) -> None:
    said: list[Any] = []
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # the person is leaving
        while True:
            if latest != said:
                said = [*latest]
                await progress(asdict(said[0]))
            await trio.sleep(TOLD_EVERY)
