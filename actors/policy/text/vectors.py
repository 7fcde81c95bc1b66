"""Cosines of vectors."""

import numpy as np
import numpy.typing as npt

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
