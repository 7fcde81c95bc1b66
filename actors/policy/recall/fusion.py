"""One ranking out of several channels, by scores (docs/adr/0006).

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
from typing import NamedTuple, TypeAlias

Place = tuple[Hashable, int]
"""Where a memory stands in time: its timeline (say, the project) and its ordinal there."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Weights of the channels (a missing one leaves its weight to the others) and of neighbours."""

    words: float = 0.3
    vectors: float = 0.45
    found: float = 0.1  # plain share of the query's informative words that the text has
    told: float = 0.3  # the same by how rare they are, counting what was told just beside it
    late: float = 0.3  # late interaction of token vectors, where tokens are known and texts brief
    floor: float = 0.0  # cosine at which a vector says nothing
    near: tuple[float, ...] = (0.1, 0.05)  # share of each neighbour at distance 1, 2, ...
    best_near: float = 0.15  # share of the best neighbour within `reach`
    reach: int = 3
    brief: int = 40  # different words up to which neighbours and tokens count in full; then less
    trigger: float = 0.3


class Parts(NamedTuple):
    """Parts of a score, for `--explain`: shares that sum to it, and the raw figures."""

    words: float
    vectors: float
    found: float
    told: float
    neighbours: float
    bonus: float
    word_score: float | None
    cosine: float | None
    late: float = 0.0

    @property
    def whole(self) -> float:
        """The sum of the shares."""
        own = self.words + self.vectors + self.found + self.told + self.late
        return own + self.neighbours + self.bonus


NO_PARTS = Parts(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, None, None)  # of what no channel scored


class Ranked(NamedTuple):
    """A candidate with its score (0..1) and what made it up."""

    identity: int
    score: float
    parts: Parts


def fused(
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    *,
    found: Mapping[int, float] | None = None,
    told: Mapping[int, float] | None = None,
    late: Mapping[int, float] | None = None,
    places: Mapping[int, Place] | None = None,
    lengths: Mapping[int, int] | None = None,
    bonuses: Mapping[int, float] | None = None,
    settings: Settings | None = None,
) -> list[Ranked]:
    """Every candidate of any argument, best first; equal ones by identity.

    `words` are positive bm25 scores, `cosines` -1..1, `found` (`words.coverage`) and `told`
    (`told_beside`) 0..1; an empty mapping is a channel that did not answer. `late` are shares of
    late interaction, 0..1; one that is not in it gets what the other channels give. `places` lets
    neighbours in time count, and may name neighbours that no channel found; `lengths` are counts
    of different words, of those that are known; `bonuses` come last, and name a candidate at 0 too.
    """
    chosen = settings or Settings()
    known, near = lengths or {}, places or {}
    plain = _own((words, cosines, found or {}, told or {}), chosen)
    own = _with_late(plain, late or {}, known, chosen)
    lent = _lent(own, near, known, chosen) if near else {}
    added = bonuses or {}
    most = 1.0 + max(added.values(), default=0.0)
    if lent:
        most += 2 * sum(chosen.near) + chosen.best_near
    ranked: list[Ranked] = []
    for identity in {*own, *near, *added}:
        by_words, by_vectors, by_found, by_told, by_late = own.get(identity, _NOTHING)
        parts = Parts(
            by_words / most, by_vectors / most, by_found / most, by_told / most,
            lent.get(identity, 0.0) / most, added.get(identity, 0.0) / most,
            words.get(identity), cosines.get(identity), by_late / most,
        )  # fmt: skip
        ranked.append(Ranked(identity, min(parts.whole, 1.0), parts))
    ranked.sort(key=lambda r: (-r.score, r.identity))
    return ranked


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


_NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0)
Four: TypeAlias = tuple[float, float, float, float]
Five: TypeAlias = tuple[float, float, float, float, float]


def briefness(length: int, settings: Settings) -> float:
    """Share of what is beside a text that counts for it, by its number of different words, 0..1.

    A note or a turn belongs to what was said around it; a long answer or a whole session speaks
    for itself.
    """
    return min(1.0, settings.brief / max(length, 1))


def told_beside(
    weights: Mapping[str, float],
    said: Mapping[int, frozenset[str]],
    places: Mapping[int, Place],
    settings: Settings | None = None,
) -> dict[int, float]:
    """Share of the weight of the query's words that each text has, 0..1, or was told beside it.

    What the text itself lacks counts when the text just before or after it in time has it, by
    how brief this text is. ``said`` are stems; ``weights`` those of the query's, by rarity.
    """
    chosen, total = settings or Settings(), sum(weights.values())
    if not total:
        return {}
    at = {place: identity for identity, place in places.items()}
    shares: dict[int, float] = {}
    for identity, stems in said.items():
        own = sum([weight for word, weight in weights.items() if word in stems])
        around = _beside(identity, said, places, at) if places else frozenset[str]()
        more = sum([weights[word] for word in weights if word not in stems and word in around])
        shares[identity] = (own + more * briefness(len(stems), chosen)) / total
    return shares


def _beside(
    identity: int,
    said: Mapping[int, frozenset[str]],
    places: Mapping[int, Place],
    at: Mapping[Place, int],
) -> frozenset[str]:
    if identity not in places:
        return frozenset()
    timeline, ordinal = places[identity]
    near = (at.get((timeline, ordinal + step)) for step in (-1, 1))
    return frozenset(
        word for one in near if one is not None for word in said.get(one, frozenset[str]())
    )


def _own(channels: tuple[Mapping[int, float], ...], settings: Settings) -> dict[int, Four]:
    """Weighted shares of (words, vectors, found, told) by candidate; each sum is within 0..1."""
    weights = [
        weight if channel else 0.0
        for weight, channel in zip(
            (settings.words, settings.vectors, settings.found, settings.told),
            channels,
            strict=True,
        )
    ]
    total = sum(weights)
    if not total:
        return {}
    by_words, by_vectors, by_found, by_told = (weight / total for weight in weights)
    words, cosines, found, told = channels
    from_words = _spread(words, by_words, 0.0)
    from_vectors = _spread(cosines, by_vectors, settings.floor)
    from_found, from_told = _weighed(found, by_found), _weighed(told, by_told)
    return {
        identity: (
            from_words.get(identity, 0.0),
            from_vectors.get(identity, 0.0),
            from_found.get(identity, 0.0),
            from_told.get(identity, 0.0),
        )
        for identity in {*words, *cosines, *found, *told}
    }


def _spread(values: Mapping[int, float], weight: float, low: float) -> dict[int, float]:
    """How far each stands from `low` (0) to the best one (the weight); below is 0."""
    width = max(values.values(), default=0.0) - low
    if width <= 0:
        return {}
    return {i: weight * (max(value - low, 0.0) / width) for i, value in values.items()}


def _weighed(shares: Mapping[int, float], weight: float) -> dict[int, float]:
    return {i: weight * min(max(share, 0.0), 1.0) for i, share in shares.items()}


def _with_late(
    own: Mapping[int, Four],
    late: Mapping[int, float],
    lengths: Mapping[int, int],
    settings: Settings,
) -> dict[int, Five]:
    """The same with a share of late interaction; each sum is within 0..1 still.

    Of a text whose tokens are not known the sum stays what it is: it neither gains nor loses. So
    does in part that of a long one, which meets anything somewhere.
    """
    others = settings.words + settings.vectors + settings.found + settings.told
    if not late or settings.late <= 0:
        return {one: (*parts, 0.0) for one, parts in own.items()}
    by_late = settings.late / (others + settings.late)
    rest = 1.0 - by_late
    shares: dict[int, Five] = {}
    for one, parts in own.items():
        before = sum(parts)
        counts = briefness(lengths.get(one, 0), settings) if one in late else 0.0
        share = counts * late.get(one, 0.0) + (1.0 - counts) * before
        by_words, by_vectors, by_found, by_told = parts
        shares[one] = (
            by_words * rest, by_vectors * rest, by_found * rest, by_told * rest, by_late * share,
        )  # fmt: skip
    return shares


def _lent(
    own: Mapping[int, Five],
    places: Mapping[int, Place],
    lengths: Mapping[int, int],
    settings: Settings,
) -> dict[int, float]:
    """What each placed candidate gets from its neighbours in time, by how brief it is."""
    strength = {place: sum(own.get(identity, _NOTHING)) ** 2 for identity, place in places.items()}
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
        counts = briefness(lengths.get(identity, 0), settings)
        lent[identity] = (shares + settings.best_near * best) * counts
    return lent
