"""Sessions of Claude Code from before there was a memory, learnt in bulk from its transcripts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import trio

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
from daemon.context import Parts, Progress
from daemon.projects import project_root
from daemon.recording import Recording
from daemon.shapes.learnt import DocumentSaid, ItemSaid
from daemon.shapes.replies import NotThere
from daemon.sources import DiskFolder
from daemon.storage import learn as stored
from daemon.transcripts import Transcript, piece, transcripts

# ---- looks into transcripts: their events, read as intake reads those of hooks


AGENT: Final = "claude"
DIRECTORIES: Final = 256  # with known projects, for one run


@dataclass(frozen=True, slots=True)
class Look:
    """Settings and places for every look into a transcript."""

    project: str
    since: float
    until: float
    redact: Redact
    recording: Recording
    project_of: Callable[[str], str]  # of a directory
    before: str  # where the project was; "" when it did not move

    def now(self, path: str) -> str:
        """Path in the project, where it is today."""
        inside = self.before and f"{path}/".startswith(f"{self.before}/")
        return f"{self.project}{path.removeprefix(self.before)}" if inside else path


def look_into(parts: Parts, project: str, since: float, before: str) -> Look:
    """Make the settings of a look into the transcripts of a project, which may have moved since."""
    return Look(
        project, since, parts.clock.now(), parts.redact, Recording(parts.home),
        lru_cache(maxsize=DIRECTORIES)(_project_at), before,
    )  # fmt: skip


def _project_at(place: str) -> str:
    return str(project_root(Path(place)))


def transcripts_of(folder: Path, look: Look, _: DiskFolder) -> list[Transcript]:
    """List the transcripts of a project, newest first."""
    return transcripts(
        folder, look.since,
        lambda place: bool(place) and look.project_of(look.now(place)) == look.project,
    )  # fmt: skip


class Happening(NamedTuple):
    """An event in a transcript."""

    id: str
    at: float  # seconds UTC
    reading: Reading
    event: Event


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some lines of a transcript."""

    happenings: tuple[Happening, ...]
    off: int  # events from where or when recording was off
    damaged: int  # lines
    left: policy.Open  # state for the next lines
    read: int  # bytes up to here

    @property
    def is_over(self) -> bool:
        """Tell whether it is the last one."""
        return not self.read


def stretch(transcript: Transcript, read: int, left: policy.Open, look: Look) -> Stretch | None:
    """Read some more lines; ``None``: the file went away."""
    try:
        found = piece(transcript.path, read)
    except OSError:
        return None
    tellings: list[policy.TranscriptEvent] = []
    for entry in found.entries:
        left, told = policy.events_of_line(entry, left)
        tellings += told
    if not found.after:
        tellings += policy.ended(left)
    happenings, off = list[Happening](), 0
    for one in tellings:
        reading = read_object(AGENT, {**one.event, "session_id": transcript.session}, look.redact)
        event, at = reading.event, min(one.at, look.until)
        begin = at - TOLD_OF if one.event["hook_event_name"] in TELLING else at
        places = [look.now(place) for place in reading.places]
        if look.recording.off(places, transcript.session, begin, at) is not None:
            off += 1
        elif isinstance(event, Event) and look.project_of(look.now(event.cwd)) == look.project:
            happenings.append(Happening(one.id, at, reading, event))
    return Stretch(tuple(happenings), off, found.damaged, left, found.after)


# ---- what an event says: read as a live one is; the gate learns it is past, with its time


MOST_NOTES: Final = 300  # of a run: the newest
GATE_WITHIN: Final = 300.0  # seconds for what one event says


@dataclass(frozen=True, slots=True)
class Saying:
    """An event with its statements worth a note."""

    id: bytes  # by which it is journaled once
    agent: str
    at: float  # seconds UTC
    body: bytes  # the event as it is journaled
    candidates: tuple[Candidate, ...]
    said: tuple[
        CorrectingSentence, ...
    ] = ()  # sentences of a prompt that may correct what was said before
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


async def compared(parts: Parts, one: Saying, project: str, said: set[str], at: float) -> Saying:
    """Mark its new statements: not ``said`` by another of the run, nor over by now, nor known."""
    texts = [each.text for each in one.candidates]
    if await parts.reader.read(stored.learnt, [one.id]):
        return replace(one, said=(), new=(False,) * len(texts))
    unknown = await parts.reader.read(stored.unknown, texts, project)
    proposed = Proposed(0, one.at, "", project, one.candidates, past=True)
    new: list[bool] = []
    for each, fresh in zip(one.candidates, unknown, strict=True):
        until = standing_of(draft_of(each, proposed)).valid_until
        new.append(fresh and each.text not in said and (until is None or until > at))
        said.add(each.text)
    return replace(one, new=tuple(new))


async def learn_saying(parts: Parts, one: Saying, session: str, project: str, at: float) -> None:
    """Propose its new statements to the gate."""
    row = Journaled(one.id, one.agent, at, "learn", session, project, one.body, done=True)
    (seq,) = await parts.commit((row,))
    fresh = tuple(each for each, new in zip(one.candidates, one.new, strict=True) if new)
    if not (seq and (fresh or one.said)):
        return
    proposed = Proposed(seq, one.at, session, project, fresh, said=one.said, past=True)
    # Whoever asked may leave at any moment: what was begun is learnt whole.
    with trio.CancelScope(shield=True):
        await parts.mailboxes.gate.ask(Decide(proposed), within=GATE_WITHIN, lane=Lane.BACKGROUND)


# ---- sessions


MOST_TURNS: Final = 5_000  # of a run: the newest
AT_ONCE: Final = 20  # of them written without a turn for others


@dataclass(frozen=True, slots=True)
class Settled:
    """An answered turn, or a summary, in searchable form."""

    id: bytes  # by which it is journaled once
    at: float  # seconds UTC
    event: Event  # the answer
    turn: Exchange | None  # None: it is a summary


@dataclass(frozen=True, slots=True)
class Session:
    """A session, as far as it was read."""

    transcript: Transcript
    read: int = 0  # bytes
    is_over: bool = False
    left: policy.Open = field(default_factory=policy.Open)
    trail: SessionTrail = field(default_factory=SessionTrail)
    sayings: tuple[Saying, ...] = ()
    asked: Exchange = NOTHING_SAID  # not answered yet
    settled: tuple[Settled, ...] = ()
    prompts: int = 0
    off: int = 0  # events
    damaged: int = 0  # lines

    @property
    def new(self) -> int:
        """Number of its new notes."""
        return sum(sum(one.new) for one in self.sayings)

    @property
    def place(self) -> str:
        """Its day, and its id."""
        day = datetime.fromtimestamp(self.sayings[0].at, UTC)
        return f"{day:%Y-%m-%d} {self.transcript.session}"[:100]


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of a project read, the newest first, and the ones left out."""

    read: tuple[Session, ...]
    heard: int
    left_out: int  # sessions that one run has no room for

    @property
    def prompts(self) -> int:
        """Number of prompts typed by a person in them."""
        return sum(one.prompts for one in self.read)

    @property
    def turns(self) -> int:
        """Number of turns and summaries newly searchable after it."""
        return sum(len(one.settled) for one in self.read)

    @property
    def unread(self) -> int:
        """Number of sessions not read whole."""
        return sum(one.transcript.is_large or one.damaged > 0 for one in self.read)

    @property
    def off(self) -> int:
        """Number of events from where or when recording was off."""
        return sum(one.off for one in self.read)

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


async def sessions(
    parts: Parts, look: Look, folder: str, limit: int, progress: Progress
) -> Sessions:
    """Read the newest transcripts of a project and compare them with the memories."""
    work = partial(transcripts_of, Path(folder), look)
    found = await parts.sources.visit(folder, work)
    if not found:
        where = "" if look.before else "; if the project moved, --from names where it was"
        raise NotThere(
            "no_transcripts", f"there is no transcript of this project since then{where}"
        )
    heard = await parts.reader.read(stored.heard, [one.session for one in found])
    wanted = [one for one in found if one.session not in heard][:limit]
    said, read = set[str](), list[Session]()
    notes = turns = 0
    for done, one in enumerate(wanted):
        session = Session(one, is_over=one.is_large)
        while not session.is_over:
            await progress({"done": done, "documents": len(wanted)})
            read_on = partial(_read_on, session, look)
            session = await parts.sources.visit(folder, read_on) or _lost(session)
        session = await _compared(parts, session, look.project, said, look.until)
        notes, turns = notes + session.new, turns + len(session.settled)
        if read and (notes > MOST_NOTES or turns > MOST_TURNS):
            break
        read.append(session)
    return Sessions(tuple(read), len(heard), len(wanted) - len(read))


async def _compared(
    parts: Parts, session: Session, project: str, said: set[str], at: float
) -> Session:
    """The session as far as it is not known."""
    sayings = [await compared(parts, each, project, said, at) for each in session.sayings]
    learnt = await parts.reader.read(stored.learnt, [one.id for one in session.settled])
    settled = tuple(one for one in session.settled if one.id not in learnt)
    return replace(session, sayings=tuple(sayings), settled=settled)


async def learn_sessions(
    parts: Parts, found: Sessions, run: str, project: str, at: float, progress: Progress
) -> None:
    """Learn the new statements, the oldest session first."""
    for done, one in enumerate(reversed(found.read), 1):
        name = f"{run}{stored.OF}{one.transcript.session}"
        # Whoever asked may leave at any moment: a session that was begun is learnt whole.
        with trio.CancelScope(shield=True):
            for each in one.sayings:
                if each.is_news:
                    await learn_saying(parts, each, name, project, at)
            for start in range(0, len(one.settled), AT_ONCE):
                some = one.settled[start : start + AT_ONCE]
                await _keep(parts, some, name, project, at)
        await progress({"done": done, "documents": len(found.read)})


async def _keep(parts: Parts, some: Sequence[Settled], name: str, project: str, at: float) -> None:
    """Have these searched, each behind its own row of the journal."""
    body = msgspec.msgpack.encode({"hook_event_name": "TurnLearnt", "session_id": name})
    rows = [Journaled(one.id, AGENT, at, "learn", name, project, body, done=True) for one in some]
    found = tuple(
        (Happened(seq, one.at, replace(one.event, session=name), project), _begun(one.turn, seq))
        for one, seq in zip(some, await parts.commit(tuple(rows)), strict=True)
        if seq
    )
    await parts.passages.keep_turns(found)


def _begun(turn: Exchange | None, seq: int) -> Exchange | None:
    return None if turn is None else replace(turn, first_seq=seq)


# ---- on the thread that reads files


def _lost(session: Session) -> Session:
    """A session with its file gone: nothing is learnt of half of it."""
    return Session(session.transcript, is_over=True, damaged=1)


def _read_on(session: Session, look: Look, _: DiskFolder) -> Session:
    """Read some more lines."""
    found = stretch(session.transcript, session.read, session.left, look)
    if found is None:
        return _lost(session)
    for one in found.happenings:
        session = _with(session, one, look.since)
    return replace(
        session, left=found.left, read=found.read, is_over=found.is_over,
        off=session.off + found.off, damaged=session.damaged + found.damaged,
    )  # fmt: skip


def _with(session: Session, happening: Happening, since: float) -> Session:
    """The session after an event, with extraction's findings as for a hook's."""
    event, at = happening.event, happening.at
    found = understood(event, session.trail)
    asked, turn = after(session.asked, event, 0)
    session = replace(
        session, trail=found.trail, prompts=session.prompts + event.is_typed_prompt, asked=asked
    )
    if at < since:
        return session
    if turn is not None or event.summary:
        made = Settled(digest_of(f"turn of {AGENT} {happening.id}"), at, event, turn)
        session = replace(session, settled=(*session.settled, made))
    if found.candidates or found.said:
        name = f"{AGENT} {happening.id}"
        one = saying(name, AGENT, at, happening.reading, found.candidates, found.said)
        session = replace(session, sayings=(*session.sayings, one))
    return session
