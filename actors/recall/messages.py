"""Questions to recall, and their answers."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from actors.core.answers import Receipt
from actors.core.mailbox import Question
from actors.memory.rows import Memory, Scope
from actors.passages.rows import Passage
from actors.policy.events.events import Event
from actors.policy.graph.activation import Breadth
from actors.policy.recall.candidate import Candidate
from actors.policy.recall.considered import Considered
from actors.policy.recall.degradation import Degradation, Report
from actors.policy.recall.page import Place
from actors.policy.recall.trace import Passed
from actors.policy.text.concrete import Concept


@dataclass(frozen=True, slots=True)
class Quotation:
    """A passage on its way to an agent: the words quoted, and the confidence in its bearing on the prompt."""

    passage: Passage
    text: str
    confidence: float  # 0..1


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a recall, best first."""

    notes: tuple[Candidate[Memory], ...] = ()
    confidence: float = 0.0  # how likely there is an answer at all, 0..1
    mode: str = "none"  # indexes searched: both, words, phrases
    degraded: Degradation | None = None
    evidence: dict[str, Any] = field(default_factory=dict[str, Any])  # for a person
    timings: dict[str, float] = field(default_factory=dict[str, float])  # milliseconds
    block: str = ""  # for a prompt: fenced, or empty
    stages: tuple[Passed, ...] = ()  # who came into each stage and who went on
    said: tuple[str, ...] = ()  # how the query was understood, in words
    channels: tuple[Report, ...] = ()  # each channel's account of itself
    known: int = 0  # notes that a prompt was not told: known in its session already
    considered: tuple[Considered, ...] = ()  # notes told to a prompt, and notes close to it
    quotations: tuple[Quotation, ...] = ()  # of passages, beside the notes of a prompt
    places: tuple[Place, ...] = ()  # of notes on the page of a session's start


@dataclass(frozen=True, slots=True)
class Search(Question[Answer]):
    """Question of a person or a tool: memories for a query, best first."""

    query: str
    k: int
    scope: Scope
    track: bool
    within: float  # seconds after which nobody waits any more
    as_of: float | None = None  # what was true then, also if it was replaced since; None: now
    mode: Breadth = Breadth.BALANCED
    without: frozenset[str] = frozenset()  # channels and stages that this question does without
    also: frozenset[str] = frozenset()  # ways off elsewhere and on for it
    concepts: tuple[Concept, ...] = ()  # memories with all of them come first


@dataclass(frozen=True, slots=True)
class Bring(Question[Answer]):
    """Question of a hook: the notes for a prompt, or for a session as it starts."""

    event: Event
    project: str | None
    at: float
    within: float  # seconds after which nobody waits any more
    receipt: Receipt = field(default_factory=partial(Receipt, taken=True))  # of the hook
    asked_at: float = 0.0  # when its event came, if it is answered later than that
    again: bool = False  # it was asked before: what was told then is known
    rehearsed: bool = False  # for a person who looks: nobody is told, and nothing is recorded


@dataclass(frozen=True, slots=True)
class TextErased:
    """Texts left the store for good: no quotation of one stays in memory."""


RecallMessage = Search | Bring | TextErased
