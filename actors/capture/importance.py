"""Importance: how much what was learnt matters, by four channels and by what becomes of it.

A new memory is rated once by novelty, arousal, reward and attention: its importance
rises to at least that, from what its tier or its rule gave it. A person's correction, preference
or praise adds to the memories made of the prompt, preference and praise also to those that it
calls: what is corrected gains nothing. Uses multiply
it, and a week without news lets it fade. Every change is carried out in the store on what
the importance is then, so that none takes back what a capture raised meanwhile.

What was looked at is marked in the store with what came of it, in one unit: after a restart
memories, reviews and prompts are taken up where they were left. What is only in memory is
read again: of each project the newest ``WARM`` texts, of each session its last ``EVENTS``
events. The rules are in ``actors.policy``: importance, novelty, arousal, conduct, signals.
"""

import logging
from collections import Counter, deque
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, assert_never

import trio

from actors.capture.messages import (
    Dim,
    ImportanceMessage,
    TaggingMessage,
    WereReviewed,
)
from actors.capture.writes import Dimmed, ImportanceRated, Marked, Raised
from actors.core.latest import Latest
from actors.core.mailbox import Inbox, Lane, Mailbox
from actors.intake.messages import Happened
from actors.intake.rows import event_of
from actors.memory.commit import attempted, commit
from actors.memory.messages import LongTermMessage, MemoriesChanged
from actors.memory.ports import Reader
from actors.memory.rows import Memory, Scope
from actors.memory.unit import Unit, Write
from actors.policy.capture import backfill, importance, novelty
from actors.policy.capture.arousal import arousal
from actors.policy.capture.capture import PROFILES, EventKind
from actors.policy.capture.importance import Channels
from actors.policy.decay.reinforcement import Use
from actors.policy.events import conduct
from actors.policy.events.events import Event
from actors.policy.events.events import EventKind as HookKind
from actors.policy.events.fence import is_machine_made
from actors.policy.events.signals import BOOSTS, READ, Signal, signals
from actors.policy.statements.sources import IMPORTS
from actors.policy.text.wording import prose
from actors.recall.messages import Called, TriggersMessage, WhatMatches
from actors.strength.rows import ReviewRow

log = logging.getLogger(__name__)

TRIGGER_DEADLINE = 5.0  # seconds: nobody waits for what a prompt calls
WARM = 200  # texts of a project that its predictor reads first; .99 ** 200 is .13
STEP = 20  # of them between two turns for others
PROJECTS = 8  # predictors held
EVENTS = 500  # journaled events of a session that its conduct is read from after a restart
SESSIONS = 200  # whose conduct is held
PAGE = 50  # memories, reviews and prompts read at a time
CALLED = 50  # phrases of a prompt that are looked at
COMPARED = 100  # novelties that a spike is compared with
SURROUNDINGS = 5_000  # names of a project that count as known

_SAID: Final = {
    EventKind.NOVELTY_SPIKE: "something unlike what was learnt here before was kept",
    EventKind.EMOTIONAL: "something was said with feeling",
}


@dataclass(slots=True)
class Known:
    """Knowledge of a project: what to expect of a text, names, and how new the last were."""

    predictor: novelty.Predictor = field(default_factory=novelty.Predictor)
    names: set[str] = field(default_factory=set[str])
    recent: deque[float] = field(default_factory=lambda: deque[float](maxlen=COMPARED))

    def learn(self, text: str, names: frozenset[str]) -> None:
        """One more text of the project."""
        self.predictor = novelty.learnt(self.predictor, text)
        if len(self.names) < SURROUNDINGS:
            self.names |= names


@dataclass(slots=True)
class Importance:
    """Rates memories, one message at a time."""

    settings: importance.Settings
    reader: Reader
    long_term: Mailbox[LongTermMessage]
    tagging: Mailbox[TaggingMessage]
    triggers: Mailbox[TriggersMessage]
    known: Latest[str | None, Known] = field(default_factory=lambda: Latest(PROJECTS))
    doings: Latest[str, conduct.Doings] = field(default_factory=lambda: Latest(SESSIONS))
    marks: dict[str, int] = field(default_factory=dict[str, int])
    counts: Counter[str] = field(default_factory=Counter[str])

    def statistics(self) -> dict[str, Any]:
        """Counts of what was rated, counted and raised, and of texts known for novelty."""
        return {
            **self.counts,
            "projects": len(self.known),
            "texts": sum(known.predictor.texts for known in self.known.values()),
            "sessions": len(self.doings),
        }

    async def run(self, inbox: Inbox[ImportanceMessage]) -> None:
        """Catch up with what was missed, then handle messages until the mailbox is drained."""
        if self.settings.enabled:
            await self._catch_up()
        async for message in inbox:
            if self.settings.enabled:
                await self.handle(message)

    async def handle(self, message: ImportanceMessage) -> None:
        """One message."""
        match message:
            case Happened():
                await self._try(self._happen(message))
            case MemoriesChanged():
                await self._try(self._rate_new())
            case WereReviewed():
                await self._try(self._count_reviews())
            case Dim(at):
                await self._catch_up()
                await self._try(self._dim(at))
            case _:
                assert_never(message)

    async def _try(self, work: Awaitable[object]) -> None:
        await attempted(work, log, "importance_waits")

    async def _catch_up(self) -> None:
        await self._try(self._read_marks())
        for work in (self._hear_missed, self._rate_new, self._count_reviews):
            await self._try(work())

    async def _read_marks(self) -> None:
        self.marks = await self.reader.importance_marks()

    async def _hear_missed(self) -> None:
        while rows := await self.reader.prompts_after(self._mark("journal"), PAGE):
            for row in rows:
                await self._hear(row.seq, row.received_at, event_of(row), row.project)

    def _mark(self, name: str) -> int:
        return self.marks.get(name, 0)

    # -- what happens in a session: attention, and what a prompt says

    async def _happen(self, happened: Happened) -> None:
        event = happened.event
        await self._watch(happened)
        await self._known(happened.project, self._mark("memory"))  # before something is learnt
        if event.kind is HookKind.PROMPT and happened.seq > self._mark("journal"):
            await self._hear_missed()  # those before it as well that could not be heard

    async def _watch(self, happened: Happened) -> None:
        """Note how the session goes about it; after a restart, from what is in the journal."""
        session = happened.event.session
        if not session:
            return
        doings = self.doings.pop(session, None)
        if doings is None:
            for row in await self.reader.events_of(session, 0.0, happened.seq, EVENTS):
                doings = _went_on(doings, event_of(row), row.received_at)
        if happened.event.kind is HookKind.SESSION_END:
            return
        doings = _went_on(doings, happened.event, happened.at)
        if doings is not None:
            self.doings[session] = doings

    async def _hear(self, seq: int, at: float, event: Event | None, project: str | None) -> None:
        """A prompt's signals add to what it calls, and its feeling is a moment; once each."""
        unit: list[Write] = []
        raised: list[Raised] = []
        if event is not None and is_said(event):
            said = signals(event.prompt)
            if said and Signal.CORRECTION not in said:
                ids = await self._called(event.prompt, project, at)
                unit += [one for memory_id in ids for one in signalled(memory_id, event, seq, at)]
            if arousal(prose(event.prompt[:READ])) >= importance.EMOTIONAL:
                raised.append(moment(EventKind.EMOTIONAL, seq, at, event.session, project))
        await self._commit((*unit, *raised, Marked("journal", seq)))
        self._count("signals", len(unit))
        await self._tell(raised)

    async def _called(self, prompt: str, project: str | None, at: float) -> list[int]:
        """The memories that a prompt's words call, of those that were there before it."""
        matched: list[Called] = await self.triggers.ask(
            lambda reply: WhatMatches(prompt[:READ], Scope(project), CALLED, reply, whole=True),
            within=TRIGGER_DEADLINE,
            lane=Lane.BACKGROUND,
        )
        ids = list(dict.fromkeys(called.match.owner for called in matched))
        found = await self.reader.memories(ids)
        return [one for one in ids if one in found and found[one].created_at < at]

    # -- new memories

    async def _rate_new(self) -> None:
        while page := await self.reader.living(self._mark("memory"), PAGE):
            for memory in page:
                if memory.source in IMPORTS:
                    continue  # no experience of anybody's day
                await self._rate(memory)
            if self._mark("memory") < page[-1].id:
                await self._commit((Marked("memory", page[-1].id),))

    async def _rate(self, memory: Memory) -> None:
        """Once: its channels, the signals of the prompt it was made of, and what it is a moment of.

        The predictor learns the text when all of that is durable.
        """
        known = await self._known(memory.project, memory.id - 1)
        row = await self.reader.event_behind(memory.id)
        names = surroundings(memory)
        error = novelty.prediction_error(known.predictor, memory.text)
        channels = Channels(
            novelty=novelty.novelty(error, novelty.context_novelty(names, known.names)),
            arousal=arousal(prose(memory.text)),
            attention=self._attention(memory.session),
        )
        spike = novelty.is_spike(channels.novelty, known.recent)
        found = importance.events(channels, spike=spike)
        raised = [
            moment(
                kind, row.seq if row else None, memory.created_at, memory.session, memory.project,
                memory.id,
            )
            for kind in found
        ]  # fmt: skip
        rating = ImportanceRated(
            memory.id, "channels", "", "at_least",
            importance.importance(channels), memory.created_at,
            (channels.novelty, channels.arousal, channels.reward, channels.attention),
        )  # fmt: skip
        event = event_of(row) if row else None
        said = signalled(memory.id, event, row.seq, memory.created_at) if row and event else ()
        await self._commit((rating, *said, *raised, Marked("memory", memory.id)))
        known.learn(memory.text, names)
        known.recent.append(channels.novelty)
        self._count("rated", 1)
        await self._tell(raised)

    def _attention(self, session: str | None) -> float:
        doings = self.doings.get(session or "")
        return importance.attention(conduct.conduct(doings)) if doings else 0.0

    async def _known(self, project: str | None, until: int) -> Known:
        """What is known of a project: held, or read from its newest texts in small steps."""
        if project not in self.known:
            known = Known()
            rows = await self.reader.newest_rated(project, until, WARM)
            held = await self.reader.memories([memory_id for memory_id, _ in rows])
            for number, (memory_id, new) in enumerate(rows):
                memory = held.get(memory_id)
                if memory is not None:
                    known.learn(memory.text, surroundings(memory))
                if new is not None:
                    known.recent.append(new)
                if number % STEP == STEP - 1:
                    await trio.lowlevel.checkpoint()
            self.known[project] = known
        return self.known[project]

    # -- uses

    async def _count_reviews(self) -> None:
        while rows := await self.reader.reviews_after(self._mark("review"), PAGE):
            for row in rows:
                await self._count_review(row)

    async def _count_review(self, row: ReviewRow) -> None:
        change = await self._by_use(row)
        unit: Unit = (change,) if change is not None else ()
        await self._commit((*unit, Marked("review", row.id)))
        self._count("uses", len(unit))

    async def _by_use(self, row: ReviewRow) -> ImportanceRated | None:
        """What a review does to an importance; one that is no use (a backfill) does nothing."""
        try:
            use = Use(row.cause)
        except ValueError:
            return None
        helped = importance.helped(use)
        if helped is None:
            return ImportanceRated(row.memory_id, row.cause, str(row.id), "stay", 1.0, row.at)
        causes = await self.reader.causes_of_reviews(row.memory_id, row.id)
        uses = [Use(cause) for cause in causes if cause in Use._value2member_map_]
        return ImportanceRated(
            row.memory_id, row.cause, str(row.id), "times",
            self.settings.helped if helped else self.settings.hindered, row.at,
            reward=importance.reward(importance.outcomes(uses)),
        )  # fmt: skip

    # -- fading

    async def _dim(self, at: float) -> None:
        """Computed from each anchor, so that it does not matter how often this runs."""
        after = 0
        while rows := await self.reader.anchors(after, PAGE * 4):
            after = rows[-1].memory_id
            values = [
                (
                    row,
                    importance.faded(
                        row.value, at - row.at, row.tier, pinned=row.pinned, settings=self.settings
                    ),
                )
                for row in rows
            ]
            dimmed = tuple(
                (row.memory_id, row.at, value)
                for row, value in values
                if abs(value - row.importance) > 1e-9
            )
            if dimmed:
                await self._commit((Dimmed(dimmed),))
                self._count("faded", len(dimmed))
            await trio.lowlevel.checkpoint()

    # -- writing down

    async def _commit(self, unit: Unit) -> None:
        """All of it or nothing; what was looked at is marked with what came of it."""
        await commit(self.long_term, unit)
        for write in unit:
            if isinstance(write, Marked):
                self.marks[write.name] = max(self._mark(write.name), write.value)

    async def _tell(self, raised: list[Raised]) -> None:
        """The moments are in the store: tagging finds them at its next start as well."""
        for event in raised:
            self._count(event.kind, 1)
            await self.tagging.tell(event, lane=Lane.BACKGROUND)

    def _count(self, name: str, number: int) -> None:
        self.counts[name] += number


def is_said(event: Event) -> bool:
    """Return whether an event is a person's own words."""
    return (
        event.kind is HookKind.PROMPT
        and bool(event.prompt.strip())
        and not is_machine_made(event.prompt)
    )


def signalled(memory_id: int, event: Event, seq: int, at: float) -> Iterator[ImportanceRated]:
    """Ratings of a memory by a prompt's signals, each kind once a session."""
    if not is_said(event):
        return
    occasion = event.session or f"event {seq}"
    for signal in signals(event.prompt):
        yield ImportanceRated(memory_id, signal.value, occasion, "plus", BOOSTS[signal], at)


def moment(
    kind: EventKind,
    seq: int | None,
    at: float,
    session: str | None,
    project: str | None,
    memory_id: int | None = None,
) -> Raised:
    """The moment that a prompt or a memory is; one of each kind for one event."""
    name = f"{seq}-{kind.value}" if seq is not None else f"memory-{memory_id}-{kind.value}"
    strength = PROFILES[kind].strength
    return Raised(
        name, kind.value, strength, at, session or None, project, _SAID[kind], seq, memory_id
    )


def surroundings(memory: Memory) -> frozenset[str]:
    """Surroundings of a memory besides its words: its kind, and the names in its text."""
    return backfill.entities(memory.text) | {f"kind {memory.kind}"}


def _went_on(
    doings: conduct.Doings | None, event: Event | None, at: float
) -> conduct.Doings | None:
    if event is None:
        return doings
    if event.kind is HookKind.SESSION_END:
        return None
    return conduct.went_on(doings, event, at, person=is_said(event))
