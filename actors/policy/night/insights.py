"""Insights: findings of a dream, each with its sources and its confidence.

The values, the choice of insights to tell, and the effect of people's feedback on them.
``noticing`` and ``demands`` find them. A text is made of counts, dates and words of the
memories; no language model, so nothing in it is invented.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Final

from msgspec import Struct

from actors.policy.night.replay import Replayed
from actors.policy.text.short_ids import short_id
from actors.policy.text.wording import shortened

DAY: Final = 86_400.0  # seconds
QUOTED: Final = 200  # characters of a memory in an insight: enough to act on
MOST: Final = 3  # of one dream: who is told more reads none
COVERED: Final = 0.5  # share of its memories that a better insight tells of already. Choice.
SAME: Final = 0.6  # share of memories from which two insights of a kind are the same


class InsightKind(Enum):
    """Kind of insight, in a person's order: mistakes first, then open matters."""

    CONTRADICTION = "contradiction"
    KNOWLEDGE_GAP = "knowledge_gap"
    HIDDEN_CONNECTION = "hidden_connection"
    TEMPORAL_TREND = "temporal_trend"
    GENERALIZATION = "generalization"
    RECURRING_PATTERN = "recurring_pattern"
    SYNTHESIS = "synthesis"


ORDER: Final = tuple(InsightKind)


class Insight(Struct, frozen=True):
    """A finding of a dream."""

    kind: InsightKind
    text: str
    memory_ids: tuple[int, ...]  # its sources, in order of time
    evidence: tuple[str, ...]  # numbers, names of rules and times, no memory's words
    confidence: float  # 0..1: how sure its rule is
    # Where the words are from that it quotes, when it rests on no memory.
    project: str | None = None
    session: str | None = None


def insight(
    kind: InsightKind,
    text: str,
    sources: Sequence[Replayed],
    evidence: Sequence[str],
    confidence: float,
) -> Insight:
    """An insight resting on these memories."""
    ordered = sorted(sources, key=lambda one: (one.at, one.id))
    return Insight(kind, text, tuple(one.id for one in ordered), tuple(evidence), confidence)


def chosen(found: Iterable[Insight], known: Sequence[Insight] = ()) -> list[Insight]:
    """The three insights to tell: new, not said already by a better one, the surest first.

    ``known``: insights of earlier dreams; repeated, they would leave no turn to others. One with
    twice as many sources by now is told once more.
    """
    ranked = sorted(
        found, key=lambda one: (-one.confidence, ORDER.index(one.kind), one.memory_ids, one.text)
    )
    best: list[Insight] = []
    for one in ranked:
        if not is_told(one, (*known, *best)):
            best.append(one)
    return best[:MOST]


def is_told(insight: Insight, others: Iterable[Insight]) -> bool:
    """Tell whether another one is in the same words, or of its kind and on half of its memories."""
    sources = frozenset(insight.memory_ids)
    return any(
        one.text == insight.text
        or (
            one.kind is insight.kind
            and len(sources.intersection(one.memory_ids)) >= max(1, COVERED * len(sources))
        )
        for one in others
    )


def is_same(sources: Iterable[int], others: Iterable[int]) -> bool:
    """Return whether two insights of a kind, resting on these memories, are the same."""
    one, other = frozenset(sources), frozenset(others)
    least = min(len(one), len(other))
    return least > 0 and len(one & other) >= SAME * least


# ---- what the texts are made of


def spanned(first: float, last: float) -> str:
    """A stretch of time between two moments, seconds UTC, in words: "in 6 weeks"."""
    days = (last - first) / DAY
    if days < 1.5:
        return "within a day"
    if days < 21:
        return f"in {round(days)} days"
    return f"in {round(days / 7)} weeks" if days < 90 else f"in {round(days / 30.4)} months"


def dated(at: float) -> str:
    """The day of a moment, UTC: 2026-11-22."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def quoted(one: Replayed) -> str:
    """A memory's words on one line, shortened, in quotation marks."""
    return f"“{shortened(' '.join(one.text.split()), QUOTED).rstrip('.')}”"


def listed(sources: Sequence[Replayed]) -> str:
    """Ids for a person: "memories 3, 5 and 9"; of many the first eight."""
    ids = [short_id(one.id) for one in sources]
    if len(ids) > 8:
        return f"memories {', '.join(ids[:8])} and {len(ids) - 8} more"
    return f"memories {', '.join(ids[:-1])} and {ids[-1]}" if len(ids) > 1 else f"memory {ids[0]}"


# ---- feedback: what a person did with an insight decides whether it is shown, and how soon


class Feedback(Struct, frozen=True):
    """Counts of reactions to an insight."""

    accepted: int = 0
    rejected: int = 0
    applied: int = 0

    @property
    def is_rejection(self) -> bool:
        """Tell whether people's last word on it is no."""
        return 0 < self.rejected >= self.accepted + self.applied


def score(confidence: float, reactions: Feedback) -> float:
    """Worth of an insight to a person, 0..1: half as much again when it was accepted or used, 0 once rejected."""
    if reactions.is_rejection:
        return 0.0
    return min(1.0, confidence * (1.5 if reactions.accepted + reactions.applied else 1.0))


# ---- what is proposed


class Proposal(Struct, frozen=True):
    """A memory to be put away, and why; nothing of it is done."""

    memory_id: int
    reason: str  # figures alone: the plan made of it outlives the texts concerned
    evidence: str = ""


def outdated(insights: Iterable[Insight]) -> Iterator[Proposal]:
    """Proposals to put away memories outdated by a contradiction."""
    for one in insights:
        if one.kind is InsightKind.CONTRADICTION:
            older, newer = one.memory_ids
            why = f"({', '.join(one.evidence[:2])})"
            yield Proposal(older, f"memory {short_id(newer)} is newer and contradicts it {why}")
