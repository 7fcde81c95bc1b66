"""The inbox: the reader's notes since a person looked, to be kept, edited or dropped. It asks for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

import msgspec

from daemon.api.operation import Argument, Line, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import age
from daemon.shapes.replies import BadRequest, Reply
from daemon.views import memory_number, short_id, view

if TYPE_CHECKING:
    from actors.reader.messages import NoteRow
    from daemon.context import Parts, Progress

MOST: Final = 1_000  # notes of one answer
KEYS: Final = "[k]eep  [e]dit  [d]rop  drop all of its [s]ession  [l]ater  [u]ndo  [q]uit"
SAID: Final = {"user": "you", "agent": "the agent", "tool": "a program"}
NO_NOTE: Final = "the reader wrote no note with the id {}: reverie inbox shows what is new"


class CueView(msgspec.Struct, frozen=True, kw_only=True):
    """Cue of a note: the text that brings it up."""

    kind: str  # prompt, file, symbol, command, error
    text: str


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
    verdict: str  # kept, edited, dropped or empty
    cues: list[CueView] = msgspec.field(default_factory=list[CueView])


class InboxPage(Reply, frozen=True, kw_only=True):
    """Notes, the newest reading first."""

    notes: list[NoteView]
    total: int  # not seen yet
    at: float  # now


class Inbox(Operation[InboxPage], frozen=True, kw_only=True):
    """Show what the reader wrote since you looked.

    In a terminal one key keeps, edits or drops each note, or drops all of its session. Elsewhere, and
    with --list, it is a listing, which counts as seen in a terminal alone: elsewhere nobody knows how
    much of it is read.
    """

    NAME = "inbox"
    VERBS = (Verb("inbox"),)
    listed: Annotated[bool, Option("--list", "Only list them, in a terminal too.")] = False
    seen: bool = False  # what is listed counts as seen

    def prepared(self, at: Terminal, /) -> Self:
        is_seen = self.listed and at.is_interactive and not at.as_json
        return msgspec.structs.replace(
            self, listed=self.listed or not at.is_interactive, seen=is_seen
        )

    async def answer(self, parts: Parts, _: Progress) -> InboxPage:
        from actors.reader.messages import NotesSeen
        from daemon.storage import read_notes

        read, at = parts.reader.read, parts.clock.now()
        rows = await read(read_notes.inbox, MOST)
        total = await read(read_notes.inbox_count)
        if self.seen and rows:
            await parts.commit((NotesSeen(tuple(row.memory_id for row in rows), at),))
        cues = await read(read_notes.cues_of, [row.memory_id for row in rows])
        notes = [_view(row, cues.get(row.memory_id, ())) for row in rows]
        return InboxPage(notes=notes, total=total, at=at)

    def lines(self, found: InboxPage) -> Iterator[Line]:
        if not found.notes:
            yield "nothing was written since you looked"
            return
        for _, notes in groupby(found.notes, key=lambda note: note.session):
            for place, note in enumerate(notes):
                if not place:
                    yield heading(note)
                yield from note_lines(note, found.at)
                yield ""
        yield "keep or drop one: reverie inbox keep ID, reverie inbox drop ID"
        if not self.seen:
            yield "none of them counts as seen: look at them in a terminal"

    def sit(self, found: InboxPage) -> bool:
        if self.listed or not found.notes:
            return False
        _go_through(found)
        return True


def _view(row: NoteRow, cues: Iterable[tuple[str, str]] = ()) -> NoteView:
    named = None if row.named is None else short_id(row.named)
    seen = [CueView(kind=kind, text=text) for kind, text in cues]
    return view(NoteView, row, id=short_id(row.memory_id), named=named, cues=seen)


def heading(note: NoteView) -> str:
    """The session of a note, and why it was read."""
    project = (note.project or "no project").rpartition("/")[2]
    return f"session {note.session} in {project}{note.why and f', {note.why}'}"


def note_lines(note: NoteView, at: float) -> Iterator[str]:
    """A note as a person reads it: its text, the words proving it, the memory it ended."""
    marks = [note.kind, *(["always"] if note.scope == "always" else [])]
    verdict = f" ({note.verdict})" if note.verdict else ""
    yield f"{note.id}  {', '.join([*marks, age(at - note.at)])}{verdict}"
    yield f"    {note.text}"
    said = f"“{note.quotation}”" if note.quotation else "its words were erased"
    answers = f", to “{note.agreed_to}”" if note.agreed_to else ""
    yield f"    {SAID.get(note.said_by, note.said_by)}: {said}{answers}"
    if note.named and note.ended:
        yield f"    ended {note.named}: {note.named_text}"
    elif note.named and note.refusal:
        yield f"    beside {note.named}, which stays ({note.refusal}): {note.named_text}"


class Judged(Reply, frozen=True, kw_only=True):
    """Outcome of a person's verdict on notes."""

    ids: list[str]
    note: str = ""  # what happened besides


class JudgeNotes(Operation[Judged], frozen=True, kw_only=True):
    """Keep these notes of the reader, drop them, or take that back."""

    NAME = "inbox-judge"
    VERBS = (
        Verb(
            "inbox keep",
            {"verdict": "kept"},
            "Keep notes of the reader.\n\nThey count as seen, and stay.",
        ),
        Verb(
            "inbox drop",
            {"verdict": "dropped"},
            "Drop notes of the reader.\n\nThey leave recall, what they ended lives again, and the reader"
            " does not write them anew. 'reverie inbox undo ID' takes it back.",
        ),
        Verb(
            "inbox undo",
            {"verdict": ""},
            "Take back what was done to notes of the reader: kept, edited or dropped.",
        ),
    )
    verdict: Literal["kept", "dropped", ""]
    ids: Annotated[list[str], Argument("ID...")]

    async def answer(self, parts: Parts, _: Progress) -> Judged:
        from daemon.answers.reader import drop, keep, undo

        act = {"kept": keep, "dropped": drop, "": undo}[self.verdict]
        rows = [await _note(parts, one) for one in self.ids]
        notes = [await act(parts, row) for row in rows]
        return Judged(ids=[_view(row).id for row in rows], note="; ".join(filter(None, notes)))

    def lines(self, done: Judged) -> list[Line]:
        what = {"kept": "kept", "dropped": "dropped", "": "took back what was done to"}
        said = f"{what[self.verdict]} {', '.join(done.ids)}"
        undo = "; undo: reverie inbox undo ID" if self.verdict == "dropped" else ""
        return [f"{said}{f' ({done.note})' if done.note else ''}{undo}"]


class EditNote(Operation[Judged], frozen=True, kw_only=True):
    """Give a note of the reader another text.

    It is yours then: your word is ended by your word alone.
    """

    NAME = "inbox-edit"
    VERBS = (Verb("inbox edit"),)
    id: Annotated[str, Argument("ID")]
    text: Annotated[str, Argument("TEXT...", joined=" ")]

    async def answer(self, parts: Parts, _: Progress) -> Judged:
        from daemon.answers.reader import edit

        row = await _note(parts, self.id)
        await edit(parts, row, self.text)
        return Judged(ids=[_view(row).id])

    def lines(self, done: Judged) -> list[Line]:
        return [f"changed {done.ids[0]}"]


async def _note(parts: Parts, id_: str) -> NoteRow:
    """A note by its id. Raises ``BadRequest`` where the reader wrote none of it."""
    from daemon.storage import read_notes

    row = await parts.reader.read(read_notes.note_of, memory_number(id_))
    if row is None:
        raise BadRequest(NO_NOTE.format(id_))
    return row


# ---- before a person at a terminal


def _go_through(found: InboxPage) -> None:
    """Show one note after the other and follow the key pressed, until they are over or the person leaves."""
    import click

    from daemon.commands.terminal.words import counted, printable

    judged: list[str] = []  # ids, the last one last
    for place, note in enumerate(found.notes):
        if note.id in judged:  # with another of its session
            continue
        click.echo(f"\n{place + 1} of {len(found.notes)}")
        click.echo(printable("\n".join([heading(note), *note_lines(note, found.at)])))
        key = _key(judged)
        if key == "q":
            break
        if key == "s":
            ids = [one.id for one in found.notes[place:] if one.session == note.session]
            judged += _do(JudgeNotes(verdict="dropped", ids=ids))
        elif key == "d":
            judged += _do(JudgeNotes(verdict="dropped", ids=[note.id]))
        elif key == "k":
            judged += _do(JudgeNotes(verdict="kept", ids=[note.id]))
        elif key == "e" and (text := (click.edit(note.text) or "").strip()):
            judged += _do(EditNote(id=note.id, text=text))
    click.echo(f"judged {counted(len(dict.fromkeys(judged)), 'note')}")


def _key(judged: list[str]) -> str:
    """The key pressed by a person for a note; to undo is done here."""
    import click

    while True:
        click.echo(KEYS)
        key = click.getchar().casefold()
        if key == "u" and judged:
            _do(JudgeNotes(verdict="", ids=[judged.pop()]))
        elif key and key in "kedslq":
            return key


def _do(request: JudgeNotes | EditNote) -> list[str]:
    """Follow a key, and say what came of it; returns the notes concerned."""
    import click

    from daemon.commands.terminal.question import asked
    from daemon.commands.terminal.words import printable

    done = asked(request)
    for line in request.lines(done):
        click.echo(printable(str(line)))
    return done.ids
