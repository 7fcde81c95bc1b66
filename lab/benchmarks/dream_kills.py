"""SIGKILL in every stage of a dream: the store is as before the stage, or as after it.

A child process dreams over a copy of a seeded store and kills itself in a stage: in its arithmetic
(moment 0), or at the n-th statement or commit of its transaction, or right after it. Then the file is compared with what
an undisturbed dream had written at that stage, and a real daemon goes on with the dream to its end:
``python -m lab.benchmarks.dream_kills --kills 50``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import apsw
import trio

from actors.core.mailbox import Queue
from actors.dreams.dreaming import Dreaming
from actors.dreams.messages import Dream, DreamReport, DreamStep
from actors.dreams.stages import Settings
from actors.dreams.writes import STAGES, DreamAdvanced, Stage
from actors.memory.messages import Commit
from daemon.activity import Activity
from daemon.clock import WallClock
from daemon.home import Home
from daemon.storage.database.connection import Connection, open_connection
from daemon.storage.database.sql import Sql
from daemon.storage.store import open_store
from lab.benchmarks import filling
from lab.benchmarks.processes import daemon

MEMORIES: Final = 300
ROOT: Final = Path(__file__).resolve().parents[2]
# What a dream writes, without its times.
_SHOWN: Final = (
    "SELECT one_id, other_id, kind, found_by FROM connection ORDER BY 1, 2, 3",
    "SELECT i.kind, text, ended FROM insight i JOIN memory ON id = memory_id ORDER BY memory_id",
    "SELECT * FROM insight_source ORDER BY 1, 2",
    "SELECT * FROM dreamt_episode ORDER BY 1, 2",
    "SELECT id, act, state, summary FROM plan ORDER BY id",
    "SELECT plan_id, memory_id, act FROM plan_step ORDER BY 1, 2",
    "SELECT id, text, content_hash, title, tier, memory_type, ended FROM memory ORDER BY id",
)

T = TypeVar("T")


@dataclass
class Moments:
    """Counts the moments of each stage; at the chosen one the process is no more."""

    stage: str  # in which it ends
    number: int  # of the moment, from 1; 0: as soon as it does anything; -1: never
    now: str = ""
    counts: dict[str, int] = field(default_factory=dict[str, int])

    def pass_by(self) -> None:
        """A moment of a transaction."""
        self.counts[self.now] = self.counts.get(self.now, 0) + 1
        if self.now == self.stage and self.number in (0, self.counts[self.now]):
            os.kill(os.getpid(), signal.SIGKILL)

    async def run(self, function: Callable[[], T]) -> T:
        """Arithmetic, as ``actors.dreams.night.Thinking``."""
        await trio.lowlevel.checkpoint()
        if self.now == self.stage and self.number == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function()

    @asynccontextmanager
    async def connect(
        self, path: Path, *, thread: str, read_only: bool
    ) -> AsyncGenerator[Connection]:
        """A connection of which every statement and commit that writes is a moment."""
        async with open_connection(path, thread=thread, read_only=read_only) as opened:
            if not read_only:
                await opened.run(self._watch)
            yield opened

    def _watch(self, sql: Sql) -> None:
        def statement(*_: Any) -> bool:
            self.pass_by()
            return True

        def commit() -> bool:
            self.pass_by()
            return False

        sql.raw.exec_trace = statement
        sql.raw.set_commit_hook(commit)


async def _dream(folder: Path, moments: Moments, after: Callable[[str], None]) -> None:
    """One dream; ``after`` is called when a stage is written."""
    box, long_term = Queue[Any]("dreaming", room=8), Queue[Any]("long_term", room=8)
    async with (
        open_store(Home(folder), connect=moments.connect) as store,
        trio.open_nursery() as nursery,
    ):

        async def keep() -> None:
            async for message in long_term.inbox:
                assert isinstance(message, Commit)
                (outcome,) = await store.writing.commit([message.unit])
                if isinstance(outcome, Exception):
                    raise outcome
                moments.pass_by()
                if isinstance(message.unit[-1], DreamAdvanced):
                    after(message.unit[-1].stage)
                    moments.now = ""  # what comes until the next is of none
                message.reply(outcome)

        def seen(step: DreamStep) -> None:
            moments.now = step.stage

        actor = Dreaming(
            Settings(),
            store.reading,
            WallClock(),
            Activity(),
            moments,
            long_term.mailbox,
        )
        nursery.start_soon(keep)
        nursery.start_soon(actor.run, box.inbox)
        _: DreamReport = await box.mailbox.ask(
            lambda reply: Dream("a kill", WallClock().now(), True, seen, reply), within=600
        )
        nursery.cancel_scope.cancel()


@dataclass(frozen=True, slots=True)
class Shown:
    """Record of a store's last dream, and of all that dreams may write or must not."""

    stage: str  # the last that is done
    digest: str
    strengths: tuple[float, ...]  # cosines are the same up to the rounding of a product's sums

    def is_like(self, other: Shown) -> bool:
        """Return whether they show the same."""
        return (
            (self.stage, self.digest) == (other.stage, other.digest)
            and len(self.strengths) == len(other.strengths)
            and all(
                abs(ours - theirs) < 1e-4
                for ours, theirs in zip(self.strengths, other.strengths, strict=True)
            )
        )


def shown(folder: Path) -> Shown:
    """Record of the store of this home.

    Raises ``AssertionError`` when the file is damaged.
    """
    with closing(apsw.Connection(str(folder / "reverie.db"))) as connection:
        sql = Sql(connection)
        assert sql.rows("PRAGMA integrity_check") == [("ok",)]
        assert sql.rows("PRAGMA foreign_key_check") == []
        digest = hashlib.sha256()
        for query in _SHOWN:
            digest.update(repr(sql.rows(query)).encode())
        rows = sql.rows("SELECT stage FROM dream ORDER BY id DESC LIMIT 1")
        strengths = sql.rows("SELECT strength FROM connection ORDER BY one_id, other_id, kind")
        return Shown(
            str(rows[0][0]) if rows else "",
            digest.hexdigest(),
            tuple(float(strength) for (strength,) in strengths),
        )


@dataclass
class Stand:
    """A store to dream over, and what an undisturbed dream makes of it, stage by stage."""

    folder: Path
    origin: Path = field(init=False)
    after: dict[str, Shown] = field(default_factory=dict[str, Shown])  # by stage
    moments: dict[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        self.origin = self.folder / "origin"
        trio.run(filling.made, Home(self.origin), MEMORIES)
        self.after[""] = shown(self.origin)
        home = self.copy("undisturbed")
        counted = Moments("", -1)

        def note(stage: str) -> None:
            self.after[stage] = shown(home)

        trio.run(_dream, home, counted, note)
        self.moments = counted.counts

    def copy(self, name: str) -> Path:
        """Another home with the same store."""
        home = self.folder / name
        shutil.copytree(self.origin, home, ignore=shutil.ignore_patterns("*.sock"))
        return home

    def killed(self, stage: Stage, number: int, *, finished: bool) -> str:
        """Kill a dream there; the stage that the store shows. ``finished``: then go on with it.

        Raises ``AssertionError`` when the store is neither as before the stage nor as after it.
        """
        home = self.copy(f"{stage}-{number}")
        child = subprocess.run(
            [sys.executable, "-m", "lab.benchmarks.dream_kills", "--child", str(home), stage,
             str(number)],
            cwd=ROOT, check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert child.returncode == -signal.SIGKILL, child.stderr
        left = shown(home)
        before = ("", *STAGES)[[*STAGES].index(stage)]
        assert left.stage in (before, stage), f"killed in {stage}, it shows {left.stage}"
        assert left.is_like(self.after[left.stage]), f"killed in {stage} at {number}: half is there"
        if finished:
            with daemon(home) as process:
                found = process.ask("dream", "--now", "--json")
            assert found["dream"]["id"] == 1, "another dream was begun"
            assert shown(home).is_like(self.after[STAGES[-1]])
        shutil.rmtree(home)
        return left.stage


def _unnoted(_: str) -> None:
    """Nobody compares the child's stages."""


def spread(moments: int, kills: int, seed: int) -> list[int]:
    """Moments of a stage: in its arithmetic, after it, and others by chance."""
    chosen = random.Random(seed)
    return [0, moments, *(chosen.randint(1, moments) for _ in range(kills - 2))][:kills]


def main() -> int:
    """Kill, and say how it went; or be the child that is killed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=50, help="in each stage")
    parser.add_argument("--child", nargs=3, metavar=("HOME", "STAGE", "NUMBER"))
    chosen = parser.parse_args()
    if chosen.child:
        home, stage, number = chosen.child
        trio.run(_dream, Path(home), Moments(stage, int(number)), _unnoted)
        return 1  # it was not killed
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        stand = Stand(Path(folder))
        print(json.dumps({"moments": stand.moments}), flush=True)
        for place, stage in enumerate(STAGES):
            reached = [
                stand.killed(stage, number, finished=turn % 5 == 0)
                for turn, number in enumerate(spread(stand.moments[stage], chosen.kills, place))
            ]
            print(
                f"  {stage:16} {len(reached)} kills: {reached.count(stage)} as after it,"
                f" {len(reached) - reached.count(stage)} as before it",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
