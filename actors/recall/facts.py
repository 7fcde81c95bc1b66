"""Gathers what the stages of recall that are on want to know of the candidates.

For a stage that is off nothing is read. What cannot be had in time costs its stage and no more.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import trio

from actors.core.ports import Clock
from actors.memory.ports import Reader
from actors.memory.rows import Memory
from actors.policy.decay.accessibility import Cause
from actors.policy.recall import ways
from actors.policy.recall.known import Facts, Reach
from actors.policy.text.vectors import normalised
from actors.recall.channels import Channels, Looked

ReachOf = Callable[[Memory, Sequence[tuple[float, Cause]], float], Reach]


@dataclass(frozen=True, slots=True)
class Gathering:
    """Gathers facts; it holds nothing."""

    reader: Reader
    clock: Clock
    channels: Channels
    reach_of: ReachOf
    retrievability: Callable[[Memory, float], float]

    async def gather(
        self, looked: Looked, project: str | None, session: str, read: int, within: float
    ) -> None:
        """Note the facts of the ``read`` best with what was found; ``within``: seconds a part."""
        needed = ways.needed(looked.settings.on)
        if not needed:
            return
        first = [one.identity for one in (looked.first or [])[:read]]
        memories = {i: looked.memories[i] for i in first if i in looked.memories}
        looked.at, looked.session, looked.project = self.clock.now(), session, project
        if "facts" in needed:
            looked.facts = {i: self._facts(one, looked.at) for i, one in memories.items()}
        parts: dict[str, Coroutine[Any, Any, int]] = {}
        if "reach" in needed:
            parts["accessibility"] = self._reaches(looked, memories)
        if "vectors" in needed:
            parts["likeness"] = self._vectors(looked, sorted(memories))
        if "captured" in needed:
            parts["captures"] = self._captured(looked, sorted(memories))
        async with trio.open_nursery() as nursery:
            for name, part in parts.items():
                nursery.start_soon(self.channels.beside, looked, name, part, within)

    async def _reaches(self, looked: Looked, memories: Mapping[int, Memory]) -> int:
        happened = await self.reader.accesses(sorted(memories))
        looked.reach = {
            i: self.reach_of(memory, happened.get(i, []), looked.at)
            for i, memory in memories.items()
        }
        return len(looked.reach)

    async def _vectors(self, looked: Looked, ids: Sequence[int]) -> int:
        rows = await self.reader.first_vectors(ids)
        looked.vectors = {i: normalised(np.frombuffer(vector, np.float32))[0] for i, vector in rows}
        return len(looked.vectors)

    async def _captured(self, looked: Looked, ids: Sequence[int]) -> int:
        looked.captured = set(await self.reader.captured_among(ids))
        return len(looked.captured)

    def _facts(self, memory: Memory, now: float) -> Facts:
        return Facts(
            text=memory.text,
            title=memory.title,
            phrases=(*memory.triggers, *memory.derived),
            kind=memory.kind,
            tier=memory.tier,
            project=memory.project,
            session=memory.session,
            created=memory.created_at,
            changed=memory.updated_at,
            used=memory.last_use,
            uses=memory.uses,
            returned=memory.exposures,
            retrievability=self.retrievability(memory, now),
        )
