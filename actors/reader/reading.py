"""Readings: a session's words are heard, shown to an engine, checked and kept; so are a project's notes at night.

A request counts in the store before it is sent. The notes of a chunk are kept with the mark of the
reading's progress: an interrupted reading goes on behind its last chunk and no event is read twice.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import Final

import msgspec
import trio
from msgspec import Struct, field

from actors.core.equipment import Clock, Worker
from actors.core.failures import Unreadable
from actors.core.mailbox import Mailbox
from actors.memory.commit import LongTermMessage, commit
from actors.policy.events.cutting import Redact
from actors.policy.events.events import Event, mapping, parsed
from actors.policy.night.replay import Replayed
from actors.policy.reader import next_session
from actors.policy.reader.checks import NEW, Concluded, checked, concluded
from actors.policy.reader.digest import Digest, Heard, chunks, digest
from actors.policy.reader.exchange import (
    Answer,
    Failed,
    LivingNote,
    Reason,
    Request,
    night_request,
    request,
)
from actors.policy.reader.next_session import Unread
from actors.policy.text.short_ids import short_id
from actors.reader.keeping import Keeping, Outcome, together
from actors.reader.messages import (
    HAPPENED_AT,
    Journaled,
    ReadingBegun,
    ReadingEnded,
    ReadingEngine,
    SessionFailed,
    SessionRead,
)
from actors.reader.surroundings import around_session
from daemon.sources import ProjectSources
from daemon.storage.reader import ReadingSide

# ---- readership: sessions open to the engine a person agreed to
#
# One object, asked by the reader itself and by others who leave to it the texts it understands
# better.


class Readership(Struct):
    """The engine in use, and the sessions open to it. It outlives the actor."""

    reader: ReadingSide
    # Why a session of this id that worked in these folders is not to be read; empty when it is.
    elsewhere: Callable[[str, Sequence[str]], Awaitable[str]]
    thread: Worker
    engine: ReadingEngine | None = None
    turn: trio.Lock = field(default_factory=trio.Lock)  # one request at a time, whoever makes it

    async def barred(
        self,
        agent: str,
        session: str,
        folders: Sequence[str],
        endpoints: Collection[str] | None = None,
    ) -> str:
        """Reason why a session of these folders may not be read at all; empty when it may.

        ``endpoints``: addresses asked by the session's client, as its hooks saw them; ``None``: its
        events are not at hand, so this is asked when they are.
        """
        engine = self.engine
        if engine is None:
            return "no engine was agreed to: reverie reader use"
        if engine.agents is not None and agent not in engine.agents:
            return f"a session of {agent or 'another agent'}: {engine.name} reads only its own"
        barred = await self.elsewhere(session, folders)
        if barred or endpoints is None or engine.elsewhere is None:
            return barred
        return await self.thread.run(partial(engine.elsewhere, agent, folders, endpoints))

    async def will_read(self, event: Event, project: str | None) -> bool:
        """Return whether the session of an event will be read: one begun after the agreement."""
        if self.engine is None or not event.session:
            return False
        try:
            agreed = await self.reader.consent_to(self.engine.name)
            known = await self.reader.session(event.session)
            if agreed is None or (known is not None and known.started_at < agreed[0]):
                return False
            folders = [place for place in (event.cwd, project) if place]
            seen = (event.endpoint,) if event.endpoint else ()
            return not await self.barred(event.agent, event.session, folders, seen)
        except Unreadable:
            return False


# ---- requests


ANSWERED_WITHIN: Final = 900.0  # seconds; an engine has a limit of its own, which is shorter
LAST_WORD: Final = 5.0  # seconds for writing down that a reading was cut off


class Requests(Struct, frozen=True):
    """Requests to an engine, each of which is in the store before it is sent."""

    clock: Clock
    long_term: Mailbox[LongTermMessage]

    async def answered(
        self, engine: ReadingEngine, wanted: Request, begun: ReadingBegun
    ) -> tuple[int, Answer | Failed]:
        """Return the number of a request and its answer. An abandoned one is written down first."""
        (reading,) = await commit(self.long_term, (begun,))
        answer: Answer | Failed | None = None
        try:
            with trio.move_on_after(ANSWERED_WITHIN):
                answer = await engine.answer(wanted)
            answer = answer or Failed(Reason.LATE)
            return reading, answer
        finally:
            if answer is None:
                with trio.move_on_after(LAST_WORD, shield=True):
                    await self.ended(reading, Failed(Reason.INTERRUPTED, tokens=begun.tokens))

    async def ended(
        self, reading: int, answer: Answer | Failed, dropped: Mapping[str, int] | None = None
    ) -> None:
        """Write down the end of a request that gave no note."""
        failure = answer.reason.value if isinstance(answer, Failed) else ""
        dollars = None if isinstance(answer, Failed) else answer.dollars
        ended = ReadingEnded(reading, self.clock.now(), answer.tokens, dollars, failure, 0, dropped)
        await commit(self.long_term, (ended,))


# ---- the reading of a session


class SessionDigest(Struct, frozen=True):
    """Digest of some events of a session, with the events and where they happened."""

    digest: Digest
    heard: tuple[Heard, ...]
    folders: tuple[str, ...]  # where it was said
    endpoints: tuple[str, ...]  # of its client, as seen by hooks


class SessionReading(Struct):
    """Reads sessions, one after the other."""

    reader: ReadingSide
    clock: Clock
    thread: Worker
    long_term: Mailbox[LongTermMessage]
    requests: Requests
    keeping: Keeping
    sources: ProjectSources
    readership: Readership
    redact: Redact

    async def digest_of(self, session: str, *, unread: bool) -> Digest:
        """Return the digest of a session's events in the journal, of all or of the unread ones."""
        rows = await self.reader.events_of_session(session, unread=unread)
        return (await self._said(session, rows)).digest

    async def read(self, one: Unread, engine: ReadingEngine, why: str, began: float) -> Outcome:
        """Read the unread events of a session; ``began`` is the same for all of its requests."""
        rows = await self.reader.events_of_session(one.session, unread=True)
        said = await self._said(one.session, rows)
        last = rows[-1].seq if rows else one.last_seq
        barred = await self.readership.barred(one.agent, one.session, said.folders, said.endpoints)
        if barred:
            tomorrow = self.clock.now() + next_session.DAY
            failed = SessionFailed(one.session, barred, tomorrow, given_up=False)
            await commit(self.long_term, (failed,))
            return Outcome(failure=barred)
        if not said.digest.has_words:
            await commit(self.long_term, (SessionRead(one.session, last),))
            return Outcome()
        parts = await self.thread.run(partial(chunks, said.digest, engine.tokens))
        project = PurePath(one.project or "").name
        total, titles = Outcome(), list[str]()
        for part in parts:
            known = await self.keeping.known_for(one.project, part)
            wanted = request(one.session, project, part.text, known, titles)
            begun = ReadingBegun(
                one.session, one.project, engine.name, why, began, self.clock.now(),
                part.first_seq, part.last_seq, wanted.tokens_with(),
            )  # fmt: skip
            reading, answer = await self.requests.answered(engine, wanted, begun)
            if isinstance(answer, Failed):
                return together(total, await self._failed(one, reading, answer))
            around = await around_session(self.sources, answer.document, said.heard, one.project)
            ids = frozenset(each.id for each in known)
            check = partial(checked, answer.document, part, ids, around, self.redact)
            found = await self.thread.run(check)
            if found is None:
                foreign = Failed(Reason.FOREIGN, tokens=answer.tokens)
                return together(total, await self._failed(one, reading, foreign))
            upto = last if part is parts[-1] else part.last_seq
            kept = await self.keeping.keep(
                found, reading, one, answer, upto=upto, at=self.clock.now()
            )
            total = together(total, kept)
            titles += [note.title for note in found.notes]
        return total

    async def _said(self, session: str, rows: Sequence[Journaled]) -> SessionDigest:
        captured = await self.reader.captured_turns(session)
        return await self.thread.run(partial(said_in, rows, frozenset(captured), self.redact))

    async def _failed(self, one: Unread, reading: int, failed: Failed) -> Outcome:
        """Write down a failed request, and the time of the session's next try."""
        at, failure = self.clock.now(), failed.reason.value
        next_try, given_up = next_session.after_failure(one.tries + 1, at)
        ended = ReadingEnded(reading, at, failed.tokens, None, failure)
        ends = SessionFailed(one.session, failure, next_try, given_up)
        await commit(self.long_term, (ended, ends))
        said = f"{failure} ({failed.detail})" if failed.detail else failure
        return Outcome(tokens=failed.tokens, failure=said)


def said_in(rows: Sequence[Journaled], captured: frozenset[int], redact: Redact) -> SessionDigest:
    """Read journal rows; ``captured``: the first events of turns captured by a moment."""
    heard: list[Heard] = []
    for row in rows:
        body = mapping(msgspec.msgpack.decode(row.body))
        said, event = body.get(HAPPENED_AT), parsed(row.agent, body)
        at = min(said, row.at) if isinstance(said, float) and said > 0.0 else row.at
        if isinstance(event, Event):
            heard.append(Heard(row.seq, at, event))
    folders = dict.fromkeys(one.event.cwd for one in heard if one.event.cwd)
    seen = dict.fromkeys(one.event.endpoint for one in heard if one.event.endpoint)
    whole = digest(heard, captured, redact=redact)
    return SessionDigest(whole, tuple(heard), tuple(folders), tuple(seen))


# ---- a night's reading: the living notes of one project, read together once many of them are new
#
# One request a dream, within the same limits as sessions. Dreaming asks; proposals and insights come
# back (``actors.policy.reader.checks``), and dreaming writes them with its others.


class NightReading(Struct):
    """Reads the notes of a project together."""

    settings: next_session.Settings
    reader: ReadingSide
    clock: Clock
    requests: Requests
    readership: Readership
    redact: Redact

    async def read(self, memories: Mapping[int, Replayed]) -> Concluded:
        """Read the project with the most new notes, if one has enough and the day's limits allow."""
        engine, at = self.readership.engine, self.clock.now()
        project = await self.reader.much_noted(NEW) if engine is not None else None
        if engine is None or project is None:
            return Concluded()
        past = await self.reader.readings_since(at - next_session.DAY)
        if next_session.limit(past, at, self.settings):
            return Concluded()
        shown = {one.id: one for one in memories.values() if one.project == project}
        asked = night_request(
            PurePath(project).name,
            [LivingNote(short_id(one.id), one.text) for one in shown.values()],
        )
        why, tokens = "read because many notes are new", asked.tokens_with()
        async with self.readership.turn:
            now = self.clock.now()
            begun = ReadingBegun("", project, engine.name, why, at, now, 0, 0, tokens)
            reading, answer = await self.requests.answered(engine, asked, begun)
            found = None
            if isinstance(answer, Answer):
                found = concluded(answer.document, shown, self.redact)
                if found is None:
                    answer = Failed(Reason.FOREIGN, tokens=answer.tokens)
            await self.requests.ended(reading, answer, None if found is None else found.dropped)
        return found or Concluded()
