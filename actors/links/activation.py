"""Activation: what a memory brings to mind besides itself.

Owns the associations between memories that are alike. A memory whose vectors have come is
compared with its nearest ones, and the pairs are stored; what was missed, a large
import, an old store, is taken up after a start in small steps with rests between them. A pair
stands in the store once and is symmetric; each memory counts the strongest few of its pairs,
and ended memories are not among them, so that a memory parts by ending and joins again when it
is brought back. Activation spreads over these and the causal edges. Nothing is kept
in memory but answers, until the graph changes.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

import trio

from actors.core.latest import Latest
from actors.core.mailbox import (
    Inbox,
    Mailbox,
)
from actors.core.ports import Clock
from actors.embedding.messages import VectorsArrived
from actors.links.messages import ActivationMessage, Association, WhatComesToMind
from actors.links.rows import Unlooked
from actors.links.writes import Associated, Connected
from actors.memory.commit import PASSING, answered, commit
from actors.memory.messages import LongTermMessage, MemoriesChanged
from actors.memory.ports import Reader
from actors.memory.rows import Scope
from actors.observatory.messages import Observation, ObservationKind, ObservatoryMessage, Observed
from actors.policy.graph import activation
from actors.policy.graph.activation import Activation as Brought
from actors.policy.graph.activation import Adjacency, Cache, Link, Neighbour

log = logging.getLogger(__name__)

STEP = 8  # memories compared in one turn: about 5 ms of CPU each among 10,000
PIECES = 4  # vectors of one memory that are compared: its first ones
REST = 1.0  # times what a turn took, until the next: others have the store in between
MISSED_AFTER = 5.0  # seconds after a start: those who waited for it have their answers by then
AFTER_FAILURE = 5.0  # seconds until what failed is tried again
LOOK_ANYWAY = 3_600.0  # seconds between two looks through the store when nothing was heard
WAITING = 10_000  # ids that wait to be compared; beyond them the store is looked through
FRONTIER = 256  # memories whose neighbours are read in one hop: the most active ones
SCOPES = 8  # scopes whose answers are kept
NEWEST = 2**62  # above every chunk id


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of whether memories are joined and call each other to mind."""

    enabled: bool = True


@dataclass(slots=True)
class Activation:
    """Answers what comes to mind, and compares memories with each other."""

    settings: Settings
    reader: Reader
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    observatory: Mailbox[ObservatoryMessage]
    revision: int = 0
    compared: int = 0
    asked: int = 0
    answered_again: int = 0
    caches: Latest[Scope, Cache] = field(default_factory=lambda: Latest(SCOPES))
    _waiting: dict[int, None] = field(default_factory=dict[int, None])
    _below: int | None = NEWEST  # the look through the store has come to here; None: it is over
    _news: trio.Event = field(default_factory=trio.Event)

    def statistics(self) -> dict[str, Any]:
        """Memories compared since the start, those that wait, and answers given."""
        return {
            "compared": self.compared,
            "waiting": len(self._waiting),
            "catching_up": self._below is not None,
            "asked": self.asked,
            "from_cache": self.answered_again,
        }

    async def run(self, inbox: Inbox[ActivationMessage]) -> None:
        """Handle messages until the mailbox is drained; compare what is new beside them."""
        async with trio.open_nursery() as nursery:
            if self.settings.enabled:
                nursery.start_soon(self._keep_up)
            async for message in inbox:
                await self.handle(message)
            nursery.cancel_scope.cancel()

    async def handle(self, message: ActivationMessage) -> None:
        """One message."""
        match message:
            case WhatComesToMind():
                await answered(message.reply, self._answer(message))
            case VectorsArrived(memory_ids):
                self._waiting |= dict.fromkeys(memory_ids)
                if len(self._waiting) > WAITING:
                    self._waiting, self._below = {}, NEWEST
                self._news.set()
            case MemoriesChanged():
                self.revision += 1
            case _:
                assert_never(message)

    # ---- what comes to mind

    async def _answer(self, question: WhatComesToMind) -> tuple[Association, ...]:
        found = await self._brought(question) if self.settings.enabled else ()
        brought = tuple(association(one) for one in found[: question.limit])
        self._show(question, brought)
        return brought

    def _show(self, question: WhatComesToMind, brought: tuple[Association, ...]) -> None:
        """Whoever follows sees from how many memories it spread, and to what."""
        data = {
            "seeds": len(question.seeds),
            "reached": len(brought),
            "id": brought[0].memory_id if brought else None,  # the strongest
        }
        kind = ObservationKind.ACTIVATION_SPREAD
        self.observatory.hint(Observed((Observation(kind, self.clock.now(), data),)))

    async def _brought(self, question: WhatComesToMind) -> tuple[Brought, ...]:
        self.asked += 1
        seeds = {str(memory_id): score for memory_id, score in question.seeds}
        key = activation.cache_key(self.revision, seeds)
        kept = self.caches.pop(question.scope, {})
        found = kept.get(key)
        if found is None:
            graph = await self._around(seeds, question.scope)
            found = activation.spread(seeds, graph, activation.DEFAULT)
            kept = activation.cached(kept, key, found)
        else:
            self.answered_again += 1
        self.caches[question.scope] = kept
        return found

    async def _around(self, seeds: dict[str, float], scope: Scope) -> Adjacency:
        """The part of the graph that activation can reach, hop by hop."""
        graph: Adjacency = {}
        active = seeds
        for _ in range(activation.DEFAULT.hops):
            frontier = [int(name) for name in active if name not in graph][:FRONTIER]
            if not frontier:
                break
            rows = await self.reader.associations(frontier, scope, activation.DEFAULT.related)
            edges = await self.reader.edges_within(frontier, scope)
            alike: dict[str, tuple[Neighbour, ...]] = {str(name): () for name in frontier}
            for row in rows:
                near = Neighbour(str(row.other), row.strength, link_of(row.kind))
                alike[str(row.one)] += (near,)
            graph = {**graph, **activation.merged(alike, caused(edges, frozenset(frontier)))}
            # The strongest first: where there are too many, the faint ones are not read.
            active = {one.memory_id: one.score for one in self._reached(seeds, graph)}
        return graph

    def _reached(self, seeds: dict[str, float], graph: Adjacency) -> Iterable[Brought]:
        unbounded = replace(activation.DEFAULT, results=FRONTIER * 8)
        return activation.spread(seeds, graph, unbounded)

    # ---- who is like whom

    async def _keep_up(self) -> None:
        """Compare what is new, then what was missed; then wait for news."""
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
            self.revision += 1
        return True

    async def _compared(self, memory: Unlooked) -> Associated:
        """What a memory is like: its nearest ones, and those of which it is one of the nearest."""
        cosines: dict[int, float] = {}
        known = await self.reader.alike(memory.memory_id)
        for vector in await self.reader.own_vectors(memory.memory_id, PIECES):
            scope, limit = Scope(memory.project), activation.fetch_limit(activation.DEFAULT)
            near = await self.reader.nearest(vector, scope, limit)
            again = await self.reader.cosines(vector, known)
            for other, cosine in [*near.items(), *again.items()]:
                cosines[other] = max(cosine, cosines.get(other, -1.0))
        # A cosine of 1 and a rounding error is not 1 percent.
        nearest = [Neighbour(str(id_), min(1.0, max(0.0, c))) for id_, c in cosines.items()]
        own = activation.related(str(memory.memory_id), nearest, activation.DEFAULT)
        still = (n for n in nearest if int(n.memory_id) in known and self._counts(n))
        alike = {int(n.memory_id): n.weight for n in [*own, *still]}
        return Associated(
            memory.memory_id,
            memory.chunk_id,
            activation.DEFAULT.related,
            tuple(sorted(alike.items())),
            self.clock.now(),
        )

    def _counts(self, neighbour: Neighbour) -> bool:
        return neighbour.weight >= activation.DEFAULT.least_similarity


def link_of(kind: str) -> Link:
    """Link of an association of this kind in the spreading: only likeness may be too faint."""
    return Link.SEMANTIC if kind == "similar" else Link.USER_DEFINED


def caused(edges: Iterable[Connected], here: frozenset[int]) -> Adjacency:
    """The causal neighbours of these memories, in both directions."""
    rows: dict[str, tuple[Neighbour, ...]] = {}
    for edge in edges:
        for one, other in ((edge.source_id, edge.target_id), (edge.target_id, edge.source_id)):
            if one in here:
                near = Neighbour(str(other), edge.strength, Link.CAUSAL)
                rows[str(one)] = (*rows.get(str(one), ()), near)
    return rows


def association(one: Brought) -> Association:
    """Association of the policy, by the numbers of the store."""
    path = tuple(int(name) for name in one.path)
    return Association(int(one.memory_id), one.score, one.hops, path)
