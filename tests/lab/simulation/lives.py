"""Lives for tests: a script as Python objects, played in a home of its own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any, TypeVar

import apsw

from daemon.home import Home
from daemon.settings import Settings, environment_name, load
from daemon.storage.database.sql import Sql
from lab.simulation.clock import FollowingClock
from lab.simulation.player import Life, lived, projects_of
from lab.simulation.script import Script, read
from lab.simulation.witness import Happening, Witness
from lab.simulation.world import Circumstances, World

BEGINS = 1_767_603_600.0  # 2026-01-05 09:00 UTC
DAY = 86_400.0
BASELINE_EVERY = 200  # looks

W = TypeVar("W", bound=Witness)


def played(folder: Path, *lines: dict[str, Any], seed: int = 0) -> Life:
    """What comes of these lines, by words alone."""
    life, _ = seen_by(Witness, folder, *lines, seed=seed)
    return life


def seen_by(
    witness: Callable[[Settings], W], folder: Path, *lines: dict[str, Any], seed: int = 0
) -> tuple[Life, W]:
    """The same before a witness of this kind, and the witness."""
    script = read("life.jsonl", "\n".join(map(json.dumps, lines)))
    home = Home(folder / "home")
    home.prepare()
    settings = chosen(home, script)
    given = Circumstances(
        home, settings, FollowingClock(BEGINS), None, True, seed, projects_of(script.steps)
    )
    looking = witness(settings)
    return lived(script, given, BEGINS, looking), looking


@dataclass(slots=True)
class Timing(Witness):
    """Measures the CPU of a life in baselines, which are measured all along it.

    A processor that changes its speed (0.09 and 0.17 s for one baseline, seen) meets both alike.
    """

    began: float = field(default_factory=time.process_time)
    baselines: list[float] = field(default_factory=list[float])
    looks: int = 0

    async def look(self, world: World) -> list[Happening]:
        if self.looks % BASELINE_EVERY == 0:
            self.baselines.append(baseline())
        self.looks += 1
        return await Witness.look(self, world)

    def cost(self) -> float:
        """CPU since the witness was made, as a multiple of the baseline's."""
        spent = time.process_time() - self.began - sum(self.baselines)
        return spent / mean(self.baselines)


def baseline() -> float:
    """CPU seconds of twenty thousand inserts and look-ups in SQLite."""
    began = time.process_time()
    sql = Sql(apsw.Connection(":memory:"))
    sql.rows("CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL)")
    for number in range(20_000):
        sql.rows("INSERT INTO t VALUES (?, ?)", (number, number / 7))
        sql.rows("SELECT x FROM t WHERE id = ?", (number // 2,))
    return time.process_time() - began


def chosen(home: Home, script: Script) -> Settings:
    """The script's settings, the defaults for the rest."""
    return load(
        home, {environment_name(key): str(value) for key, value in script.settings.items()}
    ).settings


def whats(life: Life, what: str) -> list[dict[str, Any]]:
    """Everything of this kind that happened."""
    return [one for one in life.timeline if one["what"] == what]
