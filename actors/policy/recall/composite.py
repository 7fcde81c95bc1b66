"""The composite score: what several facts about a memory come to, between 0 and 1.

The five-factor model is the default (D01); the six-factor one is kept for compatibility (D06).
Channel scores of a search are another matter with other weights (D15) and 15 times smaller, so
they are normalised before the two are mixed (D09, D10). Each factor is 0..1 itself.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Final

CITATION_DAYS: Final = 90.0  # from here on a citation counts for nothing, D03
README_USES: Final = 50  # C15: the losing count of uses

# D05
DOCUMENT_MULTIPLIERS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "spec": 1.4,
        "decision_record": 1.4,
        "plan": 1.3,
        "tasks": 1.1,
        "implementation_summary": 1.1,
        "checklist": 1.0,
        "handover": 1.0,
        "memory": 1.0,
        "constitutional": 2.0,
        "scratch": 0.6,
    }
)


@dataclass(frozen=True, slots=True)
class FiveFactors:
    """Factors of a memory, or their weights; these are the weights of D01."""

    temporal: float = 0.25  # retrievability
    usage: float = 0.15
    importance: float = 0.25
    pattern: float = 0.20  # how well it fits the query, ``alignment``
    citation: float = 0.15


@dataclass(frozen=True, slots=True)
class SixFactors:
    """Factors of the legacy model, or their weights; these are the weights of D06."""

    similarity: float = 0.30
    importance: float = 0.25
    recency: float = 0.10
    popularity: float = 0.15
    tier_boost: float = 0.05
    retrievability: float = 0.15


FIVE_WEIGHTS: Final = FiveFactors()
SIX_WEIGHTS: Final = SixFactors()


@dataclass(frozen=True, slots=True)
class Settings:
    """What is done to a score afterwards (D07, D08)."""

    novelty: bool = False  # C16: of marginal value, so off
    novelty_height: float = 0.15
    novelty_hours: float = 12.0  # the time constant; half is left after 8.3 h
    novelty_window: float = 48.0  # hours
    novelty_ceiling: float = 0.95  # what the boost may lift a score to
    interference: float = -0.08  # for each sibling that says much the same


DEFAULT: Final = Settings()


def usage(accesses: int, full: int = 10) -> float:
    """The usage factor: min(1, n / 10) (D02, C15). The README's n / 50 is ``full=README_USES``."""
    return min(1.0, max(0, accesses) / full)


def citation(days: float | None) -> float:
    """The citation factor: 1 / (1 + .1 days), 0 from 90 days on or when never cited (D03).

    ``days`` since the last citation, None when there was none; 5 give .6667.
    """
    if days is None or not days < CITATION_DAYS:
        return 0.0
    return 1 / (1 + 0.1 * max(0.0, days))


def weights(overrides: Mapping[str, float]) -> FiveFactors:
    """The weights with some replaced, brought back to a sum of 1 (D01).

    Names that are no factor and weights that are not finite are ignored, negative ones are 0;
    when nothing is left above 0, the defaults.
    """
    asked = {name: weight for name, weight in overrides.items() if math.isfinite(weight)}
    defaults: dict[str, float] = asdict(FIVE_WEIGHTS)
    raw = {name: max(0.0, asked.get(name, weight)) for name, weight in defaults.items()}
    whole = sum(raw.values())
    if not whole > 0:
        return FIVE_WEIGHTS
    return FiveFactors(**{name: weight / whole for name, weight in raw.items()})


def composite(factors: FiveFactors, by: FiveFactors = FIVE_WEIGHTS) -> float:
    """The weighted sum of the five factors (D01).

    .75, .24, .50, .80 and .20 make .5385; the .485 printed in the documents is wrong.
    """
    parts = contributions(factors, by)
    return parts.temporal + parts.usage + parts.importance + parts.pattern + parts.citation


def contributions(factors: FiveFactors, by: FiveFactors = FIVE_WEIGHTS) -> FiveFactors:
    """What each factor adds to the composite score (D01)."""
    return FiveFactors(
        temporal=factors.temporal * by.temporal,
        usage=factors.usage * by.usage,
        importance=factors.importance * by.importance,
        pattern=factors.pattern * by.pattern,
        citation=factors.citation * by.citation,
    )


def legacy_composite(factors: SixFactors, by: SixFactors = SIX_WEIGHTS) -> float:
    """The weighted sum of the six factors of the older model (D06)."""
    return (
        factors.similarity * by.similarity
        + factors.importance * by.importance
        + factors.recency * by.recency
        + factors.popularity * by.popularity
        + factors.tier_boost * by.tier_boost
        + factors.retrievability * by.retrievability
    )


def document_weighted(
    score: float, document_type: str | None, *, tier_boosted: bool = False
) -> float:
    """The score times its document type's multiplier, kept within 0 and 1 (D05).

    A constitutional text that the tier boost has raised already is not raised again (C39).
    """
    factor = DOCUMENT_MULTIPLIERS.get(document_type or "memory", 1.0)
    if tier_boosted and document_type == "constitutional":
        factor = 1.0
    return _clamped(score * factor)


def novelty_boost(age_hours: float, settings: Settings = DEFAULT) -> float:
    """What being new adds: .15 * e^(-hours / 12), 0 after 48 h (D07, C16).

    12 h give .055182: 12 is the time constant and not, as its name there says, a half-life.
    """
    if age_hours > settings.novelty_window:
        return 0.0
    return settings.novelty_height * math.exp(-max(0.0, age_hours) / settings.novelty_hours)


def with_novelty(score: float, age_hours: float, settings: Settings = DEFAULT) -> float:
    """The score lifted for being new, to .95 at most; as it was while the switch is off (D07)."""
    if not settings.novelty:
        return score
    lifted = min(settings.novelty_ceiling, score + novelty_boost(age_hours, settings))
    return max(score, lifted)


def with_interference(score: float, siblings: int, settings: Settings = DEFAULT) -> float:
    """The score less .08 for each sibling that says much the same, kept within 0 and 1 (D08)."""
    return _clamped(score + settings.interference * max(0, siblings))


def normalised(scores: Sequence[float]) -> list[float]:
    """The scores spread over 0..1 by their lowest and highest (D09, D10).

    All equal, or one alone: 1. What is not finite: 0.
    """
    finite = [score for score in scores if math.isfinite(score)]
    if not finite:
        return [0.0] * len(scores)
    lowest, highest = min(finite), max(finite)
    width = highest - lowest
    return [_spread(score, lowest, width) for score in scores]


def summed(scores: Iterable[float]) -> float:
    """Score of a document from its parts: their sum over sqrt(parts + 1) (D13).

    The root keeps a long document from winning by its length.
    """
    parts = list(scores)
    return sum(parts) / math.sqrt(len(parts) + 1)


def _spread(score: float, lowest: float, width: float) -> float:
    if not math.isfinite(score):
        return 0.0
    return (score - lowest) / width if width > 0 else 1.0


def _clamped(score: float) -> float:
    return min(1.0, max(0.0, score))
