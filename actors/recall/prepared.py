"""Answers made ready for questions that are expected, as long as they are still true.

Two bounded stores in memory: vectors of questions, which hold as long as the model does, and
what the indexes on disk answered, which holds until one of them changes. Nothing of it is
written down. What is handed out is what looking anew would find: everything that depends on the
time, on a session or on a memory's row is read when the question comes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from actors.core.latest import Latest
from actors.embedding.rows import Embedded
from actors.memory.rows import Scope
from actors.policy.recall.known import Known, taken_over
from actors.policy.text.chunking import QUERY

ANSWERS = 128  # answers kept, each about 40 memories' numbers: under 2 MiB in all
VECTORS = 512  # vectors kept, 1.5 KiB each, and as much for each token of the question


class Key(NamedTuple):
    """Key that the indexes are asked by for a question."""

    query: str
    scope: Scope
    wanted: int  # memories from each channel
    tokens: int = QUERY  # that the question is condensed to before it is embedded


@dataclass(frozen=True, slots=True)
class Revision:
    """Numbers of changes, since the store was opened, to what recall looks through."""

    indexes: int = 0
    models: int = 0
    erasures: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of the indexes at a revision, and the milliseconds it took them."""

    revision: Revision
    found: Known  # never handed out itself: whoever ranks writes into a copy
    counts: dict[str, int]  # memories that each channel found
    said: tuple[str, ...]  # how the question was understood
    milliseconds: float
    embedded: str  # the text whose vector was searched by


def copied(known: Known) -> Known:
    """The same, for somebody else to write into."""
    found = Known()
    taken_over(found, known)
    return found


@dataclass(slots=True)
class Prepared:
    """Answers and vectors that are ready; ``revision`` tells whether they still hold."""

    revision: Callable[[], Revision]
    made: int = 0
    served: int = 0
    stale: int = 0
    missing: int = 0  # questions for which nothing was ready
    evicted: int = 0  # answers that made room for others
    spared: int = 0  # embeddings that nobody had to wait for
    saved: float = 0.0  # milliseconds that making what was served took
    _answers: Latest[Key, Answer] = field(default_factory=lambda: Latest(ANSWERS))
    _vectors: Latest[str, tuple[int, Embedded]] = field(default_factory=lambda: Latest(VECTORS))

    def statistics(self) -> dict[str, Any]:
        """Counts of answers made ready, given, and dropped because something had changed."""
        return {
            "ready": len(self._answers),
            "made": self.made,
            "served": self.served,
            "stale": self.stale,
            "missing": self.missing,
            "evicted": self.evicted,
            "embeddings_spared": self.spared,
            "saved_ms": round(self.saved, 1),
        }

    def answer(self, key: Key) -> tuple[Answer, Embedded] | None:
        """Answer made ready for this question, with its vector, if nothing has changed since."""
        answer = self._answers.get(key)
        if answer is None:
            self.missing += 1
            return None
        vector = self._vector(answer.embedded)
        if answer.revision != self.revision() or vector is None:
            del self._answers[key]
            self.stale += 1
            return None
        self._answers.move_to_end(key)
        self.served += 1
        self.spared += 1
        self.saved += answer.milliseconds
        return answer, vector

    def vector(self, text: str, *, awaited: bool) -> Embedded | None:
        """The vector of a condensed question, when it is known for the model in use."""
        found = self._vector(text)
        self.spared += awaited and found is not None
        return found

    def holds(self, key: Key) -> bool:
        """Return whether an answer to this question is ready and true."""
        answer = self._answers.get(key)
        return (
            answer is not None
            and answer.revision == self.revision()
            and self._vector(answer.embedded) is not None
        )

    def keep(self, key: Key, answer: Answer, vector: Embedded) -> bool:
        """Keep an answer and its vector; not if something changed while it was made."""
        now = self.revision()
        if now != answer.revision:
            return False
        self.evicted += key not in self._answers and len(self._answers) == ANSWERS
        self._answers[key] = answer
        self._vectors[answer.embedded] = (now.models, vector)
        self.made += 1
        return True

    def keep_vector(self, text: str, revision: Revision, vector: Embedded) -> None:
        """Keep the vector of a condensed question that was asked for at a revision."""
        self._vectors[text] = (revision.models, vector)

    def forget(self) -> None:
        """Let go of every question and answer: something was erased, and they may quote it."""
        self._answers.clear()
        self._vectors.clear()

    def _vector(self, query: str) -> Embedded | None:
        models, vector = self._vectors.get(query, (-1, None))
        if vector is None or models != self.revision().models:
            self._vectors.pop(query, None)
            return None
        self._vectors.move_to_end(query)
        return vector
