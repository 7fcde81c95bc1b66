"""Reciprocal rank fusion: one ranking out of several by the places alone (K07, K29, C26).

After Cormack, Clarke and Buettcher (2009): every channel adds ``weight / (k + rank)``. What several
channels found gets a bonus on top. The flat .10 a channel outweighs any rank (rank 1 is worth
.0164), so the default is a calibrated bonus of at most .06 (finding 8). Scores are used by
``score_fusion`` and ``fusion``, which lose less (docs/recall-ablation.md).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, Generic, TypeVar

Identity = TypeVar("Identity", bound=Hashable)

GRAPH: Final = "graph"
GRAPH_WEIGHT: Final = 1.5  # K07: of the channel ``graph`` when the caller weighs it not


class Convergence(Enum):
    """What being found by several channels adds."""

    CALIBRATED = "calibrated"  # beta * share of the other channels * mean strength, bounded
    FLAT = "flat"  # the same for each further channel
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Settings:
    """How places become scores; the defaults are C26."""

    k: int = 60
    first: int = 1  # rank of the best: 1, or 0 as in K29
    convergence: Convergence = Convergence.CALIBRATED
    beta: float = 0.15
    most: float = 0.06  # of a calibrated bonus
    flat: float = 0.10  # for each further channel


DEFAULT: Final = Settings()
FLAT: Final = Settings(convergence=Convergence.FLAT)  # K07
VESTIGE: Final = Settings(first=0, convergence=Convergence.NONE)  # K29
PLAIN: Final = Settings(convergence=Convergence.NONE)
PRESETS: Final[Mapping[str, Settings]] = MappingProxyType(
    {"calibrated": DEFAULT, "flat": FLAT, "vestige": VESTIGE, "plain": PLAIN}
)


@dataclass(frozen=True, slots=True)
class Fused(Generic[Identity]):
    """A result with its score, what each channel gave, and the bonus; they sum to the score."""

    identity: Identity
    score: float
    shares: Mapping[str, float]
    bonus: float


def reciprocal(rank: int, weight: float = 1.0, settings: Settings = DEFAULT) -> float:
    """What a place is worth, ``rank`` counted from 1: weight / (k + rank) (K07).

    The first is worth 1/61 = .016393; counted from 0 (``VESTIGE``) it is 1/60 = .016667 (K29).
    """
    return weight / (settings.k + rank - 1 + settings.first)


def fused(
    channels: Mapping[str, Sequence[Identity]],
    weights: Mapping[str, float] | None = None,
    settings: Settings = DEFAULT,
) -> list[Fused[Identity]]:
    """The results of all channels, best first; ties stay in the order they were met (K07, C26).

    ``channels`` are identities, best first. A channel without a weight has 1, ``graph`` 1.5; one
    that found nothing or weighs nothing counts as absent. An identity named twice by a channel
    counts at its better place.
    """
    asked = weights or {}
    weighed = {name: asked.get(name, _usual(name)) for name in channels}
    active = {name: ids for name, ids in channels.items() if ids and weighed[name] > 0}
    shares: dict[Identity, dict[str, float]] = {}
    for name, ids in active.items():
        for rank, identity in enumerate(dict.fromkeys(ids), start=1):
            worth = reciprocal(rank, weighed[name], settings)
            shares.setdefault(identity, {})[name] = worth
    sums = {identity: sum(parts.values()) for identity, parts in shares.items()}
    best = max(sums.values(), default=0.0)
    results: list[Fused[Identity]] = []
    for identity, parts in shares.items():
        mean = sums[identity] / len(parts) / best
        bonus = convergence_bonus(len(parts), len(active), mean, settings)
        results.append(Fused(identity, sums[identity] + bonus, parts, bonus))
    results.sort(key=lambda one: -one.score)
    return results


def convergence_bonus(
    found_by: int, channels: int, mean: float, settings: Settings = DEFAULT
) -> float:
    """What ``found_by`` of ``channels`` channels add to a score (K07, C26).

    Calibrated: .15 * (found_by - 1) / (channels - 1) * mean, at most .06, where ``mean`` is the
    mean share of the channels in the result, each divided by the best sum of any result (0..1).
    Flat: .10 for each channel after the first. Two of three at a mean of .4: .03, or .10.
    """
    further = max(0, found_by - 1)
    if settings.convergence is Convergence.FLAT:
        return settings.flat * further
    if settings.convergence is Convergence.NONE:
        return 0.0
    overlap = further / max(1, channels - 1)
    return min(settings.most, max(0.0, settings.beta * overlap * mean))


def _usual(channel: str) -> float:
    return GRAPH_WEIGHT if channel == GRAPH else 1.0
