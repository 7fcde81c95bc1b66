"""The store as actors see it: one side that writes, one that reads, and how either fails."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from actors.capture.writes import Raised, TurnTagged
from actors.intake.rows import EndedFailure, JournalRow
from actors.links.rows import GraphTotals, NamedRow, Unlooked
from actors.links.writes import Connected
from actors.memory.rows import Counts, Keyed, Memory, Scope
from actors.memory.unit import Unit
from actors.passages.rows import Passage
from actors.policy.graph.graph_channel import Link
from actors.policy.intentions.intentions import Intention
from actors.policy.recall.listing import Listing
from actors.policy.recall.task_names import Named
from actors.reader.rows import Mark
from actors.recall.rows import Choosing, Counted
from actors.session.rows import SessionRow
from actors.strength.rows import Opinion, Window
from actors.strength.writes import Credited


class Unwritable(Exception):
    """The store cannot be written: full disk, read-only, or broken. The text says which."""


class Conflicting(Exception):
    """Error: what was to be written no longer fits the store; look again and decide anew."""


class Unreadable(Exception):
    """The store cannot be read."""


class Store(Protocol):
    """The writing side."""

    async def commit(self, units: Sequence[Unit]) -> list[list[int] | Exception]:
        """Carry out each unit whole or not at all, all in one durable transaction.

        One outcome a unit: the numbers its writes produced, or why it failed. Raises
        ``Unwritable`` when nothing can be written.
        """
        ...

    async def checkpoint(self, *, truncate: bool) -> None:
        """Move the write-ahead log into the database, off the commit path."""
        ...

    async def scrub(self, *, backups: bool = True) -> None:
        """Leave no byte of erased text in any file of the database, nor in its copies."""
        ...

    async def mark(self) -> None:
        """Write down what there is, beside the database."""
        ...

    async def probe(self) -> None:
        """Write a page as it is. Raises ``Unwritable`` where nothing can be written."""
        ...


class Reader(Protocol):
    """The reading side; every call keeps the caller's deadline."""

    async def memories(self, ids: Sequence[int]) -> dict[int, Memory]: ...

    async def living(self, after: int, limit: int) -> list[Memory]:
        """Living memories with an id over ``after``, in the order of ids."""
        ...

    async def keyed(self, keys: Sequence[str]) -> list[Keyed]:
        """The living memories under one of these keys."""
        ...

    async def under_key(self, project: str | None, beginning: str, limit: int) -> list[Memory]:
        """The memories, ended or not, under keys that begin so; the newest ones."""
        ...

    async def documents_of(self, project: str) -> list[str]:
        """The documents of which memories live, by their places in the project."""
        ...

    async def counted(
        self, telling: Sequence[str], terms: Sequence[str], scope: Scope, limit: int
    ) -> Counted:
        """``document_frequencies`` of the telling words and ``words`` in one look."""
        ...

    async def chosen(
        self,
        ids: Sequence[int],
        scope: Scope,
        vector: bytes | None,
        known: Collection[int],
        choose: Choosing,
    ) -> dict[int, Memory]:
        """Those of these memories that are chosen, once it is known who is seen, in one look.

        ``known``: those whose cosines are; without a vector there are none.
        """
        ...

    async def words(self, terms: Sequence[str], scope: Scope, limit: int) -> dict[int, float]:
        """The best full-text matches and their bm25, best first; more is better."""
        ...

    async def literally(self, expression: str, scope: Scope, limit: int) -> list[int]:
        """Living memories that an FTS5 expression finds, best first."""
        ...

    async def nearest(self, vector: bytes, scope: Scope, limit: int) -> dict[int, float]:
        """The nearest memories and their cosines, the best of their chunks; best first."""
        ...

    async def cosines(self, vector: bytes, ids: Sequence[int]) -> dict[int, float]:
        """The best cosine of each of these memories that has vectors."""
        ...

    async def document_frequencies(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Count the memories, and those in which each index term stands."""
        ...

    async def around(self, ids: Sequence[int], reach: int) -> list[list[int]]:
        """Each of these with the living memories before and after it in its project's time."""
        ...

    async def same_content(self, content_hash: bytes, scope: Scope) -> list[int]:
        """Living memories with this content hash."""
        ...

    async def undone(self, after: int, limit: int) -> list[JournalRow]:
        """Journaled events whose derivation is not finished, oldest first."""
        ...

    async def unvectored(self, model: str, limit: int) -> list[int]:
        """Living memories without vectors of this model, newest first."""
        ...

    async def unjudged(self, limit: int) -> list[Memory]:
        """Living memories that have vectors and that the gate has yet to judge, oldest first."""
        ...

    async def decided(self, seq: int) -> frozenset[tuple[str, int]]:
        """The rule and ordinal of each proposal of this event that was decided already."""
        ...

    async def cached_vectors(self, model: str, hashes: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Vectors made before, by the hash of the chunk's text."""
        ...

    async def delivered(self, session: str, since: float) -> list[tuple[bytes, float, float]]:
        """The session's ledger: content hash, time, and attention at that time."""
        ...

    async def prompts_of(self, session: str, since: float, limit: int) -> list[float]:
        """Times of the last prompts of a session since then, oldest first, while the journal has them."""
        ...

    async def saying(self, contents: Sequence[bytes]) -> dict[bytes, int]:
        """The newest living memory that says each of these contents, where one does."""
        ...

    async def made_and_used_in(self, session: str, since: float) -> list[tuple[int, float]]:
        """Statements, notes and uses of a session since then, each with its time."""
        ...

    async def session(self, session: str) -> SessionRow | None: ...

    async def session_before(
        self, session: str, project: str | None, since: float, quiet: float
    ) -> SessionRow | None:
        """The project's other session that stopped last, if it was seen after ``since``.

        One that has not ended has stopped when it was not seen after ``quiet``.
        """
        ...

    async def last_task(self, session: str, project: str | None) -> str:
        """The task of the project's other session that was seen last; "" where none had any."""
        ...

    async def is_scripted(self, session: str, project: str | None, task: str) -> bool:
        """Tell whether so many sessions of the project had a task that begins as this one does, it included."""
        ...

    async def last_start(self, session: str, before: float) -> float | None:
        """Tell when the session started, or went on, the last time before then; None: it was never heard of."""
        ...

    async def answered_between(
        self, project: str | None, without: str, begin: float, end: float
    ) -> str | None:
        """The one other session of the project that ended a turn then; None where there are several."""
        ...

    async def instructions_of(self, session: str, since: float) -> list[JournalRow]:
        """Instructions that a session loaded since then, oldest first, while the journal has them."""
        ...

    async def stopped_at(self, session: str) -> str:
        """Tell where the reader says that a session stopped; "" unless it was read since the last prompt."""
        ...

    async def last_answer(self, session: str) -> JournalRow | None:
        """The end of the session's last turn, while the journal has it."""
        ...

    async def calls_in(self, session: str, tools: Sequence[str], limit: int) -> list[JournalRow]:
        """The last rows of a session's tool calls that have one of these names in them, oldest first."""
        ...

    async def constitutional(self, scope: Scope, limit: int) -> list[Memory]:
        """Living constitutional memories, most important first."""
        ...

    async def standing(self, scope: Scope, limit: int) -> list[Memory]:
        """Living wishes and conventions of a person, the newest of the most important first."""
        ...

    async def of_sources(self, scope: Scope, sources: Collection[str], limit: int) -> list[Memory]:
        """Living memories of these sources that are not constitutional, the newest first."""
        ...

    async def marks(self, project: str | None, limit: int) -> dict[int, Mark]:
        """Living notes of a project that the reader wrote, by their memories; the newest ones."""
        ...

    async def cue_vectors(self, project: str | None, limit: int) -> list[tuple[int, bytes | None]]:
        """Living notes of a project that a person said or that were of use, the newest first.

        Each once for every prompt that is a cue of it, with its vector by the model in use; None: it has none.
        """
        ...

    async def cued_by_files(self, project: str, paths: Sequence[str]) -> list[int]:
        """Living notes of a project of which one of these files is a cue."""
        ...

    async def ended_since(
        self, session: str, scope: Scope, since: float, limit: int
    ) -> list[Memory]:
        """Memories from before then that were replaced, refuted or over since, the last ones first.

        Those that a page has, and those that the session was told; none that a person forgot.
        """
        ...

    async def cued_by(
        self, project: str, files: Sequence[str], symbols: Sequence[str], limit: int
    ) -> list[Named]:
        """Living notes of a project about these files and symbols, the most important first."""
        ...

    async def stated_in(self, session: str, project: str | None, limit: int) -> list[Memory]:
        """Living memories of what a person stated or an agent noted there, ordered as ``standing``."""
        ...

    async def demands(self, scope: Scope, limit: int) -> list[Memory]:
        """Living insights of what a person asks for in several sessions and did not reject, the surest first."""
        ...

    async def about_files(self, project: str, paths: Sequence[str], limit: int) -> list[Memory]:
        """Living confirmed memories about these files that still hold, the newest first."""
        ...

    async def handoff(self, project: str | None, since: float) -> list[Passage]:
        """Passages of the handoff that was written last, if that was since then, in their order."""
        ...

    async def turn_tags(
        self, project: str | None, session: str | None, since: float, limit: int
    ) -> list[TurnTagged]:
        """The tags of a project's turns since then, the newest first; without one, of the session."""
        ...

    async def moments(
        self, project: str | None, session: str, begin: float, end: float, limit: int
    ) -> list[Raised]:
        """The moments of a project between two times, the newest first; without one, of the session."""
        ...

    async def intentions(self) -> list[Intention]:
        """All intentions, ended ones included, oldest first."""
        ...

    async def of_subject(self, subject: str, project: str | None) -> list[Memory]:
        """Living memories that name the current value of this, in exactly this project."""
        ...

    async def superseded(self, at: float, scope: Scope) -> list[Memory]:
        """The newest memories in scope that were true then and were replaced since."""
        ...

    async def refuted_before(self, content_hash: bytes, project: str | None) -> bool:
        """Return whether this very text was refuted in this project."""
        ...

    async def expired(self, at: float, limit: int) -> list[int]:
        """Living memories of tier temporary whose time is over, but for pinned ones."""
        ...

    # ---- the graph

    async def unlooked(
        self, ids: Sequence[int] | None, below: int, reach: int, limit: int
    ) -> list[Unlooked]:
        """Living memories whose vectors were not compared yet, or with fewer others.

        Of these ids, or with a chunk id under ``below``, the newest first.
        """
        ...

    async def own_vectors(self, memory_id: int, limit: int) -> list[bytes]:
        """The first vectors of a memory."""
        ...

    async def alike(self, memory_id: int) -> list[int]:
        """The memories that are stored as like this one."""
        ...

    async def associations(self, ids: Sequence[int], scope: Scope, each: int) -> list[Link]:
        """The strongest associations of each of these, which is the one, with living memories."""
        ...

    async def edges_around(self, ids: Sequence[int], hops: int, limit: int) -> list[Connected]:
        """The causal edges within so many hops of these, nearest first."""
        ...

    async def links_of(self, ids: Sequence[int], each: int, likeness: bool) -> list[Link]:
        """The strongest links of each of these, of every kind."""
        ...

    async def first_vectors(self, ids: Sequence[int]) -> list[tuple[int, bytes]]:
        """The first vector of each of these that has one."""
        ...

    async def untold_plans(self) -> list[int]:
        """Plans that wait and that no session was told of."""
        ...

    async def respelled(self, terms: Sequence[str]) -> dict[str, str]:
        """Known terms meant by those of these that stand in no memory, if they are misspelt."""
        ...

    async def edges_within(self, ids: Sequence[int], scope: Scope) -> list[Connected]:
        """The causal edges of these whose other ends live in scope."""
        ...

    async def declaring(self, after: int, limit: int) -> list[int]:
        """Living memories over this id whose text may declare links that were not read yet."""
        ...

    async def named(self, names: Sequence[str]) -> list[NamedRow]:
        """The memories with one of these keys or titles."""
        ...

    async def linking(self, ids: Sequence[int]) -> list[int]:
        """Those of these whose text may declare links, and those that wait for one of these.

        What is rewritten may have declared some until now.
        """
        ...

    async def graph_totals(self) -> GraphTotals: ...

    async def shown_in(self, session: str, since: float) -> dict[int, float]:
        """The living memories that a session was shown since then, each with its first time."""
        ...

    async def credits_in(self, session: str) -> list[Credited]:
        """Memories that a session is known to have made use of."""
        ...

    async def events_of(
        self, session: str, since: float, before: int | None, limit: int
    ) -> list[JournalRow]:
        """The last events of a session since then, those before this one; oldest first."""
        ...

    async def ended_failure(self, project: str, signature: str) -> EndedFailure | None:
        """What ended a failure of this signature the last time."""
        ...

    async def opinions(self, ids: Sequence[int], project: str | None = None) -> dict[int, Opinion]:
        """Opinions about these memories, as they hold in a project; those without any are left out."""
        ...

    async def listings(self, ids: Sequence[int]) -> dict[int, Listing]:
        """Starts at which each of these was a line of the page; none for those that never were."""
        ...

    async def unopened_lines(self, project: str | None, since: float, most: int) -> int:
        """Lines of a project's pages since then and since a note of it was opened; at most so many."""
        ...

    async def neighbours(self, memory_id: int) -> list[tuple[int, float]]:
        """The living memories linked with one: id, the strongest edge (0..1), their stability."""
        ...

    async def windows_to_settle(self, at: float) -> list[Window]:
        """Windows of reconsolidation that are over and in which something was edited."""
        ...

    async def model_in_use(self) -> str:
        """The embedding model that the vectors are of; empty when there are none."""
        ...

    async def sampled_vectors(self, limit: int) -> list[bytes]:
        """The first vectors of at most so many memories, spread evenly over the store."""
        ...

    async def counts(self) -> Counts: ...

    async def due(self) -> dict[str, tuple[float, float | None]]:
        """Times when each background job is due and last ran."""
        ...
