"""Sayings of documents, commits and sessions, the results of learning them, and both in words."""

from collections.abc import Iterator
from typing import Final

import msgspec

from daemon.api.operation import Complaint, Line
from daemon.commands.terminal.words import counted, one_line, shortened
from daemon.shapes.replies import Reply


class ItemSaid(msgspec.Struct, frozen=True, kw_only=True):
    """A statement of a document worth a note."""

    topic: str  # decision, cause, rule, trap, open; of a commit or a session the rule that found it
    line: int
    text: str
    new: bool  # nothing that is remembered says it in these words


class DocumentSaid(msgspec.Struct, frozen=True, kw_only=True):
    """A document, a commit or a session of an agent, by its statements."""

    place: str  # in its project; of a session its day and its id
    items: list[ItemSaid]
    ended: int  # notes of an earlier version that it does not say any more


class Learnt(Reply, frozen=True, kw_only=True):
    """Sayings of the documents, and the notes made of them, if asked for."""

    run: str  # names what was learnt, to take it back; empty when nothing was
    documents: list[DocumentSaid]
    unread: int  # documents that are empty or may hold secrets, and what is too large or damaged
    off: int  # documents, commits or events from where or when recording is switched off
    left_out: int  # documents over the limit, notes of commits, or sessions
    notes: int  # made or brought back
    passages: int  # that can be searched and could not before
    commits: int = 0  # that were read: of those with nothing to note there is no document
    sessions: int = 0  # that were read: as of commits
    prompts: int = 0  # that a person typed in them
    turns: int = 0  # answered in them, and summaries, that could not be searched before
    heard: int = 0  # sessions that hooks reported: they are not read


class TranscriptsRead(Reply, frozen=True, kw_only=True):
    """Sessions of transcripts for the reader, the cost, and the results."""

    engine: str  # empty: nobody agreed to one, and nothing is read
    run: str = ""  # names what was read, to take it back; empty when nothing was
    sessions: int = 0  # that are to be read; after it, that were
    prompts: int = 0  # that a person typed in them
    tokens: int = 0  # of what is shown, about; after it, what was spent
    dollars: float | None = None  # as readings cost until now, and what it cost; None: not known
    notes: int = 0  # that were written
    heard: int = 0  # sessions that hooks reported: `reverie reader now` reads them
    before: int = 0  # sessions that were read before
    unread: int = 0  # sessions that are too large or damaged, or in which nothing was typed
    off: int = 0  # events from where or when recording was off
    failures: list[str] = msgspec.field(
        default_factory=list[str]
    )  # one line for each session that was not read


# ---- in words, before they are learnt and after it


SHOWN: Final = 10  # items that a preview prints
TEXT: Final = 160  # characters of each
NAMED: Final = 40  # documents that a preview names, those that say most
OFF: Final = {
    "document": "document",
    "commit": "commit",
    "session": "event",  # a session may be in part
}
OVER: Final = "over the limit of one run: name a folder"
ELSEWHERE: Final = "where recording is switched off ('reverie status' says by what)"


def kind_of(found: Learnt) -> str:
    """Name the kind read: documents, commits, or sessions."""
    if found.sessions or found.heard:
        return "session"
    return "commit" if found.commits else "document"


def _read(found: Learnt) -> str:
    """Say how much was read."""
    if kind_of(found) == "session":
        return f"{counted(found.sessions, 'session')} with {counted(found.prompts, 'prompt')}"
    return counted(found.commits or len(found.documents), kind_of(found))


def preview(found: Learnt) -> Iterator[Line]:
    """List documents with their numbers of new items, and the first items."""
    news = [(one.place, [item for item in one.items if item.new]) for one in found.documents]
    telling = sorted((one for one in news if one[1]), key=lambda one: -len(one[1]))
    yield from ([place, counted(len(items), "new item")] for place, items in telling[:NAMED])
    if len(telling) > NAMED:
        more = counted(len(telling) - NAMED, kind_of(found))
        yield f"and {more} more (--json has all of them)"
    items = [(place, item) for place, items in telling for item in items]
    if items:
        yield ""
    for place, item in items[:SHOWN]:
        line = f":{item.line}" if item.line else ""
        yield f"{item.topic}, {one_line(place)}{line}"
        yield f"  {shortened(one_line(item.text), TEXT)}"
    if len(items) > SHOWN:
        yield f"and {counted(len(items) - SHOWN, 'item')} more"
    yield ("\n" if items else "") + _summary(found, len(items))


def _summary(found: Learnt, new: int) -> str:
    if not (found.documents or found.turns):
        return f"there is no {kind_of(found)} to learn from"
    said = counted(sum(len(one.items) for one in found.documents), "item")
    both = "and" if kind_of(found) == "session" else "with"
    line = f"{_read(found)} {both} {said} worth a note, {new} of them new{_ending(found)}"
    return f"{line}; {counted(found.turns, 'turn')} to be searched" if found.turns else line


def _ending(found: Learnt) -> str:
    ended = sum(one.ended for one in found.documents)
    return f"; {counted(ended, 'earlier note')} {'ends' if ended == 1 else 'end'}" if ended else ""


def outcome(found: Learnt) -> Iterator[Line]:
    """Tell the result, and the way to take it back."""
    notes, passages = counted(found.notes, "note"), counted(found.passages, "passage")
    over = _ending(found)
    if found.notes or found.passages or over:
        both = notes if kind_of(found) == "commit" else f"{notes} and {passages}"
        yield f"learnt {both} of {_read(found)}{over}"
        yield f"take it back: reverie learn --undo {found.run}"
    else:
        yield f"learnt nothing new of {_read(found)}"


def left_out(found: Learnt) -> Iterator[Line]:
    """Tell which documents are not among them."""
    kind = kind_of(found)
    dated = kind != "document"
    reasons = (
        (found.off, OFF[kind], ELSEWHERE),
        (found.heard, kind, "their events were reported as they happened"),
        (0 if dated else found.unread, kind, "empty, too large, or likely to hold secrets"),
        (0 if dated else found.left_out, kind, OVER),
        (found.left_out if kind == "commit" else 0, "note", "the newest 300 of a run are kept"),
        (found.left_out if kind == "session" else 0, kind, "a run has no more room: run it again"),
    )
    for count, what, why in reasons:
        if count:
            yield Complaint(f"{counted(count, what)} left out: {why}")
    if dated and found.unread:
        unread = counted(found.unread, kind)
        yield Complaint(f"{unread} not read, or not whole: too large, or damaged")
