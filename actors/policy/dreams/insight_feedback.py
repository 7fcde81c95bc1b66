"""Feedback on insights: what a person did with them decides what is shown next.

An insight that was accepted or put to use is shown before others; one that was rejected is not
shown again, nor is another of its kind about the same memories. A kind that is rejected again and
again is shown less, but never quite silenced by a few early no's: each kind starts with two
imagined yes and one imagined no.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.dreams.insights import Insight, InsightKind

# When an insight is shown.
LEAST: Final = 0.1  # score
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
    return [key for key in ranked if scores[key] >= LEAST][: max(0, limit)]
