"""Sessions of Claude Code from before there was a memory, learnt in bulk of its transcripts.

Sessions that hooks reported are left out. A session is learnt whole or not at all, the oldest first, as
``RUN.SESSION``: of what was said later nothing changes, and nobody is told or reminded of anything.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import trio

from actors.intake.extraction import understood
from actors.intake.reading import read_object
from actors.policy.events import transcripts as policy
from actors.policy.events.cutting import Redact
from actors.policy.events.events import Event, EventKind
from actors.policy.events.fence import is_machine_made
from actors.policy.events.switch import TELLING, TOLD_OF
from actors.policy.events.trail import SessionTrail
from actors.staleness.rows import Folder
from daemon.answers.sayings import MOST_NOTES, Saying, compared, learn_saying, saying
from daemon.context import NotThere, Parts, Progress
from daemon.projects import project_root
from daemon.recording import Recording
from daemon.requests.learn import DocumentSaid, Learn
from daemon.storage import learn as stored
from daemon.transcripts import Transcript, piece, transcripts

AGENT: Final = "claude"
DIRECTORIES: Final = 256  # whose projects are known for one run


@dataclass(frozen=True, slots=True)
class Look:
    """Settings and places that every look into a transcript needs."""

    project: str
    since: float
    now: float
    redact: Redact
    recording: Recording
    project_of: Callable[[str], str]  # of a directory


@dataclass(frozen=True, slots=True)
class Session:
    """A session, as far as it was read."""

    transcript: Transcript
    read: int = 0  # bytes
    is_over: bool = False
    left: policy.Open = field(default_factory=policy.Open)
    trail: SessionTrail = field(default_factory=SessionTrail)
    sayings: tuple[Saying, ...] = ()
    prompts: int = 0
    off: int = 0  # events
    damaged: int = 0  # lines

    @property
    def new(self) -> int:
        """Number of notes that it would give."""
        return sum(sum(one.new) for one in self.sayings)

    @property
    def place(self) -> str:
        """Its day, and its id."""
        day = datetime.fromtimestamp(self.sayings[0].at, UTC) if self.sayings else None
        return f"{day:%Y-%m-%d} {self.transcript.session}"[:100]


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of a project that say something, the newest first, and what was left out."""

    telling: tuple[Session, ...]
    looked: int
    prompts: int
    heard: int
    unread: int
    off: int
    left_out: int  # new notes over those of one run

    def told(self) -> list[DocumentSaid]:
        """Preview of what the sessions say, as of documents."""
        return [
            DocumentSaid(
                place=one.place,
                items=[item for each in one.sayings for item in each.items()],
                ended=0,
            )
            for one in self.telling
        ]


async def sessions(parts: Parts, request: Learn, project: str, progress: Progress) -> Sessions:
    """Read the newest transcripts of a project and compare what they say with what is remembered."""
    folder = request.transcripts
    look = Look(
        project, request.since, parts.clock.now(), parts.redact, Recording(parts.home),
        lru_cache(maxsize=DIRECTORIES)(_project),
    )  # fmt: skip
    work = partial(_found, Path(folder), look)
    found = await parts.sources.visit(folder, work)
    if not found:
        raise NotThere("no_transcripts", "there is no transcript of this project since then")
    heard = await parts.reader.read(stored.heard, [one.session for one in found])
    wanted = [one for one in found if one.session not in heard][: request.limit]
    said, read = set[str](), list[Session]()
    for done, one in enumerate(wanted):
        session = Session(one, is_over=one.is_large)
        while not session.is_over:
            await progress({"done": done, "documents": len(wanted)})
            read_on = partial(_read_on, session, look)
            session = await parts.sources.visit(folder, read_on) or _lost(session)
        sayings = [await compared(parts, each, project, said, look.now) for each in session.sayings]
        read.append(replace(session, sayings=tuple(sayings)))
    return _bounded(read, len(heard))


async def learn_sessions(
    parts: Parts, found: Sessions, run: str, project: str, at: float, progress: Progress
) -> None:
    """Learn what is new, the oldest session first."""
    news = [one for one in reversed(found.telling) if one.new]
    for done, one in enumerate(news, 1):
        # Whoever asked may leave at any moment: a session that was begun is learnt whole.
        with trio.CancelScope(shield=True):
            for each in one.sayings:
                if any(each.new):
                    name = f"{run}{stored.OF}{one.transcript.session}"
                    await learn_saying(parts, each, name, project, at)
        await progress({"done": done, "documents": len(news)})


def _bounded(read: Sequence[Session], heard: int) -> Sessions:
    """Leave out the sessions whose notes would be over those of a run."""
    telling: list[Session] = []
    notes = left_out = 0
    for one in read:
        if left_out or notes + one.new > MOST_NOTES:
            left_out += one.new
        elif one.sayings:
            telling.append(one)
            notes += one.new
    return Sessions(
        tuple(telling),
        looked=len(read),
        prompts=sum(one.prompts for one in read),
        heard=heard,
        unread=sum(one.transcript.is_large or one.damaged > 0 for one in read),
        off=sum(one.off for one in read),
        left_out=left_out,
    )


# ---- on the thread that reads files


def _project(place: str) -> str:
    return str(project_root(Path(place)))


def _found(folder: Path, look: Look, _: Folder) -> list[Transcript]:
    return transcripts(
        folder, look.since, lambda place: bool(place) and look.project_of(place) == look.project
    )


def _lost(session: Session) -> Session:
    """A session whose file went away: of half of it nothing is learnt."""
    return Session(session.transcript, is_over=True, damaged=1)


def _read_on(session: Session, look: Look, _: Folder) -> Session:
    """Read some more lines."""
    try:
        found = piece(session.transcript.path, session.read)
    except OSError:
        return _lost(session)
    left = session.left
    for entry in found.entries:
        left, events = policy.told(entry, left)
        for told in events:
            session = _with(session, told, look)
    is_over = not found.after
    for told in policy.ended(left) if is_over else ():
        session = _with(session, told, look)
    return replace(
        session, left=left, read=found.after, is_over=is_over,
        damaged=session.damaged + found.damaged,
    )  # fmt: skip


def _with(session: Session, told: policy.Told, look: Look) -> Session:
    """The session after an event, read as intake and extraction read a hook's."""
    name = session.transcript.session
    reading = read_object(AGENT, {**told.event, "session_id": name}, look.redact)
    event, at = reading.event, min(told.at, look.now)
    begin = at - TOLD_OF if told.event["hook_event_name"] in TELLING else at
    if look.recording.off(reading.places, name, begin, at) is not None:
        return replace(session, off=session.off + 1)
    if not isinstance(event, Event) or look.project_of(event.cwd) != look.project:
        return session
    found = understood(event, session.trail)
    typed = event.kind is EventKind.PROMPT and not is_machine_made(event.prompt)
    after = replace(session, trail=found.trail, prompts=session.prompts + typed)
    if at < look.since or not found.candidates:
        return after
    made = saying(f"{AGENT} {told.id}", AGENT, at, reading, found.candidates)
    return replace(after, sayings=(*session.sayings, made))
