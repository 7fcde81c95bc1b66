"""Confidence in a memory: what people's verdicts have made of it (D11).

Promotion is only ever proposed; a person or an explicit command promotes (C17).
"""

from dataclasses import dataclass
from typing import Final

PROMOTED: Final = frozenset({"constitutional", "critical"})  # nothing above to promote to


# Steps and the bar for promotion (D11).
USEFUL: Final = 0.1
USELESS: Final = 0.05
BAR: Final = 0.9
VALIDATIONS: Final = 5


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure, 0..1, and how many verdicts that rests on."""

    score: float = 0.5
    validations: int = 0


def validated(confidence: Confidence, *, useful: bool) -> Confidence:
    """After a verdict: +.1 up to 1, or -.05 down to 0 (D11)."""
    step = USEFUL if useful else -USELESS
    # Rounded, so that four steps from .5 are .9 and not a hair less.
    score = round(min(1.0, max(0.0, confidence.score + step)), 9)
    return Confidence(score, confidence.validations + 1)


def promotion_proposed(confidence: Confidence, tier: str | None) -> bool:
    """Whether to propose the critical tier: .9 or more after 5 verdicts or more (D11, C17).

    Four positive verdicts make .9 and are not enough; five are.
    """
    sure = confidence.score >= BAR
    often = confidence.validations >= VALIDATIONS
    return sure and often and tier not in PROMOTED
