"""Learning in bulk from a project's documents, commits and sessions, because a person says so, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import msgspec

from daemon.api.operation import HERE, Complaint, Line, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import counted
from daemon.shapes.replies import Done, Reply

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

QUESTIONS: Final = {
    "document": "Keep the new items as notes, and the documents to be searched?",
    "commit": "Keep the new reasons as notes, each dated when it was said?",
    "session": "Keep the new items as notes, and what was said to be searched, each dated then?",
}
LATELY: Final = "90d"  # of a person's sessions
Yes = Annotated[bool, Option("--yes", "Do not ask.")]
ONE_WAY: Final = "give --docs, --git, --transcripts or --undo: one of them"

NAMED: Final = 40  # documents that a preview names, those that say most
ELSEWHERE: Final = "where recording is switched off ('reverie status' says by what)"


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


# ---- documents and commits


class Learn(Operation[Learnt], frozen=True, kw_only=True):
    """Learn what a project's documents, commits and sessions say.

    Shows what would be remembered and asks first. With --json and without --yes it only shows. Sessions
    are read by the reader where one is in use: how many, their tokens and the price come first.
    """

    NAME = "learn"
    FOR_AGENTS = True
    # whoever asked may go away: what was taken by then stays learnt, each document whole
    SLOW = True
    REFUSED = "nothing was learnt"
    STOPPED = "stopped: what was learnt by then stays; 'reverie learn --undo' takes it back"
    ONE_WAY = ONE_WAY
    VERBS = (
        Verb(
            "learn",
            flag=Option(
                "--docs",
                "Of this folder's documents; this one, unless named.",
                metavar="[FOLDER]",
                alone=".",
            ),
            fills="folder",
        ),
        Verb(
            "learn",
            {"folder": ".", "git": True},
            flag=Option("--git", "Of the messages of this repository's commits."),
        ),
    )
    folder: str
    git: bool = False  # of the newest commits instead; each is a document without passages
    yes: Yes = False

    def prepared(self, _: Terminal, /) -> Self:
        """The folder by its whole path. Raises ``click.ClickException`` where it is none."""
        return msgspec.structs.replace(self, folder=_absolute(self.folder))

    async def answer(self, parts: Parts, progress: Progress) -> Learnt:
        from daemon.answers import learn

        run = learn.run_in(parts, self.folder, takes=self.yes)
        if self.git:
            return await learn.of_history(parts, run, self.folder, progress)
        return await learn.of_documents(parts, run, self.folder, progress)

    def step(self, frame: Mapping[str, Any]) -> str:
        return _of(frame, "commit" if self.git else "document")

    def question(self, found: Learnt) -> str:
        return "" if self.yes else _question(found)

    def lines(self, found: Learnt) -> Iterator[Line]:
        return _told(found)


def _question(found: Learnt) -> str:
    new = found.turns or any(item.new for one in found.documents for item in one.items)
    kind = _kind(found)
    return QUESTIONS[kind] if (found.documents if kind == "document" else new) else ""


def _absolute(folder: str) -> str:
    from click import ClickException

    where = Path(folder).expanduser().resolve()
    if not where.is_dir():
        raise ClickException(f"{where} is no folder")
    return str(where)


def _of(frame: Mapping[str, Any], what: str) -> str:
    return f"{min(frame['done'], frame['documents']):,} of {counted(frame['documents'], what)}"


# ---- sessions, by the reader; by the rules where none is in use


class ReadTranscripts(Operation[Learnt], frozen=True, kw_only=True):
    """Learn of the newest transcripts of a project, the oldest of them first."""

    NAME = "read-transcripts"
    SLOW = True  # what was read by then stays, and the rest is read when it is asked for again
    REFUSED = "nothing was read"
    STOPPED = "stopped: what was read by then stays, and the same command goes on with the rest"
    ONE_WAY = ONE_WAY
    VERBS = (
        Verb(
            "learn",
            {"folder": "."},
            flag=Option("--transcripts", "Of Claude Code's sessions in this project."),
        ),
    )
    folder: str  # absolute
    transcripts: str = ""  # the folder of Claude Code's transcripts
    since: Annotated[  # seconds UTC, or an ISO date: of sessions that were written to since then
        str | float,
        Option(
            "--since",
            "Of what was said in sessions since then: 30d, last week, 2026-11-22, …; else 90d.",
            metavar="TIME",
        ),
    ] = ""
    yes: Yes = False

    def prepared(self, _: Terminal, /) -> Self:
        """Find where its transcripts are, and since when, as it is meant here. Raises ``ValueError``."""
        import os

        from daemon.commands.terminal.words import moment_given
        from daemon.transcripts import transcripts_folder

        try:
            since = moment_given(str(self.since or LATELY))
        except ValueError as error:
            raise ValueError(f"Invalid value for '--since': {error}") from None
        return msgspec.structs.replace(
            self, folder=_absolute(self.folder), since=since,
            transcripts=str(transcripts_folder(os.environ)),
        )  # fmt: skip

    async def answer(self, parts: Parts, progress: Progress) -> Learnt:
        from daemon.answers import learn
        from daemon.answers.past_sessions import read_transcripts
        from daemon.answers.transcripts import look_into
        from daemon.shapes.rows import moment

        run = learn.run_in(parts, self.folder, takes=self.yes)
        look = look_into(parts, run.project, moment(self.since or None, 0.0, "since"))
        given = (self.transcripts, progress)
        read = await read_transcripts(parts, look, *given, takes=self.yes)
        return read or await learn.of_sessions(parts, run, look, *given)

    def step(self, frame: Mapping[str, Any]) -> str:
        return _of(frame, "session")

    def question(self, found: Learnt) -> str:
        if self.yes:
            return ""
        if not found.engine:
            return _question(found)
        asks = "Have them read? What is shown of them goes to that engine."
        return asks if found.sessions else ""

    def lines(self, found: Learnt) -> Iterator[Line]:
        return _told(found)


class TakeBack(Operation[Done], frozen=True, kw_only=True):
    """Take back what a run learnt, or the last one of the project that has something left."""

    NAME = "take-back"
    ONE_WAY = ONE_WAY
    VERBS = (
        Verb(
            "learn",
            flag=Option(
                "--undo",
                "Take back what a run brought; the last one, unless named.",
                metavar="[RUN]",
                alone="",
            ),
            fills="run",
        ),
    )
    folder: Annotated[str, HERE]
    run: str = ""

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from daemon.answers.learn import take_back

        return await take_back(parts, self.folder, self.run)

    def lines(self, done: Done) -> list[Line]:
        return [f"took back {counted(done.count, 'note')} of {done.note}, and its passages"]


# ---- in words, before they are learnt and after it


def _kind(found: Learnt) -> str:
    if found.sessions or found.heard:
        return "session"
    return "commit" if found.commits else "document"


def _read(found: Learnt) -> str:
    return counted(found.sessions or found.commits or len(found.documents), _kind(found))


def _told(found: Learnt) -> Iterator[Line]:
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
        yield f"and {counted(len(telling) - NAMED, _kind(found))} more (--json has all of them)"
    if not (found.documents or found.turns):
        yield f"there is no {_kind(found)} to learn from"
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
    kind = "session" if found.engine else _kind(found)
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
