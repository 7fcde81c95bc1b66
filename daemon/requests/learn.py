"""Learning in bulk from a project's documents, commits and sessions, because a person says so, and back."""

import msgspec

from daemon.requests.shapes import Done, Reply, Request


class ItemSaid(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a document says and that is worth a note."""

    topic: str  # decision, cause, rule, trap, open; of a commit or a session the rule that found it
    line: int
    text: str
    new: bool  # nothing that is remembered says it in these words


class DocumentSaid(msgspec.Struct, frozen=True, kw_only=True):
    """A document, a commit or a session of an agent, by what it says."""

    place: str  # in its project; of a session its day and its id
    items: list[ItemSaid]
    ended: int  # notes of an earlier version that it does not say any more


class Learnt(Reply, frozen=True, kw_only=True):
    """Sayings of the documents, and what was made of them if that was asked for."""

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


class Learn(Request[Learnt], frozen=True, kw_only=True):
    """Read the documents below a folder; with ``take`` their items become notes.

    Progress frames ``{"done": documents, "documents": documents}``. Whoever asked may go away:
    the documents that were taken by then stay learnt, each whole.
    """

    NAME = "learn"
    folder: str  # absolute
    take: bool = False
    only: str = ""  # the absolute path of one document below it
    git: bool = False  # of the newest commits instead; each is a document without passages
    limit: int = 1_000  # commits, or sessions
    transcripts: str = ""  # the folder of Claude Code's transcripts: of the newest sessions instead
    moved_from: str = ""  # absolute: where the project was when they were written
    since: float = 0.0  # seconds UTC: of what was said in them since then


class TakeBack(Request[Done], frozen=True, kw_only=True):
    """Take back what a run learnt, or the last one of the project that has something left."""

    NAME = "take-back"
    folder: str
    run: str = ""
