"""The inbox: what the reader wrote since a person looked. It asks for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final, Self

import msgspec

from daemon.api.operation import Line, Operation, Option, Verb
from daemon.commands.terminal.output import age
from daemon.requests.shapes import Reply

if TYPE_CHECKING:
    from actors.reader.rows import NoteRow
    from daemon.context import Parts, Progress

MOST: Final = 1_000  # notes of one answer
SAID: Final = {"user": "you", "agent": "the agent", "tool": "a program"}


# ---- what was written


class NoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A note of the reader."""

    id: str
    title: str
    text: str
    kind: str  # decision, wish, rule, fact, cause, trap, fix, design, open
    said_by: str  # user, agent, tool
    scope: str  # always, when
    project: str | None
    session: str
    at: float  # when the words came that prove it, seconds UTC
    read_at: float
    engine: str
    why: str  # why the session was read
    quotation: str  # empty: it was erased
    agreed_to: str  # the sentence that a short quotation answers
    relation: str  # none, refines, contradicts
    named: str | None  # the memory that the relation is to
    named_text: str
    ended: bool  # it ended that one
    refusal: str  # why it may not, so that both live
    waits: bool  # it is told once you keep it
    verdict: str  # kept, edited, dropped or empty


class InboxPage(Reply, frozen=True, kw_only=True):
    """Notes, the newest reading first."""

    notes: list[NoteView]
    total: int  # not seen yet
    waiting: int  # of them, that wait for you
    at: float  # now


class Inbox(Operation[InboxPage], frozen=True, kw_only=True):
    """Show what the reader wrote since you looked.

    Each note stands with the words that prove it and with what it ended. What was listed counts as seen,
    with --json it does not.
    """

    NAME = "inbox"
    VERBS = (Verb("inbox"),)
    session: Annotated[str, Option("--session", "All notes of this session, seen or not.")] = ""
    seen: bool = False  # what is told counts as seen

    def prepared(self, *, as_json: bool, at_terminal: bool) -> Self:
        """What a person reads was seen."""
        del at_terminal
        return msgspec.structs.replace(self, seen=not as_json)

    async def answer(self, parts: Parts, _: Progress) -> InboxPage:
        from actors.reader.writes import NotesSeen
        from daemon.context import commit
        from daemon.storage import read_notes

        read, at = parts.reader.read, parts.clock.now()
        rows = await (
            read(read_notes.notes_of_session, self.session)
            if self.session
            else read(read_notes.inbox, MOST)
        )
        total, waiting = await read(read_notes.inbox_count)
        if self.seen and rows and self.agent_in is None:
            await commit(parts, (NotesSeen(tuple(row.memory_id for row in rows), at),))
        return InboxPage(notes=[_view(row) for row in rows], total=total, waiting=waiting, at=at)

    def lines(self, found: InboxPage) -> Iterator[Line]:
        """Each note with what proves it."""
        if not found.notes:
            yield "nothing was written since you looked"
            return
        for note in found.notes:
            yield from told(note, found.at)
            yield ""


def _view(row: NoteRow) -> NoteView:
    from daemon.views import short_id, view

    named = None if row.named is None else short_id(row.named)
    return view(NoteView, row, id=short_id(row.memory_id), named=named)


def told(note: NoteView, at: float) -> Iterator[str]:
    """A note as a person reads it: its text, the words that prove it, what it ended."""
    project = (note.project or "no project").rpartition("/")[2]
    marks = [note.kind, *(["always"] if note.scope == "always" else []), project]
    state = "waits for you" if note.waits else note.verdict
    yield f"{note.id}  {', '.join([*marks, age(at - note.at)])}{f' ({state})' if state else ''}"
    yield f"    {note.text}"
    said = f"“{note.quotation}”" if note.quotation else "its words were erased"
    answers = f", to “{note.agreed_to}”" if note.agreed_to else ""
    yield f"    {SAID.get(note.said_by, note.said_by)}: {said}{answers}"
    if note.named and note.ended:
        yield f"    ended {note.named}: {note.named_text}"
    elif note.named and note.refusal:
        yield f"    beside {note.named}, which stays ({note.refusal}): {note.named_text}"
