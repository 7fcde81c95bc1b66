"""Sayings of documents, commits and sessions in words, before they are learnt and after it."""

from collections.abc import Iterator
from typing import Final

from daemon.api.operation import Complaint, Line
from daemon.commands.terminal.words import counted, one_line, shortened
from daemon.shapes.learnt import Learnt

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
