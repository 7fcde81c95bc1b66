"""Sayings of documents, commits and sessions, and the results of learning them."""

import msgspec

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
    run: str  # names what was read, to take it back; empty when nothing was
    sessions: int  # that are to be read; after it, that were
    prompts: int  # that a person typed in them
    tokens: int  # of what is shown, about; after it, what was spent
    dollars: float | None  # as readings cost until now, and what it cost; None: not known
    notes: int  # that were written
    heard: int  # sessions that hooks reported: `reverie reader now` reads them
    before: int  # sessions that were read before
    unread: int  # sessions that are too large or damaged, or in which nothing was typed
    off: int  # events from where or when recording was off
    failures: list[str]  # one line for each session that was not read
