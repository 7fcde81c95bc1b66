"""Committing: what an actor asks of long-term memory, and how it goes on when it cannot have it.

What is *passing* the store, or its owner, cannot do now: whoever waits for an answer is told, and
work that nobody waits for is let go until its actor finds it again.
"""

import logging
from collections.abc import Awaitable
from typing import Final, TypeVar

import trio

from actors.core.mailbox import Crashed, Lane, Mailbox, Question, SwitchedOff
from actors.memory.failures import Conflicting, Unreadable, Unwritable
from actors.memory.messages import Commit, LongTermMessage
from actors.memory.unit import Unit

A = TypeVar("A")

PASSING: Final = (
    Unwritable, Unreadable, Conflicting, trio.TooSlowError, SwitchedOff, Crashed,
)  # fmt: skip
WRITE_DEADLINE: Final = 30.0  # seconds, for what no person waits for


async def commit(
    long_term: Mailbox[LongTermMessage],
    unit: Unit,
    *,
    within: float = WRITE_DEADLINE,
    lane: Lane = Lane.BACKGROUND,
) -> list[int]:
    """Write a unit durably, all of it or nothing: what its writes produced.

    Raises one of ``PASSING``; after ``trio.TooSlowError`` it may be written still.
    """
    return await long_term.ask(Commit(unit), within=within, lane=lane)


async def answered(question: Question[A], work: Awaitable[A], *told: type[Exception]) -> None:
    """Answer with what the work gives, or with the error, when it is passing or one of ``told``."""
    try:
        question.reply(await work)
    except PASSING as error:
        question.reply.fail(error)
    except told as error:
        question.reply.fail(error)


async def attempted(work: Awaitable[object], log: logging.Logger, waits: str) -> bool:
    """Return whether the work was done; what passes is logged under the event ``waits``."""
    try:
        await work
    except PASSING as error:
        log.warning("%s why=%s", waits, type(error).__name__)
        return False
    return True
