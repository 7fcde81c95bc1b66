"""Complexity of a query, and the channels it is worth asking.

A query is simple with at most three terms, or when it is exactly a trigger phrase; complex with more
than eight; moderate between. What cannot be judged counts as complex: asking every channel costs
time, asking too few costs the answer. Terms are what white space divides.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from actors.policy.recall.switches import Channels

STOP_WORDS: Final = frozenset(
    """
    a an the is are was were be has have had do does did will would can could should may
    and or but not in on at to for of with from by as this that it
    """.split()
)
"""The 37 words that say little about how much is asked."""

STOPPED: Final = 0.3  # share of stop words from which many terms are no sure sign of much asked
PLENTY: Final = 12  # terms from which a query is surely complex, whatever they are


class Tier(Enum):
    """Tier of a query by how much it asks."""

    SIMPLE = "simple"
    MODERATE = "moderate"
    COMPLEX = "complex"


class Sureness(Enum):
    """Clearness with which a query belongs to its tier; the fallback is no judgement at all."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    FALLBACK = "fallback"


class Channel(Enum):
    """Place where memories are looked for."""

    VECTOR = "vector"
    FTS = "fts"
    BM25 = "bm25"
    GRAPH = "graph"
    DEGREE = "degree"


ALL: Final = tuple(Channel)
ROUTES: Final[Mapping[Tier, tuple[Channel, ...]]] = {
    Tier.SIMPLE: (Channel.VECTOR, Channel.FTS),
    Tier.MODERATE: (Channel.VECTOR, Channel.FTS, Channel.BM25),
    Tier.COMPLEX: ALL,
}
# The switches that ask each of the channels that can be left out.
ASKING: Final[Mapping[Channel, tuple[str, ...]]] = {
    Channel.GRAPH: ("graph",),
    Channel.DEGREE: ("degree", "causes"),
}


# Where the tiers end.
SIMPLE: Final = 3  # terms at most
COMPLEX: Final = 8  # terms that are not complex yet


@dataclass(frozen=True, slots=True)
class Complexity:
    """A query's tier, with what it was judged by."""

    tier: Tier
    sureness: Sureness
    terms: int = 0
    trigger: bool = False  # the query is exactly a trigger phrase


@dataclass(frozen=True, slots=True)
class Route:
    """The switches a query is asked with, and those that its route turned off."""

    complexity: Complexity
    on: Channels
    left_out: tuple[str, ...]

    @property
    def said(self) -> str | None:
        """Line for a person: what was not asked and why; ``None`` when all of it is."""
        if not self.left_out:
            return None
        judged = self.complexity
        terms = f"{judged.terms} term{'' if judged.terms == 1 else 's'}"
        said = f"a {judged.tier.value} question ({terms}, {judged.sureness.value} confidence)"
        return f"{said}: {', '.join(self.left_out)} not asked"


def complexity(query: str, triggers: Container[str] = frozenset()) -> Complexity:
    """The tier of ``query``; ``triggers`` in lower case, with single spaces."""
    words = query.lower().split()
    if not words:
        return Complexity(Tier.COMPLEX, Sureness.FALLBACK)
    count = len(words)
    stopped = sum(word in STOP_WORDS for word in words) / count
    trigger = " ".join(words) in triggers
    if trigger or count <= SIMPLE:
        tier = Tier.SIMPLE
    else:
        tier = Tier.COMPLEX if count > COMPLEX else Tier.MODERATE
    sureness = _sureness(tier, count, trigger, stopped)
    return Complexity(tier, sureness, count, trigger)


def routed(tier: Tier) -> tuple[Channel, ...]:
    """The channels a query of this tier asks, at least two of them."""
    return ROUTES[tier]


def route_of(query: str, on: Channels) -> Route:
    """The route of ``query``: of what is on, what it is worth asking."""
    judged = complexity(query)
    chosen = routed(judged.tier)
    away = [name for channel, names in ASKING.items() if channel not in chosen for name in names]
    left_out = tuple(name for name in away if getattr(on, name))
    return Route(judged, replace(on, **dict.fromkeys(left_out, False)), left_out)


def _sureness(tier: Tier, count: int, trigger: bool, stopped: float) -> Sureness:
    """Least sure beside a border, and most where a query could not be taken for its neighbour."""
    if tier is Tier.SIMPLE:
        return Sureness.HIGH if trigger or count < SIMPLE else Sureness.MEDIUM
    if tier is Tier.COMPLEX:
        return Sureness.HIGH if count > PLENTY or stopped < STOPPED else Sureness.MEDIUM
    beside = count in (SIMPLE + 1, COMPLEX)
    return Sureness.LOW if beside else Sureness.MEDIUM
