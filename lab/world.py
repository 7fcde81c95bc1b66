"""The daemon's inside on virtual time: its store, its actors, its schedule, its answers."""

import hashlib
import importlib
import json
import math
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import apsw
import msgspec
import trio
from msgspec import Struct
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.core.mailbox import MailboxClosed
from actors.intake.messages import DrainSpool
from actors.memory.rows import Embedded, EmbeddingState, Role
from daemon.assembly import Surroundings
from daemon.conditions import Activity
from daemon.context import Changes
from daemon.dispatch import answer
from daemon.embedding.process import EmbeddingProcess, open_worker
from daemon.files import DiskFiles, SpoolFolder
from daemon.home import Home
from daemon.host import Running, running_actors
from daemon.settings import Settings
from daemon.storage.database.connection import configured
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore, open_store
from daemon.supervisor import Here
from daemon.wire import ERROR, REPLY, Frame

# ---- virtual time: a patient clock, a wall clock following it, a repeatable scheduler
#
# A virtual clock jumps when every task waits. A task waiting for SQLite on its thread, or for the
# embedding worker, waits for something unknown to virtual time: without patience, every deadline
# around a real query would pass before the query began.

BEGINNING = 1_800_000_000.0  # seconds since the epoch: the wall clock at virtual time 0


class Patience(trio.abc.Instrument):
    """Keeps a run's clock from jumping while real work is under way."""

    def __init__(self, clock: MockClock) -> None:
        self._clock = clock
        self.counts: list[Callable[[], int]] = []

    def after_task_step(self, task: trio.lowlevel.Task) -> None:  # noqa: ARG002 - trio's
        """Work begins and ends in a task's step: look after each."""
        working = any(count() for count in self.counts)
        threshold = math.inf if working else 0.0
        if self._clock.autojump_threshold != threshold:
            self._clock.autojump_threshold = threshold


_patience: trio.lowlevel.RunVar[Patience] = trio.lowlevel.RunVar("patience")


def be_patient(in_flight: Callable[[], int]) -> None:
    """Make this run's virtual clock wait for the work counted here as well."""
    clock = trio.lowlevel.current_clock()
    if not isinstance(clock, MockClock):
        return
    try:
        patience = _patience.get()
    except LookupError:
        patience = Patience(clock)
        _patience.set(patience)
        trio.lowlevel.add_instrument(patience)
    patience.counts.append(in_flight)


class FollowingClock:
    """``actors.core.equipment.Clock``: the time of day along with virtual time."""

    def __init__(self, begins: float = BEGINNING) -> None:
        self._begins = begins

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        return self._begins + trio.current_time()


@contextmanager
def repeatable(seed: int) -> Generator[None]:
    """Runs of trio inside the block take their turns by this seed, not by chance.

    trio mixes the order of tasks that are ready together, on purpose. It has a switch for
    repeatable tests, and no public name for it; where a later version has neither, the order is
    left to chance and only the seed's promise is lost.
    """
    run = vars(importlib.import_module("trio._core._run"))
    before: Any = run.get("_ALLOW_DETERMINISTIC_SCHEDULING")
    source: Any = run.get("_r")
    if before is None or source is None:
        yield
        return
    state = source.getstate()
    run["_ALLOW_DETERMINISTIC_SCHEDULING"] = True
    source.seed(seed)
    try:
        yield
    finally:
        run["_ALLOW_DETERMINISTIC_SCHEDULING"] = before
        source.setstate(state)


# ---- the real embedding worker, one list after the other, in a repeatable order
#
# The worker is a process: how long it takes is no virtual second. While it works the clock stands
# still, and its answer is heard when everybody else has come to rest.


class SteadyEmbedding:
    """``actors.memory.rows.Embedding``: a worker with one answer at a time."""

    def __init__(self, worker: EmbeddingProcess) -> None:
        self._worker = worker
        self._turn = trio.Lock()  # first come, first served
        self.in_flight = 0

    @property
    def state(self) -> EmbeddingState:
        """The worker's."""
        return self._worker.state

    @property
    def under_way(self) -> int:
        """Work for virtual time to wait for; nothing while there is no process to end it."""
        if self._worker.pid is None:
            return 0
        return self.in_flight + (self.state.state == "starting")

    async def embed(
        self, texts: Sequence[str], *, role: Role, interactive: bool, tokens: bool = False
    ) -> list[Embedded]:
        """One vector a text, and its tokens if they are wanted. Raises ``EmbeddingUnavailable``."""
        self.in_flight += 1
        try:
            async with self._turn:
                made = await self._worker.embed(
                    texts, role=role, interactive=interactive, tokens=tokens
                )
                await wait_all_tasks_blocked()
                return made
        finally:
            self.in_flight -= 1


@asynccontextmanager
async def open_embedding(model: Path | None) -> AsyncGenerator[SteadyEmbedding]:
    """The worker for this model, once it is ready or known to be of no use; without one there are words only."""
    async with open_worker(model, absent="this life has words only") as worker:
        embedding = SteadyEmbedding(worker)
        be_patient(lambda: embedding.under_way)
        await worker.settled()
        yield embedding


# ---- the store's connections without threads: work is done on the spot
#
# Two threads finish in an order no clock decides. Here everything has one order, so a script gives
# the same life every time; the queries and the writes are the daemon's.

T = TypeVar("T")


class InlineConnection:
    """``daemon.storage.database.connection.Connection`` on the caller's own thread."""

    in_flight = 0  # nothing is ever under way while somebody else runs

    def __init__(self, raw: apsw.Connection) -> None:
        self._sql = Sql(raw)

    async def run(self, work: Callable[[Sql], T]) -> T:
        """Do this piece of work, or nothing of it when the caller is cancelled."""
        await trio.lowlevel.checkpoint()
        return work(self._sql)


@asynccontextmanager
async def open_inline(
    path: Path,
    *,
    thread: str,  # noqa: ARG001 - there is none
    read_only: bool,
) -> AsyncGenerator[InlineConnection]:
    """Open the database with the daemon's settings, but for waiting for the disk.

    A simulated life has no power cuts: writes are there for whoever opens the file next.
    """
    flags = (
        apsw.SQLITE_OPEN_READONLY
        if read_only
        else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    )
    raw = apsw.Connection(str(path), flags=flags)
    try:
        connection = InlineConnection(raw)
        await connection.run(lambda sql: configured(sql, read_only=read_only))
        await connection.run(lambda sql: sql.rows("PRAGMA synchronous = OFF"))
        yield connection
    finally:
        raw.close()


# ---- the daemon's inside on virtual time
#
# Everything is made by the daemon's own composition root. Only parts with real time in them are
# missing: sockets, threads, signals. Time passes only when the player lets it.

STRIDE = 3_600.0  # seconds: the longest jump of the clock, as of a laptop that wakes each hour
TICK = 1e-3  # seconds past a due time, so that no rounding leaves it a moment ahead
REST = 2e-3  # real seconds between two looks at a worker that computes
PATIENCE = 60.0  # virtual seconds for an actor that crashed to come back to its mail


class World(Struct):
    """A running daemon without its edges."""

    store: OpenStore
    embedding: SteadyEmbedding
    running: Running
    clock: FollowingClock
    scope: trio.CancelScope

    def kill(self) -> None:
        """End everything where it stands: nothing is drained, nothing is written any more."""
        self.scope.cancel()

    async def ask(self, kind: str, body: object) -> Frame:
        """Answer of the daemon to a request or a hook's frame."""
        frames: list[Frame] = []

        async def send(frame: Frame) -> None:
            await trio.lowlevel.checkpoint()
            if frame.kind in (REPLY, ERROR):
                frames.append(frame)

        await answer(self.running.parts, Frame(1, kind, body), send)
        return frames[-1]

    async def hook(self, agent: str, event_id: bytes, payload: Mapping[str, object]) -> str:
        """Answer to the agent when it reports this event."""
        raw = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
        nanoseconds = round(self.clock.now() * 1e6) * 1000
        frame = await self.ask("hook", [agent, event_id, nanoseconds, raw])
        return (
            context_in(bytes(frame.body)) if frame.kind == REPLY else f"! {frame.body['message']}"
        )

    async def settled(self) -> None:
        """Until nobody has anything to do but wait for time to pass."""
        for _ in range(int(PATIENCE / 0.1)):
            await wait_all_tasks_blocked()
            while self.embedding.under_way:
                await wait_all_tasks_blocked(REST)
            if not any(queue.waiting for queue in self.running.queues.values()):
                return
            await trio.sleep(0.1)  # somebody crashed, and is back in a moment

    async def until(self, moment: float, *, rhythm: float) -> None:
        """Let time pass until then, in strides to the next due job or of an hour.

        Jobs more frequent than once in ``rhythm`` seconds are not waited for: they run once at the
        end of a stride, as after an hour's sleep of a laptop.
        """
        schedule = self.running.parts.schedule
        while moment - (now := self.clock.now()) > 1e-3:
            coming = (due for due, every in schedule.due.values() if every >= rhythm)
            due = min(coming, default=moment) + TICK
            await self.leap(min(moment, max(due, now + TICK), now + STRIDE))

    async def leap(self, end: float) -> None:
        """Be away until then: jobs due meanwhile are found to be due afterwards.

        No time passes while somebody has something to do: a read on the spot takes none.
        """
        await self.settled()
        clock = trio.lowlevel.current_clock()
        assert isinstance(clock, MockClock)  # a world on real time would sleep
        clock.jump(max(end - self.clock.now(), 0.0))
        await self.settled()


def context_in(printed: bytes) -> str:
    """The context in a hook's output; empty for nothing and for instructions, which are no JSON."""
    if not printed.startswith((b"{", b'"')):
        return ""
    found: Any = msgspec.json.decode(printed)
    if not isinstance(found, dict):
        return str(found)
    outer = cast("dict[str, Any]", found)
    inner = outer.get("hookSpecificOutput")
    if isinstance(inner, dict):
        return str(cast("dict[str, Any]", inner).get("additionalContext", ""))
    return ""  # a message for the person alone is no context


def event_id(seed: int, number: int) -> bytes:
    """The same for the same event of the same life."""
    return hashlib.sha256(f"{seed}/{number}".encode()).digest()[:16]


def project_of(directory: str, projects: tuple[str, ...]) -> str:
    """The project of a directory: of the script's ones, the innermost.

    The disk is not asked: a script tells the same life on every machine.
    """
    inside = [p for p in projects if directory == p or directory.startswith(p.rstrip("/") + "/")]
    return max(inside, key=len, default=directory)


@asynccontextmanager
async def open_world(
    home: Home,
    settings: Settings,
    clock: FollowingClock,
    embedding: SteadyEmbedding,
    seed: int,
    projects: tuple[str, ...],
) -> AsyncGenerator[World]:
    """Start the daemon's inside; leaving the block drains and ends it, unless it was killed.

    The embedding worker outlives it: how long a process takes to end is no virtual time.
    """
    worker = Here()
    async with open_store(home, connect=open_inline) as store:
        surroundings = Surroundings(
            store, settings, clock, embedding, DiskFiles(worker),
            SpoolFolder(worker, home.spool), Changes(),
            lambda directory: project_of(directory, projects), seed, Activity(),
        )  # fmt: skip
        async with trio.open_nursery() as nursery:
            async with running_actors(home, surroundings, nursery) as running:
                world = World(store, embedding, running, clock, nursery.cancel_scope)
                async with trio.open_nursery() as timed:
                    timed.start_soon(running.parts.schedule.run)
                    timed.start_soon(running.parts.reader.warm)
                    with suppress(MailboxClosed):  # once, as a daemon does when it starts
                        running.queues["intake"].mailbox.offer(DrainSpool())
                    await world.settled()
                    yield world
                    timed.cancel_scope.cancel()
            nursery.cancel_scope.cancel()


def played(
    begins: float,
    model: Path | None,
    seed: int,
    project: str,
    live: Callable[[World, Home], Awaitable[T]],
) -> T:
    """Live in a home of its own on virtual time from a moment on, in seconds UTC; the same each time."""
    with tempfile.TemporaryDirectory(prefix="rv-") as root, repeatable(seed):
        home = Home(Path(root))
        home.prepare()

        async def whole() -> T:
            clock = FollowingClock(begins - trio.current_time())
            async with (
                open_embedding(model) as embedding,
                open_world(home, Settings(), clock, embedding, seed, (project,)) as world,
            ):
                return await live(world, home)

        return trio.run(whole, clock=MockClock(autojump_threshold=0.0))
