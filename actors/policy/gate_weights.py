"""What each of the gate's numbers is worth: the weights of a logistic rule with four outcomes.

Fitted by L2-regularised multinomial regression on public pairs of sentences with known relations
and on coding notes written from templates; how, on what, and how well it does on rows it has not
seen is told in docs/adr/0007. Only the weights are kept, no text. The four weights of a
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


INTERCEPT: Final = (-4.87, 1.88, 3.83, -0.83)
"""Of same, conflict, new, refines."""

# Per number of ``NAMES``: what it adds to same, conflict, new, refines.
WEIGHTS: Final[Mapping[str, tuple[float, float, float, float]]] = MappingProxyType(
    {
        "similarity": (3.69, -0.11, -5.34, 1.76),
        "similarity_high": (6.80, -7.03, -0.86, 1.08),
        "shared": (0.70, 1.76, -0.93, -1.53),
        "covers_old": (1.76, 0.07, 1.10, -2.93),
        "covers_new": (1.44, -3.60, 0.84, 1.33),
        "order": (0.82, 0.11, -0.71, -0.22),
        "aligned": (-1.42, 0.35, -0.30, 1.37),
        "only_old": (0.15, -0.20, 0.21, -0.16),
        "only_new": (0.12, -0.18, 0.28, -0.22),
        "only_both": (0.13, -0.04, -0.16, 0.06),
        "replaced": (-0.03, 0.10, -0.67, 0.60),
        "added": (-0.22, -0.27, -0.30, 0.79),
        "length_old": (-1.68, 1.46, -1.48, 1.70),
        "length_new": (0.91, -0.53, 0.94, -1.32),
        "length_ratio": (2.21, -3.76, 1.79, -0.24),
        "negated": (0.75, -1.05, -0.23, 0.53),
        "negated_close": (-3.86, 5.44, -0.31, -1.27),
        "negated_both": (1.17, -0.68, 0.84, -1.33),
        "marker": (-2.66, 6.55, -0.28, -3.60),
        "announced": (-1.25, 1.29, -0.58, 0.54),
        "swapped": (-1.14, 2.28, -0.50, -0.63),
        "swapped_few": (-0.89, 1.41, 0.01, -0.53),
        "swapped_code": (-1.41, 2.41, -0.49, -0.50),
        "swapped_kind": (-1.91, 2.53, 0.84, -1.46),
        "swapped_subject": (-0.00, -1.09, 0.81, 0.28),
        "opposite": (-2.58, 2.82, 1.47, -1.71),
        "kind": (-0.86, 1.17, 0.65, -0.97),
        "number": (-1.21, 1.59, 0.28, -0.66),
        "numbers": (0.71, -0.22, 1.20, -1.69),
        "number_one_side": (-0.74, 0.82, -0.57, 0.49),
        "numbers_shared": (0.09, -0.23, -0.01, 0.16),
        "name": (0.53, 0.83, -1.05, -0.31),
        "name_one_side": (0.22, 0.55, -0.45, -0.31),
        "names_shared": (0.15, -0.15, 0.14, -0.14),
        "code": (-0.73, 0.18, 0.45, 0.10),
        "subject": (-0.29, -0.79, 0.29, 0.79),
        "subject_code": (-0.29, 0.64, -0.04, -0.31),
        "qualifier": (0.23, -0.25, 0.49, -0.48),
        "subject_and_value": (-0.07, 0.34, 0.05, -0.31),
        "first": (-0.26, 0.44, -0.03, -0.15),
        "last": (0.54, -0.32, -0.00, -0.22),
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
