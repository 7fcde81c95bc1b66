"""Salience backfill: after a failure, words of weeks ago about the same names matter.

A failure is traced back over identifiers shared with earlier memories: an environment variable, a
path, a dotted name. The proposals are hypotheses with a preview of the changes; nothing is
strengthened until somebody applies it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from actors.policy.patterns import pattern

DAY: Final = 86_400.0  # seconds

# CONSTANTS, paths and dotted names. A URL is none; "client/server" is prose, "src/auth.ts" is a path.
_ENTITY: Final = pattern(
    r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b"
    r"|(?<![\w:/.~@-])(?:~|\.{0,2})/[\w.@-]+(?:/[\w.@-]+)*"
    r"|(?<![\w:/.~@-])[\w.@-]++(?:/[\w.@-]+)+"
    r"|(?<![\w:/.~-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b"
)
_PROSE: Final = pattern(r"\A(?:[^\W\d_]+/[^\W\d_]+|[\W\d_]+|[ei]\.[eg])")


# How far back a failure reaches, and what it would do.
REACH: Final = 30.0  # days
IN_COMMON: Final = 1  # identifiers in common, at least
CAUSES: Final = 3  # proposed at most
FACTOR: Final = 2.5  # of stability
CEILING: Final = 365.0  # days that stability may grow


@dataclass(frozen=True, slots=True)
class Failure:
    """An event called a failure by somebody."""

    memory_id: str
    text: str
    at: float  # seconds UTC


@dataclass(frozen=True, slots=True)
class Earlier:
    """A memory possibly behind it."""

    memory_id: str
    text: str
    at: float  # seconds UTC
    stability: float  # days


@dataclass(frozen=True, slots=True)
class Cause:
    """A hypothesis: a memory that may explain the failure, and the change on applying it."""

    memory_id: str
    shared: tuple[str, ...]  # identifiers, in alphabetical order
    stability: float  # days, as it is
    proposed: float  # days


def entities(text: str) -> frozenset[str]:
    """Names in a text with the look of identifiers: variables, paths, dotted names."""
    found = (match.group().rstrip(".-") for match in _ENTITY.finditer(text))
    return frozenset(name for name in found if not _PROSE.fullmatch(name))


def boosted_stability(stability: float) -> float:
    """Stability in days of a memory found to matter: 2.5 times, at most 365 days more."""
    return min(stability * FACTOR, stability + CEILING)


def causes(happened: Failure, earlier: Iterable[Earlier]) -> tuple[Cause, ...]:
    """Up to three memories that may explain a failure: a proposal, not a change.

    The ones sharing the most identifiers with it first, then the latest; of the 30 days before it.
    """
    names = entities(happened.text)
    ranked = sorted(
        (-len(shared), -memory.at, memory.memory_id, shared, memory.stability)
        for memory in earlier
        if memory.memory_id != happened.memory_id
        and 0 <= happened.at - memory.at <= REACH * DAY
        and len(shared := tuple(sorted(names & entities(memory.text)))) >= IN_COMMON
    )
    return tuple(
        Cause(memory_id, shared, stability, boosted_stability(stability))
        for _, _, memory_id, shared, stability in ranked[:CAUSES]
    )
