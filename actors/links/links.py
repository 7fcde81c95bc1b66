"""Links: memories joined with similar ones, and with ones declared in their texts.

Part of the embedder, since links follow from vectors and texts. A memory with new vectors is
compared with its nearest ones, and the pairs are stored; missed ones, a large import, an old store,
are taken up after a start in small steps with rests between them. A pair stands in the store once
and is symmetric; each memory counts the strongest few of its pairs, and ended memories are not
among them: a memory parts by ending and joins again when it is brought back. A changed memory is
read for declared links (``actors.links.declaring``). Edges drawn by people are written where their
request is answered.
"""

import logging
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock
from actors.core.mailbox import Mailbox
from actors.links.declaring import DeclaredLinks
from actors.links.rows import Unlooked
from actors.links.writes import Associated
from actors.memory.commit import PASSING, LongTermMessage, commit
from actors.memory.rows import Scope
from actors.policy.graph import activation
from actors.policy.graph.activation import Neighbour
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

STEP = 8  # memories compared in one turn: about 5 ms of CPU each among 10,000
PIECES = 4  # vectors of one memory that are compared: its first ones
REST = 1.0  # times what a turn took, until the next: others have the store in between
MISSED_AFTER = 5.0  # seconds after a start: those who waited for it have their answers by then
AFTER_FAILURE = 5.0  # seconds until what failed is tried again
LOOK_ANYWAY = 3_600.0  # seconds between two looks through the store when nothing was heard
WAITING = 10_000  # ids that wait to be compared; beyond them the store is looked through
NEWEST = 2**62  # above every chunk id


class Links(Struct, dict=True):
    """Compares memories with each other, and reads their declared links."""

    reader: ReadingSide
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    compared: int = 0
    _waiting: dict[int, None] = field(default_factory=dict[int, None])
    _below: int | None = NEWEST  # the look through the store has come to here; None: it is over
    _news: trio.Event = field(default_factory=trio.Event)

    @cached_property
    def declared(self) -> DeclaredLinks:
        """Links that texts declare."""
        return DeclaredLinks(self.reader, self.clock, self.long_term)

    def statistics(self) -> dict[str, Any]:
        """Memories compared since the start, waiting memories, and texts read for links."""
        return {
            "compared": self.compared,
            "to_compare": len(self._waiting),
            "catching_up": self._below is not None,
            "declared": self.declared.read,
        }

    async def run(self) -> None:
        """Compare new memories and read changed ones, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.declared.run)
            nursery.start_soon(self._keep_up)

    def compare(self, memory_ids: Iterable[int]) -> None:
        """Compare these soon: their vectors have come. Returns at once."""
        self._waiting |= dict.fromkeys(memory_ids)
        if len(self._waiting) > WAITING:
            self._waiting, self._below = {}, NEWEST
        self._news.set()

    async def _keep_up(self) -> None:
        """Compare new memories, then missed ones; then wait for news."""
        with trio.move_on_after(MISSED_AFTER):
            await self._news.wait()
        while True:
            began, worked = trio.current_time(), False
            try:
                worked = await self._take_up_some()
            except PASSING as error:
                log.info("comparison_waits why=%s", type(error).__name__)
                self._below = NEWEST  # what failed is found again
                await trio.sleep(AFTER_FAILURE)
                continue
            if worked:
                await trio.sleep(REST * (trio.current_time() - began))
                continue
            with trio.move_on_after(LOOK_ANYWAY) as waited:
                await self._news.wait()
            self._news = trio.Event()
            if waited.cancelled_caught:
                self._below = NEWEST

    async def _take_up_some(self) -> bool:
        """Compare a few memories; whether there was anything to do."""
        reach = activation.DEFAULT.related
        if self._waiting:
            ids = list(self._waiting)[:STEP]
            for memory_id in ids:
                del self._waiting[memory_id]
            found = await self.reader.unlooked(ids, NEWEST, reach, STEP)
        elif self._below is not None:
            found = await self.reader.unlooked(None, self._below, reach, STEP)
            self._below = found[-1].chunk_id if found else None
        else:
            return False
        unit = tuple([await self._compared(memory) for memory in found])
        if unit:
            await commit(self.long_term, unit)
            self.compared += len(unit)
        return True

    async def _compared(self, memory: Unlooked) -> Associated:
        """Memories nearest to one, and memories with it among their nearest."""
        cosines: dict[int, float] = {}
        known = await self.reader.alike(memory.memory_id)
        for vector in await self.reader.own_vectors(memory.memory_id, PIECES):
            scope, limit = Scope(memory.project), activation.fetch_limit(activation.DEFAULT)
            near = await self.reader.nearest(vector, scope, limit)
            again = await self.reader.cosines(vector, known)
            for other, cosine in [*near.items(), *again.items()]:
                cosines[other] = max(cosine, cosines.get(other, -1.0))
        # A cosine of 1 and a rounding error is not 1 percent.
        nearest = [Neighbour(id_, min(1.0, max(0.0, c))) for id_, c in cosines.items()]
        own = activation.related(memory.memory_id, nearest, activation.DEFAULT)
        still = (n for n in nearest if n.memory_id in known and self._counts(n))
        alike = {n.memory_id: n.weight for n in [*own, *still]}
        return Associated(
            memory.memory_id,
            memory.chunk_id,
            activation.DEFAULT.related,
            tuple(sorted(alike.items())),
            self.clock.now(),
        )

    def _counts(self, neighbour: Neighbour) -> bool:
        return neighbour.weight >= activation.DEFAULT.least_similarity
