"""The context of a session: what is asked about it, and notes for one that is no new session's.

A resumed session has its page in its context still; a fork has the page of its parent session. Both are
told the changes: notes learnt and notes ended since they were last told.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeVar

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Clock, Latest, Posted, posted
from actors.core.failures import Conflicting, Unreadable, Unwritable
from actors.core.mailbox import Mailbox
from actors.memory.rows import Memory, Scope
from actors.policy.events.events import Event
from actors.policy.night.intentions import Intention
from actors.policy.recall import notes, page
from actors.policy.recall.candidates import Candidate
from actors.policy.recall.notes import told_of
from actors.policy.references.naming import named
from actors.policy.session import tasks
from actors.policy.session.ledger import Context, is_loaded
from actors.policy.session.pressure import Level
from actors.policy.session.tasks import Task
from actors.policy.text.wording import joined, less
from actors.recall.channels import AWAY
from actors.recall.ordering import Settings
from actors.recall.shapes import Bring
from actors.recall.standing_notes import (
    SHARE,
    always,
    constitutional,
    decided,
    heirs_of,
    in_time,
    is_scripted,
    noted,
    true_and_wanted,
)
from actors.recall.tell_or_not import STANDING, WISHES, Section, section_block
from actors.session.shapes import (
    HowFull,
    IsSilent,
    PressureMessage,
    WhatIsDue,
    WhatItHas,
    WorkingMemoryMessage,
)
from daemon.storage.reader import ReadingSide

# ---- questions about a session, asked side by side with the channels; who is late has said nothing


A = TypeVar("A")
B = TypeVar("B")

READS: Final = 0.5  # of a prompt's time, for what its session has and wants


class SessionQuestions(Struct):
    """Questions about the session of a prompt or a start, to the actors that know it."""

    settings: Settings
    working_memory: Mailbox[WorkingMemoryMessage]
    pressure: Mailbox[PressureMessage]

    def reads(self, question: Bring) -> float:
        """Seconds for an answer of an actor when it first reads the store of a session."""
        return max(self.settings.channel_wait, question.within * READS)

    def silence(
        self, question: Bring, looking: trio.CancelScope | None = None
    ) -> Posted[bool] | None:
        """Ask whether a person wants no notes in this session; without one nobody is asked.

        If so the ``looking`` ends at once: it is for nobody.
        """

        def at_once(silent: bool) -> None:
            if silent and looking is not None:
                looking.cancel()

        asked = IsSilent(question.event.session)
        if not asked.session:
            return None
        within = self.reads(question)
        return posted(self.working_memory, asked, within=within, heard=at_once)

    def context(
        self, question: Bring, within: float, *, attends: bool = False
    ) -> Posted[Context] | None:
        """Ask for the context of the session, of a rehearsed one for what the project's last one loaded.

        ``attends``: with the memories in its attention.
        """
        event = question.event
        asked = WhatItHas(event.session, question.project, question.at, attends)
        is_asked = bool(event.session) or question.rehearsed
        return posted(self.working_memory, asked, within=within) if is_asked else None

    def fullness(self, question: Bring) -> Posted[Level]:
        """Ask how full the context of the session is."""
        asked = HowFull(question.event.session)
        return posted(self.pressure, asked, within=self.settings.neighbour_wait)

    def due(self, question: Bring) -> Posted[tuple[Intention, ...]]:
        """Ask for the user's intentions due here; it depends on no channel."""
        event = question.event
        asked = WhatIsDue(event.session, question.project, event.turn, question.at)
        return posted(self.working_memory, asked, within=self.settings.neighbour_wait)


async def heard(reply: Posted[A] | None, unasked: B) -> A | B | None:
    """The answer of an actor; None when it has failed: recall goes on."""
    if reply is None:
        return unasked
    try:
        return await reply.answer()
    except (*AWAY, Conflicting, Unwritable):
        return None


# ---- a session that goes on: the changes


GOING_ON: Final = frozenset({"resume", tasks.FORK})  # sources of a start that has its context still
GONE: Final = 40  # notes that ended since, the last ones


async def as_before(reader: ReadingSide, question: Bring) -> Bring:
    """The question as from the session whose context it shares; unchanged where none is known."""
    event, session = question.event, None
    answered = tasks.origin_answered_at(event, question.asked_at or question.at)
    if answered is not None:
        with suppress(Unreadable):
            session = await reader.answered_at(question.project, event.session, answered)
    return replace(question, event=replace(event, session=session or event.session))


async def told_at(reader: ReadingSide, question: Bring) -> float:
    """Time of the session's last page, seconds UTC; an unknown session has no news."""
    began = question.asked_at or question.at  # by its event in the journal
    since = await reader.last_start(question.event.session, began)
    return question.at if since is None else since


async def gone(reader: ReadingSide, question: Bring, since: float) -> list[str]:
    """Lines about notes ended since then, except notes replaced by the session itself.

    A note replaced by another project's is left out too: its new words belong to the other
    project.
    """
    session = question.event.session
    ended = await reader.ended_since(session, Scope(question.project), since, GONE)
    heirs = await heirs_of(reader, ended)
    return [
        page.no_longer(one.id, (heir.id, heir.title or heir.text) if heir else None)
        for one in ended
        if (heir := heirs.get(one.id)) is None
        or (heir.session != session and heir.project in (None, question.project))
    ]


def is_news(memory: Memory, since: float) -> bool:
    """Return whether a memory was made, or its text changed, since then."""
    return memory.created_at > since or (memory.versions > 1 and memory.updated_at > since)


# ---- a subagent: notes for all work, and notes about its files, beside the evidence of its task
#
# Its context is empty: of its session's knowledge it has the client's instructions, and no more.


DELEGATING: Final = 64  # sessions whose tasks for subagents are held
NAMED: Final = 4  # notes about files and symbols of a task
AMONG: Final = 200  # pairs of a note and what it is about that are looked at

FOR_TASK: Final = Section(notes.NAMED_HEADING, "about what its task names")


class Delegating(Struct):
    """Holds the tasks of subagents about to start, and gathers notes for them."""

    settings: Settings
    reader: ReadingSide
    clock: Clock
    tasks: Latest[str, tuple[Task, ...]] = field(default_factory=lambda: Latest(DELEGATING))

    def hold(self, event: Event, at: float) -> None:
        """Keep the task until its subagent starts, which is told by its type alone."""
        if event.session and self.settings.to_subagents:
            waiting = self.tasks.get(event.session, ())
            task = Task(event.task, event.agent_type, at)
            self.tasks[event.session] = tasks.given(waiting, task)

    def task(self, event: Event, at: float) -> str:
        """The task of a starting subagent; "" where it is not known."""
        waiting = self.tasks.get(event.session, ())
        task, self.tasks[event.session] = tasks.started(waiting, event.agent_type, at)
        return task.text.strip() if task is not None else ""

    async def given(self, question: Bring, task: str) -> dict[Section, Sequence[Memory]]:
        """Gather its notes; late ones are left out, except constitutional memories."""
        now, project = self.clock.now(), question.project
        given: dict[Section, Sequence[Memory]]
        given = {STANDING: await constitutional(self.reader, project, now)}
        with in_time(question.within * SHARE):
            if not await is_scripted(self.reader, question):
                found = await noted(self.reader, project, now)
                given[WISHES] = always(self.settings, found, now)
            given[FOR_TASK] = await self._named(project, task, now)
        return given

    def subagent_block(
        self, given: Mapping[Section, Sequence[Memory]], had: Context
    ) -> tuple[str, tuple[Candidate[Memory], ...]]:
        """The block of notes absent from its instructions, and these notes."""
        left = self.settings.budget
        blocks, told = list[str](), list[Candidate[Memory]]()
        for section, memories in given.items():
            seen = {note.memory.id for note in told}
            new = [one for one in memories if one.id not in seen and not is_loaded(had, one.text)]
            most = left.characters
            if section is WISHES:
                most = min(most, page.WISHES + page.SECTION)
            room = replace(left, characters=most, note=most)  # whole or not at all
            block, fitting = section_block(section, new, room, self.clock.now())
            blocks.append(block)
            told += fitting
            left = less(left, block)
        return joined(*blocks), tuple(told)

    async def _named(self, project: str | None, task: str, now: float) -> list[Memory]:
        if project is None or not task:
            return []
        what = named(task, project)
        found = await self.reader.cued_by(project, tuple(what.files), what.symbols, AMONG)
        ids = told_of(found, task, NAMED)
        memories = await self.reader.memories(ids)
        there = [memories[one] for one in ids if one in memories]
        return await true_and_wanted(self.reader, there, project, now)


# ---- the summary of a compaction: a person's standing wishes, and the session's decisions


async def for_summary(settings: Settings, reader: ReadingSide, question: Bring, now: float) -> str:
    """Lines for the instructions of a summary; "" where there is nothing, or it is late."""
    event, wishes, own = question.event, list[Memory](), list[Memory]()
    with in_time(question.within * SHARE):
        found = await noted(reader, question.project, now)
        own = await decided(reader, event.session, question.project, found.wishes)
        own = await true_and_wanted(reader, own, question.project, now)
        if not await is_scripted(reader, question):
            here = {one.id for one in own}
            wishes = [one for one in always(settings, found, now) if one.id not in here]
    return notes.to_survive(
        page.fitting((one.text for one in wishes), page.WISHES + page.SECTION),
        page.fitting((one.text for one in own), page.WISHES + page.SECTION),
    )
