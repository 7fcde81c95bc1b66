"""Answers to the prompts, starts and calls of a session: notes told to each, and notes close to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final, Self

import msgspec

from daemon.api.operation import Argument, Here, Line, Operation, Option, Terminal, Title, Verb
from daemon.commands.terminal.words import (
    counted,
    current_project,
    fitted,
    local,
    named_project,
    one_line,
)
from daemon.shapes.journal import InjectionView
from daemon.shapes.replies import RECALL_DEADLINE, Count, Reply
from daemon.shapes.results import ConsideredView
from daemon.views import short_id, told_id, view

if TYPE_CHECKING:
    from actors.intake.messages import JournalRow
    from actors.memory.rows import Memory
    from actors.recall.shapes import Answer
    from daemon.context import Parts, Progress
    from daemon.storage.why import ConsideredRow


ASKED: Final = ("prompt", "session_start")  # kinds of events with an answer
PROMPT: Final = 200  # characters of one that are told
TOLD: Final = "told"
LISTED: Final = "a line"
LEFT: Final = "left out of the page"
PLACES: Final = {
    "prompt": "prompt",
    "session_start": "start of the session",
    "subagent": "a subagent's task",
    "tool": "before a call",
    "failure": "a call that failed",
}
MODES: Final = {"words": ", by words alone", "phrases": ", by phrases alone: it is long"}


class InjectionsShown(Reply, frozen=True, kw_only=True):
    """The last prompts of a session, oldest first."""

    session: str
    agent: str
    project: str | None
    needed: float  # confidence from which a memory is told
    prompts: list[InjectionView]


class Injections(Operation[InjectionsShown], frozen=True, kw_only=True):
    """Show what a session's prompts were told, and why.

    And what came close and was not told. The last session of the current project, unless named;
    a name may be shortened. The newest prompt last.
    """

    NAME = "injections"
    VERBS = (Verb("injections"),)
    session: Annotated[str | None, Argument("[SESSION]")] = None
    project: Annotated[
        str | None,
        Option("--project", "The last session of this project instead of the current one."),
    ] = None
    limit: Annotated[
        Count, Option("--limit", "How many prompts, the newest.", True, within=(1, 1_000))
    ] = 50

    def prepared(self, _: Terminal, /) -> Self:
        where = named_project(self.project) if self.project else current_project()
        return msgspec.structs.replace(self, project=None if self.session else where)

    async def answer(self, parts: Parts, _: Progress) -> InjectionsShown:
        from actors.policy.recall.evidence import THRESHOLD
        from daemon.answers.journal import session_meant

        session = await session_meant(parts, self.session, self.project)
        name = str(session["session"])
        return InjectionsShown(
            session=name,
            agent=session["agent"],
            project=session["project"],
            needed=THRESHOLD,
            prompts=await prompts_of(parts, name, self.limit),
        )

    def lines(self, shown: InjectionsShown) -> Iterator[Line]:
        where = f" in {shown.project}" if shown.project else ""
        yield [f"session {shown.session} of {shown.agent}{where}"]
        for prompt in shown.prompts:
            text = one_line(prompt.text)
            said = f"“{text}”" if text else PLACES.get(prompt.place, prompt.place)
            yield Title(fitted(f"{local(prompt.at):%H:%M:%S}  {said}"))
            yield f"    {_cost(prompt)}"
            yield from weighed_rows(prompt.considered)
        if any(prompt.considered for prompt in shown.prompts):
            yield f"told from a confidence of {shown.needed:.2f}; one of them: reverie why ID"
        elif not shown.prompts:
            yield "no prompt of it is kept"


# ---- as it is looked up


async def prompts_of(parts: Parts, session: str, limit: int) -> list[InjectionView]:
    """The last prompts and starts of a session with the notes told to each, oldest first."""
    from daemon.storage import journal, why

    read = parts.reader.read
    rows = await read(why.injections, session, limit)
    weighed = await read(why.considered, session, rows[0].at if rows else 0.0)
    by_answer: defaultdict[int, list[ConsideredView]] = defaultdict(list)
    for one in weighed:
        by_answer[one.injection_id].append(_considered(one))
    events = await read(journal.events_of, session, limit=limit, kinds=ASKED)
    said = {row.received_at: _said(row) for row in events}
    answered = [
        view(
            InjectionView,
            row,
            text=said.get(row.at, ""),
            answered=True,
            considered=by_answer[row.id],
        )
        for row in rows
    ]
    known = {row.at for row in rows}
    unanswered = [
        InjectionView(
            at=row.received_at, place=row.kind, text=said[row.received_at], answered=False
        )
        for row in events
        if row.received_at not in known
    ]
    return sorted((*answered, *unanswered), key=lambda one: one.at)[-limit:]


def _considered(one: ConsideredRow) -> ConsideredView:
    """Notes weighed, with size and fate of the ones before an agent's eyes."""
    from actors.policy.recall.notes import Fate
    from actors.policy.recall.page import line
    from daemon.answers.why import became

    size = {Fate.TOLD: one.length, Fate.LISTED: len(line(one.identity, one.title))}
    causes = () if one.used is None else (one.used,)
    return view(
        ConsideredView,
        one,
        id=told_id(one.identity),
        characters=size[Fate(one.fate)] if one.fate in size else 0,
        became=became(causes, useless=bool(one.useless)) if one.fate in size else "",
    )


def _said(row: JournalRow) -> str:
    """The beginning of a prompt; empty where its text was erased."""
    from actors.intake.messages import event_of
    from actors.policy.text.wording import shortened

    event = event_of(row)
    return shortened(" ".join(event.prompt.split()), PROMPT) if event is not None else ""


# ---- as it is printed


def _cost(prompt: InjectionView) -> str:
    if not prompt.answered:
        return "nothing was looked for"
    told = sum(one.fate == TOLD for one in prompt.considered)
    notes = counted(told, "note") if told else "no note"
    said = f"{notes}, {prompt.characters:,} characters" if prompt.characters else "silent"
    return f"{said}, {prompt.milliseconds:.0f} ms{MODES.get(prompt.mode, '')}"


def weighed_rows(weighed: Sequence[ConsideredView]) -> Iterator[Line]:
    """A row for each note told or close to it: id, confidence, why or why not, title."""
    for one in weighed:
        fate = one.fate if one.fate in (TOLD, LISTED) else "not told"
        yield ["", "", fate, one.id, f"{one.confidence:.2f}", _reason(one), one.title]


def _reason(one: ConsideredView) -> str:
    """Fate of a note, its length and why it was told: a narrow page cuts the end. Else why not."""
    if one.fate == LEFT:
        return f"{one.fate}: {one.reason}"
    if one.fate not in (TOLD, LISTED):
        return one.fate
    became = f"{one.became}, {one.characters:,} characters: " if one.became else ""
    return f"{became}{one.reason}"


# ---- the page for a session at its start, and the reason of each place


WHOLE: Final = "whole"  # the part of a page that nobody's notes are placed on


class PlacedNote(msgspec.Struct, frozen=True, kw_only=True):
    """A note of the page, or one that was left out."""

    id: str
    part: str  # whole, wishes, decisions, lines, left out
    reason: str
    title: str
    characters: int  # of its text where it stands whole, of its line where it is one
    became: str  # in words: opened, cited, done, confirmed, called not useful; nothing yet


class StartPageShown(Reply, frozen=True, kw_only=True):
    """The page."""

    project: str | None
    text: str  # as the agent gets it; empty: nothing
    characters: int
    notes: list[PlacedNote]  # in its order


class StartPage(Operation[StartPageShown], frozen=True, kw_only=True):
    """Show what a session that starts now would be told, and why each note stands there.

    Nobody is told, and nothing is counted.
    """

    NAME = "start-page"
    VERBS = (Verb("start-page"),)
    project: Annotated[
        str | None, Here("--project", "Of this project, a folder or a name, not the current one.")
    ] = None

    async def answer(self, parts: Parts, _: Progress) -> StartPageShown:
        from actors.policy.events.events import Event, EventKind
        from actors.recall.shapes import Bring

        project = parts.project_meant(self.project)
        folder = self.project or ""
        event = Event("reverie", EventKind.SESSION_START, "", source="startup", cwd=folder)
        found = await parts.mailboxes.recall.ask(
            Bring(event, project, parts.clock.now(), RECALL_DEADLINE, rehearsed=True),
            within=RECALL_DEADLINE,
        )
        notes = await _placed(parts, project, found)
        return StartPageShown(
            project=project, text=found.block, characters=len(found.block), notes=notes
        )

    def lines(self, found: StartPageShown) -> Iterator[Line]:
        if not found.text:
            yield "a session that starts here is told nothing"
            return
        yield from found.text.splitlines()
        yield f"{found.characters:,} characters"
        yield from (
            (one.id, one.part, f"{one.characters:,}", one.reason, one.became, one.title)
            for one in found.notes
        )


async def _placed(parts: Parts, project: str | None, found: Answer) -> list[PlacedNote]:
    """The notes of the page in its order, then the ones left out, and the record of each."""
    from daemon.answers.why import became
    from daemon.storage import strength

    placed = {one.identity for one in found.places}
    memories = {note.memory.id: note.memory for note in found.notes}
    memories |= await parts.reader.memories([one for one in placed if one not in memories])
    whole = [
        (note.memory.id, WHOLE, note.why) for note in found.notes if note.memory.id not in placed
    ]
    causes = await parts.reader.read(strength.causes_of, [*memories])
    said = await parts.reader.opinions([*memories], project)
    return [
        PlacedNote(
            id=short_id(number),
            part=part,
            reason=reason,
            title=memories[number].title,
            characters=_characters(memories[number], part),
            became=became(
                causes.get(number, ()),
                useless=number in said and said[number].useless > said[number].useful,
            ),
        )
        for number, part, reason in (*whole, *(place[:3] for place in found.places))
        if number in memories
    ]


def _characters(memory: Memory, part: str) -> int:
    """Characters of a note in its part of the page; a line and a note left out have no text."""
    from actors.policy.recall.page import Part, line

    if part == Part.LEFT:
        return 0
    return len(line(memory.id, memory.title)) if part == Part.LINES else len(memory.text)
