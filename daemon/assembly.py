"""Assembly of the actors: what they are built of, and with which settings."""

import math
import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock, Worker
from actors.core.mailbox import Mailbox, Queue
from actors.gate.gate import Gate
from actors.gate.neighbours import Neighbours
from actors.intake.documents import Documents
from actors.intake.extraction import Extraction
from actors.intake.intake import Intake, Listeners, SwitchedBy
from actors.memory.commit import LongTermMessage
from actors.memory.embedder import Embedder
from actors.memory.links import Links
from actors.memory.long_term import LongTerm
from actors.memory.observatory import Observatory
from actors.memory.rows import Embedding
from actors.memory.strength import StrengthKeeper
from actors.memory.use import fading_of, retrievability_of
from actors.night.archivist import Archivist
from actors.night.dreaming import Dreaming
from actors.night.tagging import Tagging
from actors.passages.passages import Idle, Passages
from actors.policy.decay import states
from actors.policy.reader.next_session import Presence
from actors.policy.recall import ranking, ways
from actors.policy.recall.answers import shares
from actors.policy.text import wording
from actors.reader.keeping import Keeping
from actors.reader.reading import NightReading, Readership, Requests, SessionReading
from actors.reader.session_reader import SessionReader
from actors.recall.archive import Archive
from actors.recall.channels import Channels, Pacing
from actors.recall.ordering import Settings as RecallSettings
from actors.recall.recall import assembled
from actors.recall.triggers import Triggers
from actors.session.pressure import PressureGauge
from actors.session.prospective import Prospective
from actors.session.working_memory import WorkingMemory
from actors.staleness.staleness import Staleness
from daemon.answers.hooks import HAS_TOOLS
from daemon.conditions import Activity, Machine, unknown_machine
from daemon.context import Changes
from daemon.durability.backups import Backups
from daemon.embedding import models
from daemon.files import DiskFiles, SpoolFolder
from daemon.hook_answers import LateAnswers
from daemon.projects import place_in, project_root
from daemon.settings import Settings
from daemon.sources import ProjectSources
from daemon.storage.store import OpenStore
from daemon.supervisor import Here
from daemon.times import LocalZone

PROJECT_KNOWN = 60.0  # seconds
PROJECTS = 1_000  # working directories whose project is remembered


class Projects(Struct):
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
    machine: Machine = unknown_machine
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
        conditions = await self.machine()
        return Presence(
            self.activity.person_idle_for(), self.activity.idle_for(), conditions.on_battery is True
        )


def builders(queues: dict[str, Queue[Any]], s: Surroundings) -> dict[str, Callable[[], Any]]:
    """Builders of the actors, each made anew after every crash."""
    box = {name: queue.mailbox for name, queue in queues.items()}
    reader, settings = s.store.reading, s.settings
    return {
        "long_term": lambda: LongTerm(
            settings.storage.journal_kept, s.store.writing, reader, s.clock,
            s.triggers.changed, box["embedder"], s.changes.announce, s.observatory,
            box["staleness"], box["recall"],
        ),
        "tagging": lambda: Tagging(settings.tagging, reader, box["long_term"]),
        "strength": lambda: StrengthKeeper(settings.strength, reader, box["long_term"]),
        "embedder": lambda: Embedder(
            s.embedding, reader, s.clock, box["gate"],
            Links(reader, s.clock, box["long_term"]),
            Idle(
                settings.passages.days, settings.passages.most, reader, s.clock, s.activity,
                s.embedding, box["long_term"],
            ),
            box["long_term"],
        ),
        "archivist": lambda: Archivist(
            settings.archivist, reader, box["long_term"]
        ),
        "dreaming": lambda: Dreaming(
            reader, s.clock, s.activity, s.thread, box["long_term"],
            NightReading(
                settings.reader, reader, s.clock, Requests(s.clock, box["long_term"]),
                s.readership, settings.redact(),
            ).read,
        ),
        "gate": lambda: Gate(
            Neighbours(settings.gate, reader, box["embedder"], models.DEFAULT), reader, s.clock,
            box["long_term"], box["strength"], box["gate"], decay=settings.strength.decay,
        ),
        "session_reader": lambda: SessionReader(
            settings.reader, reader, s.clock, box["long_term"],
            SessionReading(
                reader, s.clock, s.large_events, box["long_term"],
                Requests(s.clock, box["long_term"]),
                Keeping(
                    reader, box["gate"], box["embedder"], box["long_term"],
                    box["staleness"], s.sources,
                ),
                s.sources, s.readership, settings.redact(),
            ),
            s.readership, s.presence, LocalZone(),
        ),
        "working_memory": lambda: WorkingMemory(
            settings.working_memory, reader, s.clock, box["long_term"], place_in, s.sources,
            settings.redact(), Prospective(reader, LocalZone(), box["long_term"]),
        ),
        "pressure": lambda: PressureGauge(settings.pressure, s.files),
        "staleness": lambda: Staleness(reader, s.sources, box["long_term"]),
        "extraction": lambda: Extraction(
            box["gate"], box["long_term"], box["tagging"], s.large_events, reader,
            learns=settings.features.extraction, place=place_in,
            documents=Documents(s.sources, s.large_events, settings.redact(), place_in),
            passages=passages_of(box["long_term"], s),
            will_read=s.readership.will_read,
        ),
        "recall": lambda: assembled(
            recall_settings(settings), reader, s.clock,
            Channels(reader, Pacing(box["embedder"]), s.triggers),
            box["working_memory"], box["pressure"],
            box["strength"], box["long_term"],
            Archive(reader, s.clock, box["long_term"], box["embedder"]), s.observatory, s.sources,
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
    return Passages(s.settings.passages.days, s.store.reading, s.large_events, long_term)


def recall_settings(settings: Settings) -> RecallSettings:
    """Settings of recall by the user's settings of injection and attention.

    Whoever gives a prompt longer gives each of its parts but the vector longer in proportion.
    """
    usual = RecallSettings()
    share = shares(settings.injection.deadline, settings.injection.embedding_wait)
    chosen = settings.recall
    away = () if settings.embedding.enabled else ("vectors",)
    return RecallSettings(
        channel_wait=usual.channel_wait * share.ample,
        neighbour_wait=usual.neighbour_wait * share.ample,
        embedding_wait=share.vector,
        budget=wording.Settings(
            characters=settings.injection.characters, note=settings.injection.note
        ),
        ranking=ranking.Settings(
            on=ways.turned(ways.DEFAULT, chosen.with_, (*chosen.without, *away))
        ),
        at_start=settings.injection.session_start,
        opens_notes=HAS_TOOLS,
        to_subagents=settings.injection.subagents,
        zone=LocalZone(),
        state_of=lambda memory, at: states.standing_at(
            fading_of(memory, settings.strength.decay), at, settings.fading
        ),
        retrievability=partial(retrievability_of, decay=settings.strength.decay),
    )
