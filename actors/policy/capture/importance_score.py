"""Worth of a memory by its kind, its source and how it served, and quality of its narrative.

Consolidation reads it to say which of several faded memories goes first; importance itself has
another owner and other rules.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.text.words import caseless

LEAST: Final = 0.01
INJECTED: Final = 10  # injections from which effectiveness counts
# What a kind weighs; 1 for any other.
WEIGHTS: Final[Mapping[str, float]] = {
    "bugfix": 1.3,
    "feature": 1.2,
    "discovery": 1.1,
    "decision": 1.1,
    "refactor": 1.0,
    "change": 0.9,
    "guidance": 1.4,
    "pitfall": 1.3,
}
# Days until half of the weight is left, by where a memory comes from.
HALF_LIVES: Final[Mapping[str, float]] = {
    "manual": 30.0,
    "tool_verified": 21.0,
    "tool_read": 14.0,
    "web": 14.0,
    "todo": 7.0,
    "llm": 90.0,
    "cross_model": 60.0,
}
USUAL: Final = "manual"  # of a source that the table does not have
# Which of these our own sources are (docs/remembering.md).
_SOURCES: Final[Mapping[str, str]] = {
    "agent": "llm",
    "commit": "tool_verified",
    "conclusion": "llm",
    "supposition": "llm",
    "session-summary": "llm",
}
_WORD: Final = re.compile(r"\S+")
_REASONED: Final = caseless(
    r"\b(?:because|since|therefore|chose|chosen|decided|trade-?offs?|why|so that|instead of"
    r"|rather than|the reason)\b"
)


@dataclass(frozen=True, slots=True)
class Served:
    """Facts of a memory, and counts of how it served."""

    kind: str
    source: str  # a key of HALF_LIVES
    age: float  # days
    feedback: float = 0.0  # -1..1: what people said
    concepts: float = 0.0  # 0..1: how much of what is looked for it is about
    retrievals: int = 0
    retrieved: float | None = None  # days since the last one
    utility: float = 0.5  # 0..1
    effectiveness: float | None = None  # 0..1: citations by injections
    injections: int = 0


def source_of(rule: str) -> str:
    """Kind of source with a half-life of its own, from the source stored with a memory."""
    return _SOURCES.get(rule, USUAL)


def score(served: Served) -> float:
    """Worth of a memory: at least .01, about 1.3 for a new bug fix.

    ``weight * .5^(age / half-life) + .3 feedback + .2 concepts
    + .15 log2(retrievals + 1) * .1 exp(-.05 days) + .2 (utility - .5)``, and from ten injections
    on ``.3 (effectiveness - .5)``.
    """
    half_life = HALF_LIVES.get(served.source, HALF_LIVES[USUAL])
    kept = WEIGHTS.get(served.kind, 1.0) * math.exp2(-max(served.age, 0.0) / half_life)
    since = served.age if served.retrieved is None else served.retrieved
    recalled = 0.15 * math.log2(served.retrievals + 1) * 0.1 * math.exp(-0.05 * max(since, 0.0))
    effect = 0.0
    if served.effectiveness is not None and served.injections >= INJECTED:
        effect = 0.3 * (served.effectiveness - 0.5)
    total = (
        kept
        + 0.3 * served.feedback
        + 0.2 * served.concepts
        + recalled
        + 0.2 * (served.utility - 0.5)
        + effect
    )
    return max(total, LEAST)


def narrative_quality(text: str) -> float:
    """Quality of a memory's narrative, .5 to 1.

    Fewer than 5 words .5, fewer than 20 .7; longer ones 1 when they give a reason. The row has no
    figure for a long one without: .85, half way.
    """
    words = sum(1 for _ in _WORD.finditer(text))
    if words < 5:
        return 0.5
    if words < 20:
        return 0.7
    return 1.0 if _REASONED.search(text) else 0.85
