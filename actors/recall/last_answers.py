"""Last answers of the indexes on disk, by question, for as long as nothing has changed.

A repeated question takes up the indexes' last answer, or, where they have to answer anew, its last
vector. Everything dependent on the time, a session or a memory's row is read anew each time, so an
answer from here equals a fresh one. All of it is in memory, bounded, and goes when anything is erased:
a question may quote an erased text.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from actors.core.equipment import Latest
from actors.memory.rows import Embedded, Scope
from actors.policy.recall.query_facts import QueryFacts
from actors.recall.rows import Revision

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


@dataclass(frozen=True, slots=True)
class IndexAnswer:
    """Answer of the indexes; ``known`` is never handed out itself, whoever ranks writes into a copy."""

    known: QueryFacts
    embedded: Embedded | None
    counts: dict[str, int]  # memories that each channel found
    said: tuple[str, ...]  # how the question was understood


@dataclass(slots=True)
class LastAnswers:
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
