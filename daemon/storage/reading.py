"""The reading side of the store: two connections, and what is held in memory in front of them.

Every query runs under its caller's deadline, on whichever connection is less busy; vectors are
searched on the first one, words on the last, because each belongs to one thread. What a damaged
file or its disk says becomes ``Unreadable``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Literal, TypeVar

import apsw
import trio

from actors.policy.intentions import Intention
from actors.ports import (
    AnchorRow,
    AssociationRow,
    CalibrationRow,
    CaptureTotals,
    Counts,
    Credit,
    EarlierRow,
    EdgeRow,
    GraphTotals,
    HeldRow,
    JournalRow,
    Memory,
    NamedRow,
    Opinion,
    RatedRow,
    ReviewRow,
    Scope,
    SessionRow,
    Shown,
    TagRow,
    Unlooked,
    Unreadable,
    UntoldRow,
    VectorHit,
    Waiting,
    Window,
    WordHit,
)
from actors.writes import Raised
from daemon.storage import (
    associating,
    calibrating,
    capturing,
    claiming,
    intending,
    judging,
    linking,
    queries,
    rating,
)
from daemon.storage.connection import Connection
from daemon.storage.nearby import Nearby, compared
from daemon.storage.soundness import DAMAGE, Soundness
from daemon.storage.sql import Sql
from daemon.storage.worded import Worded

T = TypeVar("T")

FOLLOWED = 0.5  # seconds after a write in which more of them may come


class ReadingSide:
    """``actors.ports.Reader`` on whichever reading connection is less busy."""

    def __init__(
        self,
        connections: Sequence[Connection],
        soundness: Soundness,
        words: Literal["memory", "fts5"] = "memory",
    ) -> None:
        self._connections = connections
        self._soundness = soundness
        self._nearby = Nearby()  # used on the first connection's thread only
        self._worded = Worded(enabled=words == "memory")  # on the last one's only
        self._written = trio.Event()

    @property
    def damage(self) -> str | None:
        """What is wrong with the file and what to do, once it was found damaged."""
        return self._soundness.damage

    async def read(self, query: Callable[[Sql], T]) -> T:
        """Run one query of ``daemon.storage.queries`` under the caller's deadline."""
        return await self._on(min(self._connections, key=lambda c: c.in_flight), query)

    async def _near(self, query: Callable[[Sql], T]) -> T:
        return await self._on(self._connections[0], query)

    async def _by_words(self, query: Callable[[Sql], T]) -> T:
        return await self._on(self._connections[-1], query)

    async def _on(self, connection: Connection, query: Callable[[Sql], T]) -> T:
        try:
            return await connection.run(query)
        except (apsw.IOError, apsw.CantOpenError, *DAMAGE) as error:
            raise Unreadable(self._soundness.judge(error)) from error

    @property
    def in_flight(self) -> int:
        """Queries under way."""
        return sum(connection.in_flight for connection in self._connections)

    async def memories(self, ids: Sequence[int]) -> dict[int, Memory]:
        """These memories, ended or not."""
        return await self.read(lambda sql: queries.memories(sql, ids))

    async def living(self, after: int, limit: int) -> list[Memory]:
        """Living memories with an id over ``after``, in the order of ids."""
        return await self.read(lambda sql: queries.living(sql, after, limit))

    async def words(self, terms: Sequence[str], scope: Scope, limit: int) -> list[WordHit]:
        """The best memories with any of these words, best first."""
        return await self._by_words(lambda sql: self._worded.words(sql, terms, scope, limit))

    async def literally(self, expression: str, scope: Scope, limit: int) -> list[int]:
        """Living memories that an FTS5 expression finds, best first."""
        return await self.read(lambda sql: queries.literally(sql, expression, scope, limit))

    async def nearest(self, vector: bytes, scope: Scope, limit: int) -> list[VectorHit]:
        """The nearest memories by cosine, best first."""
        return await self._near(lambda sql: self._nearby.nearest(sql, vector, scope, limit))

    async def cosines(self, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
        """The best cosine of each of these memories that has vectors."""
        if not ids:
            return {}
        best: dict[int, float] = {}
        found = await self.read(lambda sql: compared(sql, vector, "c.memory_id", ids))
        for memory_id, cosine in found:
            best[memory_id] = max(best.get(memory_id, -1.0), cosine)
        return best

    async def warm(self) -> None:
        """Take up all vectors and words there are, in turns: searches before that are slower."""
        while await self._near(self._nearby.take_up):
            await trio.lowlevel.checkpoint()
        began = trio.current_time()
        while await self._by_words(self._worded.take_up):
            await trio.sleep(trio.current_time() - began)  # half of the time is for others
            began = trio.current_time()

    async def follow(self) -> None:
        """Take up what there is, and then what is written, as long as this is not cancelled.

        What cannot be read is left: whoever asks for it says so.
        """
        while True:
            written = self._written
            with suppress(Unreadable):
                await self.warm()
            await written.wait()
            await trio.sleep(FOLLOWED)

    def was_written(self) -> None:
        """There may be something to take up."""
        self._written.set()
        self._written = trio.Event()

    async def in_memory(self) -> dict[str, int]:
        """Memories whose words are in memory, and the bytes of words and of sign bits."""
        worded, nearby = self._worded, self._nearby
        memories, words = await self._by_words(lambda _: (len(worded), worded.nbytes))
        return {
            "memories": memories,
            "words": words,
            "vectors": await self._near(lambda _: nearby.nbytes),
        }

    async def document_frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """How many memories there are, and in how many each index term stands."""
        return await self._by_words(lambda sql: self._worded.document_frequencies(sql, terms))

    async def around(self, ids: Sequence[int], reach: int) -> list[list[int]]:
        """Each of these with the living memories before and after it in its project's time."""
        return await self.read(lambda sql: queries.around(sql, ids, reach))

    async def same_content(self, content_hash: bytes, scope: Scope) -> list[int]:
        """Living memories with this content hash."""
        return await self.read(lambda sql: queries.same_content(sql, content_hash, scope))

    async def undone(self, after: int, limit: int) -> list[JournalRow]:
        """Journaled events whose derivation is not finished, oldest first."""
        return await self.read(lambda sql: queries.undone(sql, after, limit))

    async def unvectored(self, model: str, limit: int) -> list[Waiting]:
        """Living memories without vectors of this model, newest first."""
        return await self.read(lambda sql: queries.unvectored(sql, model, limit))

    async def unjudged(self, limit: int) -> list[Memory]:
        """Living memories that have vectors and that the gate has yet to judge, oldest first."""
        return await self.read(lambda sql: queries.unjudged(sql, limit))

    async def decided(self, seq: int) -> frozenset[tuple[str, int]]:
        """The rule and ordinal of each proposal of this event that was decided already."""
        return await self.read(lambda sql: queries.decided(sql, seq))

    async def cached_vectors(self, model: str, hashes: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Vectors made before, by the hash of the chunk's text."""
        return await self.read(lambda sql: queries.cached_vectors(sql, model, hashes))

    async def delivered(self, session: str, since: float) -> list[tuple[bytes, float]]:
        """The session's ledger: content hash and time."""
        return await self.read(lambda sql: queries.delivered(sql, session, since))

    async def session(self, session: str) -> SessionRow | None:
        """What is known of the session."""
        return await self.read(lambda sql: queries.session_row(sql, session))

    async def held(self, session: str) -> tuple[int, list[HeldRow]]:
        """The session's working memory: its event counter and its traces."""
        return await self.read(lambda sql: queries.held(sql, session))

    async def constitutional(self, scope: Scope, limit: int) -> list[Memory]:
        """Living constitutional memories, most important first."""
        return await self.read(lambda sql: queries.constitutional(sql, scope, limit))

    async def tags(self, ids: Sequence[int] | None) -> list[TagRow]:
        """The tags of these memories, or all there are; of living memories only."""
        return await self.read(lambda sql: capturing.tags(sql, ids))

    async def importance_events(self, begin: float, end: float) -> list[Raised]:
        """The important moments from ``begin`` to ``end``, oldest first."""
        return await self.read(lambda sql: capturing.importance_events(sql, begin, end))

    async def capture_totals(self) -> CaptureTotals:
        """How much of tagging and capture is stored."""
        return await self.read(capturing.capture_totals)

    async def intentions(self) -> list[Intention]:
        """All intentions, ended ones included, oldest first."""
        return await self.read(intending.intentions)

    async def untold_captures(self, project: str | None, since: float) -> list[UntoldRow]:
        """Captures of a project since then that no session was told of, strongest first."""
        return await self.read(lambda sql: capturing.untold(sql, project, since))

    async def importance_marks(self) -> dict[str, int]:
        """How far memories, reviews and the journal were looked at for importance."""
        return await self.read(rating.marks)

    async def reviews_after(self, after: int, limit: int) -> list[ReviewRow]:
        """Reviews with an id over ``after``, oldest first."""
        return await self.read(lambda sql: rating.reviews_after(sql, after, limit))

    async def causes_of_reviews(self, memory_id: int, until: int) -> list[str]:
        """The causes of a memory's reviews up to this one, oldest first."""
        return await self.read(lambda sql: rating.causes_of_reviews(sql, memory_id, until))

    async def journal_of(self, session: str, before: int, limit: int) -> list[JournalRow]:
        """The last events of a session before ``before``, oldest first."""
        return await self.read(lambda sql: rating.journal_of(sql, session, before, limit))

    async def prompts_after(self, after: int, limit: int) -> list[JournalRow]:
        """Journaled prompts after this one, oldest first."""
        return await self.read(lambda sql: rating.prompts_after(sql, after, limit))

    async def event_behind(self, memory_id: int) -> JournalRow | None:
        """The journaled event that a memory was made of, while the journal has it."""
        return await self.read(lambda sql: rating.event_behind(sql, memory_id))

    async def newest_rated(self, project: str | None, until: int, limit: int) -> list[RatedRow]:
        """The newest living memories of a project up to this id, oldest first."""
        return await self.read(lambda sql: rating.newest_rated(sql, project, until, limit))

    async def anchors(self, after: int, limit: int) -> list[AnchorRow]:
        """Living memories whose importance fades, in the order of ids."""
        return await self.read(lambda sql: rating.anchors(sql, after, limit))

    async def earlier(
        self, names: Sequence[str], scope: Scope, before: float, days: float
    ) -> list[EarlierRow]:
        """Living memories of the days before that say one of these names, newest first."""
        return await self.read(lambda sql: rating.earlier(sql, names, scope, before, days))

    async def backfilled(self, failure: str) -> set[int]:
        """The memories that were strengthened for this failure already."""
        return await self.read(lambda sql: rating.backfilled(sql, failure))

    async def of_subject(self, subject: str, project: str | None) -> list[Memory]:
        """Living memories that name the current value of this, in exactly this project."""
        return await self.read(lambda sql: claiming.of_subject(sql, subject, project))

    async def hypotheses(self, session: str, limit: int) -> list[Memory]:
        """Living hypotheses of a session that wait for an outcome, oldest first."""
        return await self.read(lambda sql: claiming.hypotheses(sql, session, limit))

    async def superseded(self, at: float, scope: Scope) -> list[Memory]:
        """The newest memories in scope that were true then and were replaced since."""
        return await self.read(lambda sql: claiming.superseded(sql, at, scope))

    async def refuted_before(self, content_hash: bytes, project: str | None) -> bool:
        """Whether this very text was refuted in this project."""
        return await self.read(lambda sql: claiming.refuted_before(sql, content_hash, project))

    async def expired(self, at: float, limit: int) -> list[int]:
        """Living memories of tier temporary whose time is over, but for pinned ones."""
        return await self.read(lambda sql: claiming.expired(sql, at, limit))

    # ---- the graph

    async def unlooked(
        self, ids: Sequence[int] | None, below: int, reach: int, limit: int
    ) -> list[Unlooked]:
        """Living memories whose vectors were not compared yet, the newest first."""
        return await self.read(lambda sql: associating.unlooked(sql, ids, below, reach, limit))

    async def own_vectors(self, memory_id: int, limit: int) -> list[bytes]:
        """The first vectors of a memory."""
        return await self.read(lambda sql: associating.own_vectors(sql, memory_id, limit))

    async def alike(self, memory_id: int) -> list[int]:
        """The memories that are stored as like this one."""
        return await self.read(lambda sql: associating.alike(sql, memory_id))

    async def associations(
        self, ids: Sequence[int], scope: Scope, each: int
    ) -> list[AssociationRow]:
        """The strongest associations of each of these with living memories in scope."""
        return await self.read(lambda sql: associating.associations(sql, ids, scope, each))

    async def edges_around(self, ids: Sequence[int], hops: int, limit: int) -> list[EdgeRow]:
        """The causal edges within so many hops of these, nearest first."""
        return await self.read(lambda sql: linking.edges_around(sql, ids, hops, limit))

    async def edges_within(self, ids: Sequence[int], scope: Scope) -> list[EdgeRow]:
        """The causal edges of these whose other ends live in scope."""
        return await self.read(lambda sql: linking.edges_within(sql, ids, scope))

    async def typed_degrees(
        self, weights: Mapping[str, float], ids: Sequence[int] | None
    ) -> dict[int, float]:
        """The weighted degree of each of these that has an edge; ``None``: the highest one."""
        return await self.read(lambda sql: linking.typed_degrees(sql, weights, ids))

    async def declaring(self, after: int, limit: int) -> list[int]:
        """Living memories over this id whose text may declare links that were not read yet."""
        return await self.read(lambda sql: linking.declaring(sql, after, limit))

    async def named(self, names: Sequence[str]) -> list[NamedRow]:
        """The memories with one of these keys or titles."""
        return await self.read(lambda sql: linking.named(sql, names))

    async def awaiting(self, names: Sequence[str]) -> list[int]:
        """The memories that declare a link to one of these names and found nothing so far."""
        return await self.read(lambda sql: linking.awaiting(sql, names))

    async def graph_totals(self) -> GraphTotals:
        """How much of the graph is stored."""
        return await self.read(linking.graph_totals)

    async def shown_in(self, session: str, since: float) -> list[Shown]:
        """The living memories that a session was shown since then, each with its first time."""
        return await self.read(lambda sql: judging.shown_in(sql, session, since))

    async def credits_in(self, session: str) -> list[Credit]:
        """What a session is known to have made use of."""
        return await self.read(lambda sql: judging.credits_in(sql, session))

    async def events_of(self, session: str, since: float, limit: int) -> list[JournalRow]:
        """The last journaled events of a session since then, oldest first."""
        return await self.read(lambda sql: queries.events_of(sql, session, since, limit))

    async def opinions(self, ids: Sequence[int]) -> dict[int, Opinion]:
        """What people said of these memories; those that nobody said anything of are left out."""
        return await self.read(lambda sql: judging.opinions(sql, ids))

    async def neighbours(self, memory_id: int) -> list[tuple[int, float, float]]:
        """The living memories linked with one: id, the strongest edge (0..1), their stability."""
        return await self.read(lambda sql: judging.neighbours(sql, memory_id))

    async def windows_to_settle(self, at: float) -> list[Window]:
        """Windows of reconsolidation that are over and in which something was edited."""
        return await self.read(lambda sql: judging.windows_to_settle(sql, at))

    async def model_in_use(self) -> str:
        """The embedding model that the vectors are of; empty when there are none."""
        return await self.read(calibrating.model_in_use)

    async def calibrations(self) -> dict[str, CalibrationRow]:
        """What was measured of each embedding model."""
        return await self.read(calibrating.calibrations)

    async def sampled_vectors(self, limit: int) -> list[bytes]:
        """The first vectors of at most so many memories, spread evenly over the store."""
        return await self.read(lambda sql: calibrating.sampled_vectors(sql, limit))

    async def counts(self) -> Counts:
        """The size of the store."""
        return await self.read(lambda sql: queries.counts(sql))

    async def due(self) -> dict[str, tuple[float, float | None]]:
        """When each background job is due and last ran."""
        return await self.read(lambda sql: queries.due(sql))
