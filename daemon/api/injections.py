"""Answers to the prompts, starts and calls of a session: notes told to each, and notes close to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final, Self

import msgspec

from daemon.api.operation import Argument, Line, Operation, Option, Terminal, Title, Verb
from daemon.commands.terminal.scope import current_project, named_project
from daemon.commands.terminal.words import columns, counted, one_line, shortened
from daemon.shapes.day import InjectionView
from daemon.shapes.replies import Reply, check_limit
from daemon.shapes.results import ConsideredView
from daemon.views import told_id, view

if TYPE_CHECKING:
    from actors.intake.messages import JournalRow
    from daemon.context import Parts, Progress
    from daemon.storage.why import ConsideredRow

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
ENOUGH: Final = 30  # columns of a prompt that tell which one it was


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
        int, Option("--limit", "How many prompts, the newest.", True, within=(1, 1_000))
    ] = 50

    def prepared(self, _: Terminal, /) -> Self:
        """Take the last session of a project where none is named."""
        where = named_project(self.project) if self.project else current_project()
        return msgspec.structs.replace(self, project=None if self.session else where)

    async def answer(self, parts: Parts, _: Progress) -> InjectionsShown:
        from actors.policy.recall.evidence import THRESHOLD
        from daemon.answers.sessions import session_meant

        check_limit(self.limit)
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
            yield from _heading(prompt)
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
    events = await read(journal.asked_in, session, limit)
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
    from actors.policy.recall.considered import Fate
    from actors.policy.recall.page import line
    from daemon.answers.usage import became

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
    from actors.policy.text.budget import shortened

    event = event_of(row)
    return shortened(" ".join(event.prompt.split()), PROMPT) if event is not None else ""


# ---- as it is printed


def _heading(prompt: InjectionView) -> Iterator[Line]:
    """A prompt and its notes with their cost, on one line where both have room."""
    from daemon.commands.terminal.words import page_width

    clock = datetime.fromtimestamp(prompt.at).astimezone().strftime("%H:%M:%S")
    cost = _cost(prompt)
    text = one_line(prompt.text)
    place = PLACES.get(prompt.place, prompt.place)
    room = page_width() - len(clock) - len(cost) - 6
    beside = columns(text or place) <= room or room >= ENOUGH
    if not beside:  # the cost goes below, and leaves the prompt its line
        room += len(cost) + 2
    said = f"“{shortened(text, max(room, 1))}”" if text else place
    yield Title(f"{clock}  {said}{f'  {cost}' if beside else ''}")
    if not beside:
        yield f"    {cost}"


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
