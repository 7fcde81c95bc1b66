"""Channel representation: each channel that found something good has a place in the answer (K20).

Without it the results of one channel can fill all places, and the work of the others is lost.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

Identity = TypeVar("Identity", bound=Hashable)

FLOOR: Final = 0.2  # normalised score a result must have to be promoted, C42
RAW_FLOOR: Final = 0.005  # C42: the losing value, for raw reciprocal ranks


@dataclass(frozen=True, slots=True)
class Represented(Generic[Identity]):
    """The first places, best first, what was promoted into them, and the count by channel."""

    identities: tuple[Identity, ...]
    promoted: tuple[Identity, ...]
    counts: Mapping[str, int]


def represented(
    ranked: Sequence[Identity],
    scores: Mapping[Identity, float],
    channels: Mapping[str, Sequence[Identity]],
    places: int,
    floor: float = FLOOR,
) -> Represented[Identity]:
    """The first ``places``, in which every channel with a good enough result has one (K20, C42).

    For a channel that has none its best result by score is added, when that reaches the floor;
    a channel that found nothing is owed nothing. The answer grows by what is promoted, and is
    sorted by score again.
    """
    kept = list(ranked[:places])
    rest = sorted(ranked[places:], key=lambda one: -scores[one])
    promoted: list[Identity] = []
    for found in channels.values():
        own = set(found)
        if own.intersection(kept):
            continue
        best = next((one for one in rest if one in own and scores[one] >= floor), None)
        if best is not None:
            kept.append(best)
            promoted.append(best)
    if promoted:
        kept.sort(key=lambda one: -scores[one])
    counts = {name: len(set(found).intersection(kept)) for name, found in channels.items()}
    return Represented(tuple(kept), tuple(promoted), counts)
