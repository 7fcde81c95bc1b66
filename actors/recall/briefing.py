"""Briefing of a prompt, or of a session as it starts, unasked; silence is the usual answer.

A prompt gets only what is relevant, what the session does not have yet, and what fits its
context. What is shown is recorded after the answer is out, never before.
"""

import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

import trio

from actors.core.latest import Latest
from actors.core.mailbox import Lane, Mailbox
from actors.core.ports import Clock
from actors.core.posted import Posted, posted
from actors.intentions.messages import ProspectiveMessage, WereReminded, WhatIsDue
from actors.memory.ports import Conflicting, Reader, Unreadable, Unwritable
from actors.memory.rows import Memory, Scope
from actors.plans.messages import ArchivistMessage
from actors.plans.writes import PlansTold
from actors.policy.documents.reconciling import place_in
from actors.policy.events.events import Event, EventKind
from actors.policy.events.fence import is_machine_made
from actors.policy.events.switch import switched
from actors.policy.gate.corrections import corrected
from actors.policy.gate.said import said_in
from actors.policy.intentions.intentions import Intention, reminders
from actors.policy.recall import detail, evidence, ways
from actors.policy.recall.considered import Considered, Fate, Sieve, considered
from actors.policy.recall.degradation import (
    Degradation,
    Failure,
    FailureMode,
    degradation,
)
from actors.policy.session import delegation
from actors.policy.session.attention import LISTED, WHOLE, Attended, Tier
from actors.policy.session.delegation import Task
from actors.policy.session.ledger import Context, Made, has, is_loaded
from actors.policy.session.pressure import Level, Pressure, retrieval
from actors.policy.session.stopping import goes_on
from actors.policy.text import budget
from actors.policy.text.utterances import asks_outright
from actors.policy.text.words import without_links
from actors.recall import archive
from actors.recall.archive import Archive
from actors.recall.channels import Channels, Looked, aside, failure_of
from actors.recall.facts import Gathering
from actors.recall.messages import Bring, Found, Note, Quotation
from actors.recall.opening import NOWHERE, Known, Opening, Stop, joined, less, room_of
from actors.recall.ordering import (
    Ordering,
    Settings,
    block_of,
    found_of,
    quotation_id,
    unnoticed,
    unsuppressed,
    valid,
)
from actors.session.messages import (
    HowFull,
    IsSilent,
    PressureMessage,
    WhatIsHeld,
    WhatItHas,
    WorkingMemoryMessage,
)
from actors.session.writes import Delivered
from actors.strength.writes import Exposed, Injected

log = logging.getLogger(__name__)

NOTHING_YET = Context(0.0)  # of a prompt without a session, and of a subagent that starts
SHARE = 0.5  # of a prompt's time, for what its session has and wants
LATE_SESSION = Failure("session", FailureMode.LATE)  # what it wants and has is not known
SESSION_UNKNOWN = degradation([LATE_SESSION])
PAGE_IN_PART = degradation([Failure("page", FailureMode.LATE)])
STOPS = 64  # sessions of which it is known that they were told where the work stopped
DELEGATING = 64  # sessions whose tasks for subagents are held
RESERVE = 0.015  # seconds of a prompt's time that are kept for the answer itself

Tell: TypeAlias = Callable[[], Awaitable[None]]


def unsearched(error: Exception) -> Degradation | None:
    """Briefing when neither words nor vectors could be searched."""
    return degradation([failure_of(name, error) for name in ("words", "vectors")], ())


@dataclass(frozen=True, slots=True)
class After:
    """Work after an answer is out: what was shown, what was weighed, and who is told of it."""

    shown: Exposed | None = None
    injected: Injected | None = None
    tells: tuple[Tell, ...] = ()

    @property
    def is_told(self) -> bool:
        """Whether something was shown, or anybody waits to hear of the answer."""
        return self.shown is not None or bool(self.tells)


@dataclass(slots=True)
class Beside:
    """Answers of neighbours asked side by side with the channels; who is late has said nothing."""

    due: Posted[tuple[Intention, ...]]
    silent: Posted[bool] | None = None  # without a session nobody is asked
    had: Posted[Context] | None = None  # what the session has in its context already
    full: Posted[Pressure] | None = None


@dataclass(slots=True)
class Briefing:
    """Answers prompts and starts of sessions."""

    settings: Settings
    reader: Reader
    clock: Clock
    channels: Channels
    ordering: Ordering
    gathering: Gathering
    working_memory: Mailbox[WorkingMemoryMessage]
    pressure: Mailbox[PressureMessage]
    prospective: Mailbox[ProspectiveMessage]
    archivist: Mailbox[ArchivistMessage]
    archive: Archive
    opening: Opening
    silent: int = 0
    by_words_alone: int = 0
    withheld: int = 0  # notes known in their session already
    tasks: Latest[str, tuple[Task, ...]] = field(default_factory=lambda: Latest(DELEGATING))
    stops: Latest[str, str] = field(default_factory=lambda: Latest(STOPS))  # told, by session

    async def bring(self, question: Bring) -> After:
        """Answer; what is told to others now that the answer is out."""
        event = question.event
        if question.rehearsed:
            return await self._rehearse(question)
        # The prompt that switches is not known to the session yet, and gets nothing either way.
        if switched(event.prompt) is not None:
            return self._say_nothing(question)
        if event.kind is EventKind.SESSION_START:
            return await self._bring_page(question)
        if event.kind is EventKind.SUBAGENT_TASK:
            self._hold(event, question.at)
            return self._say_nothing(question)
        if event.kind is EventKind.SUBAGENT_START:
            return await self._bring_to_subagent(question)
        if is_machine_made(event.prompt) or not event.prompt.strip():
            return self._say_nothing(question)
        return await self._bring_relevant(question)

    async def _rehearse(self, question: Bring) -> After:
        """Answer a person as a prompt would be; nobody is told and nothing is counted."""
        looked = await self._look(question)
        told, _ = reminders(
            await _or_nothing(self._asked_what_is_due(question)),
            self.clock.now(),
            room_of(self.settings.budget),
        )
        if isinstance(looked, Looked):
            found = self._relevant(looked, NOTHING_YET, None, told, question.event)
        else:
            found = replace(_nothing(), block=told, degraded=looked)
        question.reply(found)
        return After()

    def _say_nothing(self, question: Bring, why: Degradation | None = None) -> After:
        self.silent += 1
        question.reply(replace(_nothing(), degraded=why))
        return After()

    def _reads(self, question: Bring) -> float:
        """Seconds for a neighbour that reads the store of a session that it meets first."""
        return max(self.settings.channel_wait, question.within * SHARE)

    def _asked_for_silence(
        self, question: Bring, heard: Callable[[bool], None] | None = None
    ) -> Posted[bool] | None:
        """Ask whether a person wants no notes in this session; without one nobody is asked."""
        session = question.event.session
        if not session:
            return None
        return posted(
            self.working_memory,
            lambda reply: IsSilent(session, reply),
            within=self._reads(question),
            heard=heard,
        )

    async def _bring_page(self, question: Bring) -> After:
        """The project's page, once as a session starts and again after a compaction."""
        # A resumed transcript has it already.
        if not self.settings.at_start or question.event.source == "resume":
            question.reply(_nothing())
            return After()
        # All are asked at once, so that several who are late cost the answer their time once.
        coming, silence = self._asked_what_is_due(question), self._asked_for_silence(question)
        # What its instructions say may be told twice, what was told before may not.
        wait = self._reads(question) if question.again else self.settings.neighbour_wait
        context = self._asked_what_it_has(question, wait)
        after_compaction = question.event.source == "compact"
        holding = self._asked_what_is_held(question, wait) if after_compaction else None
        held = {} if holding is None else await aside(holding.answer())
        known = await self.opening.known(question, held)
        silent = False if silence is None else await aside(silence.answer())
        had = None if context is None else await aside(context.answer())
        if silent is not False or (question.again and had is None):
            unknown = silent is not True
            return self._say_nothing(question, SESSION_UNKNOWN if unknown else None)
        told, due = reminders(
            await _or_nothing(coming), self.clock.now(), room_of(self.settings.budget)
        )
        page = self.opening.page(self._untold(known, had or NOTHING_YET, question), told)
        late = question.reply.abandoned
        found = replace(
            _nothing(), notes=page.notes, block=page.block, considered=standing(page.notes),
            degraded=None if known.is_whole else PAGE_IN_PART,
        )  # fmt: skip
        question.reply(found)
        if late:
            return After()  # what came too late was never in the context
        after = self._after(question, found, "session_start", due, page.stop)
        return replace(after, tells=(*after.tells, *self._told_of(page.plan_ids, question.at)))

    def _untold(self, known: Known, had: Context, question: Bring) -> Known:
        """Leave out what the session has in its context, and what it was told when it was asked before."""
        session = question.event.session
        if not question.again:
            return known.without(lambda one: is_loaded(had, one.text))
        stop = NOWHERE if self.stops.get(session) == known.stop.said else known.stop
        return replace(known, stop=stop).without(lambda one: has(had, session, made(one)))

    def _told_of(self, plan_ids: tuple[int, ...], at: float) -> tuple[Tell, ...]:
        told = PlansTold(plan_ids, at)
        return (lambda: self.archivist.tell(told, lane=Lane.BACKGROUND),) if plan_ids else ()

    def _hold(self, event: Event, at: float) -> None:
        """Keep the task until its subagent starts, which is told by its type alone."""
        if event.session and self.settings.to_subagents:
            task = Task(event.task, event.agent_type or delegation.USUAL, at)
            self.tasks[event.session] = delegation.given(self.tasks.get(event.session, ()), task)

    async def _bring_to_subagent(self, question: Bring) -> After:
        """The notes of its task, by the evidence of a prompt.

        Its context is empty: what its session was told, said or read is new to it, and what it is
        told the session does not know. Notes that are hot in its session need no more than a word in
        common with the task.
        """
        event = question.event
        task, waiting = delegation.started(
            self.tasks.get(event.session, ()), event.agent_type, question.at
        )
        self.tasks[event.session] = waiting
        if task is None or not task.text.strip():
            return self._say_nothing(question)
        silent = self._asked_for_silence(question)
        holding = self._asked_what_is_held(question, self._reads(question))
        alone = replace(question, event=replace(event, prompt=task.text, session=""))
        looked = await self._look(alone)
        if await _is_silent(silent):
            return self._say_nothing(question)
        if not isinstance(looked, Looked):
            question.reply(replace(_nothing(), degraded=looked))
            return After()
        held = {} if holding is None else await aside(holding.answer()) or {}
        hot = {i for i, one in held.items() if one.tier is Tier.HOT and i in looked.words}
        found = self._relevant(looked, NOTHING_YET, None, "", alone.event, hot)
        self._count(looked, found)
        self.silent += not found.block
        late = question.reply.abandoned
        question.reply(found)
        if late:
            return After()
        injected = self._injected(question, found, "subagent")
        ids = tuple(note.memory.id for note in found.notes)
        if not ids:
            return After(injected=injected)
        return After(Exposed(ids, event.session, "subagent", self.clock.now()), injected)

    async def _bring_relevant(self, question: Bring) -> After:
        looking = trio.CancelScope()
        beside, prompt = self._ask_beside(question, looking), question.event.prompt
        looked: Looked | Degradation | None = None
        with looking:
            looked = await self._look(question)
        silent = False if beside.silent is None else await aside(beside.silent.answer())
        if silent is not False:
            return self._say_nothing(question, SESSION_UNKNOWN if silent is None else None)
        coming = await _or_nothing(beside.due)
        told, due = reminders(coming, self.clock.now(), room_of(self.settings.budget))
        stop = await self._where_it_stopped(question) if goes_on(prompt) else NOWHERE
        told = joined(told, stop.block)
        if not isinstance(looked, Looked):
            found = replace(_nothing(), block=told, degraded=looked)
        else:
            had = NOTHING_YET if beside.had is None else await aside(beside.had.answer())
            full = None if beside.full is None else await aside(beside.full.answer())
            found = self._relevant(looked, had, full, told, question.event)
            self._count(looked, found)
            if had is None:  # none of it was told
                missing = found.degraded.failures if found.degraded is not None else ()
                found = replace(found, degraded=degradation((*missing, LATE_SESSION)))
        self.silent += not found.block
        late = question.reply.abandoned  # whoever has the answer waits no more either
        question.reply(found)
        return After() if late else self._after(question, found, "prompt", due, stop)

    async def _where_it_stopped(self, question: Bring) -> Stop:
        """Where the last session stopped, for a first prompt to go on; once a session."""
        stop = await self.opening.stop_for_first_prompt(question)
        return NOWHERE if self.stops.get(question.event.session) == stop.said else stop

    def _ask_beside(self, question: Bring, looking: trio.CancelScope) -> Beside:
        """Ask the neighbours; their answers are taken once the channels have theirs.

        Only a session that wants no notes ends the ``looking`` at once: it is for nobody.
        """
        session, wait = question.event.session, self.settings.neighbour_wait
        beside = Beside(self._asked_what_is_due(question))

        def heard(silent: bool) -> None:
            if silent:
                looking.cancel()

        beside.silent = self._asked_for_silence(question, heard)
        beside.had = self._asked_what_it_has(question, self._reads(question))
        beside.full = posted(self.pressure, lambda reply: HowFull(session, reply), within=wait)
        return beside

    def _asked_what_it_has(self, question: Bring, within: float) -> Posted[Context] | None:
        """Ask what the session has in its context; without one nobody is asked."""
        session, project, at = question.event.session, question.project, question.at
        if not session:
            return None
        return posted(
            self.working_memory,
            lambda reply: WhatItHas(session, project, at, reply),
            within=within,
        )

    def _asked_what_is_held(
        self, question: Bring, within: float
    ) -> Posted[dict[int, Attended]] | None:
        """Ask what the session attends to; without one nobody is asked."""
        session = question.event.session
        if not session:
            return None
        return posted(
            self.working_memory,
            lambda reply: WhatIsHeld(session, reply),
            within=within,
        )

    async def _look(self, question: Bring) -> Looked | Degradation | None:
        """Ask the channels; or tell why nothing was found: the store or the time failed all.

        What a prompt would not be told is looked for only when a person asks why.
        """
        looked, usual, event = None, self.settings.ranking, question.event
        neighbour_wait, channel_wait = self.settings.neighbour_wait, self.settings.channel_wait
        room = question.within - channel_wait - RESERVE
        wait = self.channels.pacing.wait(self.settings.embedding_wait, room)
        if question.rehearsed:  # a person waits for what a prompt gets when nothing is late
            neighbour_wait = channel_wait = wait = self.settings.search_wait
        with trio.move_on_after(max(0.0, question.within - RESERVE)):
            try:
                looked = await self.channels.look(
                    without_links(event.prompt),
                    Scope(question.project),
                    wait,
                    self.settings.candidates,
                    session=event.session,
                    bound=channel_wait,
                    neighbour_wait=neighbour_wait,
                    read=self.settings.read,
                    settings=replace(usual, on=ways.of_prompts(usual.on)),
                    by_likeness=_looks_by_likeness(question),
                    folders=(question.project or "", event.cwd),
                )
                await self.channels.meet(looked, self.settings.read, neighbour_wait)
                await self.gathering.gather(
                    looked,
                    question.project,
                    event.session,
                    self.settings.read,
                    neighbour_wait,
                )
                if _looks_for_quotations(question):
                    archived = self.archive.look(looked, Scope(question.project), channel_wait)
                    await self.channels.beside(looked, "passages", archived, channel_wait)
            except (Unreadable, trio.TooSlowError) as error:
                log.warning("prompt_unsearched why=%s", type(error).__name__)
                return unsearched(error)
        if looked is None:
            log.warning("prompt_unsearched why=late")
            return unsearched(trio.TooSlowError())
        return looked

    def _relevant(
        self,
        looked: Looked,
        had: Context | None,
        full: Pressure | None,
        told: str,
        event: Event,
        held: Collection[int] = (),
    ) -> Found:
        """The answer within what the reminders leave of the budget; of those ``held`` less is asked."""
        ranked = self.ordering.ranked(looked, self.settings.read)
        ranked = replace(ranked, judged=ranked.judged.upheld(held)) if held else ranked
        now = self.clock.now()
        relevant = bearing = of(ranked.notes, ranked.judged.shown)
        read = archive.read(looked)
        quoted = [one for one, verdict in read if verdict.relevant]
        sieves: list[Sieve] = []

        def left(fate: Fate, notes: list[Note], beside: list[Quotation]) -> None:
            nonlocal relevant, quoted
            relevant, quoted = notes, beside
            passed = {*(note.memory.id for note in notes), *map(quotation_id, beside)}
            sieves.append((fate, passed))

        left(Fate.NOTICED, unnoticed(relevant), quoted)
        left(Fate.CORRECTED, _uncorrected(relevant, event.prompt), quoted)
        left(Fate.SUPPRESSED, unsuppressed(relevant, looked, now), quoted)
        left(Fate.INVALID, valid(relevant, now), quoted)
        before = len(relevant)
        left(
            Fate.KNOWN,
            _new_ones(relevant, had, event.session),
            archive.unheard(quoted, had, event.session),
        )
        known = before - len(relevant)
        left(Fate.SAID, relevant, archive.unsaid(quoted, bearing))
        if event.kind is EventKind.PROMPT and not asks_outright(event.prompt):
            left(Fate.ORDER, relevant, [])
        if _is_long(event):
            left(Fate.LONG, of(relevant, looked.given), [])
        left(Fate.LESS_SURE, *_surest(relevant, archive.of_each_place(quoted)))
        relevant = self._summarized(relevant, full)
        room = less(self._lessened(full), told)
        block, ids = block_of(relevant, room, now, looked.successors, quoted=quoted)
        shown, cited = of(relevant, ids), [one for one in quoted if quotation_id(one) in ids]
        left(Fate.CROWDED, shown, cited)
        found = found_of(shown, looked, ranked, joined(told, block))
        verdicts = (*ranked.judged.verdicts, *(verdict for _, verdict in read))
        weighed = considered(verdicts, sieves)
        return replace(found, known=known, considered=weighed, quotations=tuple(cited))

    def _count(self, looked: Looked, found: Found) -> None:
        self.by_words_alone += looked.mode == "words"
        self.withheld += found.known

    def _summarized(self, relevant: list[Note], full: Pressure | None) -> list[Note]:
        """As much of each as its state and the room there is allow."""
        state_of, now = self.settings.state_of, self.clock.now()
        if full is None or state_of is None or full.level is Level.NONE:
            return relevant  # with room, all of each (``detail.shown``)
        said = {
            note.memory.id: detail.shown(
                note.memory.text, note.memory.title, state_of(note.memory, now), full.level
            )
            for note in relevant
        }
        return [
            replace(note, memory=replace(note.memory, text=said[note.memory.id]))
            for note in relevant
        ]

    def _lessened(self, full: Pressure | None) -> budget.Settings:
        """Less for a session whose context is nearly full."""
        usual = self.settings.budget
        if full is None:
            return usual
        how = retrieval(full.level)
        return replace(
            usual,
            characters=int(usual.characters * how.share),
            note=usual.note // 2 if how.summaries else usual.note,
        )

    async def _told_stop(self, session: str, said: str) -> None:
        self.stops[session] = said

    def _asked_what_is_due(self, question: Bring) -> Posted[tuple[Intention, ...]]:
        """What the user means to do and is due here; it depends on no channel."""
        event = question.event
        return posted(
            self.prospective,
            lambda reply: WhatIsDue(
                event.session, question.project, event.prompt, question.at, reply
            ),
            within=self.settings.neighbour_wait,
        )

    def _after(
        self,
        question: Bring,
        found: Found,
        where: str,
        due: tuple[str, ...],
        stop: Stop,
    ) -> After:
        """Who is told of an answer that is out: each by itself, so that none waits for another."""
        session, at, shown = question.event.session, question.at, found.notes
        injected = self._injected(question, found, where)
        tells: list[Tell] = []
        if due:
            reminded = WereReminded(due, session, at)
            tells.append(lambda: self.prospective.tell(reminded))
        if session and stop.said:
            tells.append(partial(self._told_stop, session, stop.said))
        hashes = (
            *(note.memory.content_hash for note in shown),
            *(one.passage.content_hash for one in found.quotations),
        )
        if session and hashes:
            delivered = Delivered(session, hashes, at, WHOLE if where == "prompt" else LISTED)
            tells.append(lambda: self.working_memory.tell(delivered))
        if not shown:
            return After(None, injected, tuple(tells))
        ids = tuple(note.memory.id for note in shown)
        exposed = Exposed(ids, session or None, where, self.clock.now())
        return After(exposed, injected, tuple(tells))

    def _injected(self, question: Bring, found: Found, where: str) -> Injected | None:
        """What a session's answer was made of, for whoever asks later why."""
        session = question.event.session
        if not session:
            return None
        return Injected(
            session, question.project, where, question.asked_at or question.at,
            len(found.block), found.mode, found.considered,
        )  # fmt: skip


def _surest(
    notes: Sequence[Note], quoted: Sequence[Quotation]
) -> tuple[list[Note], list[Quotation]]:
    """The notes and quotations that are told, each in their order."""
    surest = [note.parts.get("confidence", 0.0) for note in notes]
    surest += [one.confidence for one in quoted]
    chosen = evidence.surest(surest)
    return (
        [note for place, note in enumerate(notes) if place in chosen],
        [one for place, one in enumerate(quoted, start=len(notes)) if place in chosen],
    )


def standing(notes: Sequence[Note]) -> tuple[Considered, ...]:
    """Notes of a session's start: told for what they are, not for what anybody asked."""
    return tuple(Considered(one.memory.id, 1.0, one.why, Fate.TOLD) for one in notes)


def of(notes: Sequence[Note], ids: Collection[int]) -> list[Note]:
    """The notes of these memories, in their order."""
    wanted = set(ids)
    return [note for note in notes if note.memory.id in wanted]


def _uncorrected(relevant: list[Note], prompt: str) -> list[Note]:
    """Those that the prompt itself does not correct: those are not told back to it."""
    said = said_in(prompt) if relevant else ()
    if not said:
        return relevant
    return [n for n in relevant if not any(corrected(one, n.memory.text) for one in said)]


def _new_ones(relevant: list[Note], had: Context | None, session: str) -> list[Note]:
    """Those that the session does not know from its context.

    None while that is not known: twice is worse than not at all.
    """
    if had is None:
        return []
    return [note for note in relevant if not has(had, session, made(note.memory))]


def made(memory: Memory) -> Made:
    """What tells whether a session has it in its context."""
    document = place_in(memory.key) if memory.key is not None else None
    return Made(memory.content_hash, memory.session, memory.created_at, document, memory.text)


def _looks_by_likeness(question: Bring) -> bool:
    """Return whether the indexes are asked: a long prompt or task is told what a phrase calls alone."""
    return question.rehearsed or not _is_long(question.event)


def _looks_for_quotations(question: Bring) -> bool:
    """Return whether the archive is asked: what is no question is told no passage, unless to say why not."""
    return question.rehearsed or (
        question.event.kind is EventKind.PROMPT
        and _looks_by_likeness(question)
        and asks_outright(question.event.prompt)
    )


def _is_long(event: Event) -> bool:
    """Return whether likeness tells too little of a prompt, or of a subagent's task."""
    long = evidence.LONG if event.kind is EventKind.PROMPT else evidence.LONG_TASK
    return len(event.prompt) >= long


async def _is_silent(silent: Posted[bool] | None) -> bool:
    """Return whether nothing is wanted, or nobody can tell whether it is."""
    return silent is not None and await aside(silent.answer()) is not False


async def _or_nothing(due: Posted[tuple[Intention, ...]]) -> tuple[Intention, ...]:
    """Reminders that cannot be had now are left out."""
    try:
        return await aside(due.answer()) or ()
    except (Unreadable, Unwritable, Conflicting):
        return ()


def _nothing() -> Found:
    return Found((), 0.0, "none", None, {}, {})
