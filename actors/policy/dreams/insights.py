"""Insights: what a dream noticed, each with what it rests on, how new and how sure it is.

The values, the rules of the table for them, and what people's feedback makes of them. Who finds
them: ``noticing`` and ``repetition``. A text is made of counts, dates and words of the memories; no
language model, so nothing in it is invented.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import Enum
from typing import Final

from actors.policy.dreams.replay import Replayed
from actors.policy.text.budget import shortened
from actors.policy.text.short_ids import short_id
from actors.policy.text.words import stems

DAY: Final = 86_400.0  # seconds
QUOTED: Final = 200  # characters of a memory in an insight: enough to act on
SURE: Final = 0.95  # no insight is surer
_COUNTS: Final = ("No", "Once", "Twice", "Three times", "Four times", "Five times", "Six times")


class InsightKind(Enum):
    """Kind of insight."""

    TEMPORAL_TREND = "temporal_trend"
    HIDDEN_CONNECTION = "hidden_connection"
    RECURRING_PATTERN = "recurring_pattern"
    SYNTHESIS = "synthesis"
    GENERALIZATION = "generalization"
    CONTRADICTION = "contradiction"
    KNOWLEDGE_GAP = "knowledge_gap"


# What a person should see first of what is as sure: what is wrong, then what is open.
ORDER: Final = (
    InsightKind.CONTRADICTION,
    InsightKind.KNOWLEDGE_GAP,
    InsightKind.HIDDEN_CONNECTION,
    InsightKind.TEMPORAL_TREND,
    InsightKind.GENERALIZATION,
    InsightKind.RECURRING_PATTERN,
    InsightKind.SYNTHESIS,
)


# What an insight must be.
MOST: Final = 3  # of one dream: who is told more reads none
NOVELTY: Final = 0.3
COVERED: Final = 0.5  # share of its memories that a better insight tells of already. Choice.


@dataclass(frozen=True, slots=True)
class Insight:
    """Something that a dream noticed."""

    kind: InsightKind
    text: str
    memory_ids: tuple[int, ...]  # what it rests on, in order of time
    evidence: tuple[str, ...]  # numbers, names of rules and times, no memory's words
    confidence: float  # 0..1
    novelty: float  # 0..1
    # Where the words are from that it quotes, when it rests on no memory.
    project: str | None = None
    session: str | None = None


def novelty(text: str, sources: Collection[str]) -> float:
    """Share of an insight that its sources do not say, 0..1.

    Half the share of its words that are in none of them, .1 for each source over two (at most
    .3), and .2; .3 for a text or sources without words.
    """
    said = stems(text)
    known = frozenset(word for source in sources for word in stems(source))
    if not said or not known:
        return 0.3
    several = min(0.3, max(0.0, (len(sources) - 2) * 0.1))
    return min(1.0, 0.5 * len(said - known) / len(said) + several + 0.2)


def confidence(sources: int, accesses: float, overlap: float) -> float:
    """Confidence of an insight: .4 for five sources, .3 for ten uses each, .3 of overlap.

    ``accesses`` is the mean of the sources', ``overlap`` how much of what they are about they
    share, 0..1. Three sources, six uses and half an overlap make .57; never over .95.
    """
    many = min(sources / 5, 1.0) * 0.4
    used = min(accesses / 10, 1.0) * 0.3
    return min(SURE, many + used + min(1.0, overlap) * 0.3)


def insight(
    kind: InsightKind,
    text: str,
    sources: Sequence[Replayed],
    evidence: Sequence[str],
    sure: float = 0.0,
) -> Insight:
    """An insight with its novelty and confidence; ``sure`` is what its own rule knows, 0..1."""
    ordered = sorted(sources, key=lambda one: (one.at, one.id))
    used = sum(one.accesses for one in ordered) / len(ordered)
    counted = confidence(len(ordered), used, overlap(ordered))
    return Insight(
        kind,
        text,
        tuple(one.id for one in ordered),
        tuple(evidence),
        max(counted, min(SURE, sure)),
        novelty(text, [one.text for one in ordered]),
    )


def overlap(sources: Sequence[Replayed]) -> float:
    """The share of what the sources are about that at least half of them share, 0..1."""
    concepts = {concept for one in sources for concept in one.concepts}
    held = sum(
        2 * sum(concept in one.concepts for one in sources) >= max(4, len(sources))
        for concept in concepts
    )
    return held / len(concepts) if concepts else 0.0


def chosen(
    found: Iterable[Insight], most: int = MOST, known: Sequence[Insight] = ()
) -> list[Insight]:
    """The insights that are told: new, not said already by a better one, the surest first.

    ``known`` are those of earlier dreams: with them told again, no other would have its turn. What
    rests on twice as many memories by now is told once more.
    """
    texts = {one.text for one in known}
    ranked = sorted(
        (
            one
            for one in found
            if one.novelty >= NOVELTY - 1e-9
            and one.text not in texts
            and not any(_says_it(other, one) for other in known)
        ),
        key=lambda one: (-one.confidence, ORDER.index(one.kind), one.memory_ids, one.text),
    )
    kept: list[Insight] = []
    for one in ranked:
        if not any(_says_it(other, one) for other in kept):
            kept.append(one)
    return kept[:most]


def counted(number: int) -> str:
    """Number of times in words: "Three times", "11 times"."""
    return _COUNTS[number] if number < len(_COUNTS) else f"{number} times"


def spanned(first: float, last: float) -> str:
    """A stretch of time between two moments, seconds UTC, in words: "in 6 weeks"."""
    days = (last - first) / DAY
    if days < 1.5:
        return "within a day"
    if days < 21:
        return f"in {round(days)} days"
    return f"in {round(days / 7)} weeks" if days < 90 else f"in {round(days / 30.4)} months"


def dated(at: float, zone: tzinfo = UTC) -> str:
    """The day of a moment: 2026-11-22."""
    return f"{datetime.fromtimestamp(at, zone):%Y-%m-%d}"


def quoted(one: Replayed) -> str:
    """A memory's words on one line, shortened, in quotation marks."""
    return f"“{shortened(' '.join(one.text.split()), QUOTED).rstrip('.')}”"


def listed(sources: Sequence[Replayed]) -> str:
    """Ids for a person: "memories 3, 5 and 9"; of many the first eight."""
    ids = [short_id(one.id) for one in sources]
    if len(ids) > 8:
        return f"memories {', '.join(ids[:8])} and {len(ids) - 8} more"
    return f"memories {', '.join(ids[:-1])} and {ids[-1]}" if len(ids) > 1 else f"memory {ids[0]}"


def _says_it(better: Insight, other: Insight) -> bool:
    """Return whether an insight of the same kind rests on half of the memories of the other."""
    if better.kind is not other.kind or not other.memory_ids:
        return False
    both = len(set(better.memory_ids) & set(other.memory_ids))
    return both >= COVERED * len(other.memory_ids)


# ---- feedback: what a person did with an insight decides what is shown next
#
# One that was accepted or put to use is shown before others; one that was rejected is not shown
# again, nor is another of its kind about the same memories. A kind that is rejected again and again
# is shown less, but never quite silenced by a few early no's: each kind starts with two imagined yes
# and one imagined no.
SHOWN: Final = 0.1  # score
SAME: Final = 0.6  # share of memories from which two insights of a kind are the same


@dataclass(frozen=True, slots=True)
class Feedback:
    """Counts of what became of an insight, or of all insights of a kind."""

    accepted: int = 0
    rejected: int = 0
    applied: int = 0


NONE: Final = Feedback()
PRIOR: Final = (2, 1)  # imagined acceptances and rejections of a kind


def trust(kind: Feedback) -> float:
    """Worth of a kind of insight so far, 0..1: .67 without any feedback."""
    yes, no = PRIOR
    good = kind.accepted + kind.applied + yes
    return good / (good + kind.rejected + no)


def score(insight: Insight, own: Feedback = NONE, kind: Feedback = NONE) -> float:
    """Score by which an insight deserves to be shown, 0..1.

    Its confidence times what its kind was worth, half as much again when it was accepted or used;
    0 once it is rejected.
    """
    if own.rejected > 0 and own.rejected >= own.accepted + own.applied:
        return 0.0
    liked = 1.5 if own.accepted + own.applied > 0 else 1.0
    return min(1.0, insight.confidence * trust(kind) / trust(NONE) * liked)


def is_same(one: Insight, kind: InsightKind, memory_ids: Iterable[int]) -> bool:
    """Return whether an insight tells again what one of this kind told of these memories."""
    held = frozenset(memory_ids)
    both, least = len(held & frozenset(one.memory_ids)), min(len(held), len(one.memory_ids))
    return one.kind is kind and least > 0 and both >= SAME * least


def is_rejected(one: Insight, rejected: Iterable[tuple[InsightKind, Sequence[int]]]) -> bool:
    """Return whether a person has said no to the same before: then it does not come back."""
    return any(is_same(one, kind, ids) for kind, ids in rejected)


def surfaced(
    found: Mapping[int, Insight],
    feedback: Mapping[int, Feedback],
    kinds: Mapping[InsightKind, Feedback],
    limit: int,
) -> list[int]:
    """The keys of the insights to show, best first, rejected ones never."""
    scores = {
        key: score(one, feedback.get(key, NONE), kinds.get(one.kind, NONE))
        for key, one in found.items()
    }
    ranked = sorted(scores, key=lambda key: (-scores[key], key))
    return [key for key in ranked if scores[key] >= SHOWN][: max(0, limit)]
