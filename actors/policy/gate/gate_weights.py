"""Weights of the gate's numbers: those of a logistic rule with four outcomes.

Fitted by L2-regularised multinomial regression on public pairs of sentences with known relations
on neighbouring notes of real conversations and on coding notes written from templates; how, on
what, and how well it does on rows it has not seen is told in docs/adr/0007. Only the weights are kept, no text. The four weights of a
number add up to nothing: each says how much it speaks for one outcome against the others.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.gate.gate_features import NAMES


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities of each relation of a new text to a stored one; together 1."""

    same: float  # it says the same
    conflict: float  # both cannot hold: it contradicts the stored one, or is its new value
    new: float  # it is about something else, or about another side of it


INTERCEPT: Final = (-6.20, 2.34, 3.90, -0.04)
"""Of same, conflict, new, refines."""

# Per number of ``NAMES``: what it adds to same, conflict, new, refines.
WEIGHTS: Final[Mapping[str, tuple[float, float, float, float]]] = {
    "similarity": (4.39, -1.16, -4.13, 0.91),
    "similarity_high": (5.64, -4.90, -3.98, 3.24),
    "shared": (-1.11, 1.83, 1.08, -1.80),
    "covers_old": (3.22, -0.12, 0.22, -3.32),
    "covers_new": (2.48, -3.59, -0.43, 1.53),
    "order": (0.94, 0.00, -0.95, 0.01),
    "aligned": (-1.47, 0.71, -0.69, 1.46),
    "only_old": (0.12, -0.27, 0.37, -0.23),
    "only_new": (0.08, -0.27, 0.46, -0.27),
    "only_both": (0.12, -0.04, -0.01, -0.07),
    "replaced": (-0.17, 0.17, -0.69, 0.69),
    "added": (-0.36, -0.19, -0.08, 0.64),
    "length_old": (-1.62, 1.48, -1.44, 1.58),
    "length_new": (0.82, -0.40, 0.79, -1.21),
    "length_ratio": (2.37, -3.49, 0.94, 0.18),
    "negated": (1.43, -1.30, -0.87, 0.74),
    "negated_close": (-4.65, 5.76, 0.41, -1.51),
    "negated_both": (1.26, -0.50, 0.50, -1.27),
    "marker": (-3.42, 6.33, 1.09, -4.00),
    "announced": (-1.30, 1.32, -0.55, 0.53),
    "swapped": (-1.13, 2.21, -0.25, -0.83),
    "swapped_few": (-1.04, 1.45, 0.14, -0.55),
    "swapped_code": (-0.65, 3.35, -0.30, -2.40),
    "swapped_kind": (-2.02, 2.79, 0.72, -1.50),
    "swapped_subject": (-0.15, -0.98, 0.99, 0.15),
    "opposite": (-2.52, 2.87, 1.43, -1.78),
    "kind": (-0.84, 1.13, 0.75, -1.04),
    "number": (-1.45, 1.67, -0.17, -0.05),
    "numbers": (1.01, 0.18, 0.97, -2.16),
    "number_one_side": (-0.62, 0.93, -0.82, 0.51),
    "numbers_shared": (0.10, -0.15, -0.29, 0.33),
    "name": (0.58, 0.93, -1.50, -0.01),
    "name_one_side": (0.27, 0.62, -0.75, -0.14),
    "names_shared": (0.19, -0.05, -0.08, -0.06),
    "code": (-0.59, 0.36, 0.16, 0.06),
    "subject": (-0.19, -0.95, 0.33, 0.80),
    "subject_code": (-0.41, 0.64, 0.18, -0.41),
    "qualifier": (0.23, -0.25, 0.41, -0.38),
    "subject_and_value": (-0.06, 0.45, -0.26, -0.13),
    "first": (-0.26, 0.17, 0.43, -0.34),
    "last": (0.58, -0.37, -0.01, -0.20),
}
_COLUMNS: Final = tuple(zip(*(WEIGHTS[name] for name in NAMES), strict=True))


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
