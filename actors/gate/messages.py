"""Messages to the gate, its verdicts, and its writes beside the memories."""

from collections.abc import Callable

from msgspec import Struct

from actors.core.mailbox import Question
from actors.memory.rows import VectorsArrived
from actors.memory.writes import Created, Draft, Origin
from actors.policy.documents.items import Item
from actors.policy.gate.correcting_sentence import CorrectingSentence
from actors.policy.statements.statement_rules import Candidate
from actors.reader.messages import NoteRead, NoteWrite, ReadingWrite

# ---- writes of the gate beside the memories


class Judged(Struct, frozen=True):
    """The gate no longer waits for this memory's vectors."""

    memory_id: int


class Audited(Struct, frozen=True):
    """A decision of the gate. ``memory_id`` 0 means the one just created."""

    action: str
    memory_id: int
    existing_id: int | None
    similarity: float | None
    reason: str
    contradiction: str | None
    content_hash: bytes
    project: str | None
    at: float
    origin: Origin | None = None  # of a proposal: each is decided once


class Rekeyed(Struct, frozen=True):
    """A memory's source lies elsewhere now. Outcome: 1, or 0 when there is no such memory."""

    memory_id: int
    key: str


GateWrite = Judged | Audited | Rekeyed


# ---- messages to the gate: candidates and drafts; verdicts


class DocumentTold(Struct, frozen=True):
    """A version of a document, as its items worth keeping."""

    place: str  # in its project
    items: tuple[Item, ...]
    candidates: tuple[Candidate, ...]  # one an item
    is_whole: bool  # items missing from it were removed


class Proposed(Struct, frozen=True):
    """All candidates of an event; the journal row is done with them."""

    seq: int
    at: float
    session: str
    project: str | None
    candidates: tuple[Candidate, ...]
    said: tuple[CorrectingSentence, ...] = ()  # of a prompt: they may correct something known
    documents: tuple[DocumentTold, ...] = ()
    past: bool = False  # learnt long after: nothing is stronger by it, or said later and changed


class Decide(Question[None], frozen=True):
    """Decide these proposals now: a person waits."""

    proposed: Proposed


class Verdict(Struct, frozen=True):
    """Decision of the gate, and the memory now in place of the text."""

    memory_id: int
    action: str
    reason: str
    similarity: float | None
    contradiction: str | None = None


class NoSuchMemory(Exception):
    """The id names no memory: the client's fault."""


class Keep(Question[list[Verdict]], frozen=True):
    """Keep these texts, each judged after the ones before it."""

    drafts: tuple[Draft, ...]


class KeepAll(Question[list[Verdict]], frozen=True):
    """Create all of these but copies under the same key, without a look at similar memories."""

    made: tuple[Created, ...]


class ReadNote(Struct, frozen=True):
    """A note of the reader: its draft, its proof, and its relation to a memory shown to the reader."""

    draft: Draft
    proof: NoteRead
    relation: str = "none"  # none, same, refines, contradicts
    target: int | None = None


class KeepRead(Question[list[Verdict]], frozen=True):
    """Keep a reader's notes, in one unit with the end of its reading: all or nothing.

    ``ending`` gets the number of new memories. One verdict a note.
    """

    notes: tuple[ReadNote, ...]
    ending: Callable[[int], tuple[NoteWrite | ReadingWrite, ...]]


class WhatWouldYouDo(Question[list[Verdict]], frozen=True):
    """Question how these pairs (existing, incoming) would be decided. Nothing is stored."""

    pairs: tuple[tuple[str, str], ...]


GateMessage = Proposed | Decide | Keep | KeepAll | KeepRead | WhatWouldYouDo | VectorsArrived
