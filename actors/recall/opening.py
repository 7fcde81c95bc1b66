"""The project's page: notes for a session as it starts, from constitutional notes to waiting plans.

After a compaction it has the lost notes, the most needed first. The words about where the last session
stopped answer a first prompt of "continue" as well.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.core.equipment import Clock
from actors.intake.messages import JournalRow, event_of
from actors.memory.rows import Memory, Scope
from actors.policy.events.edits import files_touched
from actors.policy.events.events import EventKind
from actors.policy.events.fence import fenced
from actors.policy.events.trail import EDITORS
from actors.policy.recall import notes, page
from actors.policy.recall.answers import Failure, FailureMode
from actors.policy.recall.candidates import Candidate
from actors.policy.recall.notes import of_page
from actors.policy.recall.page import Part, Place, Room
from actors.policy.references.mentions import is_rule
from actors.policy.references.naming import relative
from actors.policy.session import tasks
from actors.policy.session.ledger import Attended, Tier
from actors.policy.session.pressure import Level
from actors.policy.session.tasks import handed_over, where_it_stopped
from actors.policy.statements.sources import NOTICED, SHARED
from actors.policy.text import wording
from actors.policy.text.wording import joined, less
from actors.recall import standing_notes
from actors.recall.contexts import GOING_ON, gone, is_news, told_at
from actors.recall.ordering import Settings
from actors.recall.shapes import Answer, Bring
from actors.recall.standing_notes import (
    SHARE,
    Noted,
    constitutional,
    decided,
    in_time,
    is_scripted,
    true_and_wanted,
)
from actors.recall.tell_or_not import STANDING, Section, block_of, section_block, told_unasked
from actors.session.shapes import SessionRow
from daemon.sources import ProjectSources
from daemon.storage.reader import ReadingSide

ABOUT_FILES = 4  # decisions and rules about the files of the branch, or of the session
AMONG = 40  # memories about them that are looked at
OTHERS = 12  # notes that others share, the newest
OTHERS_ROOM = 1_200  # characters of them
RETURNED = 8  # notes that come back after a compaction
TASK_CALLS = 400  # by which a session keeps its list of tasks
EVENTS = 150  # of a session before its compaction, in which its files are found
QUIET = 600.0  # seconds after which a session that did not end has stopped
RECENT = 30 * 86_400.0  # seconds after which nobody goes on where a session stopped

LATE_PAGE: Final = Failure("page", FailureMode.LATE)


class Stop(Struct, frozen=True):
    """Where the work stopped."""

    block: str = ""  # fenced; "" for nothing
    said: str = ""  # without how long ago it was


NOWHERE = Stop()

LOST: Final = Section(notes.LOST_HEADING, "lost by the compaction")
FROM_OTHERS: Final = Section(notes.SHARED_HEADING, "shared by others in the repository")
SECTIONS: Final = (STANDING, LOST, FROM_OTHERS)  # beside the notes that have places


class StartNotes(Struct):
    """Notes and other matter for a starting session, filled as they are read."""

    sections: dict[Section, Sequence[Memory]]  # the most needed first
    stop: Stop = NOWHERE  # of the session before a compaction, or else of the last one
    untold_plans: Sequence[int] = ()
    since: float = 0.0  # a session that goes on is told what is newer, seconds UTC
    gone: Sequence[str] = ()  # lines about what ended since then
    noted: Noted = Noted()
    is_scripted: bool = False  # no person runs it: only what is constitutional, or was lost
    is_whole: bool = False  # nothing of it was late

    def without(self, is_known: Callable[[Memory], bool]) -> "StartNotes":
        """Leave out memories known to the session, and memories already in an earlier section."""
        there: set[int] = set()

        def new(memories: Sequence[Memory]) -> list[Memory]:
            news = [one for one in memories if is_news(one, self.since)]
            kept = [one for one in news if one.id not in there and not is_known(one)]
            there.update(one.id for one in kept)
            return kept

        sections: dict[Section, Sequence[Memory]]
        sections = {one: new(self.sections.get(one, ())) for one in SECTIONS}
        noted = replace(self.noted, memories=new(self.noted.memories))
        return replace(self, sections=sections, noted=noted)


class Opening(Struct):
    """Gathers and words the page."""

    settings: Settings
    reader: ReadingSide
    clock: Clock
    sources: ProjectSources | None = None  # without it no file is looked at

    async def material(self, question: Bring, held: Mapping[int, Attended] | None) -> StartNotes:
        """Gather notes from the store; late ones are left out, except constitutional memories.

        ``held``: memories in the session's attention, the most attended first; None: the answer
        came late.
        """
        standing = await constitutional(self.reader, question.project, self.clock.now())
        material = StartNotes({STANDING: standing})
        if question.event.source in GOING_ON:
            material.since = question.at  # until it is known, nothing is news
        with in_time(question.within * SHARE):
            await self._gather(material, question, held)
        return material

    async def _gather(
        self, material: StartNotes, question: Bring, held: Mapping[int, Attended] | None
    ) -> None:
        project, now, sections = question.project, self.clock.now(), material.sections
        # After a compaction it is the same session still: it has heard what there is.
        after_compaction = question.event.source == "compact"
        goes_on = question.event.source in GOING_ON
        by_script = await is_scripted(self.reader, question)
        if by_script and not goes_on:
            material.is_scripted = True
            if not after_compaction:
                material.is_whole = True
                return
        noted = await standing_notes.noted(self.reader, project, now)
        if not material.is_scripted:
            material.noted = noted
        if goes_on:
            since = await told_at(self.reader, question)
            material.gone = await gone(self.reader, question, since)
            material.since, material.is_whole = since, True
            return
        if after_compaction:
            material.stop = await self._task(question)
            sections[LOST] = await self._lost(question, noted.wishes, held or {}, now)
            material.is_whole = held is not None
            return
        material.stop = await self.stop(question)
        sections[FROM_OTHERS] = await self._shared(project, now)
        material.untold_plans = await self.reader.untold_plans()
        material.noted = await self._worked_on(material.noted, question, now)
        material.is_whole = True

    async def _shared(self, project: str | None, now: float) -> list[Memory]:
        """Notes shared by others in the project and left out by nobody, the newest first."""
        found = await self.reader.of_sources(Scope(project), {SHARED}, OTHERS)
        return await true_and_wanted(self.reader, found, project, now)

    def page(
        self, material: StartNotes, told: str, level: Level = Level.NONE
    ) -> tuple[Answer, Sequence[int]]:
        """The page beside the reminders ``told``, and the plans announced; half as long in a context filling up."""
        part = 1 if level is Level.NONE else 2
        noted = material.noted
        gone = fenced(page.fitting(material.gone, page.LINES // part), notes.GONE_HEADING)
        before, shown, left = self._sections(material, told, gone, part)
        waiting = notes.waiting(len(material.untold_plans))
        start = page.START // part - len(before) - len(waiting)
        lined = self.settings.opens_notes and material.is_whole
        places = page.page(
            noted.page_notes(self.settings, self.clock.now()),
            Room(
                whole=min(left.characters, start),
                wishes=page.WISHES // part,
                lines=page.LINES // part - len(gone) if lined else 0,
                start=start,
            ),
        )
        wishes, first = self._standing(noted, places, Part.WISHES, notes.WISHES_HEADING)
        decisions, second = self._standing(noted, places, Part.DECISIONS, notes.DECISIONS_HEADING)
        listed = fenced(noted.lines(places), notes.LINES_HEADING)
        block = joined(before, wishes, decisions, listed)
        plan_ids = material.untold_plans
        if len(block) + 1 + len(waiting) > page.START // part:  # they wait for another start
            waiting, plan_ids = "", ()
        found = Answer(
            (*shown, *first, *second),
            block=joined(block, waiting),
            places=tuple(places),
            considered=(*told_unasked(shown), *of_page(places)),
            missing=() if material.is_whole else (LATE_PAGE,),
        )
        return found, plan_ids

    def _sections(
        self, material: StartNotes, told: str, gone: str, part: int
    ) -> tuple[str, tuple[Candidate[Memory], ...], wording.Settings]:
        """Text and notes before the notes that have places, and the room left."""
        room, stop = less(self.settings.budget, told), material.stop.block
        block, standing = self._block(material, STANDING, replace(room, note=room.characters))
        left = less(replace(room, characters=room.characters // part), joined(block, stop))
        lost, back = self._block(material, LOST, left)
        left = less(left, lost)
        little = replace(left, characters=min(OTHERS_ROOM, left.characters))
        others, shared = self._block(material, FROM_OTHERS, little)
        before = joined(told, block, stop, lost, gone, others)
        return before, (*standing, *back, *shared), less(left, others)

    def _standing(
        self, noted: Noted, places: Sequence[Place], part: Part, heading: str
    ) -> tuple[str, tuple[Candidate[Memory], ...]]:
        """The notes of a part of the page, whole."""
        memories = {one.id: one for one in noted.memories}
        chosen = [
            Candidate(memories[one.identity], why=one.reason) for one in places if one.part is part
        ]
        room = wording.Settings(wording.HARD, note=wording.HARD)  # the page has measured them
        block, _ = block_of(chosen, room, self.clock.now(), heading=heading)
        return block, tuple(chosen)

    async def stop(self, question: Bring) -> Stop:
        """Find where the last session on the project stopped.

        Its handoff says so, else the reader's account of it, else its last answer.
        """
        now = self.clock.now()
        row = await self._session_before(question, now)
        since = now - RECENT if row is None else row.started_at
        pieces = await self.reader.handoff(question.project, since)
        if pieces:
            said = handed_over(pieces[0].place, [(one.title, one.text) for one in pieces])
            return _stop(said, now - pieces[0].at)
        if row is None:
            return NOWHERE
        ended = await self.reader.stopped_at(row.session)
        answer = None if ended else await self._last_answer(row.session)
        last = None if answer is None else event_of(answer)
        if last is not None:
            ended = where_it_stopped(row.task, last.message)
        said = " ".join(filter(None, (ended, await self._open_tasks(row.session))))
        return _stop(said, now - row.seen_at)

    async def _session_before(self, question: Bring, now: float) -> SessionRow | None:
        session, project = question.event.session, question.project
        return await self.reader.session_before(session, project, now - RECENT, now - QUIET)

    async def _last_answer(self, session: str) -> JournalRow | None:
        """End of the session's last turn, while the journal has it."""
        rows = await self.reader.events_of(session, limit=1, kinds=("turn_end",))
        return rows[0] if rows else None

    async def _open_tasks(self, session: str) -> str:
        """Tasks left open in the session's own list; its subagents' lists do not count."""
        rows = await self.reader.calls_in(session, tasks.TOOLS, TASK_CALLS)
        events = [event for row in rows if (event := event_of(row)) and not event.agent_id]
        return tasks.named(tasks.unfinished(one.tool for one in events if one.tool is not None))

    async def stop_for_first_prompt(self, question: Bring) -> Stop:
        """Last stop of the work, for a session without an answer of its own yet."""
        stop = NOWHERE
        with in_time(self.settings.neighbour_wait):
            if await self._last_answer(question.event.session) is None:
                stop = await self.stop(question)
        return stop

    def _block(
        self, material: StartNotes, section: Section, room: wording.Settings
    ) -> tuple[str, tuple[Candidate[Memory], ...]]:
        return section_block(section, material.sections.get(section, ()), room, self.clock.now())

    async def _task(self, question: Bring) -> Stop:
        """The session's task before its context was compacted."""
        row = await self.reader.session(question.event.session)
        if row is None or not row.task:
            return NOWHERE
        return Stop(fenced([row.task], notes.TASK_HEADING), row.task)

    async def _lost(
        self, question: Bring, wishes: Sequence[Memory], held: Mapping[int, Attended], now: float
    ) -> list[Memory]:
        """Notes of the session by rank: its decisions, hot ones, ones about its files, warm ones."""
        session = question.event.session
        own = await decided(self.reader, session, question.project, wishes)
        known = await self.reader.memories(tuple(held))
        told = [known[one] for one in held if one in known and known[one].session != session]
        hot = [one for one in told if held[one.id].tier is Tier.HOT]
        about = await self._about(question, await self._files(session))
        found = chain(own, hot, about, told)
        # A demand has its own place on the page, in its person's words.
        new = {one.id: one for one in found if not one.ended and one.source != NOTICED}
        kept = await true_and_wanted(self.reader, [*new.values()], question.project, now)
        return kept[:RETURNED]

    async def _files(self, session: str) -> list[str]:
        """Files edited in a session, the last ones first."""
        now = self.clock.now()
        events = await self.reader.events_of(session, now - RECENT, None, EVENTS)
        found: dict[str, None] = {}
        for row in reversed(events):
            event = event_of(row) if row.kind == EventKind.TOOL.value else None
            if event is not None and event.tool is not None and event.tool.name in EDITORS:
                found.update(dict.fromkeys(files_touched(event)))
        return list(found)

    async def _changed(self, question: Bring) -> Sequence[str]:
        """The files changed on the branch."""
        if question.project is None or self.sources is None:
            return ()
        folder = await self.sources.checkout(question.project, question.event.cwd)
        return await self.sources.visit(folder, lambda files: files.changed()) or ()

    async def _worked_on(self, noted: Noted, question: Bring, now: float) -> Noted:
        """The notes, and which of them are about files edited in the last session or changed on the branch.

        Without a reader the decisions and rules about these files join them.
        """
        project = question.project
        if project is None:
            return noted
        row = await self._session_before(question, now)
        edited = [] if row is None else await self._files(row.session)
        places = await self._places(question, [*edited, *await self._changed(question)])
        about = await self.reader.about_files(project, places, AMONG)
        near = {one.id for one in about}.union(await self.reader.cued_by_files(project, places))
        if noted.marks:
            return replace(noted, near=near)
        rules = await true_and_wanted(self.reader, _rules(about), project, now)
        there = {one.id for one in noted.memories}
        memories = [*noted.memories, *(one for one in rules if one.id not in there)]
        standing = {*noted.standing, *(one.id for one in rules)}
        return replace(noted, memories=memories, standing=standing, near=near)

    async def _about(self, question: Bring, paths: Sequence[str]) -> list[Memory]:
        """Decisions and rules about these files of the project."""
        project = question.project
        if project is None or not paths:
            return []
        places = await self._places(question, paths)
        found = await self.reader.about_files(project, places, AMONG)
        return _rules(found)

    async def _places(self, question: Bring, paths: Sequence[str]) -> list[str]:
        """These files by their places in the project."""
        folder = question.project or ""
        if self.sources is not None:
            folder = await self.sources.checkout(folder, question.event.cwd)
        return [place for one in paths if (place := relative(one, folder))]


def _rules(about: Sequence[Memory]) -> list[Memory]:
    return [one for one in about if is_rule(one.kind, one.status, one.source)][:ABOUT_FILES]


def _stop(said: str, ago: float) -> Stop:
    """The note about it; ``ago``: seconds since then."""
    if not said:
        return NOWHERE
    return Stop(fenced([f"[{notes.age(ago)}] {said}"], notes.STOPPED_HEADING), said)
