"""Sessions from before there was a memory, read from Claude Code's transcripts by the reader.

The events of a transcript are journaled as ``RUN.SESSION`` with their own times, each once, and
read from there like a session reported by hooks. So an interrupted run goes on, read events are not
read again, and its results can be taken back with the run.
"""

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

import msgspec
import trio

from actors.core.mailbox import Lane
from actors.intake.messages import Journaled
from actors.policy.events import transcripts as policy
from actors.policy.events.events import Event
from actors.policy.reader.digest import Digest, Heard, digest
from actors.policy.reader.exchange import BESIDE
from actors.reader.messages import HAPPENED_AT, HowItReads, ReadingReport, ReadNow, Unread
from daemon.answers.transcripts import (
    AGENT,
    Look,
    digest_of,
    learn_sessions,
    sessions,
    stretch,
    transcripts_of,
)
from daemon.context import Parts, Progress, sliced
from daemon.shapes.learnt import TranscriptsRead
from daemon.shapes.replies import NotThere, check_limit
from daemon.sources import DiskFolder
from daemon.storage import learn as stored
from daemon.storage import readings
from daemon.transcripts import Transcript

MOST: Final = 1_000  # sessions of a run
AT_ONCE: Final = 200  # events that are journaled in one unit
ASKED_WITHIN: Final = 10.0  # seconds


@dataclass(frozen=True, slots=True)
class Written:
    """An event in a transcript, as it is journaled."""

    id: bytes  # by which it is journaled once
    at: float  # seconds UTC
    body: bytes
    event: Event


@dataclass(slots=True)
class Past:
    """A session, as far as its transcript was read."""

    transcript: Transcript
    events: list[Written] = field(default_factory=list[Written])
    left: policy.Open = field(default_factory=policy.Open)
    read: int = 0  # bytes
    is_over: bool = False
    is_whole: bool = True
    prompts: int = 0
    off: int = 0  # events

    def digest(self) -> Digest:
        """Digest its events, as shown to the reader."""
        heard = enumerate(self.events, start=1)
        return digest(Heard(number, one.at, one.event) for number, one in heard)


@dataclass(frozen=True, slots=True)
class Planned:
    """A session to be read."""

    transcript: Transcript
    name: str  # under which it is journaled already; "" when it is not
    prompts: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Sessions to be read in a run, the oldest first, and the ones left out."""

    look: Look
    folder: str  # of the transcripts
    limit: int
    sessions: tuple[Planned, ...]
    heard: int
    before: int
    unread: int
    off: int
    barred: Counter[str]  # sessions that may not be read, by why


async def read_transcripts(
    parts: Parts, look: Look, folder: str, limit: int, progress: Progress, *, takes: bool
) -> TranscriptsRead:
    """Report the reader's plan for the newest transcripts, or have it carried out."""
    check_limit(limit, MOST)
    state = await parts.mailboxes.session_reader.ask(
        HowItReads(parts.clock.now(), False), within=ASKED_WITHIN
    )
    if not state.engine:
        return _nothing()
    plan = await _plan(parts, look, folder, limit, progress)
    tokens = sum(one.tokens for one in plan.sessions)
    _, _, spent, dollars = await parts.reader.read(readings.reading_totals)
    told = msgspec.structs.replace(
        _nothing(), engine=state.engine, sessions=len(plan.sessions), tokens=tokens,
        prompts=sum(one.prompts for one in plan.sessions), heard=plan.heard, before=plan.before,
        dollars=dollars / spent * tokens if dollars is not None and spent else None,
        unread=plan.unread, off=plan.off,
        failures=[f"{count} of them: {why}" for why, count in plan.barred.items()],
    )  # fmt: skip
    return await _read(parts, plan, told, progress) if takes and plan.sessions else told


def _nothing() -> TranscriptsRead:
    return TranscriptsRead(
        engine="", run="", sessions=0, prompts=0, tokens=0, dollars=None, notes=0, heard=0,
        before=0, unread=0, off=0, failures=[],
    )  # fmt: skip


async def _plan(parts: Parts, look: Look, folder: str, limit: int, progress: Progress) -> Plan:
    """Look into the newest transcripts: sessions not reported and not read, and their sizes."""
    found = await parts.sources.visit(folder, partial(transcripts_of, Path(folder), look))
    if not found:
        raise NotThere("no_transcripts", "there is no transcript of this project since then")
    heard = await parts.reader.read(stored.heard, [one.session for one in found])
    wanted = [one for one in found if one.session not in heard][:limit]
    planned, barred = list[Planned](), Counter[str]()
    before = unread = off = 0
    for done, transcript in enumerate(reversed(wanted)):
        await progress({"done": done, "documents": len(wanted)})
        past = await _past(parts, folder, transcript, look)
        known = await parts.reader.read(stored.journaled_as, [one.id for one in past.events])
        shown, why = await trio.to_thread.run_sync(_looked_at, past, look)
        off += past.off
        if known is not None and known.events == len(past.events) and not known.unread:
            before += 1
        elif not past.is_whole or not shown.has_words:
            unread += 1
        elif why:
            barred[why] += 1
        else:
            name = known.session if known is not None else ""
            planned.append(Planned(transcript, name, past.prompts, shown.tokens + BESIDE))
    return Plan(look, folder, limit, tuple(planned), len(heard), before, unread, off, barred)


def _looked_at(past: Past, look: Look) -> tuple[Digest, str]:
    """Digest a session, and why it may not be read; "" when it may."""
    places = list(dict.fromkeys(look.now(one.event.cwd) for one in past.events if one.event.cwd))
    return past.digest(), look.recording.unread(places, past.transcript.session, look.until)


# ---- having it read


async def _read(
    parts: Parts, plan: Plan, told: TranscriptsRead, progress: Progress
) -> TranscriptsRead:
    """Read the sessions of a plan; two failures for one reason end it.

    An interrupted run goes on, so all of it is taken back at once.
    """
    left = [one.name.partition(stored.OF)[0] for one in plan.sessions if one.name]
    run, at = left[-1] if left else f"{stored.PREFIX}{token_hex(4)}", parts.clock.now()
    await _have_searched(parts, plan, run, at)
    read = notes = tokens = 0
    dollars, failures = list[float](), list[str]()
    for done, one in enumerate(plan.sessions):
        await progress({"done": done, "documents": len(plan.sessions)})
        past = await _past(parts, plan.folder, one.transcript, plan.look)
        name = one.name or f"{run}{stored.OF}{one.transcript.session}"
        report = await _have_read(parts, past, name, plan.look.project, at)
        read, notes, tokens = (
            read + report.sessions, notes + report.notes, tokens + report.tokens,
        )  # fmt: skip
        dollars += [] if report.dollars is None else [report.dollars]
        failures += report.failures
        if len({failure.partition(": ")[2] for failure in failures}) < len(failures):
            break  # the same again: the engine is to be looked at
    return msgspec.structs.replace(
        told, run=run, sessions=read, tokens=tokens, notes=notes,
        failures=[*told.failures, *failures],
        dollars=sum(dollars) if dollars else None,
    )  # fmt: skip


async def _have_searched(parts: Parts, plan: Plan, run: str, at: float) -> None:
    """Have the turns kept for search; notes are left to the reader."""
    found = await sessions(parts, plan.look, plan.folder, plan.limit, _unseen)
    turns = tuple(replace(one, sayings=()) for one in found.read)
    searched = replace(found, read=turns)
    await learn_sessions(parts, searched, run, plan.look.project, at, _unseen)


async def _unseen(_: dict[str, Any]) -> None:
    """Nobody watches how far it is."""


async def _have_read(parts: Parts, past: Past, name: str, project: str, at: float) -> ReadingReport:
    """Journal the events of a session, and have it read."""
    rows = [
        Journaled(one.id, AGENT, at, "learn", name, project, one.body, done=True)
        for one in past.events
    ]
    for some in sliced(tuple(rows), AT_ONCE):
        await parts.commit(some)
    unread = await parts.reader.read(stored.journaled_as, [one.id for one in past.events])
    if unread is None or not unread.unread:
        return ReadingReport(0, 0, 0, None)
    began, ended = past.events[0].at, past.events[-1].at
    whole = Unread(
        name, AGENT, project, began, ended, "ended", 0.0, 0, unread.unread, past.prompts, 0, 0.0,
        False, "", "", 0.0, began,
    )  # fmt: skip
    return await parts.mailboxes.session_reader.ask(
        ReadNow((name,), False, lambda _: None, past=(whole,)),
        within=math.inf, lane=Lane.BACKGROUND,
    )  # fmt: skip


# ---- on the thread that reads files


async def _past(parts: Parts, folder: str, transcript: Transcript, look: Look) -> Past:
    """Read a transcript; nothing of one removed meanwhile."""
    past = Past(transcript, is_over=transcript.is_large, is_whole=not transcript.is_large)
    while not past.is_over:
        await parts.sources.visit(folder, partial(_read_on, past, look))
    return past


def _read_on(past: Past, look: Look, _: DiskFolder) -> None:
    """Read some more lines."""
    found = stretch(past.transcript, past.read, past.left, look)
    if found is None:
        past.events.clear()
        past.is_over, past.is_whole = True, False
        return
    for one in found.happenings:
        past.prompts += one.event.is_typed_prompt
        body = msgspec.msgpack.encode({**one.reading.body, HAPPENED_AT: one.at})
        name = digest_of(f"reading of {AGENT} {one.id}")
        past.events.append(Written(name, one.at, body, one.event))
    past.left, past.read, past.is_over = found.left, found.read, found.is_over
    past.off += found.off
