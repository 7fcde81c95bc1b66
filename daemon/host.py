"""The composition root: everything is made here, started in order and stopped in reverse.

Start: store, threads, embedding worker, actors from the one others lean on to the one others feed,
spool, socket, address. Stop: no more connections, answers under way are finished, mailboxes are
closed from the feeding end and drain one after the other, the last words go into the store, which
is closed. An outer deadline cuts the middle short; events journaled and not derived are derived at
the next start.
"""

import logging
import math
import os
import random
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, fields
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock, Worker
from actors.core.failures import Unreadable
from actors.core.mailbox import Lane, Mailbox, MailboxClosed, Queue, SwitchedOff
from actors.gate.gate import Gate
from actors.gate.neighbours import Calibration
from actors.intake.documents import Documents
from actors.intake.extraction import Authors, Extraction
from actors.intake.intake import Intake, Listeners, SwitchedBy
from actors.intake.messages import Derived, DrainSpool
from actors.links.links import Links
from actors.memory.commit import LongTermMessage, Write
from actors.memory.embedder import Embedder
from actors.memory.long_term import LongTerm
from actors.memory.observatory import Observatory
from actors.memory.rows import Embedding
from actors.memory.strength import StrengthKeeper
from actors.night.archivist import Archivist
from actors.night.dreaming import Dreaming
from actors.night.tagging import Tagging
from actors.passages.passages import Idle, Passages
from actors.policy.decay import states
from actors.policy.events.switch import Off
from actors.policy.patterns import patterns
from actors.policy.reader.next_session import Presence
from actors.policy.recall import ranking, ways
from actors.policy.recall.degradation import shares
from actors.policy.secrets.redaction import redacted
from actors.policy.text import wording
from actors.reader.keeping import Keeping
from actors.reader.messages import Look
from actors.reader.reading import NightReading, Readership, SessionReading
from actors.reader.session_reader import SessionReader
from actors.reader.surroundings import Places
from actors.recall.archive import Finding
from actors.recall.channels import Channels
from actors.recall.inquiry import LastAnswers
from actors.recall.ordering import Settings as RecallSettings
from actors.recall.recall import assembled
from actors.recall.triggers import Triggers
from actors.session.pressure import PressureGauge
from actors.session.prospective import Prospective
from actors.session.working_memory import WorkingMemory
from actors.staleness.staleness import Staleness
from daemon import lock
from daemon.answers.hooks import HAS_TOOLS
from daemon.api.operation import subjects
from daemon.autostart import units
from daemon.conditions import Activity, Machine, SteadyMachine, ThisMachine, timed_loop
from daemon.context import Changes, Parts
from daemon.dispatch import HOOKS, answer, is_slow, requests
from daemon.durability import leftovers
from daemon.durability.backups import Backups
from daemon.embedding import following, models
from daemon.embedding.process import open_worker
from daemon.engines.process import Place
from daemon.files import DiskFiles, SpoolFolder
from daemon.gateway import Gateway, listening
from daemon.home import Home
from daemon.hook_answers import LateAnswers
from daemon.lock import is_ours
from daemon.projects import place_in, project_root
from daemon.recording import Recording
from daemon.schedule import Schedule
from daemon.settings import Settings
from daemon.share import arriving
from daemon.sources import ProjectSources
from daemon.states import fading_of, retrievability_of
from daemon.storage.store import OpenStore, open_store
from daemon.supervisor import Child, Here, Mailboxes, Supervisor, WorkThread
from daemon.times import LocalZone, WallClock

log = logging.getLogger(__name__)

ROOM = 1024  # messages a lane
PROJECT_KNOWN = 60.0  # seconds
PROJECTS = 1_000  # working directories whose project is remembered
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


@dataclass(slots=True)
class Projects:
    """Projects of directories, remembered: a hook asks for the same one again.

    For a minute only: a folder becomes a repository, a worktree moves.
    """

    known: dict[str, tuple[float, str]]

    def __call__(self, directory: str) -> str:
        now = trio.current_time()
        at, project = self.known.get(directory, (-math.inf, ""))
        if now - at > PROJECT_KNOWN:
            if len(self.known) >= PROJECTS:
                self.known.clear()
            project = str(project_root(Path(directory)))
            self.known[directory] = (now, project)
        return project


def always_on(_: Sequence[str], __: str, ___: float, ____: float) -> None:
    """Recording of a simulated life: it looks at no disk."""


def read_everywhere(_: Sequence[str], __: str, ___: float) -> str:
    """No folder is left unread: for a simulated life, which looks at no disk."""
    return ""


@dataclass(slots=True)
class Running:
    """Running parts: handed to the gateway and to tests."""

    parts: Parts
    schedule: Schedule
    queues: dict[str, Queue[Any]]
    ended: dict[str, trio.Event]
    readership: Readership


class Surroundings(Struct, dict=True):
    """Surroundings for building actors."""

    store: OpenStore
    settings: Settings
    clock: Clock
    embedding: Embedding
    files: DiskFiles
    spool: SpoolFolder
    changes: Changes
    project_of: Callable[[str], str]
    jitter: int = field(default_factory=os.getpid)  # seeds the pauses before restarts
    activity: Activity = field(default_factory=Activity)
    late: LateAnswers = field(default_factory=LateAnswers)
    observatory: Observatory = field(default_factory=Observatory)
    machine: Machine = field(default_factory=SteadyMachine)
    thread: Worker = field(default_factory=Here)
    large_events: Worker = field(default_factory=Here)
    sources: ProjectSources = field(default_factory=lambda: ProjectSources(Here()))
    backups: Backups | None = None
    off: SwitchedBy = always_on
    unread_in: Callable[[Sequence[str], str, float], str] = read_everywhere

    @cached_property
    def triggers(self) -> Triggers:
        """Phrases in memory: asked by several, run by recall."""
        return Triggers(self.store.reading)

    @cached_property
    def readership(self) -> Readership:
        """Which sessions the engine in use may read."""
        return Readership(self.store.reading, self.unread, self.large_events)

    async def unread(self, session: str, places: Sequence[str]) -> str:
        """Reason for not reading a session of these folders; empty when it may be read."""
        return self.unread_in(places, session, self.clock.now())

    async def presence(self) -> Presence:
        """Tell who is there, and the machine's source of power."""
        conditions = await self.machine.conditions()
        return Presence(
            self.activity.person_idle_for(), self.activity.idle_for(), conditions.on_battery is True
        )


def builders(queues: dict[str, Queue[Any]], s: Surroundings) -> dict[str, Callable[[], Any]]:
    """Builders of the actors, each made anew after every crash."""
    box = {name: queue.mailbox for name, queue in queues.items()}
    reader, settings = s.store.reading, s.settings
    return {
        "long_term": lambda: LongTerm(
            settings.storage, s.store.writing, reader, s.clock,
            s.triggers.changed, box["embedder"], s.changes.announce, s.observatory,
            box["staleness"], box["recall"],
        ),
        "tagging": lambda: Tagging(settings.tagging, reader, box["long_term"]),
        "strength": lambda: StrengthKeeper(
            settings.strength, reader, box["long_term"], s.clock
        ),
        "embedder": lambda: Embedder(
            s.embedding, reader, s.clock, box["gate"],
            Links(reader, s.clock, box["long_term"]),
            Idle(settings.passages, reader, s.clock, s.activity, s.embedding, box["long_term"]),
            box["long_term"],
        ),
        "archivist": lambda: Archivist(
            settings.archivist, reader, box["long_term"]
        ),
        "dreaming": lambda: Dreaming(
            settings.dreaming, reader, s.clock, s.activity, s.thread, box["long_term"],
            NightReading(
                settings.reader, reader, s.clock, box["long_term"], s.readership,
                settings.redact(),
            ).read,
        ),
        "gate": lambda: Gate(
            settings.gate, reader, s.clock, box["embedder"], box["long_term"], box["strength"],
            box["gate"], calibration=Calibration(models.DEFAULT), decay=settings.strength.decay,
        ),
        "session_reader": lambda: SessionReader(
            settings.reader, reader, s.clock, box["long_term"],
            SessionReading(
                reader, s.clock, s.large_events, box["long_term"],
                Keeping(
                    reader, box["gate"], box["embedder"], box["long_term"],
                    box["staleness"], Places(s.sources),
                ),
                Places(s.sources), s.readership.barred, settings.redact(),
            ),
            s.readership, s.presence, LocalZone(),
        ),
        "working_memory": lambda: WorkingMemory(
            settings.working_memory, reader, s.clock, box["long_term"], place_in, s.sources,
            settings.redact(), Prospective(reader, s.files, LocalZone(), box["long_term"]),
        ),
        "pressure": lambda: PressureGauge(settings.pressure, s.files),
        "staleness": lambda: Staleness(reader, s.sources, box["long_term"]),
        "extraction": lambda: Extraction(
            box["gate"], box["long_term"], box["tagging"], s.large_events, reader,
            learns=settings.features.extraction, place=place_in,
            documents=Documents(s.sources, s.large_events, reader, settings.redact(), place_in),
            passages=passages_of(box["long_term"], s), authors=Authors(s.sources, settings.redact()),
            will_read=s.readership.will_read,
        ),
        "recall": lambda: assembled(
            recall_settings(settings), reader, s.clock,
            Channels(
                reader, box["embedder"], s.triggers,
                LastAnswers(lambda: s.store.writing.revision),
                off=frozenset() if settings.embedding.enabled else frozenset({"vectors"}),
                tokens=reader,
            ),
            box["working_memory"], box["pressure"],
            box["strength"], box["long_term"],
            Finding(reader, s.clock, box["long_term"], box["embedder"]).find, s.observatory, s.sources,
        ),
        "intake": lambda: Intake(
            reader, s.spool, box["long_term"],
            Listeners(
                box["extraction"], box["working_memory"], box["pressure"],
                strength=box["strength"],
                staleness=box["staleness"],
            ),
            box["intake"],
            s.project_of,
            s.off,
            s.large_events,
            lambda event, project, at: s.late.unanswered(event, project, at, s.clock.now()),
            settings.redact(),
            s.files if settings.features.extraction else None,
        ),
    }  # fmt: skip


def passages_of(long_term: Mailbox[LongTermMessage], s: Surroundings) -> Passages:
    """Keeping of passages: of live events, and of a person's lessons from the past."""
    return Passages(s.settings.passages, s.store.reading, s.large_events, long_term)


def recall_settings(settings: Settings) -> RecallSettings:
    """Settings of recall by the user's settings of injection and attention.

    Whoever gives a prompt longer gives each of its parts but the vector longer in proportion.
    """
    usual = RecallSettings()
    share = shares(settings.injection.deadline, settings.injection.embedding_wait)
    return RecallSettings(
        channel_wait=usual.channel_wait * share.ample,
        neighbour_wait=usual.neighbour_wait * share.ample,
        embedding_wait=share.vector,
        budget=wording.Settings(
            characters=settings.injection.characters, note=settings.injection.note
        ),
        ranking=ranking_settings(settings),
        at_start=settings.injection.session_start,
        opens_notes=HAS_TOOLS,
        to_subagents=settings.injection.subagents,
        zone=LocalZone(),
        state_of=lambda memory, at: states.standing_at(
            fading_of(memory, settings.strength.decay), at, settings.fading
        ),
        retrievability=partial(retrievability_of, decay=settings.strength.decay),
    )


def ranking_settings(settings: Settings) -> ranking.Settings:
    """Settings for ranking the channels' findings."""
    chosen = settings.recall
    return ranking.Settings(on=ways.turned(ways.DEFAULT, chosen.with_, chosen.without))


@asynccontextmanager
async def running_actors(
    home: Home, surroundings: Surroundings, nursery: trio.Nursery
) -> AsyncGenerator[Running]:
    """All actors under supervision; leaving the block drains them in reverse order."""
    queues: dict[str, Queue[Any]] = {name: Queue(name, room=ROOM) for name in ORDER}
    build = builders(queues, surroundings)
    supervisor = Supervisor(
        jitter=random.Random(surroundings.jitter),
        event_ended=partial(_end_event, queues["long_term"].mailbox),
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
    mailboxes = Mailboxes(**{field.name: queues[field.name].mailbox for field in fields(Mailboxes)})
    schedule = Schedule(
        surroundings.settings, surroundings.clock, surroundings.store.reading, mailboxes,
        surroundings.activity, surroundings.machine, surroundings.backups,
        random.Random(surroundings.jitter),
    )  # fmt: skip
    parts = Parts(
        home, surroundings.settings, surroundings.clock, surroundings.store.reading,
        surroundings.embedding, mailboxes, supervisor, surroundings.changes,
        surroundings.project_of, surroundings.sources, trio.current_time(), trio.Event(), dict,
        last_event=trio.current_time(), redact=surroundings.settings.redact(), activity=surroundings.activity,
        late=surroundings.late, observatory=surroundings.observatory, triggers=surroundings.triggers, machine=surroundings.machine, backups=surroundings.backups,
        place=Place.of(home),
        schedule=schedule,
        finding=Finding(
            surroundings.store.reading, surroundings.clock, mailboxes.long_term, mailboxes.embedder
        ),
        passages=passages_of(mailboxes.long_term, surroundings),
    )  # fmt: skip
    running = Running(parts, schedule, queues, ended, surroundings.readership)
    try:
        yield running
    finally:
        await drain(running, STOP_WITHIN)


def _end_event(long_term: Mailbox[LongTermMessage], seq: int) -> None:
    """Nothing will come of this event: it is not told again."""
    long_term.hint(Write((Derived(seq),)))


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
        choice = following.chosen(home, settings.embedding)
        async with (
            open_store(home) as store,
            open_worker(choice.path, absent=choice.absent) as worker,
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
                machine=ThisMachine(files),
                thread=WorkThread("dreams"),
                large_events=WorkThread("events"),
                sources=ProjectSources(WorkThread("sources")),
                off=beside_engines(Recording(home).off, Place.of(home).folder),
                unread_in=Recording(home).unread,
                backups=Backups(
                    home,
                    settings.backups,
                    store.store_id,
                    clock,
                    activity,
                    damage=lambda: store.reading.damage,
                ),
            )
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_examine, store)
                if settings.embedding.enabled:
                    nursery.start_soon(following.follow, worker, home, choice)
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

        await take_up(parts, running.readership)


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
        await nursery.start(running.schedule.run)
        # Before the first answer: who is killed after it was a daemon that started well.
        parts.home.starting.unlink(missing_ok=True)
        lock.forget_failed_start(parts.home)
        log.info("ready pid=%d", os.getpid())
        nursery.start_soon(gateway.serve, listener)
        nursery.start_soon(prepare_for_prompts, gateway)
        nursery.start_soon(units.report, os.environ)
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
        work = partial(leftovers.tidy, parts.home.spool, parts.clock.now())
        await trio.to_thread.run_sync(work)
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
