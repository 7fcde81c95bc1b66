"""Replaced memories, back in their places, and out of them again."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from actors.memory.commit import Unit
from actors.memory.rows import Memory
from actors.memory.writes import Ended, Revived, ValiditySet
from daemon.context import Parts
from daemon.shapes.replies import BadRequest, Done
from daemon.views import short_id

REPLACED: Final = "deprecated"


async def reinstated(parts: Parts, ids: Sequence[str]) -> Done:
    """Bring these back, and take their successors out of recall. Raises ``NoSuchMemory``."""
    memories, at = await parts.known_memories(list(ids)), parts.clock.now()
    over = [memory for memory in memories if memory.ended == REPLACED]
    successors = await parts.reader.memories(sorted(_successors_of(over)))
    unit: Unit = tuple(
        write for one in over for write in _back(one, successors.get(one.superseded_by or 0), at)
    )
    last = await _living_successors(parts, successors)
    gone = tuple(Ended(memory_id, "forgotten", at) for memory_id in last)
    if unit:
        await parts.commit((*unit, *gone))
    notes = [f"{short_id(one.memory_id)} left recall" for one in gone]
    notes += [f"{short_id(one.id)} was not replaced" for one in memories if one not in over]
    return Done(count=len(over), note="; ".join(notes))


async def _living_successors(parts: Parts, successors: Mapping[int, Memory]) -> list[int]:
    """The living ones of these, of their own successors, and so on."""
    chain = dict(successors)
    while further := _successors_of(chain.values()) - chain.keys():
        met = await parts.reader.memories(sorted(further))
        if not met:  # they were erased
            break
        chain |= met
    return [one.id for one in chain.values() if one.ended is None]


def _successors_of(memories: Iterable[Memory]) -> set[int]:
    return {
        one.superseded_by
        for one in memories
        if one.ended == REPLACED and one.superseded_by is not None
    }


def _back(memory: Memory, successor: Memory | None, at: float) -> Unit:
    """It lives, and is true again where its successor's beginning closed it."""
    if successor is None or memory.valid_until is None:
        return (Revived(memory.id, at),)
    closed = memory.valid_until in (successor.valid_from, successor.created_at)
    until = None if closed else memory.valid_until
    return (Revived(memory.id, at), ValiditySet(memory.id, memory.valid_from, until))


async def replaced_again(parts: Parts, ids: Sequence[str], by: Sequence[str]) -> Done:
    """Put each of ``by`` in the place of its one of ``ids`` again. Raises ``NoSuchMemory`` or ``BadRequest``."""
    memories = await parts.known_memories(list(ids))
    successors, at = await parts.known_memories(list(by)), parts.clock.now()
    for memory, successor in zip(memories, successors, strict=True):
        if memory.id == successor.id or memory.ended is not None:
            raise BadRequest(f"{short_id(memory.id)} does not stand in the place of another")
        if successor.ended not in (None, "forgotten"):
            raise BadRequest(f"{short_id(successor.id)} is {successor.ended}")
    unit: Unit = tuple(
        write
        for memory, successor in zip(memories, successors, strict=True)
        for write in (
            Revived(successor.id, at),
            Ended(memory.id, REPLACED, at, superseded_by=successor.id),
            ValiditySet(
                memory.id, memory.valid_from, _earlier(memory.valid_until, successor.valid_from)
            ),
        )
    )
    await parts.commit(unit)
    return Done(count=len(memories))


def _earlier(until: float | None, begun: float | None) -> float | None:
    known = [one for one in (until, begun) if one is not None]
    return min(known, default=None)
