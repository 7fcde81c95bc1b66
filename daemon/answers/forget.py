"""Memories leave recall by a person's wish, and come back."""

from actors.memory.rows import Memory
from actors.memory.unit import Unit
from actors.memory.writes import Ended, Erased, Revived, ValiditySet
from actors.policy.decay.tiers import expires_at
from actors.policy.times.validity import is_valid
from daemon.answers.purge import erase
from daemon.context import Parts, Progress, commit, known_memories, table
from daemon.ids import short_id
from daemon.requests.forget import Forget, Unforget
from daemon.requests.shapes import Done


async def forget(parts: Parts, request: Forget, _: Progress) -> Done:
    """End memories, undoably; or erase them."""
    memories = await known_memories(parts, request.ids)
    if request.erase:
        unit: Unit = (Erased(tuple(memory.id for memory in memories)),)
        return Done(count=await erase(parts, unit), note="the text is gone from every file")
    at = parts.clock.now()
    outcome = await commit(parts, tuple(Ended(memory.id, "forgotten", at) for memory in memories))
    over = [short_id(memory.id) for memory in memories if memory.ended is not None]
    note = f"{', '.join(over)} had ended before" if over else "undo with reverie unforget"
    return Done(count=sum(outcome), note=note)


async def unforget(parts: Parts, request: Unforget, _: Progress) -> Done:
    """Bring back what was forgotten or expired; what was superseded or refuted stays so."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    over = [memory for memory in memories if memory.ended in ("forgotten", "expired")]
    await commit(parts, tuple(write for memory in over for write in _brought_back(memory, at)))
    others = [_why_not_forgotten(memory) for memory in memories if memory not in over]
    return Done(count=len(over), note="; ".join(others))


def _brought_back(memory: Memory, at: float) -> Unit:
    """What was kept for a while only is kept as long again (B08)."""
    back = Revived(memory.id, at)
    if memory.tier != "temporary" or is_valid(memory.validity, at):
        return (back,)
    return (back, ValiditySet(memory.id, memory.valid_from, expires_at(memory.tier, at)))


def _why_not_forgotten(memory: Memory) -> str:
    if memory.ended is None:
        return f"{short_id(memory.id)} was not forgotten"
    if memory.ended == "refuted":
        return f"{short_id(memory.id)} was refuted: reverie confirm brings it back"
    successor = f" by {short_id(memory.superseded_by)}" if memory.superseded_by else ""
    return f"{short_id(memory.id)} is {memory.ended}{successor}, not forgotten"


ANSWERS = table(forget, unforget)
