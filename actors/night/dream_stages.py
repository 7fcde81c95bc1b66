"""Stages of a dream: its pace of letting others pass, the memories replayed, and what each further one finds."""

import gc
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Final, TypeAlias, TypeVar

import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.core.equipment import Foreground, Worker
from actors.memory.commit import StoreWrite
from actors.night.shapes import (
    SOURCE,
    ConnectionsDrawn,
    ConnectionsFaded,
    ConnectionsStrengthened,
    InsightFound,
    PlanProposed,
)
from actors.policy.decay.archival import Step
from actors.policy.night import noticing, replay
from actors.policy.night.demands import ArchivedPrompt
from actors.policy.night.insights import Insight, Proposal, outdated
from actors.policy.night.replay import SIMILARITY, Likeness, Pair, Pieces, Replayed
from actors.policy.reader.checks import Concluded
from actors.policy.vectors import BLOCK, matrix, nearest
from daemon.storage.reader import ReadingSide

# ---- pace
#
# All long work is done in pieces: pages of the store, blocks of vectors, runs of memories. Before
# each piece the dream *breathes*: it stops when its asker does not wait any more or somebody comes (a
# patient dream), or lets them pass (an ordered one). Arithmetic runs on a thread of
# its own, so the loop is free for questions meanwhile.


T = TypeVar("T")
Key = TypeVar("Key")

PAGE: Final = 100  # memories read at a time: the reader is free for a prompt in between
PIECE: Final = 0.01  # seconds of arithmetic in one piece
REST: Final = 0.1  # times what a piece took, until the next
QUIET: Final = 0.3  # seconds without anybody until an ordered dream goes on
WATCHED: Final = 0.5  # seconds between two looks while somebody else works
PASSING: Final = 5.0  # seconds at most that it waits for that


class Disturbed(Exception):
    """Somebody came, or nobody waits for it: the dream stops here and begins anew later."""


class Pace(Struct):
    """Pace of a dream: when it goes on, waits, or stops."""

    foreground: Foreground
    thread: Worker
    patient: bool
    halts: Callable[[], bool]  # whether nobody wants it any more
    _came: int = 0  # as it was when somebody was there last

    def __post_init__(self) -> None:
        self._came = self.foreground.came

    async def breathe(self) -> None:
        """Between two pieces. Raises ``Disturbed``."""
        await trio.lowlevel.checkpoint()
        if self.halts():
            raise Disturbed
        if self.foreground.came == self._came:
            return
        if self.patient:
            raise Disturbed
        with trio.move_on_after(PASSING):
            while self.foreground.idle_for() < QUIET:  # noqa: ASYNC110 - quiet is no event
                await trio.sleep(QUIET - self.foreground.idle_for() + 0.01)
        self._came = self.foreground.came

    async def think(self, work: Callable[[], T]) -> T:
        """The value of one piece of arithmetic; then others have a moment.

        Afterwards present objects are frozen for the collector: over 10,000 memories a full
        collection stops every thread for .13 s, and nothing held by a dream is in a cycle. Whoever
        ends the dream unfreezes them.
        """
        await self.breathe()
        began = trio.current_time()
        value = await self.thread.run(work)
        gc.freeze()
        await trio.sleep(REST * (trio.current_time() - began))
        return value

    async def wait_for(self, asked: Callable[[], Awaitable[T]]) -> T:
        """The value of somebody else's work; it is left when the dream stops."""
        got: list[T] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch, nursery.cancel_scope)
            got.append(await asked())
            nursery.cancel_scope.cancel()
        await self.breathe()
        return got[0]

    async def _watch(self, scope: trio.CancelScope) -> None:
        while True:
            await trio.sleep(WATCHED)
            try:
                await self.breathe()
            except Disturbed:
                scope.cancel()

    async def work(self, pieces: Pieces[T]) -> T:
        """The value of a long computation, some milliseconds at a time."""
        while True:
            done = await self.think(partial(_for_a_while, pieces))
            if done is not None:
                return done[0]

    async def read(
        self, ask: Callable[[Sequence[Key]], Awaitable[Iterable[T]]], keys: Sequence[Key]
    ) -> list[T]:
        """The answers to a question about many keys, read a page at a time."""
        answers: list[T] = []
        for begin in range(0, len(keys), PAGE):
            await self.breathe()
            answers += await ask(keys[begin : begin + PAGE])
        return answers


def _for_a_while(pieces: Pieces[T]) -> tuple[T] | None:
    """Go on with it; its value when it came to its end."""
    until = perf_counter() + PIECE
    while perf_counter() < until:
        try:
            next(pieces)
        except StopIteration as end:
            value: T = end.value
            return (value,)
    return None


# ---- the memories of a dream, and their likeness


NEAREST: Final = 10  # neighbours of a memory


Reading: TypeAlias = Callable[[Mapping[int, Replayed]], Awaitable[Concluded]]
"""A reader of notes: what it concludes of those of one project."""


async def unread(_: Mapping[int, Replayed]) -> Concluded:
    """Nobody reads notes."""
    return Concluded()


class Night(Struct):
    """Memories of a dream, read once and kept while it lasts, and what it is dreamt with."""

    dream_id: int
    at: float
    reader: ReadingSide
    pace: Pace
    reads: Reading
    memories: list[Replayed] = []  # oldest id first
    hashes: dict[int, bytes] = {}  # of their texts
    alike: Likeness = {}
    connected: set[Pair] = set()

    async def gather(self, ids: Sequence[int]) -> None:
        """Read and prepare everything needed by all stages, in pieces."""
        stored = await self.pace.read(self.reader.dreamt_memories, ids)
        self.memories = [
            Replayed(one.id, one.created_at, one.text, one.kind, one.project, one.session)
            for one in stored
        ]
        self.hashes = {one.id: one.content_hash for one in stored}
        pairs = await self.pace.read(self.reader.first_vectors, [*self.hashes])
        owners = [owner for owner, _ in pairs]
        vectors = await self.pace.think(lambda: matrix([vector for _, vector in pairs]))
        alike: dict[Pair, float] = {}
        for begin in range(0, len(owners), BLOCK):
            alike |= await self.pace.think(
                partial(nearest, vectors, owners, begin, NEAREST, SIMILARITY)
            )
        self.alike = alike


# ---- the stages: what they find is written together
#
# Content is never changed. Writes safe by construction (connections, strengths, insights)
# are done at once; putting away a memory is only proposed as a plan.


# An insight about several projects quotes each of them, so it belongs to none: it is shown where
# one asks for insights or for everything, and never brought up in a project.
SEVERAL: Final = "several projects"
SAID: Final = 5_000  # prompts of the archive: the newest
INSIGHTS: Final = 500  # earlier ones that are not told again: as many as stand


async def connect(night: Night) -> list[StoreWrite]:
    """Connect similar memories; of old and new connections the stronger count."""
    read = partial(night.reader.connections_of, limit=64 * PAGE)
    stored = await night.pace.read(read, [*night.hashes])
    edges = await night.pace.work(replay.connecting(night.memories, night.alike))
    night.connected = {
        (min(one.one, one.other), max(one.one, one.other)) for one in (*stored, *edges)
    }
    return [ConnectionsDrawn(tuple(edges), night.at)] if edges else []


async def strengthen(night: Night) -> list[StoreWrite]:
    """Strengthen the connections of memories that follow one another among the latest hundred."""
    order = [one.id for one in replay.sequence(night.memories)]
    gains = replay.gains(order, night.connected)
    cap = replay.CAP
    return [ConnectionsStrengthened(tuple(gains), cap, night.at)] if gains else []


async def fade(_: Night) -> list[StoreWrite]:
    """Every connection fades a little, and the weakest go."""
    return [ConnectionsFaded(replay.FADE, replay.FLOOR)]


async def conclude(night: Night) -> list[StoreWrite]:
    """Find insights, propose the steps left to a person."""
    rows = await night.reader.insights(INSIGHTS)
    earlier = [Insight(one.kind, one.text, one.sources, (), 0.0) for one in rows]
    said = await _said(night)
    noticed = await night.pace.work(noticing.noticing(night.memories, night.alike, said, earlier))
    # Of a reader, where a person agreed to one.
    read = await night.pace.wait_for(partial(night.reads, {one.id: one for one in night.memories}))
    plans = [_plan(one, night) for one in (*outdated(noticed), *read.proposals)]
    return [*(_told(one, night) for one in (*noticed, *read.insights)), *plans]


async def _said(night: Night) -> list[ArchivedPrompt]:
    """Prompts of the archive, whole where the journal still has them."""
    said = await night.reader.said(SAID)
    whole = dict(await night.pace.read(night.reader.prompts, [one.seq for one in said]))
    return [replace(one, prompt=whole.get(one.seq, "")) for one in said]


def _told(one: Insight, night: Night) -> InsightFound:
    """An insight of this dream, in the project of all its sources."""
    rests_on = frozenset(one.memory_ids)
    projects = {each.project for each in night.memories if each.id in rests_on} - {None}
    project = SEVERAL if len(projects) > 1 else next(iter(projects), one.project)
    return InsightFound(night.dream_id, replace(one, project=project), night.at)


def _plan(one: Proposal, night: Night) -> PlanProposed:
    step = Step(one.memory_id, night.hashes[one.memory_id], one.evidence)
    return PlanProposed(SOURCE, one.reason, (step,), night.at)


STAGES: Final = (connect, strengthen, fade, conclude)
