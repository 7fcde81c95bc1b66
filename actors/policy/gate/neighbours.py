"""Nearest vectors, and what a cosine of the embedding model in use is worth."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

BLOCK: Final = 64  # rows compared in one piece: with 10,000 x 384 numbers in about 8 ms

Matrix = npt.NDArray[np.float32]


def matrix(vectors: Sequence[bytes]) -> Matrix:
    """Normalised vectors as stored, (n, dimensions) of float32."""
    if not vectors:
        return np.empty((0, 0), np.float32)
    return np.frombuffer(b"".join(vectors), np.float32).reshape(len(vectors), -1)


def nearest(
    vectors: Matrix, ids: Sequence[int], begin: int, count: int, least: float
) -> dict[tuple[int, int], float]:
    """For the rows ``begin`` to ``begin + BLOCK`` their nearest others, as pairs with their cosine.

    At most ``count`` of each row, with a cosine of at least ``least``; the smaller id stands first.
    """
    rows = vectors[begin : begin + BLOCK]
    cosines = rows @ vectors.T
    cosines[np.arange(len(rows)), np.arange(begin, begin + len(rows))] = -1.0  # itself
    count = min(count, cosines.shape[1])
    if count == 0:
        return {}
    best = np.argpartition(cosines, -count, axis=1)[:, -count:]
    found: list[list[int]] = best.tolist()
    values: list[list[float]] = np.take_along_axis(cosines, best, axis=1).tolist()
    pairs: dict[tuple[int, int], float] = {}
    for one, places, near in zip(ids[begin : begin + BLOCK], found, values, strict=True):
        for place, value in zip(places, near, strict=True):
            if value >= least:
                other = ids[place]
                pairs[(one, other) if one < other else (other, one)] = value
    return pairs


# ---- another embedding model's cosines on the scale of the default one
#
# The gate's thresholds and weights speak of the cosines of one model. Another model spreads the same
# texts otherwise: e5 gives two unrelated notes .80, the default model .15. So the worth of a cosine
# is read off the store itself: how alike are two memories taken at random (strangers), and how alike
# is each to its nearest (neighbours)? Equal quantiles of two models mean the same, and between them
# lies a straight line. The order of cosines never changes.
#
# A nearest neighbour is nearer the more there are to choose from. Therefore neighbours are looked
# for in groups of a hundred, here and in the reference: the figures of a store of any size compare.


GROUP: Final = 100
"""Memories among which a neighbour is looked for; fewer than these are not measured: of a hundred
neighbours the quantile .05 still rests on five."""
SAMPLE: Final = 5 * GROUP
"""Memories looked at, at most: five groups, 24,750 pairs. Of 1,210 notes the mean over
20 draws was within .005 of that of samples of 1,200."""
STRANGERS: Final = (0.01, 0.05, 0.25, 0.50, 0.75, 0.95, 0.99)
"""Quantiles of the cosines of any two memories."""
NEIGHBOURS: Final = (0.05, 0.25, 0.50, 0.75, 0.95)
"""Quantiles of the cosines of a memory to its nearest."""
MISSING: Final = 0.05  # share of memories that may lack vectors: some are given up
MARGIN: Final = 0.20
"""How much farther away a memory may be and still be looked at, on a line that is not exact: of
1,200 public pairs it was .10 off on the average, and a contradiction is lost that nobody reads."""
STEP: Final = 1e-4  # two quantiles nearer than this are one


class Quantiles(Struct, frozen=True):
    """Quantiles of cosines in a store by one model, at ``STRANGERS`` and ``NEIGHBOURS``."""

    strangers: tuple[float, ...]
    neighbours: tuple[float, ...]


# The default model on notes: 121 of coding projects and 1,210 of conversations, the mean of both
# (docs/adr/0007).
NOTES: Final = Quantiles(
    (-0.0529, -0.0027, 0.0870, 0.1646, 0.2667, 0.4891, 0.6437),
    (0.4415, 0.5537, 0.6384, 0.7450, 0.8590),
)


class Scale(Struct, frozen=True):
    """Points of a rising line from one model's cosines to another's; none: they are the same."""

    theirs: tuple[float, ...] = ()
    ours: tuple[float, ...] = ()


GOLDEN: Final = (5**0.5 - 1) / 2
SAME: Final = Scale()


def quantiles(vectors: Matrix) -> Quantiles | None:
    """Quantiles of these rows of length 1, taken all over the store; None for too few."""
    groups = min(len(vectors), SAMPLE) // GROUP
    if not groups:
        return None
    strangers: list[Matrix] = []
    neighbours: list[Matrix] = []
    above = np.triu_indices(GROUP, 1)
    # Every group is from all over the store: neighbours in time are of one topic. Steps of the
    # golden ratio follow no rhythm that a store may have.
    order = np.argsort(np.arange(groups * GROUP) * GOLDEN % 1.0)
    for first in range(0, len(order), GROUP):
        several = vectors[order[first : first + GROUP]]
        cosines = several @ several.T
        strangers.append(cosines[above])
        np.fill_diagonal(cosines, -1.0)
        neighbours.append(cosines.max(axis=1))
    return Quantiles(
        _at(np.concatenate(strangers), STRANGERS), _at(np.concatenate(neighbours), NEIGHBOURS)
    )


def scale(measured: Quantiles, reference: Quantiles = NOTES) -> Scale:
    """The line from the cosines of ``measured`` to the ones of ``reference``.

    Where both quantiles overlap, strangers come first: there are two hundred times as many.
    A cosine of 1 is 1 to every model.
    """
    pairs = [
        *zip(measured.strangers, reference.strangers, strict=True),
        *zip(measured.neighbours, reference.neighbours, strict=True),
    ]
    kept: list[tuple[float, float]] = []
    for theirs, ours in pairs:
        rising = not kept or (theirs > kept[-1][0] + STEP and ours > kept[-1][1] + STEP)
        if rising and theirs < 1 - STEP and ours < 1 - STEP:
            kept.append((theirs, ours))
    kept.append((1.0, 1.0))
    return Scale(tuple(theirs for theirs, _ in kept), tuple(ours for _, ours in kept))


def on_scale(cosine: float, scale: Scale) -> float:
    """The reference's cosine for this one; below the first point, the value of the point."""
    return float(np.interp(cosine, scale.theirs, scale.ours)) if scale.theirs else cosine


def off_scale(similarity: float, scale: Scale) -> float:
    """The cosine shown for a similarity: the line the other way."""
    return float(np.interp(similarity, scale.ours, scale.theirs)) if scale.ours else similarity


def is_due(measured: int, living: int, missing: int) -> bool:
    """Tell whether to measure: vectors are complete, and the model is new or the store has doubled.

    ``measured`` is how many memories there were the last time; 0: never.
    """
    return living >= max(GROUP, 2 * measured) and missing <= MISSING * living


def _at(values: Matrix, levels: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(float(value), 4) for value in np.quantile(values, levels))
