"""The nearest neighbours of many memories at once, block by block."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

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
