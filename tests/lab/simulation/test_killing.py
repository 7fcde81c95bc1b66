"""Death between any two messages of a capture: what is left is what would have been.

A test double stands at two boundaries: where an actor takes its mail, and where the store
commits. Right before the k-th of these everything ends where it stands. The daemon starts
again on the same home, and a hook that had got no answer reports its event again, under
the same id, as the spool does.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from actors.core.failures import first_leaf
from actors.core.mailbox import Queue
from actors.memory.unit import Unit
from daemon import host
from daemon.home import Home
from daemon.settings import Settings
from daemon.storage.database.sql import Row, Sql
from daemon.storage.store import WritingSide
from lab.simulation.clock import FollowingClock, repeatable
from lab.simulation.events import payloads
from lab.simulation.script import read
from lab.simulation.world import Circumstances, World, event_id, open_embedding, open_world
from tests.lab.simulation.lives import BEGINS

ON = replace(Settings(), tagging=replace(Settings().tagging, enabled=True))

BEFORE = """
{"start": "s", "project": "/shop"}
{"prompt": "We decided to use pnpm in the web workspace, never npm: npm breaks the lockfile."}
"""
# A failure is mended: a moment that captures, forwards as well as backwards.
CAPTURE = """
{"tool": "Bash", "input": "pytest -q", "output": "E  KeyError: 'SHOP_CURRENCY'", "failed": true}
{"tool": "Bash", "input": "pytest -q", "output": "14 passed in 2.03s"}
{"prompt": "No, actually the staging database listens on port 5433, not on 5432."}
{"answer": "The root cause was that SHOP_CURRENCY was not set in the test settings."}
"""
# What must be the same, and not twice. Left out is the number of a row: one that is refused,
# because the event is known already, may take a number with it.
STATE = {
    "memories": "SELECT text, kind, tier, project, created_at, ended, round(importance, 3),"
    " status, rule FROM memory ORDER BY text",
    "tags": "SELECT m.text, t.at, round(t.strength, 6), v.kind, v.at FROM synaptic_tag t"
    " JOIN memory m ON m.id = t.memory_id LEFT JOIN importance_event v ON v.id = t.captured_by"
    " ORDER BY m.text",
    "moments": "SELECT kind, at, round(strength, 6), session, project, reason"
    " FROM importance_event ORDER BY at, kind",
    "captures": "SELECT m.text, v.kind, v.at, round(c.score, 6), round(c.hours, 6),"
    " round(c.importance, 3), c.at FROM capture c JOIN memory m ON m.id = c.memory_id"
    " JOIN importance_event v ON v.id = c.event_id ORDER BY m.text, v.at",
    "episodes": "SELECT v.kind, v.at, count(*) FROM capture c"
    " JOIN importance_event v ON v.id = c.event_id GROUP BY v.id ORDER BY v.at",
    "journal": "SELECT hex(event_id), kind, received_at, done FROM journal ORDER BY seq",
    "decisions": "SELECT d.action, m.text FROM decision d JOIN memory m ON m.id = d.memory_id"
    " ORDER BY d.action, m.text",
}


class Killed(BaseException):
    """The process is gone; no actor and no supervisor hears of it."""


@dataclass(slots=True)
class Fate:
    """Counts messages and commits, and ends everything before the one that was named."""

    dies_before: int = 0  # 0: never
    counted: int = 0
    log: list[str] = field(default_factory=list[str])

    def meet(self, what: str) -> None:
        """One more message is about to be taken, or one more commit to happen."""
        self.counted += 1
        self.log.append(what)
        if self.counted == self.dies_before:
            raise Killed(what)


class FatefulStore:
    """``actors.memory.ports.Store``: the real one, but commits meet their fate first."""

    def __init__(self, store: WritingSide, fate: Fate) -> None:
        self._store, self._fate = store, fate

    async def commit(self, units: Sequence[Unit]) -> list[list[int] | Exception]:
        """Carry them out, unless this is the end."""
        self._fate.meet("commit")
        return await self._store.commit(units)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def fateful(fate: Fate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the doubles at their boundaries."""

    class FatefulQueue(Queue[Any]):
        async def lease(self, limit: int) -> list[Any] | None:
            batch = await super().lease(limit)
            if batch:
                fate.meet(f"{self.name}: {type(batch[0]).__name__}")
            return batch

    built = host.builders

    def builders(queues: dict[str, Queue[Any]], given: host.Surroundings) -> Any:
        store = given.store
        doomed = cast("WritingSide", FatefulStore(store.writing, fate))
        return built(queues, replace(given, store=replace(store, writing=doomed)))

    monkeypatch.setattr(host, "Queue", FatefulQueue)
    monkeypatch.setattr(host, "builders", builders)


def circumstances(home: Home) -> Circumstances:
    """Words only, one project, always the same turns."""
    return Circumstances(home, ON, FollowingClock(BEGINS), None, True, 0, ("/shop",))


@asynccontextmanager
async def opened(home: Home) -> AsyncGenerator[World]:
    """A world on this home."""
    given = circumstances(home)
    async with open_embedding(given) as embedding, open_world(given, embedding) as world:
        yield world


async def report(world: World, script: str, first: int, done: list[int]) -> None:
    """Report each event at its moment, a minute apart; note which were acknowledged."""
    for number, step in enumerate(read("capture", script).steps, start=first):
        if number in done:
            continue
        await reach(world, 60.0 * number)
        for payload in payloads(step, "s", "/shop", number):
            await world.hook("claude", event_id(0, number), payload)
        done.append(number)


async def reach(world: World, moment: float) -> None:
    """Let time pass until then; all that is due happens."""
    while BEGINS + moment - world.clock.now() > 1e-3:
        await world.stride(BEGINS + moment, rhythm=0.0)
    await world.settled()


def run(work: Callable[[], Any]) -> Any:
    """A run on virtual time that repeats itself."""
    with repeatable(0):
        return trio.run(work, clock=MockClock(autojump_threshold=0.0))


def state_of(sql: Sql) -> dict[str, list[Row]]:
    """What must be the same in the end."""
    return {name: sql.rows(query) for name, query in STATE.items()}


def lived_through(home: Home, fate: Fate) -> dict[str, list[Row]]:
    """The end of the scenario on this home, whatever its fate; two hours later."""
    done: list[int] = []

    async def live() -> dict[str, list[Row]]:
        while True:
            try:
                async with opened(home) as world:
                    await report(world, CAPTURE, 10, done)
                    await reach(world, 7_200.0)
                    return await world.store.reading.read(state_of)
            except BaseExceptionGroup as errors:
                if not isinstance(first_leaf(errors), Killed):
                    raise

    return run(live)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which a session has begun."""
    home = Home(tmp_path_factory.mktemp("begun") / "home")
    home.prepare()

    async def live() -> None:
        async with opened(home) as world:
            await report(world, BEFORE, 1, [])
            await world.settled()

    run(live)
    return home.root


def copied(begun: Path, folder: Path) -> Home:
    """A home of one's own to die in."""
    shutil.copytree(begun, folder)
    return Home(folder)


def test_the_scenario_captures_and_is_long_enough_to_die_in(
    begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fate = Fate()
    fateful(fate, monkeypatch)
    found = lived_through(copied(begun, tmp_path / "home"), fate)

    assert {row[0] for row in found["moments"]} >= {"correction", "test_fixed"}
    assert len(found["captures"]) >= 3
    assert all(done for *_, done in found["journal"])
    assert {"commit", "tagging: Raised", "gate: Proposed"} <= set(fate.log)


@pytest.mark.slow
def test_death_before_any_message_or_commit_of_a_capture_changes_nothing(
    begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fate = Fate()
    fateful(fate, monkeypatch)
    expected = lived_through(copied(begun, tmp_path / "whole"), fate)
    during = last_of_the_capture(fate.log)
    different: dict[str, list[str]] = {}
    for k in range(1, during + 1):
        fate.dies_before, fate.counted, fate.log = k, 0, []
        found = lived_through(copied(begun, tmp_path / f"home-{k}"), fate)
        names = [name for name in STATE if found[name] != expected[name]]
        if names:
            different[f"{k}: {fate.log[k - 1]}"] = names
        shutil.rmtree(tmp_path / f"home-{k}")

    assert during > 50
    assert different == {}


def last_of_the_capture(log: Sequence[str]) -> int:
    """Where the last message stands that has to do with the events: after it time passes."""
    return (
        max(
            place
            for place, what in enumerate(log, start=1)
            if what in ("gate: Proposed", "tagging: Raised", "extraction: Happened")
        )
        + 4
    )
