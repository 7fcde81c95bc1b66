"""Token budget: how much of an answer is returned, by how much was asked.

A look-up by a trigger needs less room than a question with many parts. Tokens are estimated at
four characters each. ``budget`` does the same for prompts, in characters, and shortens; here a
result is returned whole or not at all.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

Identity = TypeVar("Identity", bound=Hashable)

DEFAULT: Final = 2_000  # tokens, where nothing says more
LEAST: Final = 100  # What a caller may ask for
MOST: Final = 100_000
BY_COMPLEXITY: Final[Mapping[str, int]] = {"simple": 1_500, "moderate": 2_500, "complex": 4_000}


@dataclass(frozen=True, slots=True)
class Filled(Generic[Identity]):
    """Results that fit, in order of score, and the tokens used."""

    identities: tuple[Identity, ...]
    used: int


def budget(complexity: str) -> int:
    """1,500, 2,500 or 4,000 tokens by complexity, 4,000 for one not known."""
    return BY_COMPLEXITY.get(complexity, BY_COMPLEXITY["complex"])


def capped(asked: int) -> int:
    """The tokens a caller asked for, kept within 100 and 100,000."""
    return min(MOST, max(LEAST, asked))


def filled(
    ranked: Sequence[Identity], sizes: Mapping[Identity, int], tokens: int = DEFAULT
) -> Filled[Identity]:
    """The results that fit, greedily by rank: a smaller one after one too large may fit.

    ``sizes`` are tokens (``budget.tokens``). The best is kept even if it alone is too large, so
    that an answer is never empty for being long.
    """
    kept: list[Identity] = []
    used = 0
    for identity in ranked:
        if not kept or used + sizes[identity] <= tokens:
            kept.append(identity)
            used += sizes[identity]
    return Filled(tuple(kept), used)
