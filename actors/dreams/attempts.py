"""Attempts at the parts of a dream, counted so that none is tried for ever.

A part is a stage, or the reading before them. That it begins is written down first, in a
transaction of its own; the transaction that does what it found forgets that again. What leaves it
in good order (somebody came, the daemon stops, the disk is full) takes the note back. So what stands
is an attempt that ended in a fault, which is noted beside it, or with the process.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import trio

from actors.core.mailbox import Crashed, MailboxClosed, SwitchedOff
from actors.dreams.night import Disturbed, GivenUp
from actors.dreams.rows import DreamRow
from actors.dreams.writes import DreamAttempted, Part
from actors.memory.ports import Conflicting, Unreadable, Unwritable
from actors.memory.unit import Unit
from actors.policy.dreams import dreaming

Commits = Callable[[Unit], Awaitable[list[int]]]

GATHER: Final = "gather"  # the part before the stages
NOTED_WITHIN: Final = 2.0  # seconds, also while the daemon stops: its writer ends last
# Nothing that the part itself did. ``TooSlowError`` is not among them: it stands as an attempt.
_IN_ORDER: Final = (
    Disturbed, GivenUp, trio.Cancelled, Unwritable, Unreadable, Conflicting, SwitchedOff,
    MailboxClosed,
)  # fmt: skip
_UNHEARD: Final = (Unwritable, Unreadable, Conflicting, SwitchedOff, Crashed, MailboxClosed)


def is_hopeless(row: DreamRow, part: Part) -> bool:
    """Return whether it was tried often enough."""
    tried, faults = (int(row.figures.get(what, {}).get(part, 0)) for what in ("tried", "faults"))
    return dreaming.is_hopeless(tried, faults)


@asynccontextmanager
async def attempt(row: DreamRow, part: Part, commit: Commits) -> AsyncGenerator[None]:
    """An attempt at this part. Whoever is done with it writes that."""
    await commit((DreamAttempted(row.id, part, "begun"),))
    try:
        yield
    except trio.TooSlowError:
        raise
    except _IN_ORDER:
        await _noted(commit, DreamAttempted(row.id, part, "left"))
        raise
    except Exception as error:  # whatever it is, it goes on to whoever answers for it
        await _noted(commit, DreamAttempted(row.id, part, "fault", type(error).__name__))
        raise


async def _noted(commit: Commits, attempted: DreamAttempted) -> None:
    with trio.move_on_after(NOTED_WITHIN, shield=True), suppress(*_UNHEARD, trio.TooSlowError):
        await commit((attempted,))
