"""Cosines of vectors: exact ones, and those of a byte a number.

A byte a number is a quarter of the reading and orders candidates all but exactly: what is left of
the doubt is told with each cosine. Which vectors are candidates, `sign_bits` says.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Octets = npt.NDArray[np.int8]

_MOST: Final = 127
_DEVIATIONS: Final = 7.0
"""Of rounding, which is 1 / sqrt(12) of a step a number: more than any of a million had."""


def normalised(vectors: npt.ArrayLike) -> Floats:
    """Each row at length 1; a row of zeros stays so. float32."""
    rows = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return found


def cosines(query: npt.ArrayLike, matrix: npt.ArrayLike, centre: Floats | None = None) -> Floats:
    """Cosine (-1..1) of `query` with each row of `matrix`, whatever their lengths.

    With `centre` (`sign_bits.SignIndex.mean`), of what is left when it is taken off both: what all texts of
    a store have in common says nothing about one of them (docs/adr/0006).
    """
    rows, question = normalised(matrix), normalised(query)
    if centre is not None:
        rows, question = normalised(rows - centre), normalised(question - centre)
    found: Floats = np.clip(rows @ question[0], -1.0, 1.0)
    return found


def rounded(vectors: npt.ArrayLike) -> Octets:
    """Each row in steps of its own, so that its largest number is 127; a row of zeros stays so."""
    rows = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
    most = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    steps = np.divide(_MOST, most, out=np.zeros_like(most), where=most > 0)
    found: Octets = np.rint(rows * steps).astype(np.int8)
    return found


def rounded_cosines(query: npt.ArrayLike, rows: Octets) -> tuple[Floats, Floats]:
    """Cosine of `query` with each of these `rounded` rows, and how far off that can be."""
    numbers = rows.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", numbers, numbers))
    lengths[lengths == 0] = 1.0
    found: Floats = numbers @ normalised(query)[0] / lengths
    off: Floats = np.float32(_DEVIATIONS / 12**0.5) / lengths
    return found, off
