"""Learning in bulk from a project's documents, commits and sessions, because a person says so, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import msgspec

from daemon.api.operation import HERE, Line, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import counted
from daemon.shapes.learnt import Learnt, kind_of, told
from daemon.shapes.replies import Done

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
        return told(found)


def _question(found: Learnt) -> str:
    new = found.turns or any(item.new for one in found.documents for item in one.items)
    kind = kind_of(found)
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
        return told(found)


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
