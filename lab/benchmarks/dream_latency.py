"""Latency of a prompt while a dream is under way, cost of a dream, and what it leaves alone.

A real daemon over seeded memories with vectors (``lab.benchmarks.filling``). Prompts go over the socket
as hooks send them, first to a daemon at rest, then while ``dream --now`` is under way: the wait is
told by the stage that the dream was in. Then so many dreams (``--dreams``): their CPU and wall time,
and whether every memory says what it said before.
"""

import argparse
import hashlib
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

import trio

from daemon.client import open_client
from daemon.home import Home
from daemon.requests.dreams import DreamNow
from lab.benchmarks import filling
from lab.benchmarks.filling import texts
from lab.benchmarks.processes import Process, daemon
from lab.benchmarks.timing import p95
from tests.daemon.process import Line, prompt

MORE: Final = 50.0  # milliseconds that a dream may add to a prompt's wait
WITHIN: Final = 15.0  # seconds of a dream over 10,000 memories
SPACING: Final = (0.35, 0.75)  # seconds between two prompts: a dream goes on in between
PATIENCE: Final = 600.0


@dataclass
class Dream:
    """A dream that is asked for, as it goes on."""

    stage: str = "beginning"
    began: float = 0.0
    ended: float = 0.0
    stages: dict[str, float] = field(default_factory=dict[str, float])  # when each began

    @property
    def over(self) -> bool:
        """Return whether it is."""
        return self.ended > 0.0

    async def watch(self, home: Path) -> None:
        """Ask for it, and wait until it is over; raises ``RuntimeError`` when it did not finish."""
        self.began = time.perf_counter()
        async with open_client(Home(home)) as client:
            found = await client.ask(DreamNow(), within=PATIENCE, progress=self._note)
        self.ended = time.perf_counter()
        if found.outcome != "finished":
            raise RuntimeError(f"the dream came to {found.outcome}")

    def _note(self, told: Mapping[str, Any]) -> None:
        self.stage = str(told["stage"])
        self.stages.setdefault(self.stage, time.perf_counter())


class Prompts:
    """Prompts of a person, each its own session's, made of words that are stored."""

    def __init__(self, home: Path, count: int) -> None:
        self._home = Home(home)
        self._chosen = random.Random(5)
        self._said = [text for batch in texts(min(count, 2_000)) for text in batch]
        self._number = 0

    def wait(self) -> float:
        """Milliseconds that one prompt waits."""
        self._number += 1
        said = " ".join(self._chosen.choice(self._said).split()[3:11])
        event = prompt(f"what about {said}", f"s{self._number % 7}")
        key = (0xD5EA << 64 | self._number).to_bytes(16, "big")
        began = time.perf_counter()
        with Line(self._home) as line:
            line.hook(key, event)
            return 1_000 * (time.perf_counter() - began)

    def pause(self) -> float:
        """Seconds until the next."""
        return self._chosen.uniform(*SPACING)


def told(name: str, waits: Sequence[float]) -> dict[str, float]:
    """Print a line of figures, and return them; milliseconds."""
    ordered = sorted(waits)
    figures = {
        "prompts": len(ordered),
        "median": round(median(ordered), 1),
        "p95": round(p95(ordered), 1),
        "worst": round(ordered[-1], 1),
    }
    print(
        f"  {name:16} {len(ordered):5} prompts   median {figures['median']:6.1f} ms"
        f"   p95 {figures['p95']:6.1f}   worst {figures['worst']:6.1f}",
        flush=True,
    )
    return figures


async def dreamt(home: Path, prompts: Prompts | None, waits: dict[str, list[float]]) -> Dream:
    """One dream, with prompts that disturb it, or alone."""
    one = Dream()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.watch, home)
        while prompts is not None and not one.over:
            await trio.sleep(prompts.pause())
            stage = one.stage
            if not one.over:
                waits[stage].append(await trio.to_thread.run_sync(prompts.wait))
    return one


def said(home: Path) -> str:
    """A digest of what every memory of the beginning says."""
    digest = hashlib.sha256()
    with filling.opened(Home(home)) as sql:
        for row in sql.rows(
            "SELECT id, text, title, kind, tier, project, pinned, content_hash, ended FROM memory"
            " WHERE source = 'import' ORDER BY id"
        ):
            digest.update(repr(row).encode())
    return digest.hexdigest()


def figures_of(home: Path) -> dict[str, int]:
    """Figures of dreams: connections, insights, memories in plans of the largest run."""
    with filling.opened(Home(home)) as sql:
        return {
            "connections": sql.number("SELECT count(*) FROM connection"),
            "insights": sql.number("SELECT count(*) FROM insight"),
            "planned": sql.number(
                "SELECT max(n) FROM (SELECT count(*) AS n FROM plan_step JOIN plan ON id = plan_id"
                " GROUP BY proposed_at)"
            ),
        }


def measured(count: int, rounds: int, dreams: int) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Path(folder)
        trio.run(filling.made, Home(home), count)
        with daemon(home) as process:
            return _measured(process, count, rounds, dreams)


def _measured(process: Process, count: int, rounds: int, dreams: int) -> dict[str, Any]:
    home = process.home
    before = said(home)
    prompts = Prompts(home, count)
    for _ in range(10):
        prompts.wait()  # until everything is warm
    time.sleep(2)
    waits: dict[str, list[float]] = defaultdict(list)
    costs: list[dict[str, float]] = []
    for _ in range(max(1, dreams)):
        spent = process.cpu()
        alone = trio.run(dreamt, home, None, waits)
        costs.append(
            {"cpu": round(process.cpu() - spent, 2), "wall": round(alone.ended - alone.began, 2)}
        )
        print(f"  a dream alone: {costs[-1]['cpu']:.1f} s of CPU, {costs[-1]['wall']:.1f} s",
              flush=True)  # fmt: skip
        if len(costs) == 1:
            parts = [*alone.stages.items(), ("end", alone.ended)]
            print("    " + ", ".join(
                f"{name} {after - at:.1f} s" for (name, at), (_, after) in
                pairwise(parts)), flush=True)  # fmt: skip
    rest: list[float] = []
    for _ in range(40):
        time.sleep(prompts.pause())
        rest.append(prompts.wait())
    for _ in range(max(1, rounds)):
        trio.run(dreamt, home, prompts, waits)
    calm = told("at rest", rest)
    stages = {stage: told(stage, found) for stage, found in waits.items()}
    every = told("in a dream", [one for found in waits.values() for one in found])
    after = said(home)
    left = figures_of(home)
    found: dict[str, Any] = {
        "memories": count, "at_rest": calm, "stages": stages, "dreaming": every, "dreams": costs,
        "unchanged": before == after, **left,
    }  # fmt: skip
    print(json.dumps(found))
    more = every["p95"] - calm["p95"]
    print(f"  a dream adds {more:.1f} ms to a prompt's p95,"
          f" {every['worst'] - calm['worst']:.1f} to the worst (bound {MORE:.0f});"
          f" texts {'are as before' if before == after else 'HAVE CHANGED'};"
          f" {left['planned']} of {count} in plans of a run")  # fmt: skip
    found["missed"] = (
        more > MORE or before != after or left["planned"] > 0.05 * count
        or (count == 10_000 and min(one["wall"] for one in costs) > WITHIN)
    )  # fmt: skip
    return found


def main() -> int:
    """Measure and print; 1 when a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=4, help="dreams that prompts disturb")
    parser.add_argument("--dreams", type=int, default=1, help="dreams alone")
    chosen = parser.parse_args()
    return int(bool(measured(chosen.memories, chosen.rounds, chosen.dreams)["missed"]))


if __name__ == "__main__":
    sys.exit(main())
