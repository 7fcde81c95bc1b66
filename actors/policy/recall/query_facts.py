"""All facts of one query and its findings: one value, filled as recall goes on.

Channels put in their findings, the texts their words, and each stage goes by its own part. An
unknown fact is missing, and a stage without facts is neutral.
"""

import copy
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from actors.policy.graph import graph_channel
from actors.policy.recall import cues
from actors.policy.recall.candidate import Place
from actors.policy.text.words import stem

V = TypeVar("V")
# What the indexes answer to a query, whoever asks and whenever.
OF_INDEXES = (
    "terms", "frequencies", "total", "respelled", "with_vector", "words", "cosines", "cues",
    "literal",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a memory for stages and scores off by default."""

    tier: str
    project: str | None
    session: str | None
    created: float  # seconds UTC
    used: float | None  # seconds UTC, the last time; None: never
    uses: int
    returned: int  # times it was shown
    retrievability: float  # now, 0..1


@dataclass(slots=True)
class QueryFacts:
    """Facts for the stages, by memory id where they are of a memory."""

    # ---- of the query
    query: str = ""
    terms: list[str] = field(default_factory=list[str])  # its telling words
    frequencies: dict[str, int] = field(default_factory=dict[str, int])  # memories with each
    total: int = 0  # memories in the whole store
    respelled: dict[str, str] = field(default_factory=dict[str, str])  # unknown words and theirs
    by_cues: bool = False  # notes of the reader are judged by their cues
    # ---- found by the channels
    with_vector: bool = False
    words: dict[int, float] = field(default_factory=dict[int, float])  # bm25, more is better
    cosines: dict[int, float] = field(default_factory=dict[int, float])
    cues: dict[int, float] = field(
        default_factory=dict[int, float]
    )  # cosine of each note's nearest
    met: dict[int, float] = field(default_factory=dict[int, float])  # late interaction
    given: set[int] = field(default_factory=set[int])  # called by a phrase a person set, or named
    named: set[int] = field(default_factory=set[int])  # by a name in what a person kept
    phrases: dict[int, int] = field(default_factory=dict[int, int])  # how many phrases call it
    literal: set[int] = field(default_factory=set[int])  # hold what a concrete query names
    together: set[int] = field(default_factory=set[int])  # hold all concepts
    places: dict[int, Place] = field(default_factory=dict[int, Place])
    graph: dict[int, graph_channel.Reached] = field(
        default_factory=dict[int, graph_channel.Reached]
    )  # memories reached by links
    degrees: dict[int, float] = field(default_factory=dict[int, float])  # boosts by links
    # ---- told by the memories
    remaining: dict[int, float] = field(default_factory=dict[int, float])  # by people's opinions
    made_of: dict[int, str] = field(default_factory=dict[int, str])  # the sources of memories
    experience: dict[int, float] = field(default_factory=dict[int, float])  # in prompts, log-odds
    past: set[int] = field(default_factory=set[int])  # tell how it was, and that is not asked
    labelled: dict[int, float] = field(default_factory=dict[int, float])  # share named (utterances)
    timely: dict[int, float] = field(default_factory=dict[int, float])  # of the time asked for
    successors: dict[int, int] = field(default_factory=dict[int, int])  # of what is outdated
    stems: Mapping[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])
    # ---- for ways that are off
    at: float = 0.0  # seconds UTC: now
    session: str = ""  # the asking one; empty: nobody's
    project: str | None = None
    facts: dict[int, Facts] = field(default_factory=dict[int, Facts])

    def cosine(self, one: int) -> float | None:
        """The cosine of a memory with the query; without the query's vector nobody has one."""
        return self.cosines.get(one) if self.with_vector else None

    def likeness(self, one: int) -> float | None:
        """Likeness of the query to a note of the reader by its cues and its text, -1..1."""
        return cues.likeness(self.cues.get(one), self.cosine(one))

    def keep(self, living: Collection[int]) -> None:
        """Drop ended memories, and ones out of scope."""
        self.words = among(self.words, living)
        self.cosines = among(self.cosines, living)
        self.phrases = among(self.phrases, living)
        self.given &= set(living)
        self.literal &= set(living)
        self.together &= set(living)


def among(values: Mapping[int, V], ids: Collection[int]) -> dict[int, V]:
    """The values of these alone."""
    return {i: value for i, value in values.items() if i in ids}


def rarity(known: QueryFacts) -> dict[str, float]:
    """Weight of each telling word of the query by its stem: ln(1 + N / (1 + its memories))."""
    return {
        stem(term): math.log1p(known.total / (1 + known.frequencies.get(term, 0)))
        for term in known.terms
    }


def taken_over(into: QueryFacts, known: QueryFacts) -> None:
    """Copy the indexes' facts into another one, which may change without changing this."""
    for name in OF_INDEXES:
        setattr(into, name, copy.copy(getattr(known, name)))


def copied(known: QueryFacts) -> QueryFacts:
    """The same, for somebody else to write into."""
    found = QueryFacts()
    taken_over(found, known)
    return found
