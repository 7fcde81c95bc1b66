"""One ranking out of several channels, by scores (features.md K07, K08; docs/adr/0006).

Each channel is brought to 0..1 within one query: word scores (bm25, negated so that larger is
better) by the best of them, since a text without the words has 0; cosines between a fixed floor
and the best, since what is unrelated has a cosine near the floor whatever the candidates are.
A weighted sum gives a candidate's own score. Then its neighbours in time lend it a share of
theirs, squared, so that only strong ones count: what was said next to the answer belongs to it.
Bonuses come last. Weights were measured (docs/adr/0006); equal-weight rank fusion, kept for
comparison, loses to words alone on three of the five sets there.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Place = tuple[Hashable, int]
"""Where a memory stands in time: its timeline (say, the project) and its ordinal there."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Weights of the channels (a missing one leaves its weight to the others) and of neighbours."""

    words: float = 0.35
    vectors: float = 0.45
    found: float = 0.2  # plain share of the query's informative words that the text has
    floor: float = 0.0  # cosine at which a vector says nothing
    near: tuple[float, ...] = (0.1, 0.05)  # share of each neighbour at distance 1, 2, ...
    best_near: float = 0.15  # share of the best neighbour within `reach`
    reach: int = 3
    trigger: float = 0.3
    literal: float = 0.3


@dataclass(frozen=True, slots=True)
class Bonus:
    """What lifts a candidate beside the channels: its trigger, or the query literally in it."""

    trigger: bool = False
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """What made up a score, for `--explain`: shares that sum to it, and the raw figures."""

    words: float
    vectors: float
    found: float
    neighbours: float
    bonus: float
    word_score: float | None
    cosine: float | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score (0..1) and what made it up."""

    identity: int
    score: float
    parts: Parts


def fused(
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    *,
    found: Mapping[int, float] | None = None,
    places: Mapping[int, Place] | None = None,
    bonuses: Mapping[int, Bonus] | None = None,
    settings: Settings | None = None,
) -> list[Ranked]:
    """Every candidate of any argument, best first; equal ones by identity.

    `words` are positive bm25 scores, `cosines` -1..1, `found` 0..1 (`words.coverage`); an empty
    mapping is a channel that did not answer. `places` lets neighbours in time count, and may name
    neighbours that no channel found.
    """
    chosen = settings or Settings()
    own = _own(words, cosines, found or {}, chosen)
    identities = {*own, *(places or {}), *(bonuses or {})}
    lent = _lent({i: sum(parts) for i, parts in own.items()}, places or {}, chosen)
    added = {i: _added(bonus, chosen) for i, bonus in (bonuses or {}).items()}
    most = 1.0 + max(added.values(), default=0.0)
    if lent:
        most += 2 * sum(chosen.near) + chosen.best_near
    ranked = [
        _ranked(
            identity,
            tuple(share / most for share in own.get(identity, _NOTHING)),
            lent.get(identity, 0.0) / most,
            added.get(identity, 0.0) / most,
            (words.get(identity), cosines.get(identity)),
        )
        for identity in identities
    ]
    ranked.sort(key=lambda r: (-r.score, r.identity))
    return ranked


def rank_fused(
    rankings: Iterable[Sequence[int]], *, weights: Sequence[float] | None = None, k: int = 60
) -> list[tuple[int, float]]:
    """Reciprocal rank fusion (K07): sum of weight / (k + rank), ranks from 1; best first."""
    lists = list(rankings)
    shares = [1.0] * len(lists) if weights is None else list(weights)
    total: dict[int, float] = {}
    for ranking, weight in zip(lists, shares, strict=True):
        for rank, identity in enumerate(ranking, start=1):
            total[identity] = total.get(identity, 0.0) + weight / (k + rank)
    return sorted(total.items(), key=lambda scored: (-scored[1], scored[0]))


def placed(runs: Iterable[Sequence[int]]) -> dict[int, Place]:
    """The place of every memory in `runs`, each a stretch of one timeline in its order.

    A stretch is a candidate with the few memories before and after it, which is cheap to read
    from the store; stretches that overlap are put together, others stay apart.
    """
    after: dict[int, int] = {}
    seen: dict[int, None] = {}
    for run in runs:
        seen.update(dict.fromkeys(run))
        after.update(pairwise(run))
    followers = set(after.values())
    places: dict[int, Place] = {}
    for head in seen:
        if head in followers:
            continue
        ordinal, identity = 0, head
        while identity not in places:
            places[identity] = (head, ordinal)
            if identity not in after:
                break
            ordinal, identity = ordinal + 1, after[identity]
    return places


_NOTHING = (0.0, 0.0, 0.0)


def _own(
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    found: Mapping[int, float],
    settings: Settings,
) -> dict[int, tuple[float, float, float]]:
    """Weighted shares of (words, vectors, found) by candidate; each sum is within 0..1."""
    weights = (
        settings.words if words else 0.0,
        settings.vectors if cosines else 0.0,
        settings.found if found else 0.0,
    )
    total = sum(weights)
    if not total:
        return {}
    by_words, by_vectors, by_found = (weight / total for weight in weights)
    best_word = max(words.values(), default=0.0)
    best_cosine = max(cosines.values(), default=0.0)
    return {
        identity: (
            by_words * _between(words.get(identity, 0.0), 0.0, best_word),
            by_vectors * _between(cosines.get(identity, -1.0), settings.floor, best_cosine),
            by_found * min(max(found.get(identity, 0.0), 0.0), 1.0),
        )
        for identity in {*words, *cosines, *found}
    }


def _lent(
    own: Mapping[int, float], places: Mapping[int, Place], settings: Settings
) -> dict[int, float]:
    """What each placed candidate gets from its neighbours in time; empty without places."""
    strength = {place: own.get(identity, 0.0) ** 2 for identity, place in places.items()}
    lent: dict[int, float] = {}
    for identity, (timeline, ordinal) in places.items():
        around = {
            distance: [
                strength.get((timeline, ordinal - distance), 0.0),
                strength.get((timeline, ordinal + distance), 0.0),
            ]
            for distance in range(1, max(settings.reach, len(settings.near)) + 1)
        }
        shares = sum(share * sum(around[at]) for at, share in enumerate(settings.near, start=1))
        best = max((max(around[at]) for at in range(1, settings.reach + 1)), default=0.0)
        lent[identity] = shares + settings.best_near * best
    return lent


def _ranked(
    identity: int,
    own: tuple[float, ...],
    neighbours: float,
    bonus: float,
    raw: tuple[float | None, float | None],
) -> Ranked:
    by_words, by_vectors, by_found = own
    parts = Parts(by_words, by_vectors, by_found, neighbours, bonus, *raw)
    return Ranked(identity, min(sum(own) + neighbours + bonus, 1.0), parts)


def _added(bonus: Bonus, settings: Settings) -> float:
    return settings.trigger * bonus.trigger + settings.literal * bonus.literal


def _between(value: float, low: float, high: float) -> float:
    """Where `value` stands from `low` (0) to `high` (1); below is 0."""
    return max(value - low, 0.0) / (high - low) if high > low else 0.0
