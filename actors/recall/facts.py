"""Gathers what the stages of recall that are on want to know of the candidates.

For a stage that is off nothing is read. What cannot be had in time costs its stage and no more.
"""

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Any

import numpy as np
import trio

from actors.core.ports import Clock
from actors.memory.ports import Reader
from actors.memory.rows import Memory
from actors.policy.decay.accessibility import Cause
from actors.policy.graph.connections import regions
from actors.policy.recall import ranking, stage_facts, switches
from actors.policy.recall.encoding_context import Situation
from actors.policy.recall.known import Reach
from actors.policy.recall.stage_facts import Candidate
from actors.policy.text.vectors import normalised
from actors.policy.text.words import stem, stems
from actors.recall.channels import Channels, Looked

EACH = 40  # strongest links of one candidate that are looked at for its region. A choice

ReachOf = Callable[[Memory, Sequence[tuple[float, Cause]], float], Reach]


@dataclass(frozen=True, slots=True)
class Gathering:
    """Gathers facts; it holds nothing."""

    reader: Reader
    clock: Clock
    channels: Channels
    reach_of: ReachOf
    zone: tzinfo = field(default=UTC)

    async def gather(
        self, looked: Looked, project: str | None, session: str, read: int, within: float
    ) -> None:
        """Note the facts of the ``read`` best with what was found; ``within``: seconds a part."""
        needed = switches.needed(looked.settings.stages)
        if not needed:
            return
        first = [one.identity for one in (looked.first or [])[:read]]
        memories = {i: looked.memories[i] for i in first if i in looked.memories}
        now = Situation(
            self.clock.now(), frozenset(map(stem, looked.terms)), session or None, project
        )
        candidates = {i: _candidate(memory) for i, memory in memories.items()}
        rarity = ranking.rarity(looked)
        stage_facts.add_of_texts(looked, needed, rarity, candidates, now, self.zone)
        parts: list[tuple[str, Coroutine[Any, Any, int]]] = []
        ids = sorted(memories)
        if "reach" in needed:
            parts.append(("accessibility", self._reaches(looked, memories)))
        if needed & {"vectors", "coactive"}:
            parts.append(("likeness", _likeness(looked, ids, needed, self.reader)))
        if "captured" in needed:
            parts.append(("captures", _captured(looked, ids, self.reader)))
        if "regions" in needed:
            parts.append(("regions", _regions(looked, ids, self.reader)))
        async with trio.open_nursery() as nursery:
            for name, part in parts:
                nursery.start_soon(self.channels.beside, looked, name, part, within)

    async def _reaches(self, looked: Looked, memories: Mapping[int, Memory]) -> int:
        happened, now = await self.reader.accesses(sorted(memories)), self.clock.now()
        looked.reach = {
            i: self.reach_of(memory, happened.get(i, []), now) for i, memory in memories.items()
        }
        return len(looked.reach)


async def _likeness(
    looked: Looked,
    ids: Sequence[int],
    needed: Collection[str],
    reader: Reader,
) -> int:
    rows = await reader.first_vectors(ids)
    vectors = {i: normalised(np.frombuffer(vector, np.float32))[0] for i, vector in rows}
    if "vectors" in needed:
        looked.vectors = vectors
    if "coactive" in needed:
        looked.coactive = stage_facts.coactive(vectors)
    return len(vectors)


async def _captured(looked: Looked, ids: Sequence[int], reader: Reader) -> int:
    looked.captured = set(await reader.captured_among(ids))
    return len(looked.captured)


async def _regions(looked: Looked, ids: Sequence[int], reader: Reader) -> int:
    links = await reader.links_of(ids, EACH, False)
    looked.regions = regions((link.one, link.other) for link in links)
    return len(links)


def _candidate(memory: Memory) -> Candidate:
    phrases = " ".join((*memory.triggers, *memory.derived))
    made = Situation(memory.created_at, stems(phrases), memory.session, memory.project)
    called = f"{memory.title} {phrases}"
    return Candidate(memory.text, memory.uses, memory.exposures, made, called)
