"""Course of a memory's strength: the effect of each review, and its fading from now on."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from actors.memory.rows import Memory
from actors.policy.decay.states import Rules, falls_at, named, standing_at
from actors.policy.times.validity import DAY
from daemon.states import fading_of, retrievability_of

POINTS: Final = 120  # of a part of the curve, besides those of the reviews
FARTHEST: Final = 3_650.0  # days
FALLS: Final = 8  # there are fewer states
AFTER: Final = 1.0  # seconds behind a border

Curve = list[tuple[float, float]]


def past_of(memory: Memory, reviews: Sequence[dict[str, Any]], now: float, decay: float) -> Curve:
    """The curve from when it was made until now: it fades, and each review lifts it.

    A review is kept with the stability after it; before the first one a memory fades as its kind does.
    """
    began = replace(memory, last_review=None, reviews=0, lapses=0)
    stages = [(memory.created_at, began)]
    for one in reviews:
        reviewed = replace(
            memory,
            stability=one["stability"],
            difficulty=one["difficulty"],
            last_review=one["at"],
            lapses=stages[-1][1].lapses + (one["grade"] == 1),
        )
        stages.append((max(one["at"], stages[-1][0]), reviewed))
    step = max(now - memory.created_at, 1.0) / POINTS
    curve: Curve = []
    for (begin, stage), (end, _) in pairwise([*stages, (now, memory)]):
        if begin < end:
            curve += _sampled(stage, begin, end, step, decay)
    return curve


def ahead_of(memory: Memory, now: float, days: float, decay: float) -> Curve:
    """The curve from now on, if nothing is used."""
    return _sampled(memory, now, now + days * DAY, days * DAY / POINTS, decay)


def _sampled(memory: Memory, begin: float, end: float, step: float, decay: float) -> Curve:
    count = max(1, math.ceil((end - begin) / step))
    times = [begin + (end - begin) * place / count for place in range(count + 1)]
    return [(at, round(retrievability_of(memory, at, decay), 4)) for at in times]


def falls_of(memory: Memory, now: float, days: float, rules: Rules) -> list[tuple[float, str]]:
    """States reached within so many days, with their times; none for an ended memory."""
    found: list[tuple[float, str]] = []
    fading, at = fading_of(memory, rules.decay), now
    while memory.ended is None and len(found) < FALLS:
        at = falls_at(fading, at, rules) + AFTER
        if not at <= now + days * DAY:
            break
        found.append((at, named(standing_at(fading, at, rules))))
    return found
