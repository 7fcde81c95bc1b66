"""CPU of one piece of work beside another's, measured so that both meet the same machine.

A busy machine slows a whole stretch of time, and the heap of all tests may be collected within one
measurement. So the two are measured in turn, and the least of several goes counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

AT_LEAST = 3  # goes; one is enough where the cost is below a third of what is allowed
# A neighbour on the same core slows one kind of work more than another, for a second or two.
AT_MOST = 60


def ratio(
    work: Callable[[], object],
    beside: Callable[[], object],
    enough: float = math.inf,
    *,
    least: float = 0.0,
) -> float:
    """How many times the CPU of the work beside it a piece of work takes.

    It is measured on until that is below ``enough``. ``least``: seconds, below which the cost of
    the work beside it says nothing.
    """
    best = unit = math.inf
    for go in range(AT_MOST):
        best = min(best, cpu(work))  # first: its unit is to hold nothing that is done once
        unit = min(unit, cpu(beside))
        allowed = enough if go + 1 >= AT_LEAST else enough / 3
        if best < allowed * max(unit, least) and (go + 1 >= AT_LEAST or enough < math.inf):
            break
    return best / max(unit, least)


def cpu(work: Callable[[], object]) -> float:
    """CPU of one go, in seconds."""
    began = time.process_time()
    work()
    return time.process_time() - began
