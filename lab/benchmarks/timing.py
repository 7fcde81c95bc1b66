"""Times of many calls, in milliseconds of CPU and by the clock, and a table of them."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from lab.evaluation import measures

WARM_UP = 5  # calls that are not counted

Ask = Callable[[int], Awaitable[object]]


@dataclass(slots=True)
class Times:
    """Milliseconds of each call: CPU, and wall time."""

    cpu: list[float] = field(default_factory=list[float])
    wall: list[float] = field(default_factory=list[float])

    def add(self, cpu: float, wall: float) -> None:
        """Note a call (seconds)."""
        self.cpu.append(1000 * cpu)
        self.wall.append(1000 * wall)


def p95(values: Sequence[float]) -> float:
    """The 95th percentile, by nearest rank; 0 of nothing."""
    return measures.percentile(values, 0.95) or 0.0


async def timed(ask: Ask, rounds: int) -> Times:
    """Times of so many calls; CPU is of the whole process."""
    for turn in range(WARM_UP):
        await ask(turn)
    times = Times()
    for turn in range(rounds):
        began, worked = time.perf_counter(), time.process_time()
        await ask(turn)
        times.add(time.process_time() - worked, time.perf_counter() - began)
    return times


def table(times: Mapping[str, Times], notes: Mapping[str, str] | None = None) -> str:
    """Medians and 95th percentiles of each, one a line, and its remark."""
    head = f"{'':24}" + "".join(f"{name:>10}" for name in ("CPU p50", "p95", "wall p50", "p95"))
    lines = [
        f"{name:24}"
        + "".join(f"{value:10.2f}" for of in (one.cpu, one.wall) for value in (median(of), p95(of)))
        + f"  {(notes or {}).get(name, '')}".rstrip()
        for name, one in times.items()
    ]
    return "\n".join([head, *lines])
