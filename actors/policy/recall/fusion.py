"""One ranking out of several channels, by scores (docs/adr/0006).

Each channel is brought to 0..1 within one query, and a weighted sum gives a candidate's own score.
Then its neighbours in time lend it a share of theirs, squared, so only strong ones count: words next
to the answer belong to it. Bonuses come last.

In two other ways every channel counts alike: by reciprocal ranks (Cormack, Clarke and Buettcher,
2009), or by the mean of relative scores. Both lose (docs/measured/recall-ablation.md).
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from actors.policy.recall.candidates import Candidate, Place
from actors.policy.text.speech import MEANINGS, meaning
from actors.policy.text.words import stem, stems
from actors.policy.vectors import normalised

Scores: TypeAlias = Mapping[int, float]
Channels: TypeAlias = Mapping[str, Scores]  # by name; more is better
Shares: TypeAlias = dict[str, float]  # of a candidate's score, by what gave them

# Of a candidate that no channel scored.
NOTHING: Final[Shares] = dict.fromkeys(("words", "vectors", "found", "told", "tokens"), 0.0)
K: Final = 60  # of rank fusion

# Weights beside those of words and vectors; a missing channel leaves its weight to the others.
FOUND: Final = 0.1  # plain share of the query's informative words that the text has
TOLD: Final = 0.3  # the same by how rare they are, counting what was told just beside it
LATE: Final = 0.3  # late interaction of token vectors, where tokens are known and texts brief
NEAR: Final = (0.1, 0.05)  # share of each neighbour at distance 1, 2
BEST_NEAR: Final = 0.15  # share of the best neighbour within `REACH`
REACH: Final = 3
BRIEF: Final = 40  # different words up to which neighbours and tokens count in full; then less
TRIGGER: Final = 0.3


class Weights(NamedTuple):
    """Weights of words and vectors, which a question may shift."""

    words: float = 0.3
    vectors: float = 0.45


SHIPPED: Final = Weights()


def fused(
    words: Scores,
    cosines: Scores,
    *,
    found: Scores | None = None,
    told: Scores | None = None,
    late: Scores | None = None,
    places: Mapping[int, Place] | None = None,
    lengths: Mapping[int, int] | None = None,
    bonuses: Scores | None = None,
    weights: Weights = SHIPPED,
    method: str = "scores",
) -> list[Candidate[int]]:
    """Every candidate of any argument, best first; equal ones by identity. Its shares sum to its score.

    `words` are positive bm25 scores, `cosines` -1..1, `found` (`words.coverage`) and `told`
    (`told_beside`) 0..1; an empty mapping is a channel without an answer. `late` are shares of late
    interaction, 0..1; a candidate missing there gets the other channels' shares. `places` lets
    neighbours in time count, and may name neighbours no channel found; `lengths` are counts of
    different words, where known; `bonuses` come last, and name a candidate at 0 too. `method`: a
    way to fuse of `ways`.
    """
    known, near, added = lengths or {}, places or {}, bonuses or {}
    channels = {
        "words": words, "vectors": cosines, "found": found or {}, "told": told or {},
        "tokens": late or {},
    }  # fmt: skip
    match method:
        case "ranks":
            own = evenly(channels, by_rank)
        case "relative":
            own = evenly(channels, spread_out)
        case _:
            own = _with_late(_own(channels, weights), channels["tokens"], known, weights)
    # Neighbours lend by the square of a score, and of two places next to each other one is never much
    # better: by ranks they lend nothing.
    lent = _lent(own, near, known) if near and method != "ranks" else {}
    most = 1.0 + max(added.values(), default=0.0)
    if lent:
        most += 2 * sum(NEAR) + BEST_NEAR
    ranked: list[Candidate[int]] = []
    for identity in {*own, *near, *added}:
        shares = {name: share / most for name, share in own.get(identity, NOTHING).items()}
        shares["neighbours"] = lent.get(identity, 0.0) / most
        shares["bonus"] = added.get(identity, 0.0) / most
        ranked.append(Candidate(identity, min(sum(shares.values()), 1.0), parts=shares))
    ranked.sort(key=lambda one: (-one.score, one.memory))
    return ranked


def placed(runs: Iterable[Sequence[int]]) -> dict[int, Place]:
    """The place of every memory in `runs`, each a stretch of one timeline in its order.

    A stretch is a candidate with the few memories before and after it, which is cheap to read from
    the store; overlapping stretches are put together, others stay apart.
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


def briefness(length: int) -> float:
    """Share of a text's neighbours counted for it, by its number of different words, 0..1.

    A note or a turn belongs to the talk around it; a long answer or a whole session speaks for
    itself.
    """
    return min(1.0, BRIEF / max(length, 1))


def told_beside(
    weights: Mapping[str, float], said: Mapping[int, frozenset[str]], places: Mapping[int, Place]
) -> dict[int, float]:
    """Share of the weight of the query's words in each text, or beside it, 0..1.

    A word missing from the text counts when the text just before or after it in time has it, by how
    brief this text is. ``said`` are stems; ``weights``: of the query's stems, by rarity.
    """
    total = sum(weights.values())
    if not total:
        return {}
    at = {place: identity for identity, place in places.items()}
    shares: dict[int, float] = {}
    for identity, words in said.items():
        own = sum([weight for word, weight in weights.items() if word in words])
        around = _beside(identity, said, places, at) if places else frozenset[str]()
        more = sum([weights[word] for word in weights if word not in words and word in around])
        shares[identity] = (own + more * briefness(len(words))) / total
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


def _own(channels: Channels, by: Weights) -> dict[int, Shares]:
    """Weighted shares of the channels by candidate; each sum is within 0..1."""
    weights = {"words": by.words, "vectors": by.vectors, "found": FOUND, "told": TOLD}
    total = sum([weight for name, weight in weights.items() if channels[name]])
    if not total:
        return {}
    spread = {
        name: (_spread if name in ("words", "vectors") else _weighed)(
            channels[name], weight / total
        )
        for name, weight in weights.items()
    }
    named = {one for name in weights for one in channels[name]}
    return {one: {name: each.get(one, 0.0) for name, each in spread.items()} for one in named}


def _spread(values: Scores, weight: float) -> dict[int, float]:
    """Scale each score from 0 to the best one (the weight); below is 0."""
    best = max(values.values(), default=0.0)
    if best <= 0:
        return {}
    return {i: weight * (max(value, 0.0) / best) for i, value in values.items()}


def _weighed(shares: Scores, weight: float) -> dict[int, float]:
    return {i: weight * min(max(share, 0.0), 1.0) for i, share in shares.items()}


def _with_late(
    own: Mapping[int, Shares], late: Scores, lengths: Mapping[int, int], by: Weights
) -> dict[int, Shares]:
    """The same with a share of late interaction; each sum is within 0..1 still.

    The sum of a text with unknown tokens stays as it is: it neither gains nor loses. So does in
    part a long one's, which matches anything somewhere.
    """
    if not late:
        return {one: {**shares, "tokens": 0.0} for one, shares in own.items()}
    by_late = LATE / (by.words + by.vectors + FOUND + TOLD + LATE)
    whole: dict[int, Shares] = {}
    for one, shares in own.items():
        counts = briefness(lengths.get(one, 0)) if one in late else 0.0
        met = counts * late.get(one, 0.0) + (1.0 - counts) * sum(shares.values())
        whole[one] = {name: share * (1.0 - by_late) for name, share in shares.items()}
        whole[one]["tokens"] = by_late * met
    return whole


def _lent(
    own: Mapping[int, Shares], places: Mapping[int, Place], lengths: Mapping[int, int]
) -> dict[int, float]:
    """Gains of each placed candidate from its neighbours in time, by how brief it is."""
    strength = {place: sum(own.get(one, NOTHING).values()) ** 2 for one, place in places.items()}
    lent: dict[int, float] = {}
    for identity, (timeline, ordinal) in places.items():
        around = {
            distance: [
                strength.get((timeline, ordinal - distance), 0.0),
                strength.get((timeline, ordinal + distance), 0.0),
            ]
            for distance in range(1, REACH + 1)
        }
        shares = sum(share * sum(around[at]) for at, share in enumerate(NEAR, start=1))
        best = max(map(max, around.values()))
        lent[identity] = (shares + BEST_NEAR * best) * briefness(lengths.get(identity, 0))
    return lent


def evenly(channels: Channels, share_of: Callable[[Scores], dict[int, float]]) -> dict[int, Shares]:
    """The mean of each one's shares over the channels with findings, 0..1; no score counts below 0.

    ``found`` is ``told`` without rarity: one channel twice.
    """
    counting = {
        name: {one: score for one, score in each.items() if score > 0}
        for name, each in channels.items()
        if name != "found"
    }
    shares = {name: share_of(each) for name, each in counting.items() if each}
    named = {one for each in channels.values() for one in each}
    mean = {
        name: {one: share / len(shares) for one, share in each.items()}
        for name, each in shares.items()
    }
    return {
        one: NOTHING | {name: each.get(one, 0.0) for name, each in mean.items()} for one in named
    }


def by_rank(values: Scores, k: int = K) -> dict[int, float]:
    """Reciprocal ranks, of which the first is 1; scores of .9, .5, .5 and .1 have the ranks 1, 2, 2 and 4."""
    ranks: dict[float, int] = {}
    for rank, score in enumerate(sorted(values.values(), reverse=True), start=1):
        ranks.setdefault(score, rank)
    return {one: (k + 1) / (k + ranks[score]) for one, score in values.items()}


def spread_out(values: Scores) -> dict[int, float]:
    """The values between their lowest (0) and highest (1); 1 where all are equal. Not finite: 0."""
    finite = [value for value in values.values() if math.isfinite(value)]
    low = min(finite, default=0.0)
    width = max(finite, default=0.0) - low
    return {
        one: ((value - low) / width if width > 0 else 1.0) if math.isfinite(value) else 0.0
        for one, value in values.items()
    }


# ---- a query in other words, by the beginning of its answer, and by its purpose
#
# All of it is off (docs/measured/recall-ablation.md). Words and limits are choices.


WORTH: Final = 0.5  # share that what another word finds counts: it is a guess
# Of what words and vectors weigh together, the part of words; as shipped it is .4.
BY_INTENT: Final = (
    ("mending", 0.5, stems("fix bug error crash broken fail exception debug regression wrong hang leak")),
    ("understanding", 0.25, stems("spec plan scope understand explain overview describe meaning purpose how")),
)  # fmt: skip


def synonyms(terms: Iterable[str]) -> list[str]:
    """Stems of other words of the same meaning."""
    asked = [*terms]
    others = dict.fromkeys(other for term in asked for other in _OF_ONE[meaning(term)])
    return [other for other in others if other not in {*map(stem, asked)}]


def joined(own: Mapping[int, float], others: Mapping[int, float]) -> dict[int, float]:
    """The query's scores by words with the scores of other words, the best of which counts half of its best."""
    best = max(others.values(), default=0.0)
    scale = WORTH * max(own.values(), default=best) / (best or 1.0)
    return {**own, **{i: max(own.get(i, 0.0), scale * score) for i, score in others.items()}}


def beginning(terms: Sequence[str]) -> str:
    """The beginning of an answer; empty for a query without terms."""
    return f"{' '.join(terms)} is" if terms else ""


def between(one: bytes, other: bytes) -> bytes:
    """The direction between two vectors, at length 1; zeros where they cancel out.

    An answer lies nearer to an answer than to its question (Gao et al. 2022, arXiv 2212.10496, with
    its beginning in place of a model's text).
    """
    rows = normalised(np.stack([np.frombuffer(vector, np.float32) for vector in (one, other)]))
    middle: bytes = normalised(rows.mean(axis=0))[0].tobytes()
    return middle


def weighed(query: str) -> tuple[str, Weights]:
    """Return the kind of question, and the weights of words and vectors for it; their sum stays."""
    asked, both = stems(query), SHIPPED.words + SHIPPED.vectors
    for name, part, said in BY_INTENT:
        if asked & said:
            return name, Weights(both * part, both * (1.0 - part))
    return "anything", SHIPPED


_OF_ONE: Final[defaultdict[str, list[str]]] = defaultdict(list)
for _word, _shared in MEANINGS.items():
    _OF_ONE[_shared].append(_word)
