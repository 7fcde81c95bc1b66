"""Trends: whether a theme grows, shrinks or changes over more than a month.

Three signs, each readable in the memories themselves: a measure that rises or falls every time
(120 ms, 180 ms, 260 ms), words of progress (considering, first, half, nearly all), or a theme
that comes up much more often, or much more rarely, than before.
"""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
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
from actors.policy.dreams.themes import Theme, name

# Words of progress, in order. The first of them in a text counts.
_STEPS: Final = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"consider(?:ing|ed)?|evaluat(?:e|ing|ed)|thinking about|discuss(?:ed|ing)?|propos(?:ed|al)|idea",
        r"tr(?:y|ied|ying)(?: out)?|experiment\w*|prototyp\w*|pilot\w*|first|start(?:ed|ing)?|began|begun|one",
        r"some|few|several|a couple|two|three|parts? of|a (?:third|quarter)",
        r"half|many",
        r"most|majority|mostly|two thirds|three quarters",
        r"nearly all|almost all|nearly every\w*|almost every\w*|nearly everything",
        r"all|every|everything|everyone|complet\w+|entire(?:ly)?|fully|finished|whole",
    )
)
_NEARLY: Final = 5  # "nearly all" is looked for before "all"
_RISING: Final = re.compile(
    r"\b(?:more and more|increas\w*|grow\w*|grew|ris(?:es|ing|en|e)|rose|climb\w*|worse\w*|escalat\w*"
    r"|slower|longer|bigger|larger|higher|up (?:to|from)|even more|doubled|tripled)\b",
    re.IGNORECASE,
)
_FALLING: Final = re.compile(
    r"\b(?:fewer|less and less|decreas\w*|shr[aiu]nk\w*|declin\w*|fall(?:s|ing|en)?|fell|dropp\w*|lower"
    r"|faster|shorter|smaller|down (?:to|from)|halved|rarer|improv\w*)\b",
    re.IGNORECASE,
)


# When something is a trend.
SPAN: Final = 30.0  # days that it must be older than
MEASURES: Final = 3  # memories with a measure
AGREEMENT: Final = 0.8  # Kendall's tau of measure and time; 1: every step the same way
OCCURRENCES: Final = 5  # for a trend in how often
DEVIATIONS: Final = 1.7  # from an even spread: one chance in ten. Choice.


@dataclass(frozen=True, slots=True)
class Trend:
    """Trend: what changes, which way, and how it is seen."""

    up: bool
    what: str  # in words
    evidence: tuple[str, ...]
    members: tuple[Replayed, ...]
    sure: float


def trend(theme: Theme) -> Trend | None:
    """The trend of a theme, or None."""
    first, last = theme.members[0].at, theme.members[-1].at
    if (last - first) / DAY <= SPAN:
        return None
    return (
        _measured(theme.members, SPAN)
        or _stepped(theme.members)
        or _directed(theme.members)
        or _frequency(theme.members)
    )


def series(theme: Theme) -> frozenset[int]:
    """The ids of a measure that was taken again and again and goes one way, in however short a time.

    Too young for a trend, but no row of contradictions either: each value was right at its time.
    """
    found = _measured(theme.members, 0.0)
    return frozenset(one.id for one in found.members) if found else frozenset()


def told(theme: Theme, found: Trend) -> Insight:
    """The insight that tells of a trend."""
    first, last = found.members[0], found.members[-1]
    text = (
        f"{name(theme)}: {found.what} {spanned(first.at, last.at)}, from {dated(first.at)}"
        f" ({quoted(first)}) to {dated(last.at)} ({quoted(last)}); {listed(found.members)}."
    )
    return insight(InsightKind.TEMPORAL_TREND, text, found.members, found.evidence, found.sure)


def agreement(values: Sequence[float]) -> float:
    """Kendall's tau of values with their order: 1 when each is higher than the one before."""
    signs = [(late > early) - (late < early) for early, late in combinations(values, 2)]
    return sum(signs) / len(signs) if signs else 0.0


def _measured(members: Sequence[Replayed], span: float) -> Trend | None:
    """A number of one unit that goes one way over more than ``span`` days."""
    by_unit: dict[str, list[tuple[Replayed, float]]] = defaultdict(list)
    for one in members:
        for unit, number in amounts(one.text).items():
            by_unit[unit].append((one, number))
    for unit, held in sorted(by_unit.items(), key=lambda item: (-len(item[1]), item[0])):
        values = [number for _, number in held]
        tau = agreement(values)
        apart = (held[-1][0].at - held[0][0].at) / DAY
        enough = len(held) >= MEASURES and apart > span
        if not enough or abs(tau) < AGREEMENT or 2 * len(held) < len(members):
            continue
        line = " → ".join(f"{value:g}" for value in values)
        what = f"the measure {'rises' if tau > 0 else 'falls'} ({line}{_spoken(held[0][0], unit)})"
        evidence = (f"measures {line}", f"agreement with time {tau:.2f}")
        return Trend(tau > 0, what, evidence, tuple(one for one, _ in held), 0.8)
    return None


def _stepped(members: Sequence[Replayed]) -> Trend | None:
    """Words of progress that climb."""
    held = [(one, step) for one in members if (step := _step(one.text)) is not None]
    steps = [step for _, step in held]
    if len(set(steps)) < MEASURES or agreement(steps) < AGREEMENT:
        return None
    evidence = (f"{len(held)} words of progress in order", f"agreement {agreement(steps):.2f}")
    return Trend(True, "it progresses", evidence, tuple(one for one, _ in held), 0.7)


def _directed(members: Sequence[Replayed]) -> Trend | None:
    """Most memories say themselves that it grows, or that it shrinks."""
    for up, words in ((True, _RISING), (False, _FALLING)):
        saying = sum(words.search(one.text) is not None for one in members)
        if saying >= MEASURES and 2 * saying > len(members):
            what = "it is said to grow" if up else "it is said to shrink"
            return Trend(up, what, (f"{saying} of {len(members)} say so",), tuple(members), 0.6)
    return None


def _frequency(members: Sequence[Replayed]) -> Trend | None:
    """Much more often, or much more rarely, as time goes on.

    Of occurrences spread evenly between the first and the last the mean lies in the middle; how
    far it lies off is counted in deviations of a mean of uniform values, sqrt(1/12n).
    """
    if len(members) < OCCURRENCES:
        return None
    first, last = members[0].at, members[-1].at
    inner = [(one.at - first) / (last - first) for one in members[1:-1]]
    off = (sum(inner) / len(inner) - 0.5) * math.sqrt(12 * len(inner))
    if abs(off) < DEVIATIONS:
        return None
    late = sum(one.at > (first + last) / 2 for one in members)
    early = len(members) - late
    often = "more and more often" if off > 0 else "more and more rarely"
    what = f"it comes up {often} ({early} times, then {late} times in the same length of time)"
    evidence = (
        f"{early} in the first half of the time, {late} in the second",
        f"{off:+.1f} deviations from an even spread",
    )
    return Trend(off > 0, what, evidence, tuple(members), 0.6)


def _step(text: str) -> int | None:
    if _STEPS[_NEARLY].search(text):
        return _NEARLY
    found = [at for at, words in enumerate(_STEPS) if words.search(text)]
    return found[0] if found else None


def _spoken(one: Replayed, unit: str) -> str:
    """A unit as a memory writes it, after a space."""
    if not unit:
        return ""
    written = re.search(r"\d\s*-?(%|[^\W\d_]+)", one.text)
    return f" {written[1]}" if written else ""
