"""What a prompt waits while a dream is under way, what a dream costs, and what it leaves alone.

A real daemon over seeded memories with vectors (``lab.benchmarks.filling``). Prompts go over the socket
as hooks send them, first to a daemon at rest, then while ``dream --now`` is under way: the wait is
told by the stage that the dream was in. Then so many dreams (``--dreams``): their CPU and wall time,
and whether every memory says what it said before (I18, U07).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import socket
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

import apsw
import trio

from daemon.home import Home
from daemon.storage.connection import configured
from daemon.storage.sql import Sql
from daemon.storage.store import open_store
from daemon.wire import Decoder, Frame, encoded
from lab.benchmarks.filling import filled, texts
from lab.benchmarks.processes import Process, daemon

MORE: Final = 50.0  # milliseconds that a dream may add to a prompt's wait
WITHIN: Final = 15.0  # seconds of a dream over 10,000 memories
SPACING: Final = (0.35, 0.75)  # seconds between two prompts: a dream goes on in between
PATIENCE: Final = 600.0


@dataclass
class Line:
    """A blocking connection to a daemon."""

    home: Path
    stream: socket.socket = field(init=False)

    def __post_init__(self) -> None:
        self.stream = socket.socket(socket.AF_UNIX)
        self.stream.settimeout(PATIENCE)
        self.stream.connect((self.home / "address").read_text().strip())

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()

    def send(self, frame: Frame) -> None:
        """One frame."""
        self.stream.sendall(encoded(frame))

    def frames(self) -> Any:
        """What comes, until the last word of an answer."""
        decoder = Decoder()
        while data := self.stream.recv(65_536):
            decoder.feed(data)
            for frame in decoder.frames():
                yield frame
                if frame.kind != "progress":
                    return


@dataclass
class Dream:
    """A dream that is asked for, watched from a thread of its own."""

    home: Path
    stage: str = "beginning"
    began: float = 0.0
    ended: float = 0.0
    outcome: Any = None
    stages: dict[str, float] = field(default_factory=dict[str, float])  # when each began

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._watch)

    def start(self) -> None:
        """Ask for it."""
        self.began = time.perf_counter()
        self._thread.start()

    def wait(self) -> None:
        """Until it is over."""
        self._thread.join()

    @property
    def over(self) -> bool:
        """Whether it is."""
        return not self._thread.is_alive()

    def _watch(self) -> None:
        with Line(self.home) as line:
            line.send(Frame(1, "dream", {"now": True}))
            for frame in line.frames():
                if frame.kind == "progress":
                    self.stage = str(frame.body["stage"])
                    self.stages.setdefault(self.stage, time.perf_counter())
                else:
                    self.outcome = frame.body
        self.ended = time.perf_counter()


class Prompts:
    """Prompts of a person, each its own session's, made of words that are stored."""

    def __init__(self, home: Path, count: int) -> None:
        self._home = home
        self._chosen = random.Random(5)
        self._said = [text for batch in texts(min(count, 2_000)) for text in batch]
        self._number = 0

    def wait(self) -> float:
        """Milliseconds that one prompt waits."""
        self._number += 1
        said = " ".join(self._chosen.choice(self._said).split()[3:11])
        raw = json.dumps(
            {
                "hook_event_name": "UserPromptSubmit",
                "session_id": f"s{self._number % 7}",
                "cwd": "/",
                "prompt": f"what about {said}",
            }
        ).encode()
        key = (0xD5EA << 64 | self._number).to_bytes(16, "big")
        began = time.perf_counter()
        with Line(self._home) as line:
            line.send(Frame(0, "hook", ["claude", key, time.time_ns(), raw]))
            (frame,) = line.frames()
        waited = 1_000 * (time.perf_counter() - began)
        if frame.kind != "reply":
            raise RuntimeError(f"the prompt was answered with {frame.body}")
        return waited

    def pause(self) -> float:
        """Seconds until the next."""
        return self._chosen.uniform(*SPACING)


def told(name: str, waits: Sequence[float]) -> dict[str, float]:
    """Print a line of figures, and return them; milliseconds."""
    ordered = sorted(waits)
    figures = {
        "prompts": len(ordered),
        "median": round(median(ordered), 1),
        "p95": round(ordered[math.ceil(0.95 * len(ordered)) - 1], 1),
        "worst": round(ordered[-1], 1),
    }
    print(
        f"  {name:16} {len(ordered):5} prompts   median {figures['median']:6.1f} ms"
        f"   p95 {figures['p95']:6.1f}   worst {figures['worst']:6.1f}",
        flush=True,
    )
    return figures


def dreamt(process: Process, prompts: Prompts | None, waits: dict[str, list[float]]) -> Dream:
    """One dream, with prompts that disturb it, or alone."""
    one = Dream(process.home)
    one.start()
    while prompts is not None and not one.over:
        time.sleep(prompts.pause())
        stage = one.stage
        if not one.over:
            waits[stage].append(prompts.wait())
    one.wait()
    if not one.outcome or one.outcome.get("outcome") != "finished":
        raise RuntimeError(f"the dream came to {one.outcome}")
    return one


def said(home: Path) -> str:
    """A digest of what every memory of the beginning says."""
    connection = apsw.Connection(str(home / "reverie.db"), flags=apsw.SQLITE_OPEN_READONLY)
    with closing(connection):
        digest = hashlib.sha256()
        for row in Sql(connection).rows(
            "SELECT id, text, title, kind, tier, project, pinned, content_hash, ended FROM memory"
            " WHERE source = 'import' ORDER BY id"
        ):
            digest.update(repr(row).encode())
        return digest.hexdigest()


def figures_of(home: Path) -> dict[str, int]:
    """What dreams left: connections, insights, memories in plans of the largest run."""
    connection = apsw.Connection(str(home / "reverie.db"), flags=apsw.SQLITE_OPEN_READONLY)
    with closing(connection):
        sql = Sql(connection)
        return {
            "connections": sql.number("SELECT count(*) FROM connection"),
            "insights": sql.number("SELECT count(*) FROM insight"),
            "planned": sql.number(
                "SELECT max(n) FROM (SELECT count(*) AS n FROM plan_step JOIN plan ON id = plan_id"
                " GROUP BY proposed_at)"
            ),
        }


async def _fill(folder: Path, count: int) -> None:
    home = Home(folder)
    home.prepare()
    async with open_store(home):
        pass
    connection = apsw.Connection(str(home.database))
    with closing(connection):
        sql = Sql(connection)
        configured(sql, read_only=False)
        filled(sql, count)


def measured(count: int, rounds: int, dreams: int) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Path(folder)
        trio.run(_fill, home, count)
        with daemon(home) as process:
            return _measured(process, count, rounds, dreams)


def _measured(process: Process, count: int, rounds: int, dreams: int) -> dict[str, Any]:
    home = process.home
    before = said(home)
    prompts = Prompts(home, count)
    for _ in range(10):
        prompts.wait()  # until everything is warm
    time.sleep(2)
    costs: list[dict[str, float]] = []
    for _ in range(max(1, dreams)):
        spent = process.cpu()
        alone = dreamt(process, None, {})
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
    waits: dict[str, list[float]] = defaultdict(list)
    for _ in range(max(1, rounds)):
        dreamt(process, prompts, waits)
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
