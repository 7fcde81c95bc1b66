"""A person puts memories away, and takes them out again (rows B01, B07, G02).

Put away is not forgotten: an archived memory is in no index and in no answer, and stays as it was.
"""

from __future__ import annotations

from actors.memory.rows import Memory
from actors.memory.unit import Unit
from actors.memory.writes import Ended, Revived
from actors.policy.decay.states import is_protected
from actors.recall.messages import Found, Note
from actors.strength.writes import Exposed
from daemon.answers.recall import commit, known_memories, recalled
from daemon.context import Parts, Progress, Table
from daemon.requests.archive import Archive, Unarchive
from daemon.requests.recall import RecallById, Recalled
from daemon.requests.shapes import Done
from daemon.states import short_id


async def archive(parts: Parts, request: Archive, _: Progress) -> Done:
    """Put living memories away; what is pinned or of a protected tier stays (B07)."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    going = [memory for memory in memories if _why_it_stays(memory) is None]
    outcome = await commit(parts, tuple(Ended(memory.id, "archived", at) for memory in going))
    staying = [why for memory in memories if (why := _why_it_stays(memory)) is not None]
    return Done(count=sum(outcome), note="; ".join(staying) or "undo with reverie unarchive")


def _why_it_stays(memory: Memory) -> str | None:
    if memory.ended is not None:
        return f"{short_id(memory.id)} is {memory.ended} already"
    if memory.pinned:
        return f"{short_id(memory.id)} is pinned: reverie pin --off releases it"
    if is_protected(memory.tier, pinned=False):
        return f"{short_id(memory.id)} is {memory.tier}: reverie tier gives it another"
    return None


async def unarchive(parts: Parts, request: Unarchive, _: Progress) -> Done:
    """Bring memories back from the archive, into recall and every index."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    away = [memory for memory in memories if memory.ended == "archived"]
    outcome = await commit(parts, tuple(Revived(memory.id, at) for memory in away))
    others = [f"{short_id(memory.id)} is not archived" for memory in memories if memory not in away]
    return Done(count=sum(outcome), note="; ".join(others))


async def recall_by_id(parts: Parts, request: RecallById, _: Progress) -> Recalled:
    """One memory as a recall finds it; what was archived is asked for again, and so comes back."""
    (memory,) = await known_memories(parts, [request.id])
    at = parts.clock.now()
    away = memory.ended == "archived"
    unit: Unit = (Revived(memory.id, at),) if away else ()
    if request.track:
        unit = (*unit, Exposed((memory.id,), None, "recall", at))
    if unit:
        await commit(parts, unit)
    (memory,) = await known_memories(parts, [request.id])
    said = (f"{short_id(memory.id)} was archived: it is back",) if away else ()
    found = Found((Note(memory, 1.0, "its id", {}),), 1.0, "none", None, {}, {}, said=said)
    return recalled(found, explain=False, as_prompt=False, at=at)


ANSWERS: Table = {Archive: archive, Unarchive: unarchive, RecallById: recall_by_id}
