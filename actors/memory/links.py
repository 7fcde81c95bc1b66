"""Links: memories joined with similar ones, and with ones declared in their texts; the graph as it is read.

Part of the embedder, since links follow from vectors and texts. A memory with new vectors is
compared with its nearest ones, and the pairs are stored; missed ones, a large import, an old store,
are taken up after a start in small steps with rests between them. A pair stands in the store once
and is symmetric; each memory counts the strongest few of its pairs, and ended memories are not
among them: a memory parts by ending and joins again when it is brought back. Edges drawn by people
are written where their request is answered.
"""

import logging
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock
from actors.core.mailbox import Mailbox
from actors.memory.commit import PASSING, LongTermMessage, attempted, commit
from actors.memory.edges import (
    Associated,
    Declared,
    DeclaredLink,
    NamedRow,
    Unlooked,
)
from actors.memory.rows import Memory, Scope
from actors.policy.graph import causal, link_graph
from actors.policy.graph.causal import Lineage, declared
from actors.policy.graph.link_graph import Link, Way
from actors.policy.text.short_ids import numbered
from daemon.storage.reader import ReadingSide

# ---- links declared in texts: ``causalLinks:`` and names of other memories
#
# A reference without an answer waits until a memory of its key or title comes; a name shared by
# several memories is not guessed at.


log = logging.getLogger(__name__)

PAGE = 100  # texts read at a time
WAITING = 10_000  # ids that wait to be read; beyond them the store is looked through
MARK: Final = "causalLinks:"  # a text without it declares nothing


class DeclaredLinks(Struct):
    """Reads texts for links."""

    reader: ReadingSide
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    read: int = 0  # texts that declare links
    _waiting: dict[int, None] = field(default_factory=dict[int, None])
    _caught_up: bool = False  # no text that was never read is left
    _news: trio.Event = field(default_factory=trio.Event)

    def follow(self, memory_ids: Iterable[int]) -> None:
        """Read these texts soon: they changed. Returns at once."""
        self._waiting |= dict.fromkeys(memory_ids)
        if len(self._waiting) > WAITING:
            self._waiting, self._caught_up = {}, False
        self._news.set()

    async def run(self) -> None:
        """Read new texts, then changed ones; texts lost to a passing failure are read at the next start."""
        while True:
            if not self._caught_up:
                self._caught_up = True
                await attempted(self._catch_up(), log, "links_wait")
            while self._waiting:
                ids = list(self._waiting)[:PAGE]
                for memory_id in ids:
                    del self._waiting[memory_id]
                await attempted(self._follow(ids), log, "links_wait")
            if self._caught_up:
                await self._news.wait()
                self._news = trio.Event()

    async def _catch_up(self) -> None:
        """Read the texts left unread: of an import, or from before a crash."""
        after = 0
        while page := await self.reader.declaring(after, PAGE):
            after = page[-1]
            await self._take_in(await self.reader.memories(page))

    async def _follow(self, memory_ids: Sequence[int]) -> None:
        """Draw links declared by these texts, and links of others waiting for these."""
        if linking := await self.reader.linking(memory_ids):
            await self._take_in(await self.reader.memories(linking))

    async def _take_in(self, memories: dict[int, Memory]) -> None:
        for memory in memories.values():
            if memory.ended is None and (MARK in memory.text or memory.versions > 1):
                await self._declare(memory)

    async def _declare(self, memory: Memory) -> None:
        wanted = declared(memory.text)
        rows = await self.reader.named([one.reference for one in wanted]) if wanted else []
        numbers = {n for one in wanted if (n := numbered(one.reference)) is not None}
        known = await self.reader.memories(sorted(numbers)) if numbers else {}
        links = tuple(
            DeclaredLink(
                one.relation.value,
                one.incoming,
                one.reference,
                meant(memory, one.reference, rows, known),
            )
            for one in wanted
        )
        order = Declared(memory.id, memory.content_hash, links, self.clock.now())
        await commit(self.long_term, (order,))
        self.read += 1


def meant(
    memory: Memory, reference: str, rows: Sequence[NamedRow], numbers: dict[int, Memory]
) -> int | None:
    """Memory meant by a text: by its key, else its short id, else its title.

    It must be in reach of the text's own project, another memory, and the only one of that name:
    nothing is guessed.
    """

    def in_reach(project: str | None) -> bool:
        return project in (None, memory.project) or memory.project is None

    named = [
        row
        for row in rows
        if row.name == reference and row.memory_id != memory.id and in_reach(row.project)
    ]
    by_key = {row.memory_id for row in named if row.is_key}
    if by_key:
        return by_key.pop() if len(by_key) == 1 else None
    number = numbered(reference)
    found = numbers.get(number) if number is not None else None
    if found is not None and found.id != memory.id and in_reach(found.project):
        return found.id
    by_title = {row.memory_id for row in named}
    return by_title.pop() if len(by_title) == 1 else None


STEP = 8  # memories compared in one turn: about 5 ms of CPU each among 10,000
PIECES = 4  # vectors of one memory that are compared: its first ones
REST = 1.0  # times what a turn took, until the next: others have the store in between
MISSED_AFTER = 5.0  # seconds after a start: those who waited for it have their answers by then
AFTER_FAILURE = 5.0  # seconds until what failed is tried again
LOOK_ANYWAY = 3_600.0  # seconds between two looks through the store when nothing was heard
NEWEST = 2**62  # above every chunk id
REACH = link_graph.RELATED


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
        if self._waiting:
            ids = list(self._waiting)[:STEP]
            for memory_id in ids:
                del self._waiting[memory_id]
            found = await self.reader.unlooked(ids, NEWEST, REACH, STEP)
        elif self._below is not None:
            found = await self.reader.unlooked(None, self._below, REACH, STEP)
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


# ---- the graph as it is read: associations of a memory, and the causes around one
#
# Reading goes to the store, not to an actor. Activation spreads over likeness and causes. Edges come from
# people, from the gate for superseded memories, from dreams, and from texts with declared links.


FRONTIER: Final = 256  # memories whose neighbours are read in one hop: the most active ones
EDGES: Final = 5_000  # read for one question


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


async def lineage(reader: ReadingSide, memory_id: int, depth: int) -> Lineage:
    """The edges around a memory, within ``depth`` hops. Raises ``InvalidLink``."""
    # One hop further than is asked: so it is known whether there is more.
    hops = min(depth, causal.DEPTH_LIMIT) + 1
    rows = await reader.edges_around([memory_id], hops, EDGES)
    edges = (row.to_edge() for row in rows)
    found = causal.lineage(edges, memory_id, depth)
    return found._replace(cut=True) if len(rows) >= EDGES else found
