"""Documents, commits and sessions as they are learnt: their sayings, the results, and both in words."""

from collections.abc import Iterator
from typing import Final

import msgspec

from daemon.api.operation import Complaint, Line
from daemon.commands.terminal.words import counted
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
    """Findings in documents, commits or sessions, or what would be read of them, and what came of it."""

    run: str = ""  # names what was learnt, to take it back; empty when nothing was
    documents: list[DocumentSaid] = msgspec.field(default_factory=list[DocumentSaid])
    notes: int = 0  # made or brought back
    passages: int = 0  # that can be searched and could not before
    commits: int = 0  # that were read: of those with nothing to note there is no document
    sessions: int = 0  # that were read: as of commits; by the reader: that are to be
    turns: int = 0  # answered in them, and summaries, that could not be searched before
    before: int = 0  # sessions that the reader read before
    heard: int = 0  # sessions that hooks reported: they are not read
    unread: int = 0  # what is empty, damaged, too large, or may hold secrets
    off: int = 0  # documents, commits or events from where or when recording is switched off
    left_out: int = 0  # documents over the limit, notes of commits, or sessions
    engine: str = ""  # that reads the sessions; empty: they are learnt by the rules
    prompts: int = 0  # that a person typed in sessions to be read
    tokens: int = 0  # of what is shown of them, about; after it, what was spent
    dollars: float | None = None  # as readings cost until now, and what it cost; None: not known
    # of each session not read, a line
    failures: list[str] = msgspec.field(default_factory=list[str])


# ---- in words, before they are learnt and after it


NAMED: Final = 40  # documents that a preview names, those that say most
ELSEWHERE: Final = "where recording is switched off ('reverie status' says by what)"


def kind_of(found: Learnt) -> str:
    """Name the kind read: documents, commits, or sessions."""
    if found.sessions or found.heard:
        return "session"
    return "commit" if found.commits else "document"


def _read(found: Learnt) -> str:
    return counted(found.sessions or found.commits or len(found.documents), kind_of(found))


def told(found: Learnt) -> Iterator[Line]:
    """Tell what would be learnt, or was."""
    if found.engine:
        yield from _read_through(found) if found.run else _cost(found)
    else:
        yield from _outcome(found) if found.run else _preview(found)
    if not (found.engine and found.run):
        yield from _left_out(found)
    yield from (Complaint(f"not read: {failure}") for failure in found.failures)


def _preview(found: Learnt) -> Iterator[Line]:
    news = [(one.place, sum(item.new for item in one.items)) for one in found.documents]
    telling = sorted((one for one in news if one[1]), key=lambda one: -one[1])
    yield from ([place, counted(new, "new item")] for place, new in telling[:NAMED])
    if len(telling) > NAMED:
        yield f"and {counted(len(telling) - NAMED, kind_of(found))} more (--json has all of them)"
    if not (found.documents or found.turns):
        yield f"there is no {kind_of(found)} to learn from"
        return
    said = counted(sum(len(one.items) for one in found.documents), "item")
    new = sum(new for _, new in news)
    line = f"{_read(found)} with {said} worth a note, {new} of them new{_ending(found)}"
    yield f"{line}; {counted(found.turns, 'turn')} to be searched" if found.turns else line


def _ending(found: Learnt) -> str:
    ended = sum(one.ended for one in found.documents)
    return f"; {counted(ended, 'earlier note')} {'ends' if ended == 1 else 'end'}" if ended else ""


def _outcome(found: Learnt) -> Iterator[Line]:
    over = _ending(found)
    if found.notes or found.passages or over:
        both = f"{counted(found.notes, 'note')} and {counted(found.passages, 'passage')}"
        yield f"learnt {both} of {_read(found)}{over}"
        yield f"take it back: reverie learn --undo {found.run}"
    else:
        yield f"learnt nothing new of {_read(found)}"


def _cost(found: Learnt) -> Iterator[Line]:
    price = "not known yet" if found.dollars is None else f"about ${found.dollars:.2f}"
    if found.sessions:
        yield (
            f"{found.engine} would read {counted(found.sessions, 'session')} with"
            f" {counted(found.prompts, 'prompt')}, the oldest first:"
            f" about {found.tokens:,} tokens, cost {price}"
        )
    else:
        yield "there is no session left to read"


def _read_through(read: Learnt) -> Iterator[Line]:
    price = "" if read.dollars is None else f", ${read.dollars:.2f}"
    yield (
        f"{read.engine} read {counted(read.sessions, 'session')}: {counted(read.notes, 'note')},"
        f" {read.tokens:,} tokens{price}"
    )
    if read.notes:
        yield f"look at them: reverie inbox; take them back: reverie learn --undo {read.run}"


def _left_out(found: Learnt) -> Iterator[Line]:
    kind = "session" if found.engine else kind_of(found)
    then = ": reverie reader now" if found.engine else ""
    reasons = (
        (found.off, "event" if kind == "session" else kind, ELSEWHERE),
        (found.before, kind, "they were read before"),
        (found.heard, kind, f"their events were reported as they happened{then}"),
        (found.unread, kind, "empty, damaged, too large, or likely to hold secrets"),
        (
            found.left_out,
            "note" if kind == "commit" else kind,
            "over the limit of one run: run it again, or name a folder",
        ),
    )
    for count, what, why in reasons:
        if count:
            yield Complaint(f"{counted(count, what)} left out: {why}")
