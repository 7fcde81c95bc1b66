"""A person puts memories away; ``unforget`` brings them back.

Put away is not forgotten: an archived memory is in no index and in no answer, and stays as it was.
"""

from actors.core.mailbox import Lane
from actors.memory.rows import Memory
from actors.memory.writes import Ended
from actors.plans.archivist import old_of
from actors.plans.messages import Preview, WhatWouldBeArchived
from actors.policy.decay import archival
from actors.policy.decay.states import is_protected
from actors.strength.rows import Opinion
from daemon.context import PAGE_LIMIT, Parts, commit, known_memories, table
from daemon.requests import archive as asked
from daemon.requests.shapes import Done
from daemon.storage import strength
from daemon.views import short_id


async def archive(parts: Parts, request: asked.Archive) -> Done:
    """Put living memories away; what is pinned or of a protected tier stays."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    going = [memory for memory in memories if _why_it_stays(memory) is None]
    outcome = await commit(parts, tuple(Ended(memory.id, "archived", at) for memory in going))
    staying = [why for memory in memories if (why := _why_it_stays(memory)) is not None]
    return Done(count=sum(outcome), note="; ".join(staying) or "undo with reverie unforget")


def _why_it_stays(memory: Memory) -> str | None:
    if memory.ended is not None:
        return f"{short_id(memory.id)} is {memory.ended} already"
    if memory.pinned:
        return f"{short_id(memory.id)} is pinned: reverie pin --off releases it"
    if is_protected(memory.tier, pinned=False):
        return f"{short_id(memory.id)} is {memory.tier}: reverie edit --tier gives it another"
    return None


LOOK_DEADLINE = 30.0  # seconds for a look through everything that is old


async def archivals(parts: Parts, request: asked.WhichWouldBeArchived) -> asked.ArchivalReply:
    """Memories that the archivist would put away now, or where these memories stand."""
    at = parts.clock.now()
    preview: Preview = await parts.mailboxes.archivist.ask(
        lambda reply: WhatWouldBeArchived(at, reply),
        within=LOOK_DEADLINE,
        lane=Lane.INTERACTIVE,
    )
    if request.ids:
        found = [
            await _standing(parts, one, at, preview)
            for one in await known_memories(parts, request.ids)
        ]
    else:
        first = preview.candidates[: max(0, min(request.limit, PAGE_LIMIT))]
        memories = await parts.reader.memories([one.memory_id for one in first])
        found = [
            _view(memory, one.evidence, should=True)
            for one in first
            if (memory := memories.get(one.memory_id)) is not None
        ]
    return asked.ArchivalReply(
        memories=found,
        total=len(preview.candidates),
        room=preview.room,
        figures=await parts.reader.archival_figures(),
    )


async def _standing(parts: Parts, memory: Memory, at: float, preview: Preview) -> asked.Archival:
    for step in preview.candidates:
        if step.memory_id == memory.id:
            return _view(memory, step.evidence, should=True)
    said = (await parts.reader.opinions([memory.id])).get(memory.id, Opinion())
    sessions = await parts.reader.read(strength.sessions_shown, memory.id)
    old = old_of(memory, said, at, sessions, None)
    why = archival.why_it_stays(old, parts.settings.archivist)
    if memory.id in await parts.reader.left_alone(at - archival.QUIET):
        why = "somebody brought it back or left it within the last 90 days"
    if memory.ended is not None:
        why = f"it is {memory.ended}"
    return _view(memory, why, should=False)


def _view(memory: Memory, why: str, *, should: bool) -> asked.Archival:
    return asked.Archival(
        memory=short_id(memory.id),
        title=memory.title or memory.text,
        is_archived=memory.ended == "archived",
        should_archive=should,
        why=why,
    )


ANSWERS = table(archive, archivals)
