"""Sessions of Claude Code from before there was a memory, learnt in bulk from its transcripts.

Sessions reported by hooks are left out. A session is learnt whole or not at all, the oldest first,
as ``RUN.SESSION``: its words correct earlier statements, never later ones, and nobody is told or
reminded of anything. Its questions and answers can be searched like a live session's.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.mailbox import Lane
from actors.gate.drafts import draft_of, standing_of
from actors.gate.messages import Decide, Proposed
from actors.intake.extraction import understood
from actors.intake.messages import Happened, Journaled
from actors.intake.reading import Reading, read_object
from actors.policy.events import transcripts as policy
from actors.policy.events.cutting import Redact
from actors.policy.events.events import Event
from actors.policy.events.switch import TELLING, TOLD_OF
from actors.policy.events.trail import SessionTrail
from actors.policy.gate.correcting_sentence import CorrectingSentence
from actors.policy.passages import NOTHING_SAID, Exchange, after
from actors.policy.statements.statement_rules import Candidate
from daemon.context import Parts, Progress, sliced
from daemon.projects import project_root
from daemon.recording import Recording
from daemon.shapes.learnt import DocumentSaid, ItemSaid
from daemon.shapes.replies import NotThere
from daemon.sources import DiskFolder
from daemon.storage import learn as stored
from daemon.transcripts import Transcript, piece, transcripts

# ---- looks into transcripts: their events, read as intake reads those of hooks


AGENT: Final = "claude"
MOST: Final = 1_000  # sessions of a run
DIRECTORIES: Final = 256  # with known projects, for one run


class Run(Struct, frozen=True):
    """One learning in bulk: all its writes have its name and its time."""

    name: str
    project: str
    at: float
    takes: bool = True  # False: nothing is written
    said: set[str] = field(default_factory=set[str])  # what was said until now


class Look(Struct, frozen=True):
    """Settings and places for every look into a transcript."""

    project: str
    since: float
    until: float
    redact: Redact
    recording: Recording
    project_of: Callable[[str], str]  # of a directory


def look_into(parts: Parts, project: str, since: float) -> Look:
    """Make the settings of a look into the transcripts of a project."""
    return Look(
        project, since, parts.clock.now(), parts.redact, Recording(parts.home),
        lru_cache(maxsize=DIRECTORIES)(_project_at),
    )  # fmt: skip


def _project_at(place: str) -> str:
    return str(project_root(Path(place)))


async def unheard(parts: Parts, folder: str, look: Look) -> tuple[list[Transcript], int]:
    """The newest transcripts of a project that hooks did not report, newest first, and how many they did."""
    found = await parts.sources.visit(folder, partial(_transcripts_of, Path(folder), look))
    if not found:
        raise NotThere("no_transcripts", "there is no transcript of this project since then")
    heard = await parts.reader.read(stored.heard, [one.session for one in found])
    return [one for one in found if one.session not in heard][:MOST], len(heard)


def _transcripts_of(folder: Path, look: Look, _: DiskFolder) -> list[Transcript]:
    return transcripts(
        folder, look.since, lambda place: bool(place) and look.project_of(place) == look.project
    )


class Happening(NamedTuple):
    """An event in a transcript."""

    id: str
    at: float  # seconds UTC
    reading: Reading
    event: Event


class Told(Struct):
    """A session as far as its transcript was read; a subclass keeps what it makes of the events."""

    transcript: Transcript
    prompts: int = 0  # typed by a person
    off: int = 0  # events from where or when recording was off
    damaged: int = 0  # lines
    # False: it is too large, or went away meanwhile, and nothing of it is kept
    is_whole: bool = True

    def take(self, one: Happening) -> None:
        """Take the next event, on the thread that reads files."""
        raise NotImplementedError


S = TypeVar("S", bound=Told)


async def told_of(parts: Parts, folder: str, session: S, look: Look, progress: Progress) -> S:
    """Have a session told from the beginning of its transcript, some lines at a time."""
    read, left = 0, policy.Open()
    is_over = session.transcript.is_large
    while not is_over:
        work = partial(_stretch, session, read, left, look)
        step = await parts.sources.visit(folder, work)
        if step is None:
            break
        read, left = step
        if not read:
            return session
        await progress({})
    return type(session)(session.transcript, is_whole=False)


def _stretch(
    session: Told, read: int, left: policy.Open, look: Look, _: DiskFolder
) -> tuple[int, policy.Open] | None:
    """Read some more lines; returns where the next ones begin (0: nowhere), ``None``: the file went away."""
    try:
        found = piece(session.transcript.path, read)
    except OSError:
        return None
    tellings: list[policy.TranscriptEvent] = []
    for entry in found.entries:
        left, told = policy.events_of_line(entry, left)
        tellings += told
    if not found.after:
        tellings += policy.ended(left)
    session.damaged += found.damaged
    for one in tellings:
        name = session.transcript.session
        reading = read_object(AGENT, {**one.event, "session_id": name}, look.redact)
        event, at = reading.event, min(one.at, look.until)
        begin = at - TOLD_OF if one.event["hook_event_name"] in TELLING else at
        if look.recording.off(reading.places, name, begin, at) is not None:
            session.off += 1
        elif isinstance(event, Event) and look.project_of(event.cwd) == look.project:
            session.prompts += event.is_typed_prompt
            session.take(Happening(one.id, at, reading, event))
    return found.after, left


# ---- what an event says: read as a live one is; the gate learns it is past, with its time


MOST_NOTES: Final = 300  # of a run: the newest
GATE_WITHIN: Final = 300.0  # seconds for what one event says


class Saying(Struct, frozen=True):
    """An event with its statements worth a note."""

    id: bytes  # by which it is journaled once
    agent: str
    at: float  # seconds UTC
    body: bytes  # the event as it is journaled
    candidates: tuple[Candidate, ...]
    # sentences of a prompt that may correct what was said before
    said: tuple[CorrectingSentence, ...] = ()
    new: tuple[bool, ...] = ()  # of each: nothing that is, or was, remembered says it

    @property
    def is_news(self) -> bool:
        """Tell whether anything may come of it."""
        return any(self.new) or bool(self.said)

    def items(self) -> list[ItemSaid]:
        """Text of it, as a client is told it."""
        return [
            ItemSaid(topic=each.rule, line=0, text=each.text, new=new)
            for each, new in zip(self.candidates, self.new, strict=True)
        ]


def saying(
    name: str,
    agent: str,
    at: float,
    reading: Reading,
    candidates: Sequence[Candidate],
    said: tuple[CorrectingSentence, ...] = (),
) -> Saying:
    """Saying of an event; ``name`` is unique to it."""
    body = msgspec.msgpack.encode(reading.body)
    return Saying(digest_of(name), agent, at, body, tuple(candidates), said)


def digest_of(name: str) -> bytes:
    """Id of an event by its name."""
    return blake2b(name.encode("utf-8", "replace"), digest_size=16).digest()


async def compared(parts: Parts, one: Saying, run: Run) -> Saying:
    """Mark its new statements: not said before in the run, nor over by now, nor known."""
    texts = [each.text for each in one.candidates]
    if await parts.reader.read(stored.learnt, [one.id]):
        return replace(one, said=(), new=(False,) * len(texts))
    unknown = await parts.reader.read(stored.unknown, texts, run.project)
    proposed = Proposed(0, one.at, "", run.project, one.candidates, past=True)
    new: list[bool] = []
    for each, fresh in zip(one.candidates, unknown, strict=True):
        until = standing_of(draft_of(each, proposed)).valid_until
        new.append(fresh and each.text not in run.said and (until is None or until > run.at))
        run.said.add(each.text)
    return replace(one, new=tuple(new))


async def learn_saying(parts: Parts, one: Saying, session: str, run: Run) -> None:
    """Propose its new statements to the gate."""
    row = journaled(one.id, one.agent, session, run, one.body)
    (seq,) = await parts.commit((row,))
    fresh = tuple(each for each, new in zip(one.candidates, one.new, strict=True) if new)
    if not (seq and (fresh or one.said)):
        return
    proposed = Proposed(seq, one.at, session, run.project, fresh, said=one.said, past=True)
    # Whoever asked may leave at any moment: what was begun is learnt whole.
    with trio.CancelScope(shield=True):
        await parts.mailboxes.gate.ask(Decide(proposed), within=GATE_WITHIN, lane=Lane.BACKGROUND)


def journaled(name: bytes, agent: str, session: str, run: Run, body: bytes) -> Journaled:
    """The row of the journal for an event that a run learns."""
    return Journaled(name, agent, run.at, "learn", session, run.project, body, done=True)


# ---- sessions


MOST_TURNS: Final = 5_000  # of a run: the newest
AT_ONCE: Final = 20  # of them written without a turn for others


class Settled(NamedTuple):
    """An answered turn, or a summary, in searchable form."""

    id: bytes  # by which it is journaled once
    at: float  # seconds UTC
    event: Event  # the answer
    turn: Exchange | None  # None: it is a summary


class Session(Told):
    """A session, by its statements and its turns, found as extraction finds those of hooks."""

    trail: SessionTrail = field(default_factory=SessionTrail)
    asked: Exchange = NOTHING_SAID  # not answered yet
    sayings: list[Saying] = field(default_factory=list[Saying])
    settled: list[Settled] = field(default_factory=list[Settled])

    def take(self, one: Happening) -> None:
        found = understood(one.event, self.trail)
        self.trail = found.trail
        self.asked, turn = after(self.asked, one.event, 0)
        if turn is not None or one.event.summary:
            turned = digest_of(f"turn of {AGENT} {one.id}")
            self.settled.append(Settled(turned, one.at, one.event, turn))
        if found.candidates or found.said:
            name = f"{AGENT} {one.id}"
            said = saying(name, AGENT, one.at, one.reading, found.candidates, found.said)
            self.sayings.append(said)

    @property
    def new(self) -> int:
        """Number of its new notes."""
        return sum(sum(one.new) for one in self.sayings)

    @property
    def place(self) -> str:
        """Its day, and its id."""
        day = datetime.fromtimestamp(self.sayings[0].at, UTC)
        return f"{day:%Y-%m-%d} {self.transcript.session}"[:100]


class Sessions(Struct, frozen=True):
    """The sessions of a project read, the newest first, and the ones left out."""

    read: tuple[Session, ...]
    heard: int
    left_out: int  # sessions that one run has no room for

    def preview(self) -> list[DocumentSaid]:
        """Preview of the sessions' statements, in the form of documents."""
        return [
            DocumentSaid(
                place=one.place,
                items=[item for each in one.sayings for item in each.items()],
                ended=0,
            )
            for one in self.read
            if any(each.candidates for each in one.sayings)
        ]


async def sessions(parts: Parts, look: Look, folder: str, run: Run, progress: Progress) -> Sessions:
    """Read the newest transcripts of a project and compare them with the memories."""
    wanted, heard = await unheard(parts, folder, look)
    read, notes, turns = list[Session](), 0, 0

    async def tell(_: dict[str, Any]) -> None:
        await progress({"done": len(read), "documents": len(wanted)})

    for one in wanted:
        await tell({})
        session = await told_of(parts, folder, Session(one), look, tell)
        await _compare(parts, session, look.since, run)
        notes, turns = notes + session.new, turns + len(session.settled)
        if read and (notes > MOST_NOTES or turns > MOST_TURNS):
            break
        read.append(session)
    return Sessions(tuple(read), heard, len(wanted) - len(read))


async def _compare(parts: Parts, session: Session, since: float, run: Run) -> None:
    """Leave in it what was said since then and is not known."""
    sayings = [each for each in session.sayings if each.at >= since]
    session.sayings = [await compared(parts, each, run) for each in sayings]
    settled = [one for one in session.settled if one.at >= since]
    learnt = await parts.reader.read(stored.learnt, [one.id for one in settled])
    session.settled = [one for one in settled if one.id not in learnt]


async def learn_sessions(
    parts: Parts, found: Sessions, run: Run, progress: Progress, *, notes: bool = True
) -> None:
    """Learn the new statements and turns, the oldest session first; ``notes``: else the turns alone."""
    for done, one in enumerate(reversed(found.read), 1):
        name = f"{run.name}{stored.OF}{one.transcript.session}"
        # Whoever asked may leave at any moment: a session that was begun is learnt whole.
        with trio.CancelScope(shield=True):
            for each in one.sayings if notes else ():
                if each.is_news:
                    await learn_saying(parts, each, name, run)
            for some in sliced(tuple(one.settled), AT_ONCE):
                await _keep(parts, some, name, run)
        await progress({"done": done, "documents": len(found.read)})


async def _keep(parts: Parts, some: Sequence[Settled], name: str, run: Run) -> None:
    """Have these searched, each behind its own row of the journal."""
    body = msgspec.msgpack.encode({"hook_event_name": "TurnLearnt", "session_id": name})
    rows = tuple(journaled(one.id, AGENT, name, run, body) for one in some)
    found = tuple(
        (
            Happened(seq, one.at, replace(one.event, session=name), run.project),
            None if one.turn is None else replace(one.turn, first_seq=seq),
        )
        for one, seq in zip(some, await parts.commit(rows), strict=True)
        if seq
    )
    await parts.passages.keep_turns(found)
