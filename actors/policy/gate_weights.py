"""What each of the gate's numbers is worth: the weights of a logistic rule with four outcomes.

Fitted by L2-regularised multinomial regression on public pairs of sentences with known relations
on neighbouring notes of real conversations and on coding notes written from templates; how, on
what, and how well it does on rows it has not seen is told in docs/adr/0007. Only the weights are kept, no text. The four weights of a
number add up to nothing: each says how much it speaks for one outcome against the others.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from actors.policy.gate_features import NAMES


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely each relation of a new text to a stored one is; together 1."""

    same: float  # it says the same
    conflict: float  # both cannot hold: it contradicts the stored one, or is its new value
    new: float  # it is about something else, or about another side of it
    refines: float  # one is a fuller wording of the other


INTERCEPT: Final = (-6.06, 2.37, 3.92, -0.23)
"""Of same, conflict, new, refines."""

# Per number of ``NAMES``: what it adds to same, conflict, new, refines.
WEIGHTS: Final[Mapping[str, tuple[float, float, float, float]]] = MappingProxyType(
    {
        "similarity": (4.22, -1.14, -4.14, 1.06),
        "similarity_high": (6.60, -5.29, -4.07, 2.76),
        "shared": (-0.99, 1.77, 1.09, -1.87),
        "covers_old": (3.09, -0.08, 0.21, -3.22),
        "covers_new": (2.41, -3.54, -0.39, 1.52),
        "order": (1.07, -0.02, -0.90, -0.15),
        "aligned": (-1.58, 0.75, -0.73, 1.56),
        "only_old": (0.13, -0.27, 0.38, -0.24),
        "only_new": (0.08, -0.27, 0.46, -0.28),
        "only_both": (0.12, -0.04, -0.01, -0.07),
        "replaced": (-0.07, 0.14, -0.70, 0.62),
        "added": (-0.33, -0.25, -0.08, 0.67),
        "length_old": (-1.63, 1.48, -1.46, 1.61),
        "length_new": (0.83, -0.42, 0.78, -1.19),
        "length_ratio": (2.34, -3.49, 0.96, 0.19),
        "negated": (1.39, -1.27, -0.88, 0.76),
        "negated_close": (-4.54, 5.71, 0.42, -1.58),
        "negated_both": (1.25, -0.51, 0.50, -1.24),
        "marker": (-3.39, 6.33, 1.09, -4.04),
        "announced": (-1.30, 1.33, -0.55, 0.51),
        "swapped": (-1.20, 2.19, -0.25, -0.74),
        "swapped_few": (-0.93, 1.42, 0.14, -0.63),
        "swapped_code": (-1.24, 2.72, -0.81, -0.67),
        "swapped_kind": (-2.00, 2.76, 0.73, -1.49),
        "swapped_subject": (-0.16, -0.86, 1.01, 0.01),
        "opposite": (-2.60, 2.84, 1.46, -1.71),
        "kind": (-0.88, 1.16, 0.79, -1.07),
        "number": (-1.27, 1.78, 0.04, -0.55),
        "numbers": (0.92, 0.07, 0.82, -1.81),
        "number_one_side": (-0.67, 0.92, -0.84, 0.59),
        "numbers_shared": (0.12, -0.12, -0.28, 0.28),
        "name": (0.63, 0.93, -1.46, -0.10),
        "name_one_side": (0.27, 0.62, -0.74, -0.15),
        "names_shared": (0.19, -0.05, -0.08, -0.07),
        "code": (-0.66, 0.34, 0.09, 0.23),
        "subject": (-0.19, -0.98, 0.34, 0.84),
        "subject_code": (-0.37, 0.73, 0.23, -0.58),
        "qualifier": (0.22, -0.24, 0.41, -0.39),
        "subject_and_value": (-0.04, 0.46, -0.28, -0.14),
        "first": (-0.24, 0.17, 0.44, -0.38),
        "last": (0.61, -0.36, -0.01, -0.23),
    }
)
_COLUMNS: Final = tuple(zip(*(WEIGHTS[name] for name in NAMES), strict=True))


def chances(values: Sequence[float]) -> Chances:
    """The chances of the four relations, given the numbers of ``gate_features.features``."""
    sums = [
        start + sum(weight * value for weight, value in zip(column, values, strict=True))
        for start, column in zip(INTERCEPT, _COLUMNS, strict=True)
    ]
    most = max(sums)
    shares = [math.exp(each - most) for each in sums]
    return Chances(*(share / sum(shares) for share in shares))
