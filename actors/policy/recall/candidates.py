"""A query and its candidates: everything known of a search, as one value that is filled as recall goes on.

Channels put in their findings, the texts their words, and each stage goes by its own part.
"""

import math
from collections.abc import Collection, Hashable, Mapping
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct, field

from actors.policy.graph import link_graph
from actors.policy.text.words import stem

# ---- a memory on its way to an answer, with the terms of its score


M = TypeVar("M")
Place: TypeAlias = tuple[Hashable, int]
"""Where a memory stands in time: its timeline (say, the project) and its ordinal there."""
NO_PARTS: Final[Mapping[str, float]] = MappingProxyType({})


class Term(NamedTuple):
    """Effect of a stage on a score: times ``times``, and ``plus`` on top."""

    name: str
    times: float = 1.0
    plus: float = 0.0


Terms: TypeAlias = Mapping[int, tuple[Term, ...]]


class Candidate(NamedTuple, Generic[M]):
    """A memory in its place: score 0..1, why in words, and the parts of the score.

    The rules of the policy know it by its number alone. ``parts`` are the shares of its first score
    and the figures of the channels. ``terms`` are applied in their order, from 0: times ``times``, and
    ``plus`` on top. The result is the score, or more than 1 where the score is 1.
    """

    memory: M
    score: float = 1.0
    why: str = ""
    parts: Mapping[str, float] = NO_PARTS
    terms: tuple[Term, ...] = ()


# ---- all facts of one query and its findings; an unknown fact is missing, and a stage without facts is neutral


V = TypeVar("V")


class Facts(Struct, frozen=True):
    """Facts of a memory for stages and scores off by default."""

    tier: str
    used: float | None  # seconds UTC, the last time; None: never
    uses: int
    retrievability: float  # now, 0..1


class QueryFacts(Struct):
    """Facts for the stages, by memory id where they are of a memory."""

    # ---- of the query
    query: str = ""
    terms: list[str] = []  # its telling words
    frequencies: dict[str, int] = {}  # memories with each
    total: int = 0  # memories in the whole store
    by_cues: bool = False  # notes of the reader are judged by their cues
    # ---- found by the channels
    with_vector: bool = False
    words: dict[int, float] = {}  # bm25, more is better
    cosines: dict[int, float] = {}
    cues: dict[int, float] = {}  # cosine of each note's nearest
    met: dict[int, float] = {}  # late interaction
    given: set[int] = field(default_factory=set[int])  # called by a phrase a person set, or named
    named: set[int] = field(default_factory=set[int])  # by a name in what a person kept
    phrases: dict[int, int] = {}  # how many phrases call it
    literal: set[int] = field(default_factory=set[int])  # hold what a concrete query names
    places: dict[int, Place] = {}
    graph: dict[int, link_graph.Way] = {}  # memories reached by links
    # ---- told by the memories
    remaining: dict[int, float] = {}  # by people's opinions
    made_of: dict[int, str] = {}  # the sources of memories
    experience: dict[int, float] = {}  # in prompts, log-odds
    past: set[int] = field(default_factory=set[int])  # tell how it was, and that is not asked
    labelled: dict[int, float] = {}  # share named (utterances)
    timely: dict[int, float] = {}  # of the time asked for
    successors: dict[int, int] = {}  # of what is outdated
    stems: Mapping[int, frozenset[str]] = {}
    # ---- for ways that are off
    at: float = 0.0  # seconds UTC: now
    facts: dict[int, Facts] = {}

    def cosine(self, one: int) -> float | None:
        """The cosine of a memory with the query; without the query's vector nobody has one."""
        return self.cosines.get(one) if self.with_vector else None

    def likeness(self, one: int) -> float | None:
        """Cosine of a note of the reader, or the mean with its nearest cue's where it is more, -1..1.

        None where one is not known.
        """
        cue, text = self.cues.get(one), self.cosine(one)
        return None if cue is None or text is None else max(text, (cue + text) / 2)

    def keep(self, living: Collection[int]) -> None:
        """Drop ended memories, and ones out of scope."""
        self.words = among(self.words, living)
        self.cosines = among(self.cosines, living)
        self.phrases = among(self.phrases, living)
        self.given &= set(living)
        self.literal &= set(living)


def among(values: Mapping[int, V], ids: Collection[int]) -> dict[int, V]:
    """The values of these alone."""
    return {i: value for i, value in values.items() if i in ids}


def rarity(known: QueryFacts) -> dict[str, float]:
    """Weight of each telling word of the query by its stem: ln(1 + N / (1 + its memories))."""
    return {
        stem(term): math.log1p(known.total / (1 + known.frequencies.get(term, 0)))
        for term in known.terms
    }


# ---- likeness of a prompt to a note of the reader: by its text, and by its cues
#
# A cue is a text as its person might type it when the note is needed, and has a vector of its own.
# The nearness of a prompt to a note is the mean of its cosines with cue and text, or the text's alone
# where it is more: a cue helps a note and never hinders it. Everything in a project is near to a
# question about it, so an answering note stands out from the others. The verdicts of a reader who saw
# neither score nor rule, by the bar and by other ways of reckoning, are in docs/adr/0021.


LIKENESS: Final = 0.6  # from which a note is told; one number for all projects
CUED: Final = 0.3  # cosine with a cue below which the text would have to be at .9
WORDS: Final = 2  # telling words of a prompt, from which its vector says what it is about
APART: Final = 0.1  # cosine by which what answers a question is ahead of the other notes
CUES: Final = 600  # cues of a project that are looked at, 4 ms: three each of the 200 newest notes
