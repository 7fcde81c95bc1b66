"""Sessions from before there was a memory, read from Claude Code's transcripts by the reader.

The events of a transcript are journaled as ``RUN.SESSION`` with their own times, each once, and
read from there like a session reported by hooks. So an interrupted run goes on, read events are not
read again, and its results can be taken back with the run.
"""

import math
from collections import Counter
from collections.abc import Sequence
from secrets import token_hex
from typing import Any, Final, NamedTuple

import msgspec
import trio
from msgspec import field

from actors.core.mailbox import Lane
from actors.policy.reader.digest import Digest, Heard, digest
from actors.policy.reader.exchange import BESIDE
from actors.policy.reader.next_session import Unread
from actors.reader.messages import HAPPENED_AT, HowItReads, ReadingReport, ReadNow
from daemon.answers.transcripts import (
    AGENT,
    Happening,
    Look,
    Run,
    Told,
    digest_of,
    journaled,
    learn_sessions,
    sessions,
    told_of,
    unheard,
)
from daemon.context import Parts, Progress, sliced
from daemon.shapes.learnt import Learnt
from daemon.storage import learn as stored
from daemon.storage import readings
from daemon.transcripts import Transcript

AT_ONCE: Final = 200  # events that are journaled in one unit
ASKED_WITHIN: Final = 10.0  # seconds


class Past(Told):
    """A session, by all its events."""

    events: list[Happening] = field(default_factory=list[Happening])

    def take(self, one: Happening) -> None:
        self.events.append(one)

    def digest(self) -> Digest:
        """Its events as shown to the reader."""
        heard = enumerate(self.events, start=1)
        return digest(Heard(number, one.at, one.event) for number, one in heard)

    def names(self) -> list[bytes]:
        """Ids by which its events are journaled once."""
        return [digest_of(f"reading of {AGENT} {one.id}") for one in self.events]


class Planned(NamedTuple):
    """A session to be read."""

    transcript: Transcript
    name: str  # under which it is journaled already; "" when it is not
    prompts: int
    tokens: int


async def read_transcripts(
    parts: Parts, look: Look, folder: str, progress: Progress, *, takes: bool
) -> Learnt | None:
    """Report the reader's plan for the newest transcripts, or have it carried out; ``None``: no reader is in use."""
    state = await parts.mailboxes.session_reader.ask(
        HowItReads(parts.clock.now(), False), within=ASKED_WITHIN
    )
    if not state.engine:
        return None
    planned, told = await _plan(parts, look, folder, progress)
    tokens = sum(one.tokens for one in planned)
    _, _, spent, dollars = await parts.reader.read(readings.reading_totals)
    told = msgspec.structs.replace(
        told, engine=state.engine, sessions=len(planned), tokens=tokens,
        prompts=sum(one.prompts for one in planned),
        dollars=dollars / spent * tokens if dollars is not None and spent else None,
    )  # fmt: skip
    if not (takes and planned):
        return told
    left = [one.name.partition(stored.OF)[0] for one in planned if one.name]
    name = left[-1] if left else f"{stored.PREFIX}{token_hex(4)}"
    run = Run(name, look.project, parts.clock.now())
    found = await sessions(parts, look, folder, run, _unseen)
    await learn_sessions(parts, found, run, _unseen, notes=False)  # those are left to the reader
    return await _read(parts, look, folder, planned, run, told, progress)


async def _plan(
    parts: Parts, look: Look, folder: str, progress: Progress
) -> tuple[list[Planned], Learnt]:
    """Look into the newest transcripts: sessions to be read, the oldest first, and those left out."""
    wanted, heard = await unheard(parts, folder, look)
    planned, barred = list[Planned](), Counter[str]()
    before = unread = off = 0
    for done, transcript in enumerate(reversed(wanted)):
        await progress({"done": done, "documents": len(wanted)})
        past = await told_of(parts, folder, Past(transcript), look, _unseen)
        known = await parts.reader.read(stored.journaled_as, past.names())
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
    failures = [f"{count} of them: {why}" for why, count in barred.items()]
    return planned, Learnt(heard=heard, before=before, unread=unread, off=off, failures=failures)


def _looked_at(past: Past, look: Look) -> tuple[Digest, str]:
    """Digest a session, and why it may not be read; "" when it may."""
    places = list(dict.fromkeys(one.event.cwd for one in past.events if one.event.cwd))
    return past.digest(), look.recording.unread(places, past.transcript.session, look.until)


# ---- having it read


async def _read(
    parts: Parts,
    look: Look,
    folder: str,
    planned: Sequence[Planned],
    run: Run,
    told: Learnt,
    progress: Progress,
) -> Learnt:
    """Read the sessions of a plan; two failures for one reason end it.

    An interrupted run goes on, so all of it is taken back at once.
    """
    read = notes = tokens = 0
    dollars, failures = list[float](), list[str]()
    for done, one in enumerate(planned):
        await progress({"done": done, "documents": len(planned)})
        past = await told_of(parts, folder, Past(one.transcript), look, _unseen)
        name = one.name or f"{run.name}{stored.OF}{one.transcript.session}"
        report = await _have_read(parts, past, name, run)
        read += report.sessions
        notes += report.notes
        tokens += report.tokens
        dollars += [] if report.dollars is None else [report.dollars]
        failures += report.failures
        if len({failure.partition(": ")[2] for failure in failures}) < len(failures):
            break  # the same again: the engine is to be looked at
    return msgspec.structs.replace(
        told, run=run.name, sessions=read, tokens=tokens, notes=notes,
        failures=[*told.failures, *failures],
        dollars=sum(dollars) if dollars else None,
    )  # fmt: skip


async def _unseen(_: dict[str, Any]) -> None:
    """Nobody watches how far it is."""


async def _have_read(parts: Parts, past: Past, name: str, run: Run) -> ReadingReport:
    names = past.names()
    rows = tuple(
        journaled(
            id_, AGENT, name, run, msgspec.msgpack.encode({**one.reading.body, HAPPENED_AT: one.at})
        )
        for id_, one in zip(names, past.events, strict=True)
    )
    for some in sliced(rows, AT_ONCE):
        await parts.commit(some)
    unread = await parts.reader.read(stored.journaled_as, names)
    if unread is None or not unread.unread:
        return ReadingReport(0, 0, 0, None)
    began, ended = past.events[0].at, past.events[-1].at
    whole = Unread(
        name, AGENT, run.project, began, ended, "ended", 0.0, 0, unread.unread, past.prompts, 0, 0.0,
        False, "", "", 0.0, began,
    )  # fmt: skip
    return await parts.mailboxes.session_reader.ask(
        ReadNow((name,), False, lambda _: None, past=(whole,)),
        within=math.inf, lane=Lane.BACKGROUND,
    )  # fmt: skip
