"""CPU of one piece of work beside another's, measured so that both meet the same machine.

A busy machine slows a whole stretch of time, a processor changes its speed (2.1 and 3.6 ms for the same
work, seen), and the heap of all tests may be collected within one measurement. So the two are measured in
turn, the cheaper one as often as it takes to last as long as the other, and the median of several goes counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from statistics import median

AT_LEAST = 3  # goes; one is enough where the cost is below a third of what is allowed
# A neighbour on the same core slows one kind of work more than another, for a second or two.
AT_MOST = 60
MOST_UNITS = 64  # goes of the cheaper one beside one of the other


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
    found: list[float] = []
    for go in range(AT_MOST):
        cost = cpu(work)  # first: its unit is to hold nothing that is done once
        found.append(cost / max(_as_long(beside, cost), least))
        allowed = enough if go + 1 >= AT_LEAST else enough / 3
        if median(found) < allowed and (go + 1 >= AT_LEAST or enough < math.inf):
            break
    return median(found)


def _as_long(beside: Callable[[], object], seconds: float) -> float:
    """CPU of one go, in the mean of as many as last these seconds."""
    costs = [cpu(beside)]
    while sum(costs) < seconds and len(costs) < MOST_UNITS:
        costs.append(cpu(beside))
    return sum(costs) / len(costs)


def cpu(work: Callable[[], object]) -> float:
    """CPU of one go, in seconds."""
    began = time.process_time()
    work()
    return time.process_time() - began
