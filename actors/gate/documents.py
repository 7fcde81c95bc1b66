"""Effects of a version of a document on memories made of it before.

The keys of these memories name document, line, words and headings: the store alone knows the living
ones. A reworded item is judged like any text, then the earlier one ends.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from actors.gate.messages import DocumentTold
from actors.gate.writes import Rekeyed
from actors.memory.rows import Memory
from actors.memory.unit import Unit
from actors.memory.writes import Ended, Revived
from actors.policy.decay.states import is_protected
from actors.policy.documents.versions import (
    Changes,
    Kept,
    beginning_of,
    key_of,
    place_in,
    reconciled,
    shared,
)
from daemon.storage.reader import ReadingSide

KEPT: Final = 500  # memories of one document that are looked at, the newest


async def changes_by(reader: ReadingSide, told: DocumentTold, project: str | None) -> Changes:
    """Compare a version with the memories of its document, under its former name if it was renamed."""
    known = await reader.under_key(project, beginning_of(told.place), KEPT)
    kept = _kept(known, told.place)
    for before in () if kept or not told.items else told.gone:
        former = _kept(await reader.under_key(project, beginning_of(before), KEPT), before)
        if shared(former, told.items):
            kept = former
            break
    return reconciled(told.place, kept, told.items, is_whole=told.is_whole, dropped=told.dropped)


async def writes_of(
    reader: ReadingSide, told: DocumentTold, changes: Changes, project: str | None, at: float
) -> Unit:
    """Writes of everything but the new items: memories ending, coming back or moved."""
    superseded = [
        memory
        for place in told.supersedes
        for memory in await reader.under_key(project, beginning_of(place)[:-1], KEPT)
        if memory.ended is None and place_in(memory.key or "") != told.place
    ]
    gone = (await reader.memories(changes.ended)).values() if changes.ended else ()
    return (
        *_ended((*gone, *superseded), at),
        *(Revived(memory_id, at) for memory_id in changes.revived),
        *(Rekeyed(memory_id, key_of(told.place, item)) for memory_id, item in changes.moved),
    )


def takes_the_place(old: Memory, new_id: int, key: str, at: float) -> Unit:
    """Writes by which a new wording ends the one before; a rewritten one has the new key."""
    if old.id == new_id:
        return (Rekeyed(new_id, key),)
    return _ended((old,), at, new_id)


def _ended(memories: Iterable[Memory], at: float, by: int | None = None) -> Unit:
    return tuple(
        Ended(memory.id, "deprecated", at, superseded_by=by)
        for memory in memories
        if memory.ended is None and not is_protected(memory.tier, pinned=memory.pinned)
    )


def _kept(memories: Sequence[Memory], place: str) -> list[Kept]:
    """Memories of one document; of its successors outside of it the policy is told."""
    mine = {memory.id for memory in memories}
    return [
        Kept(
            memory.id, memory.key, memory.text, memory.ended,
            memory.superseded_by is not None and memory.superseded_by not in mine,
        )
        for memory in memories
        if memory.key is not None and place_in(memory.key) == place
    ]  # fmt: skip
