"""Trends: a measure of one thing that rises or falls every time it is taken (120 ms, 180 ms, 260 ms)."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from actors.policy.dreams.conflicts import amounts
from actors.policy.dreams.insights import (
    DAY,
    Insight,
    InsightKind,
    dated,
    insight,
    listed,
    quoted,
    spanned,
)
from actors.policy.dreams.replay import Replayed
from actors.policy.dreams.themes import Theme
from actors.policy.text.lexicon import meanings

# When something is a trend.
SPAN: Final = 30.0  # days that it must be older than
MEASURES: Final = 3  # memories with a measure
AGREEMENT: Final = 0.8  # Kendall's tau of measure and time; 1: every step the same way
# What is counted on, and is no measure: the next issue always has a higher number.
_NUMBERED: Final = meanings(
    "pr issue ticket version release commit line step phase task item port id"
)


def trend(theme: Theme) -> Insight | None:
    """The insight that a theme's measure rises or falls over more than a month, or None."""
    held, evidence = _measured(theme)
    if not held or (held[-1].at - held[0].at) / DAY <= SPAN:
        return None
    first, last = held[0], held[-1]
    text = (
        f"The same measure {evidence[0]} {spanned(first.at, last.at)}, from {dated(first.at)}"
        f" ({quoted(first)}) to {dated(last.at)} ({quoted(last)}); {listed(held)}."
    )
    return insight(InsightKind.TEMPORAL_TREND, text, held, evidence, 0.8)


def series(theme: Theme) -> frozenset[int]:
    """The ids of a measure that was taken again and again and goes one way, in however short a time.

    Maybe too young for a trend, but no row of contradictions: each value was right at its time.
    """
    return frozenset(one.id for one in _measured(theme)[0])


def agreement(values: Sequence[float]) -> float:
    """Kendall's tau of values with their order: 1 when each is higher than the one before."""
    signs = [(late > early) - (late < early) for early, late in combinations(values, 2)]
    return sum(signs) / len(signs) if signs else 0.0


def _measured(theme: Theme) -> tuple[tuple[Replayed, ...], tuple[str, ...]]:
    """The memories with a number of one unit that goes one way, and what is seen of it."""
    by_unit: dict[str, list[tuple[Replayed, float]]] = defaultdict(list)
    for one in theme.members:
        for unit, number in amounts(one.text).items():
            if unit not in _NUMBERED:
                by_unit[unit].append((one, number))
    for _, held in sorted(by_unit.items(), key=lambda item: (-len(item[1]), item[0])):
        values = [number for _, number in held]
        tau = agreement(values)
        enough = len(held) >= MEASURES and 2 * len(held) >= len(theme.members)
        if not enough or abs(tau) < AGREEMENT:
            continue
        line = " → ".join(f"{value:g}" for value in values)
        went = f"{'rises' if tau > 0 else 'falls'} ({line}{_spoken(held[0][0])})"
        return tuple(one for one, _ in held), (went, f"agreement with time {tau:.2f}")
    return (), ()


def _spoken(one: Replayed) -> str:
    """The unit as a memory writes it, after a space."""
    written = re.search(r"\d\s*-?(%|[^\W\d_]+)", one.text)
    return f" {written[1]}" if written else ""
