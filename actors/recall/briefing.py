"""Briefing of a prompt, or of a session as it starts, unasked; silence is the usual answer.

Shown notes are recorded after the answer is out, never before.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from functools import partial

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Clock, Latest, Posted
from actors.core.failures import Unreadable
from actors.core.mailbox import Lane, Mailbox
from actors.memory.commit import LongTermMessage, Write
from actors.memory.rows import Scope
from actors.memory.use import Exposed, Injected
from actors.night.shapes import PlansTold
from actors.policy.events.events import Event, EventKind
from actors.policy.events.switch import switched
from actors.policy.night.intentions import Intention, reminders
from actors.policy.recall import answers, evidence
from actors.policy.recall.answers import Failure, FailureMode
from actors.policy.recall.notes import Fate, considered
from actors.policy.session.ledger import LISTED, WHOLE, Attended, Context, Tier, has, is_loaded
from actors.policy.session.pressure import Level
from actors.policy.session.tasks import goes_on
from actors.policy.text.speech import asks_outright
from actors.policy.text.wording import joined, less, room_of
from actors.policy.text.words import without_links
from actors.recall.archive import Archive, quotations
from actors.recall.channels import Channels, Inquiry, unsearched
from actors.recall.contexts import (
    GOING_ON,
    Delegating,
    SessionQuestions,
    as_before,
    for_summary,
    heard,
)
from actors.recall.opening import NOWHERE, Opening, StartNotes, Stop
from actors.recall.ordering import Ordering, Settings, answer_of, placed
from actors.recall.shapes import After, Answer, Bring, Tell
from actors.recall.tell_or_not import (
    Telling,
    block_of,
    cut_for,
    is_long,
    is_read,
    made,
    number,
    tell_or_not,
    told_unasked,
)
from actors.session.shapes import Delivered, WereReminded

log = logging.getLogger(__name__)

NOBODY: Mapping[int, Attended] | None = {}  # is attended to; None: not known
NOTHING_YET = Context(0.0)  # of a prompt without a session, and of a subagent that starts
LATE_SESSION = Failure("session", FailureMode.LATE)  # what it wants and has is not known
STOPS = 64  # sessions of which it is known that they were told where the work stopped
RESERVE = 0.015  # seconds of a prompt's time that are kept for the answer itself


class Briefing(Struct):
    """Answers prompts and starts of sessions."""

    settings: Settings
    clock: Clock
    channels: Channels
    ordering: Ordering
    session: SessionQuestions
    long_term: Mailbox[LongTermMessage]
    archive: Archive
    opening: Opening
    delegating: Delegating
    by_words_alone: int = 0
    stops: Latest[str, str] = field(default_factory=lambda: Latest(STOPS))  # told, by session

    async def bring(self, question: Bring) -> After:
        """Answer; returns the work due now because the answer is out."""
        event = question.event
        if question.rehearsed:
            return await self._rehearse(question)
        # The prompt that switches is not known to the session yet, and gets nothing either way.
        if switched(event.prompt) is not None:
            return self._say_nothing(question)
        match event.kind:
            case EventKind.SESSION_START:
                return await self._bring_page(question)
            case EventKind.PRE_COMPACT:
                return await self._bring_to_summary(question)
            case EventKind.SUBAGENT_TASK:
                self.delegating.hold(event, question.at)
                return self._say_nothing(question)
            case EventKind.SUBAGENT_START:
                return await self._bring_to_subagent(question)
            case _ if event.turn.is_machine_made or not event.prompt.strip():
                return self._say_nothing(question)
            case _:
                return await self._bring_relevant(question)

    async def _rehearse(self, question: Bring) -> After:
        """Answer a person as a prompt would be; nobody is told and nothing is counted."""
        if question.event.kind is EventKind.SESSION_START:
            return await self._rehearse_page(question)
        inquiry = await self._look(question)
        told, _ = await self._reminders(self.session.due(question))
        question.reply(self._found(inquiry, NOTHING_YET, Level.NONE, told, question.event))
        return After()

    async def _rehearse_page(self, question: Bring) -> After:
        """Answer a person with the page of a new session."""
        due, asked = self.session.due(question), self.session.context(question, question.within)
        material = await self.opening.material(question, NOBODY)
        had = await heard(asked, NOTHING_YET) or NOTHING_YET
        told, _ = await self._reminders(due)
        page, _ = self.opening.page(self._untold(material, had, question), told)
        question.reply(page)
        return After()

    def _say_nothing(self, question: Bring, *missing: Failure) -> After:
        question.reply(Answer(missing=missing))
        return After()

    def _answer(self, question: Bring, found: Answer, after: After) -> After:
        """Answer; returns what follows: nothing after a late answer, which never reached the context."""
        late = question.reply.abandoned  # whoever has the answer waits no more either
        question.reply(found)
        self.by_words_alone += found.mode == "words"
        return After() if late else after

    async def _bring_page(self, question: Bring) -> After:
        """The project's page, once as a session starts and again after a compaction.

        A resumed session has it in its context already and is told only the changes since.
        """
        if not self.settings.at_start:
            return self._say_nothing(question)
        goes_on = question.event.source in GOING_ON
        whose = await as_before(self.opening.reader, question) if goes_on else question
        # All are asked at once, so that several who are late cost the answer their time once.
        due = None if goes_on else self.session.due(question)
        silence = self.session.silence(whose)
        # What its instructions say may be told twice, what was told before may not.
        has_heard = question.again or goes_on
        wait = self.session.reads(question) if has_heard else self.settings.neighbour_wait
        after_compaction = question.event.source == "compact"
        context = self.session.context(whose, wait, attends=after_compaction)
        fullness, held = self.session.fullness(question), NOBODY
        if after_compaction:
            before = await heard(context, NOTHING_YET)
            held = None if before is None else before.held
        material = await self.opening.material(whose, held)
        silent, had = await heard(silence, False), await heard(context, NOTHING_YET)
        if silent is not False or (has_heard and had is None):
            unknown = () if silent is True else (LATE_SESSION,)
            return self._say_nothing(question, *unknown)
        told, reminded = await self._reminders(None if material.is_scripted else due)
        level = await heard(fullness, None) or Level.NONE
        untold = self._untold(material, had or NOTHING_YET, whose)
        page, plan_ids = self.opening.page(untold, told, level)
        after = self._after(question, page, "session_start", reminded, untold.stop, plan_ids)
        return self._answer(question, page, after)

    def _untold(self, material: StartNotes, had: Context, question: Bring) -> StartNotes:
        """Leave out notes in the session's context, and notes told at an earlier request for the page."""
        session = question.event.session
        if not question.again and question.event.source not in GOING_ON:
            return material.without(lambda one: is_loaded(had, one.text))
        if self.stops.get(session) == material.stop.said:
            material.stop = NOWHERE
        return material.without(lambda one: has(had, session, made(one)))

    async def _bring_to_subagent(self, question: Bring) -> After:
        """Notes for all work, notes of the task's files, and notes of the task by the evidence of a prompt.

        A subagent's context is empty: everything its session was told, said or read is new to it, and the session
        does not learn what its subagent is told. Notes hot in its session need no more than a word in common with
        the task.
        """
        if not self.settings.to_subagents:
            return self._say_nothing(question)
        event = question.event
        task = self.delegating.task(event, question.at)
        silence = self.session.silence(question)
        context = self.session.context(question, self.session.reads(question), attends=True)
        began = trio.current_time()
        given = await self.delegating.given(question, task)
        left = question.within - (trio.current_time() - began)
        alone = replace(question, event=replace(event, prompt=task, session=""), within=left)
        inquiry = await self._look(alone) if task else None
        if await heard(silence, False) is not False:
            return self._say_nothing(question)
        had = await heard(context, NOTHING_YET) or NOTHING_YET
        # Its client loads the instructions for it too.
        block, told = self.delegating.subagent_block(given, had)
        known = replace(NOTHING_YET, told=frozenset(one.memory.content_hash for one in told))
        found = Answer(block=block)
        if inquiry is not None:
            present = (i for i, one in had.held.items() if one.tier is Tier.HOT)
            hot = {i for i in present if i in inquiry.words}
            found = self._found(inquiry, known, Level.NONE, block, alone.event, hot)
        reasons = told_unasked(told)
        # What it was given is weighed by its likeness too: each is told of once.
        given_ids = {one.identity for one in reasons}
        weighed = (one for one in found.considered if one.identity not in given_ids)
        found = replace(found, notes=(*told, *found.notes), considered=(*reasons, *weighed))
        return self._answer(question, found, self._after(question, found, "subagent"))

    async def _bring_to_summary(self, question: Bring) -> After:
        """Notes to keep in a compaction's summary; they go to its writer and do not count as told."""
        reader, now = self.opening.reader, self.clock.now()
        question.reply(Answer(block=await for_summary(self.settings, reader, question, now)))
        return After()

    async def _bring_relevant(self, question: Bring) -> After:
        """The notes of a prompt: its session is asked about, then the channels, and their answers taken."""
        event, looking = question.event, trio.CancelScope()
        due = self.session.due(question)
        silence = self.session.silence(question, looking)
        context = self.session.context(question, self.session.reads(question))
        fullness = self.session.fullness(question)
        inquiry: Inquiry | None = None
        with looking:
            inquiry = await self._look(question)
        silent = await heard(silence, False)
        if silent is not False or inquiry is None:  # only a silent session ends the look
            return self._say_nothing(question, *([LATE_SESSION] if silent is None else []))
        told, reminded = await self._reminders(due)
        stop = await self._where_it_stopped(question) if goes_on(event.prompt) else NOWHERE
        told = joined(told, stop.block)
        had, level = await heard(context, NOTHING_YET), await heard(fullness, None)
        found = self._found(inquiry, had, level or Level.NONE, told, event)
        after = self._after(question, found, "prompt", reminded, stop)
        return self._answer(question, found, after)

    async def _where_it_stopped(self, question: Bring) -> Stop:
        """Where the last session stopped, for a first prompt to go on; once a session."""
        stop = await self.opening.stop_for_first_prompt(question)
        return NOWHERE if self.stops.get(question.event.session) == stop.said else stop

    async def _reminders(
        self, due: Posted[tuple[Intention, ...]] | None
    ) -> tuple[str, tuple[str, ...]]:
        """Reminders as a block, and their names; reminders unavailable now are left out."""
        coming = await heard(due, ()) or ()
        return reminders(coming, self.clock.now(), room_of(self.settings.budget))

    # ---- what is found

    async def _look(self, question: Bring) -> Inquiry:
        """Ask the channels. Sources closed to a prompt are looked through only when a person asks why."""
        event, inquiry, is_searched = question.event, self._inquiry(question), False
        with trio.move_on_after(max(0.0, question.within - RESERVE)):
            try:
                await self.channels.look(inquiry)
                is_searched = True
                await self.channels.meet(inquiry)
                is_quoted_to = (
                    event.kind is EventKind.PROMPT
                    and inquiry.by_likeness
                    and not is_read(inquiry)
                    and asks_outright(event.prompt)
                )
                if question.rehearsed or is_quoted_to:
                    within = self.settings.channel_wait
                    archived = self.archive.look(inquiry)
                    await self.channels.collect(inquiry, "passages", archived, within)
            except (Unreadable, trio.TooSlowError) as error:
                log.warning("prompt_unsearched why=%s", type(error).__name__)
                inquiry.lost = unsearched(error)
                return inquiry
        if not is_searched:
            log.warning("prompt_unsearched why=late")
            inquiry.lost = unsearched(trio.TooSlowError())
        return inquiry

    def _inquiry(self, question: Bring) -> Inquiry:
        settings, event = self.settings, question.event
        room = question.within - settings.channel_wait - RESERVE
        wait = self.channels.pacing.wait(settings.embedding_wait, room)
        inquiry = Inquiry(
            without_links(event.prompt),
            scope=Scope(question.project),
            settings=settings.ranking,
            wanted=settings.candidates,
            read=settings.read,
            whole=False,
            # A long prompt or task gets only memories called by a phrase.
            by_likeness=question.rehearsed or not is_long(event),
            by_cues=event.kind is EventKind.PROMPT and not is_long(event),
            folders=(question.project or "", event.cwd),
            embedding_wait=wait,
            bound=settings.channel_wait,
            neighbour_wait=settings.neighbour_wait,
        )
        if question.rehearsed:  # a person waits for what a prompt gets when nothing is late
            inquiry.embedding_wait = inquiry.bound = inquiry.neighbour_wait = settings.search_wait
        return inquiry

    def _found(
        self,
        inquiry: Inquiry,
        had: Context | None,
        level: Level,
        told: str,
        event: Event,
        held: Collection[int] = (),
    ) -> Answer:
        """The answer within the budget left by the reminders; less is asked of the memories ``held``."""
        if inquiry.lost:
            return Answer(block=told, missing=inquiry.lost)
        trace = self.ordering.ranked(inquiry)
        quoted, bearing = quotations(inquiry)
        verdicts = (*evidence.upheld(trace.verdicts, held), *bearing)
        now = Telling(
            event,
            inquiry,
            had,
            self.clock.now(),
            placed(trace, inquiry.memories),
            quoted,
            {one.identity: one for one in verdicts},
        )
        tell_or_not(now)
        relevant = cut_for(now.notes, level, self.settings.state_of, now.now)
        room = less(answers.lessened(self.settings.budget, level), told)
        block, ids = block_of(relevant, room, now.now, inquiry.successors, quoted=now.quoted)
        now.notes = relevant
        now.hold(Fate.CROWDED, {*map(number, relevant), *map(number, now.quoted)} - {*ids})
        return replace(
            answer_of(now.notes, inquiry, trace),
            block=joined(told, block),
            # Where nobody knows what the session has, none of it is told.
            missing=(*inquiry.missing, *([LATE_SESSION] if had is None else [])),
            known=sum(one > 0 and fate is Fate.KNOWN for one, fate in now.fates.items()),
            considered=considered(verdicts, now.fates),
            quotations=tuple(now.quoted),
        )

    async def _told_stop(self, session: str, said: str) -> None:
        self.stops[session] = said

    def _after(
        self,
        question: Bring,
        found: Answer,
        where: str,
        due: tuple[str, ...] = (),
        stop: Stop = NOWHERE,
        plan_ids: Sequence[int] = (),
    ) -> After:
        """Records of an answer, and messages about it: each by itself, none waits for another."""
        session, at, shown = question.event.session, question.at, found.notes
        tells: list[Tell] = []
        if due:
            tells.append(partial(self.session.working_memory.tell, WereReminded(due, session, at)))
        if session and stop.said:
            tells.append(partial(self._told_stop, session, stop.said))
        hashes = (
            *(note.memory.content_hash for note in shown),
            *(one.passage.content_hash for one in found.quotations),
        )
        # What a subagent is told its session does not know.
        if session and hashes and where != "subagent":
            delivered = Delivered(session, hashes, at, WHOLE if where == "prompt" else LISTED)
            tells.append(partial(self.session.working_memory.tell, delivered))
        if plan_ids:
            announced = Write((PlansTold(tuple(plan_ids), at),))
            tells.append(partial(self.long_term.tell, announced, lane=Lane.BACKGROUND))
        ids = tuple(note.memory.id for note in shown)
        exposed = Exposed(ids, session or None, where, self.clock.now()) if ids else None
        injected = Injected(
            session, question.project, where, question.asked_at or at,
            len(found.block), found.mode, found.considered,
        ) if session else None  # fmt: skip
        return After(exposed, injected, tuple(tells))
