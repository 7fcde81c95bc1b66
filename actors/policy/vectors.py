"""Vectors: their cosines, the nearest of each, and another embedding model's cosines on one scale.

Apart from the texts that they are made of: numpy takes as long to load as a command may take.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

BLOCK: Final = 64  # rows compared in one piece: with 10,000 x 384 numbers in about 8 ms

Floats = npt.NDArray[np.float32]


def normalised(vectors: npt.ArrayLike) -> Floats:
    """Each row at length 1; a row of zeros stays so. float32."""
    rows = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return found


def cosines(query: npt.ArrayLike, matrix: npt.ArrayLike, centre: Floats | None = None) -> Floats:
    """Cosine (-1..1) of `query` with each row of `matrix`, whatever their lengths.

    With `centre`, their mean, after taking it off both: common features of all texts of a store say
    nothing about one of them (docs/adr/0006).
    """
    rows, question = normalised(matrix), normalised(query)
    if centre is not None:
        rows, question = normalised(rows - centre), normalised(question - centre)
    found: Floats = np.clip(rows @ question[0], -1.0, 1.0)
    return found


def matrix(vectors: Sequence[bytes]) -> Floats:
    """Normalised vectors as stored, (n, dimensions) of float32."""
    if not vectors:
        return np.empty((0, 0), np.float32)
    return np.frombuffer(b"".join(vectors), np.float32).reshape(len(vectors), -1)


def nearest(
    vectors: Floats, ids: Sequence[int], begin: int, count: int, least: float
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
# texts otherwise: e5 gives two unrelated notes .80, the default model .16. So the worth of a cosine is
# read off the store itself: the median cosine of two memories taken at random is .16 to the default
# model, a cosine of 1 is 1 to every model, and between them lies a straight line.


SAMPLE: Final = 500  # memories looked at, at most
LEAST: Final = 100  # of fewer the median says little, and cosines stay as they are
UNRELATED: Final = 0.1646  # to the default model, of 121 notes of coding and 1,210 of conversations
MARGIN: Final = 0.20
"""Distance by which a memory may be farther away and is still looked at, as the line is not exact: a
contradiction is lost that nobody reads."""


def unrelated(vectors: Floats) -> float | None:
    """Median cosine of two of these rows of length 1; None for too few."""
    if len(vectors) < LEAST:
        return None
    pairs = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    return min(float(np.median(pairs)), 0.99)


def on_scale(cosine: float, theirs: float) -> float:
    """The default model's cosine for one of a model to which ``theirs`` is that of unrelated texts."""
    return 1.0 - (1.0 - cosine) * (1.0 - UNRELATED) / (1.0 - theirs)
