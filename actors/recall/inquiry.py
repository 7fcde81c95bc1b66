"""An inquiry: a question under way, how it is looked for, what came of it, and the last answers.

A channel that fails costs its own findings alone, and says how (``AWAY``, ``failure_of``).
"""

import copy
import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Latest
from actors.core.failures import Unreadable
from actors.core.mailbox import Crashed, MailboxClosed, SwitchedOff
from actors.memory.rows import Embedded, EmbeddingOff, EmbeddingUnavailable, Memory, Scope
from actors.memory.use import Opinion
from actors.passages.shapes import RankedPassage
from actors.policy.recall import ranking
from actors.policy.recall.answers import (
    ANSWERING,
    Degradation,
    Failure,
    FailureMode,
    Report,
    degradation,
)
from actors.policy.recall.candidates import Candidate, QueryFacts
from actors.policy.text.chunking import QUERY
from actors.policy.text.concrete import Concept
from actors.recall.shapes import Revision

READING = frozenset({"words", "vectors", "literal"})  # channels that read the store
# What the indexes answer to a query, whoever asks and whenever.
OF_INDEXES = (
    "terms", "frequencies", "total", "respelled", "with_vector", "words", "cosines", "cues",
    "literal", "embedded", "said",
)  # fmt: skip


class IndexAnswer(NamedTuple):
    """Answer of the indexes: what they found, by its name in the inquiry, and how each did."""

    facts: dict[str, Any]
    reports: dict[str, Report]


class Inquiry(QueryFacts):
    """A question, how it is looked for, the memories themselves and how each channel did."""

    scope: Scope = field(default_factory=Scope)
    settings: ranking.Settings = field(default_factory=ranking.Settings)  # of this question
    wanted: int = 0  # memories from each channel
    read: int = 0  # the best of them, which are read for their words
    whole: bool = True  # all are fetched, and not only those that are read
    tokens: int = QUERY  # of the condensed query for its vector
    by_likeness: bool = True  # the indexes are asked too, and not only phrases
    listener: str = ""  # the session that asks, which attends to some memories
    folders: tuple[str, ...] | None = None  # where paths of the query begin, for names in it
    concepts: tuple[Concept, ...] = ()  # given one by one
    embedding_wait: float = math.inf  # seconds for the query's vector
    bound: float = math.inf  # seconds that any one channel may take, the vector excused
    neighbour_wait: float = (
        math.inf
    )  # seconds for who answers from memory, and for what comes after
    # ---- what came of it
    memories: dict[int, Memory] = field(default_factory=dict[int, Memory])
    embedded: Embedded | None = None  # the query's vector, with its tokens
    # the order by the channels alone
    first: list[Candidate[int]] = field(default_factory=list[Candidate[int]])
    reports: dict[str, Report] = field(default_factory=dict[str, Report])
    opinions: dict[int, Opinion] = field(default_factory=dict[int, Opinion])
    connected: int | None = None  # memories linked with what the query matches
    unread: int = 0  # channels whose part of the store could not be read
    timings: dict[str, float] = field(default_factory=dict[str, float])
    said: list[str] = field(default_factory=list[str])  # how the query was understood
    passages: tuple[RankedPassage, ...] = ()  # best first

    def does(self, way: str) -> bool:
        """Return whether a way is on for this question."""
        return way in self.settings.on

    def sees(self, memory: Memory | None) -> bool:
        """Return whether the memory lives and may be seen from there."""
        if memory is None or memory.ended is not None:
            return False
        return self.scope.everywhere or memory.project in (None, self.scope.project)

    def best(self) -> list[int]:
        """The first by the channels alone, as many as are read for their words."""
        return [one.memory for one in self.first[: self.read]]

    @property
    def vector(self) -> bytes | None:
        """The query's vector."""
        return self.embedded.vector if self.embedded is not None else None

    @property
    def mode(self) -> str:
        """Mode of the search."""
        if not self.by_likeness:
            return "phrases"
        return "both" if self.with_vector else "words"

    @property
    def degraded(self) -> Degradation | None:
        """Account of the missing channels."""
        failures = [one.failure for one in self.reports.values() if one.failure is not None]
        if not failures:
            return None
        answered = [name for name in ANSWERING if name in self.reports]
        return degradation(failures, answered)

    @contextmanager
    def timed(self, stage: str) -> Generator[None]:
        """Note the time of the block inside."""
        began = trio.current_time()
        try:
            yield
        finally:
            self.timings[stage] = 1000 * (trio.current_time() - began)

    def index_answer(self) -> IndexAnswer:
        """What the indexes answered, for whoever asks the same again."""
        facts = {name: copy.copy(getattr(self, name)) for name in OF_INDEXES}
        kept = (one for one in self.reports.values() if one.channel in READING)
        return IndexAnswer(facts, {one.channel: replace(one, ms=0.0) for one in kept})

    def take_over(self, last: IndexAnswer) -> None:
        """Take up a copy of an answer of the indexes."""
        for name, value in last.facts.items():
            setattr(self, name, copy.copy(value))
        self.reports |= last.reports

    def failed(self, channel: str, error: Exception, began: float) -> None:
        """Note a channel's failure and its reason."""
        spent = 1000 * (trio.current_time() - began)
        self.reports[channel] = Report(channel, spent, 0, failure_of(channel, error))


class VectorLate(Exception):
    """The query's vector was not ready in time."""


# What costs one channel and leaves the answer to the others.
AWAY = (
    Unreadable, trio.TooSlowError, EmbeddingUnavailable, VectorLate, Crashed, SwitchedOff,
    MailboxClosed,
)  # fmt: skip


def failure_of(channel: str, error: Exception) -> Failure:
    """Mode of a channel's failure, by its last error."""
    match error:
        case VectorLate():
            return Failure(channel, FailureMode.LATE, "the query's vector was not ready in time")
        case trio.TooSlowError():
            return Failure(channel, FailureMode.LATE, "there was no answer in time")
        case EmbeddingUnavailable():
            lasting = isinstance(error, EmbeddingOff)
            return Failure(channel, FailureMode.UNAVAILABLE, str(error), lasting)
        case Unreadable():
            return Failure(channel, FailureMode.UNREADABLE, str(error))
        case _:
            crashed = isinstance(error, Crashed)
            return Failure(channel, FailureMode.CRASHED if crashed else FailureMode.OFF)


def unsearched(error: Exception) -> Degradation | None:
    """Briefing when neither words nor vectors could be searched."""
    return degradation([failure_of(name, error) for name in ("words", "vectors")], ())


# ---- last answers of the indexes on disk, by question, for as long as nothing has changed
#
# A repeated question takes up the indexes' last answer, or, where they have to answer anew, its last
# vector. Everything dependent on the time, a session or a memory's row is read anew each time, so an
# answer from here equals a fresh one. All of it is in memory, bounded, and goes when anything is erased:
# a question may quote an erased text.


# Answers, each the numbers of some hundred memories; and vectors, 1.5 KiB a token of a question:
# twice as many could hold 12 MB of long ones.
KEPT = 64


class Key(NamedTuple):
    """Everything the indexes' answer to a question depends on, beside their revision."""

    query: str
    scope: Scope
    wanted: int  # memories from each channel
    tokens: int  # of the condensed question for its vector
    on: frozenset[str]  # the ways that are on
    by_cues: bool = False  # notes of the reader are looked for by their cues


class LastAnswers(Struct):
    """Answers and vectors of the last questions; ``revision`` tells whether they still hold."""

    revision: Callable[[], Revision]
    tally: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("hits", "misses", "evictions", "invalidations"), 0)
    )
    _at: Revision = field(default_factory=Revision)  # of what is kept
    _answers: Latest[Key, IndexAnswer] = field(default_factory=lambda: Latest(KEPT))
    _vectors: Latest[str, Embedded] = field(default_factory=lambda: Latest(KEPT))

    def statistics(self) -> dict[str, Any]:
        """Counts of answers kept, given again and let go, by reason."""
        return {"kept": len(self._answers), **self.tally}

    def answer(self, key: Key) -> IndexAnswer | None:
        """The answer to this question, if nothing has changed since."""
        self.current()
        kept = key in self._answers
        self.tally["hits" if kept else "misses"] += 1
        return self._answers[key] if kept else None

    def keep(self, key: Key, answer: IndexAnswer, began: Revision) -> None:
        """Keep an answer; not if something changed since ``began``, while it was made."""
        if self.current() == began:
            self.tally["evictions"] += key not in self._answers and len(self._answers) == KEPT
            self._answers[key] = answer

    def vector(self, text: str) -> Embedded | None:
        """The vector of a condensed question."""
        self.current()
        if text not in self._vectors:
            return None
        return self._vectors[text]

    def keep_vector(self, text: str, vector: Embedded, began: Revision) -> None:
        """Keep a vector, unless it is of another model or something was erased since ``began``."""
        now = self.current()
        if (began.models, began.erasures) == (now.models, now.erasures):
            self._vectors[text] = vector

    def current(self) -> Revision:
        """The revision now; outdated answers are let go of, vectors with their model."""
        now, before = self.revision(), self._at
        if now != before:
            self.tally["invalidations"] += len(self._answers)
            self._answers.clear()
        if (now.models, now.erasures) != (before.models, before.erasures):
            self._vectors.clear()
        self._at = now
        return now
