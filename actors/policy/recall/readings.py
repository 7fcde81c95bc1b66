"""Several readings of one query: what each found, brought together (K15, K33).

The query as it was asked comes first. Another reading, in other words or as the beginning of an
answer, adds what the query itself would miss; of what both found, the better counts (``joined``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

# What another reading finds counts this share of what the query itself would. Less than all of
# it: a synonym in place of a person's word is a guess, and what has the word itself comes before
# what has the guess. Measured: docs/recall-ablation.md.
WORTH: Final = 0.5


@dataclass(frozen=True, slots=True)
class Reading:
    """What one way to put the query found, by memory id: word scores (bm25) and cosines."""

    words: Mapping[int, float]
    cosines: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Query:
    """What is known of a query beside its words.

    ``readings`` are those that were searched, the query's own first; none when it was searched
    as it is.
    """

    intent: str = "default"  # one of ``query_intent``, or not classified
    readings: tuple[Reading, ...] = ()


UNREAD: Final = Query()


def joined_words(
    own: Mapping[int, float], others: Sequence[Mapping[int, float]], worth: float = WORTH
) -> dict[int, float]:
    """The word scores of the query with those of other readings, on the query's own scale (K15).

    Scores of two queries have no common scale: a rare synonym would outweigh all that was asked
    for. So the best of another has ``worth`` of the best of the query's own. Own scores of 6 and
    2 with others of 10 and 5: those are worth 4.8 and 2.4.
    """
    found = dict(own)
    for other in others:
        best = max(other.values(), default=0.0)
        if best > 0:
            scale = worth * max(own.values(), default=best) / best
            found = _better(found, {one: scale * score for one, score in other.items()})
    return found


def joined_cosines(
    own: Mapping[int, float], others: Sequence[Mapping[int, float]], worth: float = WORTH
) -> dict[int, float]:
    """The cosines with the query, and ``worth`` of those with other readings where more (K15)."""
    found = dict(own)
    for other in others:
        found = _better(found, {one: worth * each for one, each in other.items() if each > 0})
    return found


def averaged_cosines(own: Mapping[int, float], middle: Mapping[int, float]) -> dict[int, float]:
    """The mean of the cosines with the query and with the middle of its answers (K33).

    Half of it stays what was asked: a beginning of an answer is a guess. Where nobody knows the
    one, the other counts.
    """
    return {**own, **{one: (own.get(one, cosine) + cosine) / 2 for one, cosine in middle.items()}}


def _better(own: Mapping[int, float], other: Mapping[int, float]) -> dict[int, float]:
    return {**own, **{one: max(score, own.get(one, score)) for one, score in other.items()}}
