"""Shapes of recall: the questions to it and their answers, and rows of the indexes."""

from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct, field

from actors.core.equipment import Receipt
from actors.core.mailbox import Question
from actors.memory.rows import Memory, Scope
from actors.memory.use import Exposed, Injected, Opinion
from actors.passages.shapes import Passage
from actors.policy.events.events import Event
from actors.policy.recall.answers import Failure
from actors.policy.recall.candidates import Candidate
from actors.policy.recall.notes import Considered
from actors.policy.recall.page import Place
from actors.policy.recall.stages import Passed
from actors.policy.references.mentions import Name
from actors.policy.text.phrases import Match


class Quotation(Struct, frozen=True):
    """A passage on its way to an agent: the words quoted, and the confidence in its bearing on the prompt."""

    passage: Passage
    text: str
    confidence: float  # 0..1

    @property
    def number(self) -> int:
        """Its number in a block: below zero, apart from the ids of memories."""
        return -self.passage.id


class Answer(Struct, frozen=True):
    """The answer to a recall, best first."""

    notes: tuple[Candidate[Memory], ...] = ()
    confidence: float = 0.0  # how likely there is an answer at all, 0..1
    mode: str = "none"  # indexes searched: both, words, phrases
    missing: tuple[Failure, ...] = ()  # channels that did not answer
    evidence: dict[str, Any] = {}  # for a person
    block: str = ""  # for a prompt: fenced, or empty
    stages: tuple[Passed, ...] = ()  # who came into each stage and who went on
    said: tuple[str, ...] = ()  # how the query was understood, in words
    known: int = 0  # notes that a prompt was not told: known in its session already
    considered: tuple[Considered, ...] = ()  # notes told to a prompt, and notes close to it
    quotations: tuple[Quotation, ...] = ()  # of passages, beside the notes of a prompt
    places: tuple[Place, ...] = ()  # of notes on the page of a session's start


class Search(Question[Answer], frozen=True):
    """Question of a person or a tool: memories for a query, best first."""

    query: str
    k: int
    scope: Scope
    track: bool
    within: float  # seconds after which nobody waits any more
    without: frozenset[str] = frozenset()  # channels and stages that this question does without
    also: frozenset[str] = frozenset()  # ways off elsewhere and on for it


class Bring(Question[Answer], frozen=True):
    """Question of a hook: the notes for a prompt, or for a session as it starts."""

    event: Event
    project: str | None
    at: float
    within: float  # seconds after which nobody waits any more
    receipt: Receipt = field(default_factory=partial(Receipt, taken=True))  # of the hook
    asked_at: float = 0.0  # when its event came, if it is answered later than that
    again: bool = False  # it was asked before: what was told then is known
    rehearsed: bool = False  # for a person who looks: nobody is told, and nothing is recorded


class TextErased(Struct, frozen=True):
    """Texts left the store for good: no quotation of one stays in memory."""


RecallMessage = Search | Bring | TextErased

Tell: TypeAlias = Callable[[], Awaitable[None]]


class After(Struct, frozen=True):
    """Work after an answer is out: records of the notes shown and weighed, and messages to other actors."""

    shown: Exposed | None = None
    injected: Injected | None = None
    tells: tuple[Tell, ...] = ()


# ---- rows: answers of the indexes


class Counted(NamedTuple):
    """Counts of memories with the words of a query, and the weight of each word."""

    memories: int  # in the whole store
    frequencies: dict[str, int]  # memories with each telling word
    hits: dict[int, float]  # memories and their scores, best first


class Called(Struct, frozen=True):
    """A phrase of a memory stands in a text."""

    match: Match
    given: bool  # a person set the phrase; otherwise it was derived from the memory
    named: bool = False  # it is a name in what a person kept on purpose, and the text means that


class Weighed(NamedTuple):
    """Facts of memories beside their texts."""

    seen: frozenset[int]  # living and visible from there
    opinions: dict[int, Opinion]
    cosines: dict[int, float]  # of those whose cosine was not known


Choosing: TypeAlias = Callable[[Weighed], Collection[int]]
"""Which of the memories weighed are to be read; called on the thread that reads."""


class PhraseRow(NamedTuple):
    """Phrase calling a memory."""

    memory_id: int
    project: str | None
    given: tuple[str, ...]  # set by a person
    derived: tuple[str, ...]
    names: tuple[Name, ...] = ()  # of what a person kept on purpose
