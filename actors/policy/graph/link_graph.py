"""Links of every kind as one graph: what is linked with something found, or comes to mind.

Activation spreads from a memory to its neighbours, and weaker with every hop to theirs (Collins and
Loftus, 1975). One walk goes every way, the surest first, for three questions: which memories a search
reaches over links from what it found (the graph channel), which a memory brings to mind, and which ways
lead away from one. They differ in what a link lets pass.
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from actors.policy.text.short_ids import short_id


class Relation(Enum):
    """Relation of the source of a causal edge to its target, as a sentence: these six and no other."""

    CAUSED = "caused"
    ENABLED = "enabled"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived_from"
    SUPPORTS = "supports"


class InvalidLink(ValueError):
    """The asker's edge is none: an unknown relation, a memory linked to itself, a wrong strength."""


def check_edge(source: int, target: int, relation: str, strength: float = 1.0) -> None:
    """Raise ``InvalidLink`` for what can be no causal edge."""
    known = [one.value for one in Relation]
    if relation not in known:
        raise InvalidLink(f"a relation is one of {', '.join(known)}")
    if source == target:
        raise InvalidLink("a memory cannot be linked to itself")
    if not 0 <= strength <= 1:
        raise InvalidLink("the strength of a link is between 0 and 1")


# Kinds of links that only repeat what the vectors say.
LIKENESS: Final = frozenset({"similar", "semantic"})
LEAST: Final = 0.2  # strength of a link that is followed


class Link(NamedTuple):
    """Two related memories; the direction does not matter here."""

    one: int
    other: int
    kind: str  # a relation, a kind of connection or of association
    strength: float  # 0..1; a connection's may be up to 2


class Way(NamedTuple):
    """A way over links, with the memories from its beginning to its end."""

    sure: float  # 0..1: what it began with, times what its links let pass
    memories: tuple[int, ...]
    links: tuple[Link, ...]

    @property
    def last_step(self) -> str:
        """The last step in words: "linked with m4 (caused)"."""
        kind = self.links[-1].kind.replace("_", " ")
        return f"linked with {short_id(self.memories[-2])} ({kind})"


Neighbours: TypeAlias = Mapping[int, Sequence[tuple[int, float, Link]]]
"""By memory: each neighbour, what passes to it (0..1), and the link; the strongest first."""


def strength(link: Link) -> float:
    """Strength of a link, 0..1: a connection found again and again is not surer than a link."""
    return min(1.0, max(0.0, link.strength))


def neighbours(
    links: Iterable[Link], passes: Callable[[Link], float], most: int | None = None
) -> Neighbours:
    """Each memory's strongest neighbours by what a link ``passes``; of a pair the strongest link counts."""
    best: dict[tuple[int, int], tuple[float, str, Link]] = {}
    for link in links:
        share, pair = passes(link), (min(link.one, link.other), max(link.one, link.other))
        if share and pair[0] != pair[1]:
            here = (-share, link.kind, link)
            best[pair] = min(here, best.get(pair, here))
    around = defaultdict[int, list[tuple[int, float, Link]]](list)
    for (one, other), (share, _, link) in best.items():
        around[one].append((other, -share, link))
        around[other].append((one, -share, link))
    return {
        one: sorted(each, key=lambda near: (-near[1], near[0]))[:most]
        for one, each in around.items()
    }


def ways(
    around: Neighbours,
    starts: Mapping[int, float],
    depth: int,
    *,
    decay: float = 1.0,
    least: float = 0.0,
) -> Iterator[Way]:
    """The ways of at most ``depth`` links, the surest first; on none a memory stands twice.

    ``starts``: how sure each beginning is. ``decay``: of what is left after each further link.
    ``least``: what is less sure does not arrive. A memory is left only once with each number of links
    behind it. The order of the links does not matter.
    """
    waiting: list[tuple[float, int, tuple[int, ...], tuple[Link, ...]]]
    waiting = [(-sure, 0, (start,), ()) for start, sure in starts.items()]
    heapq.heapify(waiting)
    left: set[tuple[int, int]] = set()
    while waiting:
        negative, length, memories, links = heapq.heappop(waiting)
        yield Way(-negative, memories, links)
        here = memories[-1]
        if length >= depth or (here, length) in left:
            continue
        left.add((here, length))
        for there, share, link in around.get(here, ()):
            arriving = negative * share * (decay if length else 1.0)
            if there not in memories and -arriving >= least:
                step = (arriving, length + 1, (*memories, there), (*links, link))
                heapq.heappush(waiting, step)


def surest(found: Iterable[Way], most: int | None = None) -> dict[int, Way]:
    """The surest way to each memory, of at most so many."""
    first: dict[int, Way] = {}
    for way in found:
        if len(first) == most:
            break
        if way.links and way.sure > 0:
            first.setdefault(way.memories[-1], way)
    return first


# ---- the graph channel: memories linked with the ones found, whatever their words
#
# A question about two facts names the first one. The second is reached from it over a causal edge, an
# association drawn by a person, or a connection seen by dreaming. Each memory found lends by the square
# of its score, so only good answers have a say. Likeness in vector space lends nothing: the vectors
# have told it already, and on five development sets it cost more than it brought
# (docs/measured/recall-ablation.md).


UNDER: Final = 0.98  # share of the score of what a link was followed from that it lifts to
# What a link lets pass by its kind: what somebody said is a claim and counts most, a contradiction a
# little less, then what dreaming took for a cause. A connection that was merely observed gets OBSERVED.
OBSERVED: Final = 0.4
SHARES: Final[Mapping[str, float]] = {
    **{relation.value: 1.0 for relation in Relation},
    Relation.CONTRADICTS.value: 0.8,
    "causal_chain": 0.75,
}
SEEDS: Final = 10  # best ones found, from which links are followed
HOPS: Final = 2
DECAY: Final = 0.7  # of what is left after each further hop
REACHED: Final = 40  # memories that the channel brings at most


def passing(link: Link) -> float:
    """Share passing over a link, 0..1: its strength, times its relation's multiplier if any."""
    if link.strength < LEAST or link.kind in LIKENESS:
        return 0.0
    return min(1.0, strength(link) * SHARES.get(link.kind, OBSERVED))


def seeds(scores: Mapping[int, float]) -> dict[int, float]:
    """The best ones found, by their share of the best score; equal ones by identity."""
    best = max(scores.values(), default=0.0)
    chosen = sorted(scores, key=lambda one: (-scores[one], one))[:SEEDS]
    return {one: scores[one] / best for one in chosen if scores[one] > 0}


def reached(started: Mapping[int, float], links: Iterable[Link]) -> dict[int, Way]:
    """The best way to each memory reached over links from ``seeds``; to a seed from others only."""
    squares = {one: min(1.0, score) ** 2 for one, score in started.items()}
    return surest(ways(neighbours(links, passing), squares, HOPS, decay=DECAY), REACHED)


def frontier(started: Collection[int], links: Iterable[Link], most: int) -> list[int]:
    """Memories with their links to be read next: met and not read yet, strongest first."""
    met: dict[int, float] = {}
    for link in links:
        share = passing(link)
        for end in (link.one, link.other):
            if share and end not in started:
                met[end] = max(share, met.get(end, 0.0))
    return sorted(met, key=lambda one: (-met[one], one))[:most]


# ---- what a memory brings to mind: .5 of a link's strength arrives, over two links at most


RELATED: Final = 5  # neighbours of one memory that count: the strongest
ALIKE: Final = (
    0.70  # likeness from which two memories are associated; links of other kinds always count
)
ACTIVATION: Final = 0.5  # of what leaves a memory over a link of full strength that arrives
FAINT: Final = 0.01  # activation below which nothing arrives


def associated(seed: int, links: Iterable[Link]) -> list[Way]:
    """Memories that one brings to mind, the strongest first: over a likeness of .85 .425 arrives, then .181."""
    around = neighbours(links, _associates, RELATED)
    found = surest(ways(around, {seed: 1.0}, HOPS, least=FAINT))
    return [way for memory, way in found.items() if memory != seed]


def _associates(link: Link) -> float:
    faint = link.kind == "similar" and link.strength < ALIKE
    return 0.0 if faint else ACTIVATION * strength(link)


# ---- ways that a person asks for


PATHS: Final = 1000  # looked at


def around(links: Iterable[Link], start: int, depth: int) -> tuple[Way, ...]:
    """The surest way from ``start`` to each memory in reach, the surest first."""
    near = neighbours(links, lambda link: strength(link) if link.strength >= LEAST else 0.0)
    return tuple(surest(islice(ways(near, {start: 1.0}, depth), PATHS)).values())
