"""Channel representation: each channel that found something good has a place in the answer (K20).

Without it the results of one channel can fill all places, and the work of the others is lost.
"""

from collections.abc import Mapping, Sequence
from typing import Final

FLOOR: Final = 0.2  # normalised score a result must have to be promoted, C42


def promoted(
    ranked: Sequence[int],
    scores: Mapping[int, float],
    channels: Mapping[str, Sequence[int]],
    places: int,
) -> tuple[int, ...]:
    """Results behind the first ``places``, for every channel with a good one and no place (K20, C42).

    The best of the channel by score is promoted, when that reaches .2; a channel that found
    nothing is owed nothing.
    """
    kept = set(ranked[:places])
    rest = sorted(ranked[places:], key=lambda one: -scores[one])
    found: list[int] = []
    for own in map(set, channels.values()):
        if own.isdisjoint(kept):
            best = next((one for one in rest if one in own and scores[one] >= FLOOR), None)
            if best is not None:
                kept.add(best)
                found.append(best)
    return tuple(found)
