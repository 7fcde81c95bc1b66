"""An inquiry: a question under way, how it is looked for, and what came of it.

A channel that fails costs its own findings alone, and says how (``AWAY``, ``failure_of``).
"""

import math

import trio
from msgspec import field

from actors.core.failures import Unreadable
from actors.core.mailbox import Crashed, MailboxClosed, SwitchedOff
from actors.memory.rows import Embedded, EmbeddingOff, EmbeddingUnavailable, Memory, Scope
from actors.memory.use import Opinion
from actors.passages.shapes import RankedPassage
from actors.policy.recall import ranking
from actors.policy.recall.answers import (
    Degradation,
    Failure,
    FailureMode,
    degradation,
)
from actors.policy.recall.candidates import Candidate, QueryFacts
from actors.policy.text.chunking import QUERY

READING = frozenset({"words", "vectors", "literal"})  # channels that read the store


class Inquiry(QueryFacts):
    """A question, how it is looked for, the memories themselves and how each channel did."""

    scope: Scope = field(default_factory=Scope)
    settings: ranking.Settings = field(default_factory=ranking.Settings)  # of this question
    wanted: int = 0  # memories from each channel
    read: int = 0  # the best of them, which are read for their words
    whole: bool = True  # all are fetched, and not only those that are read
    tokens: int = QUERY  # of the condensed query for its vector
    by_likeness: bool = True  # the indexes are asked too, and not only phrases
    folders: tuple[str, ...] | None = None  # where paths of the query begin, for names in it
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
    failures: dict[str, Failure] = field(default_factory=dict[str, Failure])  # by channel
    opinions: dict[int, Opinion] = field(default_factory=dict[int, Opinion])
    unread: int = 0  # channels whose part of the store could not be read
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
        return degradation(self.failures.values())

    def failed(self, channel: str, error: Exception) -> None:
        """Note a channel's failure and its reason."""
        self.failures[channel] = failure_of(channel, error)


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
            mode = FailureMode.CRASHED if crashed else FailureMode.OFF
            return Failure(channel, mode, lasting=not crashed)


def unsearched(error: Exception) -> Degradation | None:
    """Briefing when neither words nor vectors could be searched."""
    return degradation(failure_of(name, error) for name in ("words", "vectors"))
