"""Weights of the gate's numbers, for a logistic rule with four outcomes.

Fitted by L2-regularised multinomial regression on public pairs of sentences with known relations,
on neighbouring notes of real conversations and on coding notes written from templates;
docs/adr/0007 has the method, the data, and the results on rows outside of the fit. Only the weights
are kept, no text. The four weights of a number add up to nothing: each speaks for one outcome
against the others.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.text.words import table


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities of each relation of a new text to a stored one; together 1."""

    same: float  # it says the same
    conflict: float  # both cannot hold: it contradicts the stored one, or is its new value
    new: float  # it is about something else, or about another side of it


_TABLE: Final = table(__name__)
INTERCEPT: Final[Sequence[float]] = _TABLE["intercept"]
"""Of same, conflict, new, refines."""

WEIGHTS: Final[Mapping[str, Sequence[float]]] = _TABLE["weights"]
"""Per number of ``gate_features.features``, in its order: what it adds to each of the four."""

_COLUMNS: Final = tuple(zip(*WEIGHTS.values(), strict=True))


def chances(values: Sequence[float]) -> Chances:
    """The chances of the four relations, given the numbers of ``gate_features.features``."""
    sums = [
        start + sum(weight * value for weight, value in zip(column, values, strict=True))
        for start, column in zip(INTERCEPT, _COLUMNS, strict=True)
    ]
    most = max(sums)
    shares = [math.exp(each - most) for each in sums]
    same, conflict, new, _ = (share / sum(shares) for share in shares)  # the rest: refines
    return Chances(same, conflict, new)
