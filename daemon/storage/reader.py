"""The reading side of the store: two connections, and what is held in memory in front of them.

Every query runs under its caller's deadline, on whichever connection is less busy; vectors are
searched on the first one, words on the last, because each belongs to one thread. What a damaged
file or its disk says becomes ``Unreadable``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Literal, TypeVar

import apsw
import trio

from actors.capture.rows import AnchorRow, CaptureTotals, EarlierRow, RatedRow, TagRow, UntoldRow
from actors.capture.writes import Raised
from actors.consolidation.rows import FadedRow, ObservationRow, UseRow
from actors.dreams.rows import DreamRow, DreamtMemory, InsightRow
from actors.embedding.rows import TokenTotals, Waiting
from actors.gate.rows import CalibrationRow, Keyed
from actors.intake.rows import JournalRow
from actors.links.rows import AssociationRow, EdgeRow, GraphTotals, NamedRow, Unlooked
from actors.memory.ports import Unreadable
from actors.memory.rows import Counts, Memory, Scope
from actors.plans.rows import ArchivalFigures, PlanRow
from actors.plans.writes import PlanState
from actors.policy.decay.accessibility import Cause
from actors.policy.dreams.connection_graph import Connection as Drawn
from actors.policy.graph.graph_channel import Link
from actors.policy.index.late_interaction import Asked
from actors.policy.intentions.intentions import Intention
from actors.recall.rows import Choosing, Counted, VectorHit, Weighed, WordHit
from actors.recall.triggers import PhraseRow
from actors.session.rows import HeldRow, SessionRow
from actors.strength.rows import Credit, Opinion, ReviewRow, Shown, Window
from daemon.storage import (
    archive,
    associations,
    calibration,
    claims,
    connections,
    consolidation,
    dreams,
    episodes,
    following,
    importance,
    intentions,
    link,
    phrases,
    plans,
    presence,
    purge,
    recall,
    strength,
)
from daemon.storage.connection import Connection
from daemon.storage.index import tokens
from daemon.storage.index.arrays import written
from daemon.storage.index.spelling import Spelt
from daemon.storage.index.vectors import Nearby
from daemon.storage.index.words import Worded
from daemon.storage.soundness import DAMAGE, Soundness
from daemon.storage.sql import Sql

T = TypeVar("T")

log = logging.getLogger(__name__)

SPELLINGS_AFTER = 30e-6  # seconds after a start, a memory: three at 100,000, nothing at 100
SPELLINGS_REST = 3.0  # times as long as it read
FOLLOWED = 0.5  # seconds after a write in which more of them may come
QUIET_WITHIN = 12.0  # seconds that it waits for their end: 70,000 rows of an import
WORTH_KEEPING = 1_000  # changes, or vectors, that a start would have to take up
SPARED = 50.0  # times as long as writing a snapshot took, until the next one


class ReadingSide:
    """``actors.memory.ports.Reader`` on whichever reading connection is less busy."""

    def __init__(
        self,
        connections: Sequence[Connection],
        soundness: Soundness,
        words: Literal["memory", "fts5"] = "memory",
        vectors: Literal["memory", "sqlite-vec"] = "memory",
    ) -> None:
        folder = soundness.home.indexes
        self._connections = connections
        self._soundness = soundness
        # Used on the first connection's thread only, and on the last one's only.
        self._nearby = Nearby(folder, enabled=vectors == "memory")
        self._worded = Worded(folder, enabled=words == "memory")
        self._kept_until = float("-inf")  # before this no snapshot is written again
        self._spelt = Spelt()  # on the last one's as well
        self._written = trio.Event()

    @property
    def damage(self) -> str | None:
        """What is wrong with the file and what to do, once it was found damaged."""
        return self._soundness.damage

    async def read(self, query: Callable[[Sql], T]) -> T:
        """Run one query of ``daemon.storage.recall`` under the caller's deadline."""
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
        return await self.read(lambda sql: recall.memories(sql, ids))

    async def living(self, after: int, limit: int) -> list[Memory]:
        """Living memories with an id over ``after``, in the order of ids."""
        return await self.read(lambda sql: recall.living(sql, after, limit))

    async def keyed(self, keys: Sequence[str]) -> list[Keyed]:
        """The living memories under one of these keys."""
        return await self.read(lambda sql: recall.keyed(sql, keys))

    async def phrases_after(self, after: int, limit: int) -> list[PhraseRow]:
        """What calls living memories with an id over ``after``, in the order of ids."""
        return await self.read(lambda sql: phrases.phrases_after(sql, after, limit))

    async def phrases_of(self, ids: Sequence[int]) -> list[PhraseRow]:
        """What calls those of these memories that live."""
        return await self.read(lambda sql: phrases.phrases_of(sql, ids))

    async def words(self, terms: Sequence[str], scope: Scope, limit: int) -> list[WordHit]:
        """The best memories with any of these words, best first."""
        return await self._by_words(lambda sql: self._worded.words(sql, terms, scope, limit))

    async def counted(
        self, telling: Sequence[str], terms: Sequence[str], scope: Scope, limit: int
    ) -> Counted:
        """How telling some words are, and what these terms find, in one look."""
        return await self._by_words(
            lambda sql: self._worded.counted(sql, telling, terms, scope, limit)
        )

    async def respelled(self, terms: Sequence[str]) -> dict[str, str]:
        """What those of these that stand in no memory mean, if they are misspelt."""
        return await self._by_words(lambda sql: self._spelt.respelled(sql, terms))

    async def literally(self, expression: str, scope: Scope, limit: int) -> list[int]:
        """Living memories that an FTS5 expression finds, best first."""
        return await self.read(lambda sql: recall.literally(sql, expression, scope, limit))

    async def nearest(self, vector: bytes, scope: Scope, limit: int) -> list[VectorHit]:
        """The nearest memories by cosine, best first."""
        return await self._near(lambda sql: self._nearby.nearest(sql, vector, scope, limit))

    async def cosines(self, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
        """The best cosine of each of these memories that has vectors."""
        if not ids:
            return {}
        return await self._near(lambda sql: self._nearby.cosines(sql, vector, ids))

    async def chosen(
        self,
        ids: Sequence[int],
        scope: Scope,
        vector: bytes | None,
        known: Collection[int],
        choose: Choosing,
    ) -> dict[int, Memory]:
        """Those of these memories that are chosen, once it is known who is seen, in one look."""

        def look(sql: Sql) -> dict[int, Memory]:
            weighed = self._weighed(sql, ids, scope, vector, known)
            return recall.memories(sql, sorted(choose(weighed)))

        return await self._near(look)

    def _weighed(
        self,
        sql: Sql,
        ids: Sequence[int],
        scope: Scope,
        vector: bytes | None,
        known: Collection[int],
    ) -> Weighed:
        seen, opinions = strength.seen(sql, ids, scope)
        missing = [] if vector is None else sorted(seen.difference(known))
        cosines = self._nearby.cosines(sql, vector or b"", missing) if missing else {}
        return Weighed(seen, opinions, cosines)

    async def warm(self) -> None:
        """Take up all vectors, words and spellings, in turns: searches before that are slower."""
        await self._index()
        await self._learn_spellings(1.0)

    async def _index(self) -> None:
        while await self._near(self._nearby.take_up):
            await trio.lowlevel.checkpoint()
        began = trio.current_time()
        while await self._by_words(self._worded.take_up):
            await trio.sleep(trio.current_time() - began)  # half of the time is for others
            began = trio.current_time()

    async def _learn_spellings(self, rest: float) -> None:
        """``rest``: times as long as it read, until it reads on."""
        began = trio.current_time()
        while await self._by_words(self._spelt.take_up):
            await trio.sleep(rest * (trio.current_time() - began))
            began = trio.current_time()

    async def follow(self) -> None:
        """Take up what there is, and then what is written, as long as this is not cancelled.

        What cannot be read is left: whoever asks for it says so.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow_spellings)
            while True:
                newer = self._written
                rest = float("inf")
                with suppress(Unreadable):
                    await self._index()
                    rest = await self.keep()
                with trio.move_on_after(rest):
                    await newer.wait()
                await self._quiet()

    async def _follow_spellings(self) -> None:
        """The same for spellings, for which all texts are read: the first answers come before."""
        with suppress(Unreadable):
            newest = await self.read(lambda sql: sql.number("SELECT max(id) FROM memory"))
            await trio.sleep(SPELLINGS_AFTER * newest)
        while True:
            newer = self._written
            with suppress(Unreadable):
                await self._learn_spellings(SPELLINGS_REST)
            await newer.wait()
            await self._quiet()

    async def _quiet(self) -> None:
        """Until nothing was written for a moment.

        An import goes on at once: what is taken up meanwhile is behind all the same, so that FTS5
        answers, and is in its way.
        """
        with trio.move_on_after(QUIET_WITHIN):
            still = False
            while not still:
                with trio.move_on_after(FOLLOWED) as moment:
                    await self._written.wait()
                still = moment.cancelled_caught

    async def keep(self, least: int = WORTH_KEEPING) -> float:
        """Write down what the indexes hold, once so much is new; seconds until it may be again.

        The next start goes on from there. It takes at most a fiftieth of the time.
        """
        due = [one for one in (self._worded, self._nearby) if one.unwritten >= least]
        began = trio.current_time()
        if not due or began < self._kept_until:
            return self._kept_until - began if due else float("inf")
        try:
            if self._worded in due:
                await self._keep_words()
            if self._nearby in due:
                await self._keep_vectors()
        except OSError as error:
            log.warning("index_not_kept error=%s", type(error).__name__)
        spent = trio.current_time() - began
        self._kept_until = began + SPARED * spent
        return float("inf")

    async def _keep_words(self) -> None:
        snapshot = await self._by_words(self._worded.snapshot)
        if snapshot is not None:
            await trio.to_thread.run_sync(written, snapshot.path, snapshot.about, snapshot.arrays)
            await self._by_words(lambda sql: self._worded.was_written(sql, snapshot))

    async def _keep_vectors(self) -> None:
        snapshot = await self._near(lambda _: self._nearby.snapshot())
        if snapshot is not None:
            await trio.to_thread.run_sync(snapshot.flush)
            await trio.to_thread.run_sync(written, snapshot.path, snapshot.about, snapshot.arrays)
            await self._near(lambda sql: self._nearby.was_written(sql, snapshot))

    def was_written(self) -> None:
        """There may be something to take up."""
        self._written.set()
        self._written = trio.Event()

    @property
    def taken_up(self) -> tuple[int, int]:
        """How many memories' words and how many vectors are in memory."""
        return len(self._worded), len(self._nearby)

    async def in_memory(self) -> dict[str, int]:
        """Memories whose words are in memory, and the bytes of words and of sign bits.

        ``mapped`` are those of the words that lie in a file, and so in the page cache;
        ``vectors_mapped`` is the file with a byte a number of each vector, which lies there too.
        """
        worded, nearby = self._worded, self._nearby
        memories, words, mapped = await self._by_words(
            lambda _: (len(worded), worded.nbytes, worded.mapped)
        )
        bits, octets = await self._near(lambda _: (nearby.nbytes, nearby.mapped))
        return {
            "memories": memories,
            "words": words,
            "mapped": mapped,
            "vectors": bits,
            "vectors_mapped": octets,
        }

    async def document_frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """How many memories there are, and in how many each index term stands."""
        return await self._by_words(lambda sql: self._worded.document_frequencies(sql, terms))

    async def around(self, ids: Sequence[int], reach: int) -> list[list[int]]:
        """Each of these with the living memories before and after it in its project's time."""
        return await self.read(lambda sql: recall.around(sql, ids, reach))

    async def same_content(self, content_hash: bytes, scope: Scope) -> list[int]:
        """Living memories with this content hash."""
        return await self.read(lambda sql: recall.same_content(sql, content_hash, scope))

    async def undone(self, after: int, limit: int) -> list[JournalRow]:
        """Journaled events whose derivation is not finished, oldest first."""
        return await self.read(lambda sql: recall.undone(sql, after, limit))

    async def unvectored(self, model: str, limit: int) -> list[Waiting]:
        """Living memories without vectors of this model, newest first."""
        return await self.read(lambda sql: recall.unvectored(sql, model, limit))

    async def unjudged(self, limit: int) -> list[Memory]:
        """Living memories that have vectors and that the gate has yet to judge, oldest first."""
        return await self.read(lambda sql: recall.unjudged(sql, limit))

    async def decided(self, seq: int) -> frozenset[tuple[str, int]]:
        """The rule and ordinal of each proposal of this event that was decided already."""
        return await self.read(lambda sql: recall.decided(sql, seq))

    async def cached_vectors(self, model: str, hashes: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Vectors made before, by the hash of the chunk's text."""
        return await self.read(lambda sql: recall.cached_vectors(sql, model, hashes))

    async def delivered(self, session: str, since: float) -> list[tuple[bytes, float]]:
        """The session's ledger: content hash and time."""
        return await self.read(lambda sql: recall.delivered(sql, session, since))

    async def session(self, session: str) -> SessionRow | None:
        """What is known of the session."""
        return await self.read(lambda sql: recall.session_row(sql, session))

    async def held(self, session: str) -> tuple[int, list[HeldRow]]:
        """The session's working memory: its event counter and its traces."""
        return await self.read(lambda sql: recall.held(sql, session))

    async def constitutional(self, scope: Scope, limit: int) -> list[Memory]:
        """Living constitutional memories, most important first."""
        return await self.read(lambda sql: recall.constitutional(sql, scope, limit))

    async def tags(self, ids: Sequence[int] | None) -> list[TagRow]:
        """The tags of these memories, or all there are; of living memories only."""
        return await self.read(lambda sql: episodes.tags(sql, ids))

    async def importance_events(self, begin: float, end: float) -> list[Raised]:
        """The important moments from ``begin`` to ``end``, oldest first."""
        return await self.read(lambda sql: episodes.importance_events(sql, begin, end))

    async def capture_totals(self) -> CaptureTotals:
        """How much of tagging and capture is stored."""
        return await self.read(episodes.capture_totals)

    async def intentions(self) -> list[Intention]:
        """All intentions, ended ones included, oldest first."""
        return await self.read(intentions.intentions)

    async def untold_captures(self, project: str | None, since: float) -> list[UntoldRow]:
        """Captures of a project since then that no session was told of, strongest first."""
        return await self.read(lambda sql: episodes.untold(sql, project, since))

    async def importance_marks(self) -> dict[str, int]:
        """How far memories, reviews and the journal were looked at for importance."""
        return await self.read(importance.marks)

    async def reviews_after(self, after: int, limit: int) -> list[ReviewRow]:
        """Reviews with an id over ``after``, oldest first."""
        return await self.read(lambda sql: importance.reviews_after(sql, after, limit))

    async def causes_of_reviews(self, memory_id: int, until: int) -> list[str]:
        """The causes of a memory's reviews up to this one, oldest first."""
        return await self.read(lambda sql: importance.causes_of_reviews(sql, memory_id, until))

    async def journal_of(self, session: str, before: int, limit: int) -> list[JournalRow]:
        """The last events of a session before ``before``, oldest first."""
        return await self.read(lambda sql: importance.journal_of(sql, session, before, limit))

    async def prompts_after(self, after: int, limit: int) -> list[JournalRow]:
        """Journaled prompts after this one, oldest first."""
        return await self.read(lambda sql: importance.prompts_after(sql, after, limit))

    async def event_behind(self, memory_id: int) -> JournalRow | None:
        """The journaled event that a memory was made of, while the journal has it."""
        return await self.read(lambda sql: importance.event_behind(sql, memory_id))

    async def newest_rated(self, project: str | None, until: int, limit: int) -> list[RatedRow]:
        """The newest living memories of a project up to this id, oldest first."""
        return await self.read(lambda sql: importance.newest_rated(sql, project, until, limit))

    async def anchors(self, after: int, limit: int) -> list[AnchorRow]:
        """Living memories whose importance fades, in the order of ids."""
        return await self.read(lambda sql: importance.anchors(sql, after, limit))

    async def earlier(
        self, names: Sequence[str], scope: Scope, before: float, days: float
    ) -> list[EarlierRow]:
        """Living memories of the days before that say one of these names, newest first."""
        return await self.read(lambda sql: importance.earlier(sql, names, scope, before, days))

    async def backfilled(self, failure: str) -> set[int]:
        """The memories that were strengthened for this failure already."""
        return await self.read(lambda sql: importance.backfilled(sql, failure))

    async def of_subject(self, subject: str, project: str | None) -> list[Memory]:
        """Living memories that name the current value of this, in exactly this project."""
        return await self.read(lambda sql: claims.of_subject(sql, subject, project))

    async def hypotheses(self, session: str, limit: int) -> list[Memory]:
        """Living hypotheses of a session that wait for an outcome, oldest first."""
        return await self.read(lambda sql: claims.hypotheses(sql, session, limit))

    async def superseded(self, at: float, scope: Scope) -> list[Memory]:
        """The newest memories in scope that were true then and were replaced since."""
        return await self.read(lambda sql: claims.superseded(sql, at, scope))

    async def refuted_before(self, content_hash: bytes, project: str | None) -> bool:
        """Whether this very text was refuted in this project."""
        return await self.read(lambda sql: claims.refuted_before(sql, content_hash, project))

    async def expired(self, at: float, limit: int) -> list[int]:
        """Living memories of tier temporary whose time is over, but for pinned ones."""
        return await self.read(lambda sql: claims.expired(sql, at, limit))

    # ---- tokens

    async def untokened(self, after: int, limit: int) -> list[int]:
        """Memories with an id below ``after`` that have a piece without tokens, newest first."""
        return await self.read(lambda sql: tokens.untokened(sql, after, limit))

    async def met(
        self, asked: Asked, rarity: dict[str, float], vector: bytes, ids: Sequence[int]
    ) -> dict[int, float]:
        """How well each of these that has tokens meets the query, 0..1; on this thread."""
        return await self._near(lambda sql: tokens.met(sql, asked, rarity, vector, ids))

    async def token_totals(self) -> TokenTotals:
        """How much is kept of tokens."""
        return await self.read(tokens.totals)

    # ---- consolidation

    async def uses_of_living(self, after: int, limit: int) -> list[UseRow]:
        """Living memories over this id with what relevance is computed of, in the order of ids."""
        return await self.read(lambda sql: consolidation.uses_of_living(sql, after, limit))

    async def projects_of_living(self, limit: int) -> list[str | None]:
        """Projects with living memories, those with the newest first; ``None``: the user's own."""
        return await self.read(lambda sql: consolidation.projects_of_living(sql, limit))

    async def newest_and_older(
        self, project: str | None, newest: int, older: int
    ) -> tuple[list[ObservationRow], list[ObservationRow]]:
        """The newest living memories of exactly this project, and some spread over the others."""
        return await self.read(
            lambda sql: consolidation.newest_and_older(sql, project, newest, older)
        )

    async def faded(
        self, before: float, threshold: float, after: int, limit: int
    ) -> list[FadedRow]:
        """Living memories made before then whose relevance is lower, in the order of ids."""
        return await self.read(
            lambda sql: consolidation.faded(sql, before, threshold, after, limit)
        )

    async def living_count(self) -> int:
        """How many memories live."""
        return await self.read(consolidation.living_count)

    # ---- the graph

    async def unlooked(
        self, ids: Sequence[int] | None, below: int, reach: int, limit: int
    ) -> list[Unlooked]:
        """Living memories whose vectors were not compared yet, the newest first."""
        return await self.read(lambda sql: associations.unlooked(sql, ids, below, reach, limit))

    async def own_vectors(self, memory_id: int, limit: int) -> list[bytes]:
        """The first vectors of a memory."""
        return await self.read(lambda sql: associations.own_vectors(sql, memory_id, limit))

    async def alike(self, memory_id: int) -> list[int]:
        """The memories that are stored as like this one."""
        return await self.read(lambda sql: associations.alike(sql, memory_id))

    async def associations(
        self, ids: Sequence[int], scope: Scope, each: int
    ) -> list[AssociationRow]:
        """The strongest associations of each of these with living memories in scope."""
        return await self.read(lambda sql: associations.associations(sql, ids, scope, each))

    async def edges_around(self, ids: Sequence[int], hops: int, limit: int) -> list[EdgeRow]:
        """The causal edges within so many hops of these, nearest first."""
        return await self.read(lambda sql: link.edges_around(sql, ids, hops, limit))

    async def links_of(self, ids: Sequence[int], each: int, likeness: bool) -> list[Link]:
        """The strongest links of each of these, of every kind."""
        return await self.read(lambda sql: following.links_of(sql, ids, each, likeness))

    async def edges_within(self, ids: Sequence[int], scope: Scope) -> list[EdgeRow]:
        """The causal edges of these whose other ends live in scope."""
        return await self.read(lambda sql: link.edges_within(sql, ids, scope))

    async def typed_degrees(
        self, weights: Mapping[str, float], ids: Sequence[int] | None
    ) -> dict[int, float]:
        """The weighted degree of each of these that has an edge; ``None``: the highest one."""
        return await self.read(lambda sql: link.typed_degrees(sql, weights, ids))

    async def declaring(self, after: int, limit: int) -> list[int]:
        """Living memories over this id whose text may declare links that were not read yet."""
        return await self.read(lambda sql: link.declaring(sql, after, limit))

    async def named(self, names: Sequence[str]) -> list[NamedRow]:
        """The memories with one of these keys or titles."""
        return await self.read(lambda sql: link.named(sql, names))

    async def linking(self, ids: Sequence[int]) -> list[int]:
        """Those of these whose text may declare links, and those that wait for one of these."""
        return await self.read(lambda sql: link.linking(sql, ids))

    async def graph_totals(self) -> GraphTotals:
        """How much of the graph is stored."""
        return await self.read(link.graph_totals)

    async def shown_in(self, session: str, since: float) -> list[Shown]:
        """The living memories that a session was shown since then, each with its first time."""
        return await self.read(lambda sql: strength.shown_in(sql, session, since))

    async def credits_in(self, session: str) -> list[Credit]:
        """What a session is known to have made use of."""
        return await self.read(lambda sql: strength.credits_in(sql, session))

    async def events_of(self, session: str, since: float, limit: int) -> list[JournalRow]:
        """The last journaled events of a session since then, oldest first."""
        return await self.read(lambda sql: recall.events_of(sql, session, since, limit))

    async def opinions(self, ids: Sequence[int]) -> dict[int, Opinion]:
        """What people said of these memories; those that nobody said anything of are left out."""
        return await self.read(lambda sql: strength.opinions(sql, ids))

    async def neighbours(self, memory_id: int) -> list[tuple[int, float, float]]:
        """The living memories linked with one: id, the strongest edge (0..1), their stability."""
        return await self.read(lambda sql: strength.neighbours(sql, memory_id))

    async def windows_to_settle(self, at: float) -> list[Window]:
        """Windows of reconsolidation that are over and in which something was edited."""
        return await self.read(lambda sql: strength.windows_to_settle(sql, at))

    async def model_in_use(self) -> str:
        """The embedding model that the vectors are of; empty when there are none."""
        return await self.read(calibration.model_in_use)

    async def calibrations(self) -> dict[str, CalibrationRow]:
        """What was measured of each embedding model."""
        return await self.read(calibration.calibrations)

    async def sampled_vectors(self, limit: int) -> list[bytes]:
        """The first vectors of at most so many memories, spread evenly over the store."""
        return await self.read(lambda sql: calibration.sampled_vectors(sql, limit))

    # ---- plans and archival (actors.plans.rows.PlanReader)

    async def plans(self, state: PlanState | None, limit: int) -> list[PlanRow]:
        """Plans of one state or of all, newest first."""
        return await self.read(lambda sql: plans.listed(sql, state, limit))

    async def plan(self, plan_id: int) -> PlanRow | None:
        """One plan with its steps."""
        return await self.read(lambda sql: plans.plan(sql, plan_id))

    async def plan_members(self, plan_ids: Sequence[int]) -> list[int]:
        """The memories that these plans are about, and those that they made."""
        return await self.read(lambda sql: plans.members(sql, plan_ids))

    async def bound_with(self, ids: Sequence[int]) -> list[int]:
        """What says the same; the summaries made of these, their other originals; insights."""

        def bound(sql: Sql) -> list[int]:
            named = purge.with_copies(sql, ids)
            copies = set(named).difference(ids)
            return [*sorted(copies), *plans.bound_with(sql, named), *dreams.made_of(sql, named)]

        return await self.read(bound)

    async def untold_plans(self) -> list[int]:
        """Plans that wait and that no session was told of."""
        return await self.read(plans.untold)

    async def left_alone(self, since: float) -> frozenset[int]:
        """What a person did not want archived since then."""
        return await self.read(lambda sql: archive.left_alone(sql, since))

    async def archivable(self, before: float, uses: int, confidence: float) -> list[int]:
        """Living memories made before then, used less and trusted less, longest unused first."""
        return await self.read(lambda sql: archive.archivable(sql, before, uses, confidence))

    async def older_than(self, before: float) -> int:
        """How many living memories were made before then."""
        return await self.read(lambda sql: archive.older_than(sql, before))

    async def archived_lately(self, since: float) -> int:
        """How many memories the archivist put away since then without asking."""
        return await self.read(lambda sql: archive.archived_lately(sql, since))

    async def archival_figures(self) -> ArchivalFigures:
        """What was scanned, archived and brought back since ever."""
        return await self.read(archive.figures)

    # ---- facts for the stages of recall (actors.recall.facts.FactReader; vectors and links stand elsewhere)

    async def accesses(self, ids: Sequence[int]) -> dict[int, list[tuple[float, Cause]]]:
        """When each of these was accessed or came up, seconds UTC."""
        return await self.read(lambda sql: presence.happened(sql, ids))

    # ---- dreams (actors.dreams.rows.DreamReader)

    async def dreamable(self, limit: int) -> list[DreamtMemory]:
        """The newest living memories that are no insights, in the order of ids."""
        return await self.read(lambda sql: dreams.dreamable(sql, limit))

    async def dreamt_memories(self, ids: Sequence[int]) -> list[DreamtMemory]:
        """Those of these that live, in the order of ids."""
        return await self.read(lambda sql: dreams.dreamt_memories(sql, ids))

    async def first_vectors(self, ids: Sequence[int]) -> list[tuple[int, bytes]]:
        """The first vector of each of these that has one."""
        return await self.read(lambda sql: dreams.first_vectors(sql, ids))

    async def causal_pairs(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """Causes and effects among these."""
        return await self.read(lambda sql: dreams.causal_pairs(sql, ids))

    async def connections_of(self, ids: Sequence[int], limit: int) -> list[Drawn]:
        """The connections of these memories, the strongest first."""
        return await self.read(lambda sql: connections.connections_of(sql, ids, limit))

    async def uses_of(self, ids: Sequence[int]) -> list[tuple[int, int, int]]:
        """Of those of these that were used: the id, how often they helped, how often not."""
        return await self.read(lambda sql: dreams.uses_of(sql, ids))

    async def unfinished_dream(self) -> DreamRow | None:
        """The dream that was cut off, if there is one."""
        return await self.read(dreams.unfinished)

    async def dreams(self, limit: int) -> list[DreamRow]:
        """The last dreams, the newest first."""
        return await self.read(lambda sql: dreams.dreams(sql, limit))

    async def insights(self, dream_id: int | None, limit: int) -> list[InsightRow]:
        """The insights of a dream, or the last ones of all, the newest first."""
        return await self.read(lambda sql: dreams.insights(sql, dream_id, limit))

    async def saved_since(self, at: float) -> int:
        """How many memories were made since then, insights left out."""
        return await self.read(lambda sql: dreams.saved_since(sql, at))

    async def counts(self) -> Counts:
        """The size of the store."""
        return await self.read(lambda sql: recall.counts(sql))

    async def due(self) -> dict[str, tuple[float, float | None]]:
        """When each background job is due and last ran."""
        return await self.read(lambda sql: recall.due(sql))
