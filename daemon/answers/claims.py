"""Confirming and refuting what is only supposed or noticed (row U09)."""

from actors.gate.drafts import confirmed, refuted
from actors.memory.rows import Memory
from actors.memory.unit import Unit
from actors.policy.statements.trust import is_stated
from daemon.context import Parts, Progress, commit, known_memories, table
from daemon.requests.claims import Confirm, Refute
from daemon.requests.shapes import BadRequest, Done
from daemon.views import short_id

BECAUSE = 500  # characters of a reason
BY_HAND = "a person said so"


async def confirm(parts: Parts, request: Confirm, _: Progress) -> Done:
    """These are so."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    open_ = [memory for memory in memories if _may_be_confirmed(memory)]
    unit: Unit = tuple(write for one in open_ for write in confirmed(one, BY_HAND, at))
    return await _decided(parts, unit, open_, memories, "confirmed")


async def refute(parts: Parts, request: Refute, _: Progress) -> Done:
    """These are not so."""
    if len(request.because) > BECAUSE:
        raise BadRequest(f"the reason has more than {BECAUSE} characters")
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    because, _kinds = parts.redact(" ".join(request.because.split()))
    living = [memory for memory in memories if memory.ended is None]
    unit: Unit = tuple(write for one in living for write in refuted(one, because or BY_HAND, at))
    return await _decided(parts, unit, living, memories, "refuted")


def _may_be_confirmed(memory: Memory) -> bool:
    if memory.ended is not None:
        return memory.ended == "refuted"
    return memory.status != "confirmed" or not is_stated(memory.source, memory.confidence)


async def _decided(
    parts: Parts, unit: Unit, those: list[Memory], asked: list[Memory], status: str
) -> Done:
    if unit:
        await commit(parts, unit)
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


ANSWERS = table(confirm, refute)
