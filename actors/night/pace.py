"""Memories of a dream, and its way of letting others pass.

All long work is done in pieces: pages of the store, blocks of vectors, runs of memories. Before
each piece the dream *breathes*: it gives up when its asker does not wait any more, stops when
somebody comes (a patient dream) or lets them pass (an ordered one). Arithmetic runs on a thread of
its own, so the loop is free for questions meanwhile.
"""

import gc
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Final, TypeVar

import trio

from actors.core.foreground import Foreground
from actors.core.ports import Worker
from actors.memory.rows import Memory
from actors.policy.gate import neighbours
from actors.policy.night import connection_graph
from actors.policy.night.connection_graph import Likeness, Pair
from actors.policy.night.replay import Replayed, replayed, telling_apart
from actors.policy.text.pieces import Pieces
from daemon.storage.reader import ReadingSide

T = TypeVar("T")
Key = TypeVar("Key")

PAGE: Final = 100  # memories read at a time: the reader is free for a prompt in between
NEAREST: Final = 10  # neighbours of a memory
LEAST: Final = 0.25  # cosine of a neighbour
PIECE: Final = 0.01  # seconds of arithmetic in one piece
REST: Final = 0.1  # times what a piece took, until the next
QUIET: Final = 0.3  # seconds without anybody until an ordered dream goes on
WATCHED: Final = 0.5  # seconds between two looks while somebody else works
PASSING: Final = 5.0  # seconds at most that it waits for that


class Disturbed(Exception):
    """Somebody came: a patient dream stops here and is gone on with later."""


class GivenUp(Exception):
    """Error: nobody waits for the dream any more, or somebody stopped it."""


@dataclass(slots=True)
class Pace:
    """Pace of a dream: when it goes on, waits, or stops."""

    foreground: Foreground
    thread: Worker
    patient: bool
    halted: Callable[[], Disturbed | GivenUp | None]
    _came: int = 0  # as it was when somebody was there last

    def __post_init__(self) -> None:
        self._came = self.foreground.came

    async def breathe(self) -> None:
        """Between two pieces. Raises ``Disturbed`` or ``GivenUp``."""
        await trio.lowlevel.checkpoint()
        if (halt := self.halted()) is not None:
            raise halt
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
            except (Disturbed, GivenUp):
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


@dataclass(slots=True)
class Night:
    """Memories of a dream, read once and kept while it lasts."""

    dream_id: int
    memories: list[Replayed]  # oldest id first
    hashes: dict[int, bytes]  # of their texts
    alike: Likeness
    by_vectors: bool

    @property
    def ids(self) -> list[int]:
        """The memories in the order of ids."""
        return [one.id for one in self.memories]


async def gathered(
    reader: ReadingSide,
    dream_id: int,
    ids: Sequence[int],
    pace: Pace,
) -> Night:
    """Everything needed by all stages of a dream, read and prepared in pieces."""
    stored = await pace.read(reader.dreamt_memories, ids)
    memories = await pace.work(_taken_apart(stored))
    alike = await _nearest(reader, [one.id for one in memories], pace)
    by_vectors = bool(alike)
    if not by_vectors:
        alike = await pace.work(connection_graph.nearing_by_words(memories))
    hashes = {one.id: one.content_hash for one in stored}
    return Night(dream_id, memories, hashes, alike, by_vectors)


def _taken_apart(stored: Sequence[Memory]) -> Pieces[list[Replayed]]:
    """The memories as dreaming sees them, in pieces."""
    raw: list[Replayed] = []
    for one in stored:
        raw.append(
            replayed(
                one.id, one.created_at, one.text, one.kind, one.project, one.session
            )
        )  # fmt: skip
        yield
    apart = yield from telling_apart(raw)
    return apart


async def _nearest(reader: ReadingSide, ids: Sequence[int], pace: Pace) -> dict[Pair, float]:
    """Likeness of nearest memories by their first vectors, if they have any."""
    pairs = await pace.read(reader.first_vectors, ids)
    owners = [owner for owner, _ in pairs]
    vectors = await pace.think(lambda: neighbours.matrix([vector for _, vector in pairs]))
    alike: dict[Pair, float] = {}
    for begin in range(0, len(owners), neighbours.BLOCK):
        alike |= await pace.think(
            partial(neighbours.nearest, vectors, owners, begin, NEAREST, LEAST)
        )
    return alike
