"""Relative score fusion: one ranking out of several by how far apart the scores are (K08, C27).

Rank fusion forgets that a result was far ahead. Here the scores of a channel are spread over 0..1
by their lowest and highest (D09), and a result's are averaged. What only some channels found
loses the share of those that did not. All three variants are 0..1. It runs in the shadow of
``fusion.fused``, which measured better (docs/recall-ablation.md).
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from actors.policy.recall.composite import normalised

Identity = TypeVar("Identity", bound=Hashable)

SINGLE_SOURCE: Final = 0.5  # what is left when one of two channels found it
VARIANT_BONUS: Final = 0.10  # for each further reading of the query


@dataclass(frozen=True, slots=True)
class Hit(Generic[Identity]):
    """A result of a channel. Without a score its similarity counts, without both its place."""

    identity: Identity
    score: float | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Fused(Generic[Identity]):
    """A result, 0..1, and how many channels (or readings) found it."""

    identity: Identity
    score: float
    found_by: int


def scores(hits: Sequence[Hit[Identity]]) -> list[float]:
    """The raw scores of a channel: score, else similarity, else 1 - rank / total (K08).

    Ranks count from 0, so three hits without any figure have 1, .6667 and .3333.
    """
    return [_score(hit, rank, len(hits)) for rank, hit in enumerate(hits)]


def fused_pair(
    one: Sequence[Hit[Identity]], other: Sequence[Hit[Identity]]
) -> list[Fused[Identity]]:
    """Two channels: the mean of the normalised scores, half of it if one found it (K08, C27)."""
    return _sorted(
        Fused(
            identity,
            _clamped(_mean(found) * (1.0 if len(found) > 1 else SINGLE_SOURCE)),
            len(found),
        )
        for identity, found in _gathered((one, other)).items()
    )


def fused_many(channels: Iterable[Sequence[Hit[Identity]]]) -> list[Fused[Identity]]:
    """Any number of channels: the mean times the share of channels that found it (K08, C27).

    A channel without hits does not count, so one that did not answer costs nothing. With two
    channels it is ``fused_pair``.
    """
    answering = [hits for hits in channels if hits]
    return _sorted(
        Fused(identity, _clamped(_mean(found) * len(found) / len(answering)), len(found))
        for identity, found in _gathered(answering).items()
    )


def fused_variants(
    variants: Iterable[Iterable[Sequence[Hit[Identity]]]],
) -> list[Fused[Identity]]:
    """Several readings of a query: the mean over them, +.10 for each further one (K08, C27)."""
    found: dict[Identity, list[float]] = {}
    for channels in variants:
        for one in fused_many(channels):
            found.setdefault(one.identity, []).append(one.score)
    return _sorted(
        Fused(identity, _clamped(_mean(each) + VARIANT_BONUS * (len(each) - 1)), len(each))
        for identity, each in found.items()
    )


def _gathered(channels: Iterable[Sequence[Hit[Identity]]]) -> Mapping[Identity, list[float]]:
    """The normalised scores of every result; a channel's first mention of it counts."""
    gathered: dict[Identity, list[float]] = {}
    for hits in channels:
        spread: dict[Identity, float] = {}
        for hit, score in zip(hits, normalised(scores(hits)), strict=True):
            spread.setdefault(hit.identity, score)
        for identity, score in spread.items():
            gathered.setdefault(identity, []).append(score)
    return gathered


def _score(hit: Hit[Identity], rank: int, total: int) -> float:
    if hit.score is not None:
        return hit.score
    return hit.similarity if hit.similarity is not None else 1 - rank / total


def _sorted(results: Iterable[Fused[Identity]]) -> list[Fused[Identity]]:
    return sorted(results, key=lambda one: -one.score)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))
