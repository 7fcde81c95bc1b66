"""Links: memories joined with similar ones, and the graph as it is read.

A memory with new vectors is compared with its nearest ones; missed ones, of a large import or an old
store, are looked for after a start. A pair stands in the store once and is symmetric; each memory counts
the strongest few of its pairs, of living memories. Edges drawn by people are written where their
request is answered.
"""

import math
from collections.abc import Iterable
from typing import Final

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock
from actors.core.mailbox import Mailbox
from actors.memory.commit import LongTermMessage, commit
from actors.memory.rows import Scope, Unlooked
from actors.memory.writes import Associated
from actors.policy.graph import link_graph
from actors.policy.graph.link_graph import Link, Way
from daemon.storage.reader import ReadingSide

STEP: Final = 8  # memories compared in one turn: about 5 ms of CPU each among 10,000
PIECES: Final = 4  # vectors of one memory that are compared: its first ones
REST: Final = 1.0  # times what a turn took, until the next: others have the store in between
MISSED_AFTER: Final = (
    5.0  # seconds after a start: those who waited for it have their answers by then
)
WAITING: Final = 2_000  # ids that wait, and that one look through the store finds
LOOK_ANYWAY: Final = 3_600.0  # seconds between two looks through the store
REACH: Final = link_graph.RELATED


class Links(Struct):
    """Compares memories with each other, a few at a time; the embedder has it do so."""

    reader: ReadingSide
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    compared: int = 0
    _waiting: dict[int, None] = field(default_factory=dict[int, None])
    _look_at: float | None = None  # monotonic: when the store is looked through again

    def compare(self, memory_ids: Iterable[int]) -> None:
        """Compare these soon: their vectors have come. Returns at once."""
        self._waiting = dict.fromkeys(memory_ids) | self._waiting
        if len(self._waiting) > WAITING:
            self._waiting, self._look_at = {}, -math.inf

    async def compare_some(self) -> bool:
        """Compare a few memories, new ones before missed ones; whether there is more to do.

        Raises one of ``PASSING``: what failed waits on.
        """
        began = trio.current_time()
        if self._look_at is None:
            self._look_at = began + MISSED_AFTER
        if not self._waiting and began >= self._look_at:
            missed = await self.reader.uncompared(REACH, WAITING)
            self._waiting = dict.fromkeys(missed)
            self._look_at = began + LOOK_ANYWAY if len(missed) < WAITING else began
        ids = list(self._waiting)[:STEP]
        found = await self.reader.unlooked(ids, REACH) if ids else []
        unit = tuple([await self._compared(memory) for memory in found])
        if unit:
            await commit(self.long_term, unit)
        for memory_id in ids:
            del self._waiting[memory_id]
        self.compared += len(unit)
        await trio.sleep(REST * (trio.current_time() - began))
        return bool(self._waiting) or trio.current_time() >= self._look_at

    async def _compared(self, memory: Unlooked) -> Associated:
        """Memories nearest to one, and memories with it among their nearest."""
        cosines: dict[int, float] = {}
        known = await self.reader.alike(memory.memory_id)
        for vector in await self.reader.own_vectors(memory.memory_id, PIECES):
            near = await self.reader.nearest(vector, Scope(memory.project), 2 * REACH)
            again = await self.reader.cosines(vector, known)
            for other, cosine in [*near.items(), *again.items()]:
                cosines[other] = max(cosine, cosines.get(other, -1.0))
        # A cosine of 1 and a rounding error is not 1 percent.
        near = {one: min(1.0, max(0.0, cosine)) for one, cosine in cosines.items()}
        near.pop(memory.memory_id, None)
        close = sorted((-much, one) for one, much in near.items() if much >= link_graph.ALIKE)
        strongest = {one for _, one in close[:REACH]}
        alike = [(one, -less) for less, one in close if one in strongest or one in known]
        return Associated(
            memory.memory_id, memory.chunk_id, REACH, tuple(sorted(alike)), self.clock.now()
        )


# ---- the graph as it is read: associations of a memory, over likeness and causes


FRONTIER: Final = 256  # memories whose neighbours are read in one hop: the most active ones


async def associations(reader: ReadingSide, seed: int, scope: Scope, limit: int) -> list[Way]:
    """Memories in scope associated with this one, the strongest first."""
    links, read, found = list[Link](), set[int](), list[Way]()
    frontier = [seed]
    for _ in range(link_graph.HOPS):
        if not frontier:
            break
        links += await reader.associations(frontier, scope, REACH)
        links += [
            Link(one.source_id, one.target_id, one.relation, one.strength)
            for one in await reader.edges_within(frontier, scope)
        ]
        read.update(frontier)
        found = link_graph.associated(seed, links)
        # The strongest first: where there are too many, the faint ones are not read.
        frontier = [end for way in found if (end := way.memories[-1]) not in read][:FRONTIER]
    return found[:limit]
