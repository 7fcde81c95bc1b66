"""Times of many calls: the middle, the 95th percentile and the worst, and a table of them."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median

from lab.evaluation import measures

WARM_UP = 5  # calls that are not counted

Ask = Callable[[int], Awaitable[object]]


def p95(values: Sequence[float]) -> float:
    """The 95th percentile, by nearest rank; 0 of nothing."""
    return measures.percentile(values, 0.95) or 0.0


async def timed(ask: Ask, rounds: int) -> dict[str, float]:
    """Milliseconds a call: wall and CPU of the whole process."""
    for turn in range(WARM_UP):
        await ask(turn)
    wall: list[float] = []
    cpu: list[float] = []
    for turn in range(rounds):
        began, worked = time.perf_counter(), time.process_time()
        await ask(turn)
        wall.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - worked))
    return {
        "wall_p50": median(wall),
        "wall_p95": p95(wall),
        "cpu_p50": median(cpu),
        "cpu_p95": p95(cpu),
    }


def table(figures: Mapping[str, Mapping[str, float]]) -> str:
    """Table of what ``timed`` found of each name, one a line."""
    columns = ("cpu_p50", "cpu_p95", "wall_p50", "wall_p95")
    head = f"{'':24}" + "".join(f"{name.replace('_', ' '):>10}" for name in columns)
    lines = [
        f"{name:24}" + "".join(f"{row[column]:10.2f}" for column in columns)
        for name, row in figures.items()
    ]
    return "\n".join([head, *lines])
