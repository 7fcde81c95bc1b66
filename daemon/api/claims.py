"""Claims of a memory, which a person says are so, or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from daemon.api.operation import Argument, Line, Operation, Option, Verb
from daemon.commands.terminal.words import counted_memories
from daemon.shapes.replies import BadRequest, Done
from daemon.views import short_id

if TYPE_CHECKING:
    from actors.memory.commit import Unit
    from actors.memory.rows import Memory
    from daemon.context import Parts, Progress

BECAUSE: Final = 500  # characters of a reason
BY_HAND: Final = "a person said so"


class Confirm(Operation[Done], frozen=True, kw_only=True):
    """Say that something supposed or noticed is so.

    A hypothesis becomes a fact; one that was refuted is back in recall. A decision that was only
    noticed never fades from then on.
    """

    NAME = "confirm"
    ids: Annotated[list[str], Argument("ID...")]

    VERBS = (Verb("confirm"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.gate.drafts import confirmed
        from actors.staleness.messages import HoldsStill

        memories, at = await parts.known_memories(self.ids), parts.clock.now()
        open_ = [memory for memory in memories if _may_be_confirmed(memory)]
        unit: Unit = tuple(write for one in open_ for write in confirmed(one, BY_HAND, at))
        done = await _decided(parts, unit, open_, memories, "confirmed")
        parts.mailboxes.staleness.hint(HoldsStill(tuple(memory.id for memory in open_)))
        return done

    def lines(self, done: Done) -> list[Line]:
        return [counted_memories(done, "confirmed")]


class Refute(Operation[Done], frozen=True, kw_only=True):
    """Say that something is not so.

    It leaves recall; 'reverie confirm' brings it back.
    """

    NAME = "refute"
    ids: Annotated[list[str], Argument("ID...")]
    because: Annotated[str, Option("--because", "Why; 'reverie why ID' tells it.")] = ""

    VERBS = (Verb("refute"),)

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.gate.drafts import refuted

        if len(self.because) > BECAUSE:
            raise BadRequest(f"the reason has more than {BECAUSE} characters")
        memories, at = await parts.known_memories(self.ids), parts.clock.now()
        because, _kinds = parts.redact(" ".join(self.because.split()))
        living = [memory for memory in memories if memory.ended is None]
        unit: Unit = tuple(w for one in living for w in refuted(one, because or BY_HAND, at))
        return await _decided(parts, unit, living, memories, "refuted")

    def lines(self, done: Done) -> list[Line]:
        return [counted_memories(done, "refuted")]


def _may_be_confirmed(memory: Memory) -> bool:
    if memory.ended is not None:
        return memory.ended == "refuted"
    return memory.status != "confirmed" or bool(memory.stale)


async def _decided(
    parts: Parts, unit: Unit, those: list[Memory], asked: list[Memory], status: str
) -> Done:

    if unit:
        await parts.commit(unit)
    notes = [_why_not(memory, status) for memory in asked if memory not in those]
    if those and status == "refuted":
        notes.append("undo with reverie confirm")
    return Done(count=len(those), note="; ".join(notes))


def _why_not(memory: Memory, status: str) -> str:
    name = short_id(memory.id)
    if memory.ended is None or memory.ended == status:
        return f"{name} is {status} already"
    if memory.ended == "deprecated":
        return f"{name} was replaced by another"
    return f"{name} is {memory.ended}: reverie unforget brings it back"
