"""Memories put back in the place of others, and erased from every file."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import trio

from actors.core.mailbox import SwitchedOff
from actors.intake.messages import DrainSpool
from actors.memory.commit import EraseNow, Unit
from actors.memory.rows import Memory
from actors.memory.writes import Ended, Revived, ValiditySet
from actors.session.shapes import IntentionsErased
from daemon import files
from daemon.commands.terminal.words import counted
from daemon.context import Parts
from daemon.durability.copies import copies
from daemon.shapes.replies import BadRequest, Done
from daemon.storage import traces
from daemon.views import short_id, why_not

# ---- replaced, and back in the place


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
    notes += [why_not(one, "was not replaced") for one in memories if one not in over]
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
            raise BadRequest(why_not(successor, ""))
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


# ---- erased: waiting events are taken in first, and other holders of a text are reported


SPOOL_WITHIN: Final = 5.0  # seconds for the spool to be taken in before something is erased
ERASE_DEADLINE: Final = 600.0  # seconds: the file is rewritten
NAMED: Final = 10  # memories that are told by their ids


async def erase(parts: Parts, unit: Unit) -> tuple[int, str]:
    """Erase, out of the backups too; returns a count, and the possible holders of the text, in words."""
    written = await _without_spool(parts)
    count = await parts.mailboxes.long_term.ask(EraseNow(unit), within=ERASE_DEADLINE)
    with suppress(SwitchedOff):  # it is erased; who is away holds nothing
        await parts.mailboxes.working_memory.tell(IntentionsErased())
    files_left = counted(written, "file")
    left = f"{files_left} that hooks may be writing in {parts.home.spool}: again in a minute"
    return count, left if written else ""


async def _without_spool(parts: Parts) -> int:
    """Take in the hooks' spool, which may quote the text: then erasing finds it.

    Returns the number of files left, because a hook may be writing them.
    """
    with trio.move_on_after(SPOOL_WITHIN):
        while await trio.to_thread.run_sync(files.waiting, parts.home.spool):
            await parts.mailboxes.intake.tell(DrainSpool())
            await trio.sleep(0.05)
    # What is no event may quote it too, and nobody can search it.
    work = partial(files.erase_leftovers, parts.home.spool, parts.clock.now())
    return await trio.to_thread.run_sync(work)


async def backups_named(parts: Parts) -> str:
    """Name the backups with a name, which go with every erasure as each copy does; empty where there is none."""
    found = await trio.to_thread.run_sync(copies, parts.home)
    names = sorted({copy.name for copy in found if copy.name})
    return f", and every copy with it (backups: {', '.join(names)})," if names else ""


def mentions_in_words(left: traces.Mentions) -> str:
    """Count mentions of a text, by kinds, in words; empty without any."""
    found = [
        counted(len(some), *word)
        for some, word in (
            (left.events, ("event",)),
            (left.passages, ("passage",)),
            (left.sessions, ("session",)),
            (left.memories, ("memory", "memories")),
        )
        if some
    ]
    if left.memories:
        found[-1] += f" ({', '.join(map(short_id, left.memories[:NAMED]))})"
    return ", ".join(found)
