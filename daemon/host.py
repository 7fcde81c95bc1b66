"""The composition root: everything is made here, actors by ``daemon.assembly``, started in order and stopped in reverse.

At a stop no more connections come, answers under way are finished, and mailboxes drain one after the other from the
feeding end. An outer deadline cuts this short; events journaled and not derived are derived at the next start.
"""

import logging
import logging.handlers
import os
import random
import signal
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import trio
from msgspec import Struct

from actors.core.failures import Unreadable
from actors.core.mailbox import Lane, MailboxClosed, Queue, SwitchedOff
from actors.intake.intake import SwitchedBy
from actors.intake.messages import Derived, DrainSpool
from actors.memory.commit import Write
from actors.policy.events.switch import Off
from actors.policy.patterns import patterns
from actors.policy.secrets.redaction import redacted
from actors.reader.messages import Look
from actors.reader.reading import Readership
from actors.recall.archive import Archive
from daemon import lock
from daemon.api.operation import subjects
from daemon.assembly import Projects, Surroundings, builders, passages_of
from daemon.conditions import Activity, measured, report, timed_loop
from daemon.context import Changes, Parts
from daemon.dispatch import HOOKS, answer, is_slow, requests
from daemon.durability.backups import Backups
from daemon.embedding import models
from daemon.embedding.process import open_worker
from daemon.engines.process import Place
from daemon.files import DiskFiles, SpoolFolder, tidy_spool
from daemon.gateway import Gateway, listening
from daemon.home import FILE_MODE, Home
from daemon.lock import is_ours
from daemon.recording import Recording
from daemon.schedule import Schedule
from daemon.settings import Settings
from daemon.share import arriving
from daemon.sources import ProjectSources
from daemon.storage.store import OpenStore, open_store
from daemon.supervisor import Child, Mailboxes, Supervisor, WorkThread
from daemon.times import WallClock

log = logging.getLogger(__name__)

ROOM = 1024  # messages a lane
MARKED_EVERY = 1.0  # seconds from a commit to the writing of the marker: what a loss is told within
# Seconds: between the parts of what is read at the start the same work left 10 MB more behind.
PREPARED_AFTER = 0.3
EXAMINED_AFTER = 5.0  # seconds: half a second of CPU at 100,000 memories
SESSIONS_LOOK = 60.0  # seconds between two looks whether a session is to be read
SPOOL_LOOK = 5.0  # seconds between two looks into the spool
RESTED_AFTER = 10.0  # seconds without a frame or a write, after which memory is given back
# Frames and writes that make that worth while: 64 vectors are one write, 3,000 events leave 8 MB.
WORTH_RESTING = 100
SPOOL_TIDIED = 600.0  # seconds between two looks for what killed hooks and others left there
STOP_WITHIN = 10.0  # seconds to drain when told to stop; systemd kills after 90
HELD_LOOK = 5.0  # seconds between two looks whether what the daemon stays for is done
LOG_SIZE = 2_000_000  # bytes before the log is rolled
LOGS_KEPT = 3  # rolled files kept

# In the order of starting: each leans on those before it and is fed by those after it.
ORDER = (
    "long_term",
    "tagging",
    "strength",
    "dreaming",
    "archivist",
    "embedder",
    "gate",
    "session_reader",
    "working_memory",
    "pressure",
    "staleness",
    "extraction",
    "recall",
    "intake",
)
VITAL = frozenset({"long_term", "intake"})


class Running(Struct):
    """Running parts: handed to the gateway and to tests."""

    parts: Parts
    queues: dict[str, Queue[Any]]
    ended: dict[str, trio.Event]
    readership: Readership


@asynccontextmanager
async def running_actors(
    home: Home, surroundings: Surroundings, nursery: trio.Nursery
) -> AsyncGenerator[Running]:
    """All actors under supervision; leaving the block drains them in reverse order."""
    queues: dict[str, Queue[Any]] = {name: Queue(name, room=ROOM) for name in ORDER}
    build = builders(queues, surroundings)
    long_term = queues["long_term"].mailbox
    supervisor = Supervisor(
        jitter=random.Random(surroundings.jitter),
        event_ended=lambda seq: long_term.hint(Write((Derived(seq),))),
    )
    ended = {name: trio.Event() for name in ORDER}

    async def supervised(child: Child) -> None:
        try:
            await supervisor.run(child)
        finally:
            ended[child.name].set()

    for name in ORDER:
        child = Child(name, build[name], queues[name], vital=name in VITAL)
        supervisor.add(child)
        nursery.start_soon(supervised, child, name=name)
    mailboxes = Mailboxes(**{name: queues[name].mailbox for name in Mailboxes.__struct_fields__})
    schedule = Schedule(
        surroundings.settings, surroundings.clock, surroundings.store.reading, mailboxes,
        surroundings.activity, surroundings.machine, surroundings.backups,
    )  # fmt: skip
    parts = Parts(
        home, surroundings.settings, surroundings.clock, surroundings.store.reading,
        surroundings.embedding, mailboxes, supervisor, surroundings.changes,
        surroundings.project_of, surroundings.sources, trio.current_time(), trio.Event(), dict,
        last_event=trio.current_time(), redact=surroundings.settings.redact(), activity=surroundings.activity,
        late=surroundings.late, observatory=surroundings.observatory, triggers=surroundings.triggers, backups=surroundings.backups,
        place=Place.of(home),
        schedule=schedule,
        archive=Archive(
            surroundings.store.reading, surroundings.clock, mailboxes.long_term, mailboxes.embedder
        ),
        passages=passages_of(mailboxes.long_term, surroundings),
    )  # fmt: skip
    running = Running(parts, queues, ended, surroundings.readership)
    try:
        yield running
    finally:
        await drain(running, STOP_WITHIN)


async def drain(running: Running, within: float) -> None:
    """Close the mailboxes in reverse order, each once its feeder has ended.

    The store's owner goes last and has its own time: its units are not lost.
    """
    with trio.move_on_after(within, shield=True) as scope:
        for name in reversed(ORDER[1:]):
            running.queues[name].close()
            await running.ended[name].wait()
    if scope.cancelled_caught:
        log.warning("drain_cut_short within=%.1f", within)
    running.queues[ORDER[0]].close()
    with trio.move_on_after(within, shield=True):
        await running.ended[ORDER[0]].wait()


def beside_engines(off: SwitchedBy, folder: Path) -> SwitchedBy:
    """Recording is off where engines of the reader run, so none of them feeds the next."""

    def switched(places: Sequence[str], session: str, begin: float, end: float) -> Off | None:
        own = any(Path(place).is_relative_to(folder) for place in places)
        return Off(str(folder)) if own else off(places, session, begin, end)

    return switched


async def serve(home: Home, settings: Settings, warnings: tuple[str, ...] = ()) -> None:
    """Run the daemon until it is told to stop.

    The home's lock is held by the caller; ``warnings`` are for ``reverie status``. Raises the errors of opening the
    store, and ``RestartLimitExceeded`` when the daemon cannot go on.
    """
    # The second one is not caught.
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals, timed_loop() as lag:
        model, absent = models.chosen(home, settings.embedding)
        async with (
            open_store(home) as store,
            open_worker(model, absent=absent) as worker,
        ):
            files, clock, activity = WorkThread("files"), WallClock(), Activity()
            surroundings = Surroundings(
                store,
                settings,
                clock,
                worker,
                DiskFiles(files),
                SpoolFolder(files, home.spool),
                Changes(),
                Projects({}),
                activity=activity,
                machine=partial(files.run, measured),
                thread=WorkThread("dreams"),
                large_events=WorkThread("events"),
                sources=ProjectSources(WorkThread("sources")),
                off=beside_engines(Recording(home).off, Place.of(home).folder),
                unread_in=Recording(home).unread,
                backups=Backups(store.soundness, settings.backups, store.store_id, clock, activity),
            )
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_examine, store)
                async with running_actors(home, surroundings, nursery) as running:
                    running.parts.warnings = warnings
                    await _take_up_reader(running)
                    running.parts.loop = lag.statistics
                    with listening(home, settings.injection.deadline) as listener:
                        await _until_told(running, store, listener, signals)
                    log.info("stopping")
                nursery.cancel_scope.cancel()
    log.info("stopped")


async def _take_up_reader(running: Running) -> None:
    """Have the settings' engine read; where nobody agreed to one, none is imported."""
    parts = running.parts
    await trio.to_thread.run_sync(parts.place.clear)  # of a daemon that was killed
    if parts.settings.reader.engine:
        from daemon.engines.choice import take_up

        take_up(parts, running.readership)


async def _examine(store: OpenStore) -> None:
    """Look through the file for damage, once the clients waiting for the start have their answers."""
    await trio.sleep(EXAMINED_AFTER)
    await store.examine()


async def _until_told(
    running: Running, store: OpenStore, listener: socket.socket, signals: Any
) -> None:
    parts = running.parts
    gateway = Gateway(partial(answer, parts), is_slow, frozenset(HOOKS))
    parts.gateway = gateway.statistics
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_stop_on_signal, signals, parts.stop)
        await nursery.start(parts.schedule.run)
        # Before the first answer: who is killed after it was a daemon that started well.
        parts.home.starting.unlink(missing_ok=True)
        lock.forget_failed_start(parts.home)
        log.info("ready pid=%d", os.getpid())
        nursery.start_soon(gateway.serve, listener)
        nursery.start_soon(report, os.environ)
        nursery.start_soon(prepare_for_prompts, gateway)
        nursery.start_soon(_look_into_spool, running)
        nursery.start_soon(_tidy_spool, parts)
        nursery.start_soon(_look_for_sessions, running)
        nursery.start_soon(arriving.follow, parts)
        nursery.start_soon(leave_when_idle, parts)
        nursery.start_soon(rest_when_quiet, parts, gateway)
        nursery.start_soon(_watch_files, parts, store)
        nursery.start_soon(parts.reader.follow)
        await parts.stop.wait()
        # What is being answered may be a person's last request: a moment for it.
        with trio.move_on_after(1.0):
            while gateway.busy:  # noqa: ASYNC110 - a moment at the very end, not worth an event
                await trio.sleep(0.02)
        nursery.cancel_scope.cancel()


async def _stop_on_signal(signals: Any, stop: trio.Event) -> None:
    async for number in signals:
        log.info("signal number=%d", number)
        stop.set()
        return


async def prepare_for_prompts(gateway: Gateway) -> None:
    """Compile and import patterns and modules for the first prompts and questions, before one comes.

    Who asks meanwhile goes first, and waits for one pattern or module at most.
    """
    await trio.sleep(PREPARED_AFTER)
    redacted("a few words")
    for stated in patterns():
        _ = stated.compiled
        await nobody_waits(gateway)
    for _ in subjects():
        await nobody_waits(gateway)
    requests()


async def nobody_waits(gateway: Gateway) -> None:
    """Let others go on, and wait until whoever asked has an answer."""
    await trio.lowlevel.checkpoint()
    while gateway.busy:  # noqa: ASYNC110 - an answer takes milliseconds
        await trio.sleep(0.01)


async def _look_into_spool(running: Running) -> None:
    """Hooks spool when they find nobody: at the start there may be much, later a little.

    A spool in a home no longer ours is for the next daemon.
    """
    while True:
        if not is_ours(running.parts.home):
            log.error("home_removed")
            running.parts.stop.set()
            return
        try:
            await running.queues["intake"].mailbox.tell(DrainSpool(), lane=Lane.BACKGROUND)
        except MailboxClosed:
            return
        await trio.sleep(SPOOL_LOOK)


async def _look_for_sessions(running: Running) -> None:
    """Let the reader look whether a session is to be read, where a person agreed to one."""
    parts, readership = running.parts, running.readership
    while True:
        await trio.sleep(SESSIONS_LOOK)
        if readership.engine is not None:
            with suppress(MailboxClosed, SwitchedOff):
                await parts.mailboxes.session_reader.tell(
                    Look(parts.clock.now()), lane=Lane.BACKGROUND
                )


async def _tidy_spool(parts: Parts) -> None:
    while True:
        await trio.to_thread.run_sync(tidy_spool, parts.home.spool, parts.clock.now())
        await trio.sleep(SPOOL_TIDIED)


async def _watch_files(parts: Parts, store: OpenStore) -> None:
    """Watch the open database; where another daemon goes on without a loss, this one leaves."""
    await store.writing.watch(MARKED_EVERY)
    parts.stop.set()


async def rest_when_quiet(parts: Parts, gateway: Gateway) -> None:
    """Give memory back once much was answered or written, and nobody asks or writes for a while."""
    rested = written = parts.reader.writes
    while True:
        await trio.sleep(RESTED_AFTER)
        before, written = written, parts.reader.writes
        is_quiet = trio.current_time() - parts.last_event >= RESTED_AFTER and written == before
        if is_quiet and gateway.served + written - rested >= WORTH_RESTING:
            with suppress(Unreadable):  # a damaged file: ``status`` says so
                await parts.reader.rest()
            rested = gateway.served + written


async def leave_when_idle(parts: Parts) -> None:
    """Leave after ``daemon.idle_exit`` without a frame, but not while a dream is due."""
    limit = parts.settings.daemon.idle_exit
    while limit > 0:
        idle = trio.current_time() - parts.last_event
        if idle >= limit and not parts.schedule.holding():
            log.info("idle seconds=%.0f", idle)
            parts.stop.set()
            return
        await trio.sleep(limit - idle if idle < limit else HELD_LOOK)


# ---- the log: one event, one line, ``key=value``, ids and never contents


class PrivateHandler(logging.handlers.RotatingFileHandler):
    """A rolled log, readable by its owner only; on a full disk it misses lines."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Nothing: the place for complaints is this very file."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        binary = os.fdopen(os.open(self.baseFilename, flags, FILE_MODE), "ab")
        return TextIOWrapper(binary, encoding=self.encoding, line_buffering=True)


def to_file(path: Path, level: str) -> logging.Handler:
    """Send all log lines to this file; close the handler at the end."""
    handler = PrivateHandler(path, maxBytes=LOG_SIZE, backupCount=LOGS_KEPT, encoding="utf-8")
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s", "%Y-%m-%dT%H:%M:%S%z")
    )
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level.upper())
    # A statement that a deadline ended is no error of ours (apsw.aio logs it as one).
    logging.getLogger("apsw").setLevel(logging.CRITICAL)
    return handler
