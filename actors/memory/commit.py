"""Committing: an actor's requests to long-term memory, and its way on when one fails.

A *passing* error is a matter of now, of the store or its owner: whoever waits for an answer gets
it, and work without a waiting person is dropped until its actor finds it again.
"""

import logging
from collections.abc import Awaitable
from typing import Final, TypeVar

import trio

from actors.core.mailbox import Crashed, Lane, Mailbox, Question, SwitchedOff
from actors.core.store_failures import Conflicting, Unreadable, Unwritable
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
    """Write a unit durably, all of it or nothing; returns the outcomes of its writes.

    Raises one of ``PASSING``; after ``trio.TooSlowError`` it may be written still.
    """
    return await long_term.ask(Commit(unit), within=within, lane=lane)


async def answered(question: Question[A], work: Awaitable[A], *told: type[Exception]) -> None:
    """Answer with the result of the work, or with its error, when passing or one of ``told``."""
    try:
        question.reply(await work)
    except PASSING as error:
        question.reply.fail(error)
    except told as error:
        question.reply.fail(error)


async def attempted(work: Awaitable[object], log: logging.Logger, waits: str) -> bool:
    """Return whether the work was done; a passing error is logged under the event ``waits``."""
    try:
        await work
    except PASSING as error:
        log.warning("%s why=%s", waits, type(error).__name__)
        return False
    return True
