"""Standings of memories with the archivist: the ones to put away now, and the reasons of others to stay."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from actors.core.mailbox import Lane
from actors.memory.rows import Memory
from actors.memory.use import Opinion
from actors.night.archivist import old_of
from actors.night.shapes import Preview, WhatWouldBeArchived
from actors.policy.decay import archival
from daemon.answers.read_notes import EDITED, KEPT
from daemon.context import Parts
from daemon.shapes.replies import PAGE_LIMIT
from daemon.storage import read_notes, strength

LOOK_DEADLINE: Final = 30.0  # seconds for a look through everything that is old


class ArchivalVerdict(NamedTuple):
    """Standing of a memory: whether it should be put away, and why or why not."""

    memory: Memory
    should: bool
    why: str


async def preview(parts: Parts) -> Preview:
    """Memories the archivist would put away now. Nothing is done."""
    at = parts.clock.now()
    return await parts.mailboxes.archivist.ask(
        WhatWouldBeArchived(at),
        within=LOOK_DEADLINE,
        lane=Lane.INTERACTIVE,
    )


async def first_to_go(parts: Parts, seen: Preview, limit: int) -> list[ArchivalVerdict]:
    """The first memories to be put away, up to the limit."""
    first = seen.candidates[: max(0, min(limit, PAGE_LIMIT))]
    memories = await parts.reader.memories([one.memory_id for one in first])
    return [
        ArchivalVerdict(memory, True, one.evidence)
        for one in first
        if (memory := memories.get(one.memory_id)) is not None
    ]


async def standings(parts: Parts, seen: Preview, ids: Sequence[str]) -> list[ArchivalVerdict]:
    """States of these memories."""
    evidence = {step.memory_id: step.evidence for step in seen.candidates}
    return [
        ArchivalVerdict(one, True, evidence[one.id])
        if one.id in evidence
        else ArchivalVerdict(one, False, await _why_it_stays(parts, one))
        for one in await parts.known_memories(list(ids))
    ]


async def _why_it_stays(parts: Parts, memory: Memory) -> str:
    if memory.ended is not None:
        return f"it is {memory.ended}"
    at = parts.clock.now()
    if memory.id in await parts.reader.left_alone(at - archival.QUIET):
        note = await parts.reader.read(read_notes.note_of, memory.id)
        is_kept = note is not None and note.verdict in (KEPT, EDITED)
        lately = "somebody brought it back or left it within the last 90 days"
        return "somebody kept it in the inbox" if is_kept else lately
    said = (await parts.reader.opinions([memory.id])).get(memory.id, Opinion())
    sessions = await parts.reader.read(strength.sessions_shown, memory.id)
    old = old_of(memory, said, at, sessions, None)
    return archival.why_it_stays(old, parts.settings.archivist)
