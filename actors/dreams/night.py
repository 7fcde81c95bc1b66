"""One dream under way: what it works with, and how it lets others pass.

Everything that takes time is done in pieces: pages of the store, blocks of vectors, runs of
memories. Before each piece the dream *breathes*: it gives up when whoever wanted it does not wait
any more, stops when somebody comes (a patient dream) or lets them pass (an ordered one). Arithmetic
runs on a thread of its own, so that the loop is free for whoever asks meanwhile.
"""

import gc
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Final, Protocol, TypeVar

import trio

from actors.core.ports import Foreground
from actors.dreams.rows import DreamReader, DreamRow
from actors.memory.rows import Memory
from actors.policy.dreams import connection_graph, replay
from actors.policy.dreams.connection_graph import Connection, Likeness
from actors.policy.dreams.proposals import Uses
from actors.policy.dreams.repetition import Said
from actors.policy.dreams.replay import Replayed, replayed, telling_apart
from actors.policy.gate import nearest
from actors.policy.text.pieces import Pieces

T = TypeVar("T")

PAGE: Final = 100  # memories read at a time: the reader is free for a prompt in between
RUN: Final = 50  # memories taken apart in one piece
NEAREST: Final = 10  # neighbours of a memory
LEAST: Final = 0.25  # cosine of a neighbour
SAID: Final = 5_000  # prompts of the archive: the newest
PIECE: Final = 0.01  # seconds of arithmetic in one piece
REST: Final = 0.1  # times what a piece took, until the next
QUIET: Final = 0.3  # seconds without anybody until an ordered dream goes on
PASSING: Final = 5.0  # seconds at most that it waits for that


class Disturbed(Exception):
    """Somebody came: a patient dream stops here and is gone on with later."""


class GivenUp(Exception):
    """Error: nobody waits for the dream any more, or somebody stopped it."""


class Thinking(Protocol):
    """A thread for arithmetic, with one owner."""

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value; a cancelled caller leaves, the work is finished unseen."""
        ...


@contextmanager
def undisturbed() -> Generator[None]:
    """While a dream is under way the collector leaves alone what it holds.

    Over 10,000 memories a full collection stops every thread for .13 s. Nothing that a dream holds
    is in a cycle; what others leave behind meanwhile is looked through afterwards.
    """
    try:
        yield
    finally:
        gc.unfreeze()


@dataclass(slots=True)
class Pace:
    """Pace of a dream: when it goes on, waits, or stops."""

    foreground: Foreground
    thread: Thinking
    patient: bool
    halted: Callable[[], Disturbed | GivenUp | None]
    _came: int = field(init=False)

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
        """The value of one piece of arithmetic; then others have a moment."""
        await self.breathe()
        began = trio.current_time()
        value = await self.thread.run(work)
        gc.freeze()  # see ``undisturbed``
        await trio.sleep(REST * (trio.current_time() - began))
        return value

    async def work(self, pieces: Pieces[T]) -> T:
        """The value of a long computation, some milliseconds at a time."""
        while True:
            done = await self.think(partial(_for_a_while, pieces))
            if done is not None:
                return done[0]


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
    """Memories that a dream goes over, read once and kept while it lasts."""

    row: DreamRow
    stored: dict[int, Memory]
    memories: list[Replayed]  # oldest id first
    alike: Likeness
    by_vectors: bool
    causes: list[tuple[int, int]]
    said: list[Said]

    @property
    def ids(self) -> list[int]:
        """The memories that still live, in the order of ids."""
        return [one.id for one in self.memories]


async def gathered(
    reader: DreamReader, row: DreamRow, pace: Pace, focus: frozenset[str] = frozenset()
) -> Night:
    """Everything that the stages of this dream need, read and prepared in pieces."""
    stored: dict[int, Memory] = {}
    for ids in _pages(row.memory_ids, PAGE):
        await pace.breathe()
        stored |= {one.id: one for one in await reader.dreamt_memories(ids)}
    memories = await _taken_apart([*stored.values()], pace)
    if focus:
        memories = await pace.think(lambda: replay.selected(memories, focus))
    neighbours = await _neighbours(reader, [*stored], pace)
    near = connection_graph.pairing(neighbours, {one.id for one in memories})
    if not neighbours:
        near = connection_graph.nearing_by_words(memories)
    alike = await pace.work(near)
    causes: list[tuple[int, int]] = []
    if memories:
        await pace.breathe()
        causes = await reader.causal_pairs([*stored])
    await pace.breathe()
    said = [] if focus else await _said(reader, pace)
    return Night(row, stored, memories, alike, bool(neighbours), causes, said)


async def _said(reader: DreamReader, pace: Pace) -> list[Said]:
    """Prompts of the archive, whole where the journal still has them."""
    found: list[Said] = []
    for page in _pages(await reader.said(SAID), PAGE):
        await pace.breathe()
        whole = await reader.prompts([one.seq for one in page])
        found += [replace(one, prompt=whole.get(one.seq, "")) for one in page]
    return found


async def _taken_apart(stored: Sequence[Memory], pace: Pace) -> list[Replayed]:
    """The memories as dreaming sees them."""
    raw: list[Replayed] = []
    for run in _pages(stored, RUN):
        raw += await pace.think(partial(_replayed, run))
    return await pace.work(telling_apart(raw))


def _replayed(run: Sequence[Memory]) -> list[Replayed]:
    return [
        replayed(
            one.id, one.created_at, one.text, one.kind, one.memory_type, one.project, one.uses,
            one.session,
        )
        for one in run
    ]  # fmt: skip


async def _neighbours(
    reader: DreamReader, ids: Sequence[int], pace: Pace
) -> dict[int, list[tuple[int, float]]]:
    """The nearest of each memory by its first vector; nothing without vectors."""
    pairs: list[tuple[int, bytes]] = []
    for page in _pages(ids, PAGE):
        await pace.breathe()
        pairs += await reader.first_vectors(page)
    owners = [owner for owner, _ in pairs]
    vectors = await pace.think(lambda: nearest.matrix([vector for _, vector in pairs]))
    found: dict[int, list[tuple[int, float]]] = {}
    for begin in range(0, len(owners), nearest.BLOCK):
        found |= await pace.think(partial(nearest.nearest, vectors, owners, begin, NEAREST, LEAST))
    return found


async def connections_between(
    reader: DreamReader, ids: Sequence[int], pace: Pace
) -> list[Connection]:
    """The stored connections with both ends among these."""
    held = frozenset(ids)
    found: dict[tuple[int, int, str], Connection] = {}
    for page in _pages(ids, PAGE):
        await pace.breathe()
        for one in await reader.connections_of(page, 64 * PAGE):
            if one.one in held and one.other in held:
                found[one.one, one.other, one.kind.value] = one
    return [*found.values()]


async def uses_among(reader: DreamReader, ids: Sequence[int], pace: Pace) -> dict[int, Uses]:
    """Counts of how often those of these that were used helped, and how often not."""
    found: dict[int, Uses] = {}
    for page in _pages(ids, PAGE):
        await pace.breathe()
        found |= {one: Uses(*counts) for one, *counts in await reader.uses_of(page)}
    return found


def _pages(values: Sequence[T], size: int) -> list[Sequence[T]]:
    return [values[begin : begin + size] for begin in range(0, len(values), size)]
