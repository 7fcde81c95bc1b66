"""Committing: the writes of the house as one union, and an actor's requests to long-term memory."""

import logging
from collections.abc import Awaitable
from typing import Final, TypeVar

import trio
from msgspec import Struct

from actors.core.failures import Conflicting, Unreadable, Unwritable
from actors.core.mailbox import Crashed, Lane, Mailbox, Question, SwitchedOff
from actors.gate.messages import GateWrite
from actors.intake.messages import IntakeWrite
from actors.memory.use import StrengthWrite
from actors.memory.writes import EmbeddingWrite, LinkWrite, MemoryWrite, ShareWrite
from actors.night.shapes import CaptureWrite, DreamWrite, PlanWrite
from actors.passages.shapes import PassageWrite
from actors.reader.messages import NoteWrite, ReadingWrite
from actors.session.shapes import IntentionWrite, SessionWrite
from actors.staleness.messages import Referring

# ---- the union of all writes
#
# Actors build these and hand them to ``long_term``, the one owner of the writing connection;
# ``daemon.storage.database.writes`` carries each out. A *unit* is a tuple of writes, done together or
# not at all.


StoreWrite = (
    CaptureWrite | DreamWrite | EmbeddingWrite | GateWrite | IntakeWrite | IntentionWrite
    | LinkWrite | MemoryWrite | NoteWrite | ReadingWrite | PassageWrite | PlanWrite
    | SessionWrite | ShareWrite | Referring | StrengthWrite
)  # fmt: skip
Unit = tuple[StoreWrite, ...]


# ---- messages to long-term memory


class Commit(Question[list[int]], frozen=True):
    """Write this unit durably; the answer: the outcomes of its writes."""

    unit: Unit


class Write(Struct, frozen=True):
    """Write this unit; nobody waits for it."""

    unit: Unit


class EraseNow(Question[int], frozen=True):
    """Erase, and leave no byte in any file of the store; the answer counts memories."""

    unit: Unit


class Tidy(Struct, frozen=True):
    """Prune old rows."""

    at: float


LongTermMessage = Commit | Write | EraseNow | Tidy


# ---- an actor's request, and its way on when one fails
#
# A *passing* error is a matter of now, of the store or its owner: whoever waits for an answer gets
# it, and work without a waiting person is dropped until its actor finds it again.


A = TypeVar("A")

REFUSED: Final = (Unwritable, Unreadable, Conflicting, trio.TooSlowError, SwitchedOff)
PASSING: Final = (*REFUSED, Crashed)
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
