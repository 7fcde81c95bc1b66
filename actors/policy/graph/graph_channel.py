"""The graph channel: memories linked with the ones found, whatever their words.

A question about two facts names the first one. The second is reached from it over a causal edge, an
association drawn by a person, or a connection seen by dreaming. Each memory found lends by the
square of its score, so only good answers have a say, times the strengths on the way. The beginnings
of the walk are found by words and vectors together.

Likeness in vector space lends nothing: the vectors have told it already, and on five development
sets it cost more than it brought (docs/measured/recall-ablation.md).
"""

import heapq
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.graph.causal import MULTIPLIERS
from actors.policy.text.wording import short_id

# Kinds of links that only repeat what the vectors say.
LIKENESS: Final = frozenset({"similar", "semantic"})
UNDER: Final = 0.98  # share of the score of what a link was followed from that it lifts to
# What a link lets pass by its kind: what somebody said or a text declares is a claim and counts
# most (the relations' multipliers, but for a successor: what it replaced has left the indexes), then what
# dreaming took for a cause. A connection that was merely observed gets OBSERVED,
# with which shared concepts raised recall@5 of questions of several facts by 3 points.
OBSERVED: Final = 0.4
SHARES: Final[Mapping[str, float]] = {
    relation.value: min(1.0, multiplier) for relation, multiplier in MULTIPLIERS.items()
} | {"causal_chain": 0.75}


# How far links are followed and how much what they reach gains.
SEEDS: Final = 10  # best ones found, from which links are followed
HOPS: Final = 2
DECAY: Final = 0.7  # of what is left after each further hop
LEAST: Final = 0.2  # strength of a link that is followed, as of a chain's
BOOST: Final = 0.05  # of a score, by the logarithm of a degree
REACHED: Final = 40  # memories that the channel brings at most


@dataclass(frozen=True, slots=True)
class Link:
    """Two related memories; the direction does not matter here."""

    one: int
    other: int
    kind: str  # a relation, a kind of connection or of association
    strength: float  # 0..1; a connection's may be up to 2


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory reached over links."""

    score: float  # 0..1: square of the seed's score, times what the links on the way let pass
    path: tuple[int, ...]  # from the seed to it, both named
    kinds: tuple[str, ...]  # of the links on that way

    @property
    def last_step(self) -> str:
        """The last step in words: "linked with m4 (caused)"."""
        return f"linked with {short_id(self.path[-2])} ({self.kinds[-1].replace('_', ' ')})"


def passing(link: Link) -> float:
    """Share passing over a link, 0..1: its strength, times its relation's multiplier if any."""
    strength = min(1.0, max(0.0, link.strength))
    if strength < LEAST or link.kind in LIKENESS:
        return 0.0
    return min(1.0, strength * SHARES.get(link.kind, OBSERVED))


def degree_boosts(links: Iterable[Link]) -> dict[int, float]:
    """Share of its score gained by each linked memory: .05 * log(1 + the sum of its links' shares)."""
    degrees: dict[int, float] = {}
    for link in set(links):
        for end in (link.one, link.other):
            degrees[end] = degrees.get(end, 0.0) + passing(link)
    return {one: BOOST * math.log1p(degree) for one, degree in degrees.items() if degree}


def seeds(scores: Mapping[int, float]) -> dict[int, float]:
    """The best ones found, by their share of the best score; equal ones by identity."""
    best = max(scores.values(), default=0.0)
    if best <= 0:
        return {}
    chosen = sorted(scores, key=lambda one: (-scores[one], one))[:SEEDS]
    return {one: scores[one] / best for one in chosen if scores[one] > 0}


def reached(started: Mapping[int, float], links: Iterable[Link]) -> dict[int, Reached]:
    """Memories reached over links from the ones found (``seeds``), the best way to each.

    A seed is reached from other seeds only. Best first and bounded: at most ``hops`` links a way,
    ``reached`` memories; the order of the links does not matter.
    """
    around = _around(links)
    waiting: list[tuple[float, tuple[int, ...], tuple[str, ...]]] = [
        (-(min(1.0, score) ** 2), (one,), ()) for one, score in started.items()
    ]
    heapq.heapify(waiting)
    found: dict[int, Reached] = {}
    left: set[tuple[int, int]] = set()  # who was left at which hop, by the best way first
    while waiting and len(found) < REACHED:
        negative, path, kinds = heapq.heappop(waiting)
        here, hops = path[-1], len(kinds)
        if hops and here not in found and -negative > 0:
            found[here] = Reached(-negative, path, kinds)
        if hops >= HOPS or (here, hops) in left:
            continue
        left.add((here, hops))
        for there, share, kind in around.get(here, ()):
            if there not in path:
                score = negative * share * (DECAY if hops else 1.0)
                heapq.heappush(waiting, (score, (*path, there), (*kinds, kind)))
    return found


def frontier(started: Collection[int], links: Iterable[Link], most: int) -> list[int]:
    """Memories with their links to be read next: met and not read yet, strongest first."""
    met: dict[int, float] = {}
    for link in links:
        share = passing(link)
        for end in (link.one, link.other):
            if share and end not in started:
                met[end] = max(share, met.get(end, 0.0))
    return sorted(met, key=lambda one: (-met[one], one))[:most]


def lifted(
    order: Sequence[tuple[int, float]], found: Mapping[int, Reached], weight: float
) -> dict[int, float]:
    """The scores with the links' additions: ``weight`` of the best score for a full link."""
    best = max((score for _, score in order), default=0.0)
    scores = dict(order)
    for one, way in found.items():
        scores[one] = scores.get(one, 0.0) + weight * best * way.score
    return scores


def _around(links: Iterable[Link]) -> dict[int, list[tuple[int, float, str]]]:
    """Each memory's neighbours with their shares, the strongest link of a pair alone."""
    best: dict[tuple[int, int], tuple[float, str]] = {}
    for link in links:
        share = passing(link)
        pair = (min(link.one, link.other), max(link.one, link.other))
        known = best.get(pair)
        if share and pair[0] != pair[1] and (known is None or (share, link.kind) > known):
            best[pair] = (share, link.kind)
    around: dict[int, list[tuple[int, float, str]]] = {}
    for (one, other), (share, kind) in sorted(best.items()):
        around.setdefault(one, []).append((other, share, kind))
        around.setdefault(other, []).append((one, share, kind))
    return around
