"""Death between any two messages or commits: what is left is what would have been.

A test double stands at two boundaries: where an actor takes its mail, and where the store
commits. Right before the k-th of these everything ends where it stands. The daemon starts
again on the same home, and a hook that had got no answer reports its event again, under
the same id, as the spool does.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

import pytest
from msgspec import Struct, field, structs
from msgspec.structs import replace

from actors.core.failures import first_leaf
from actors.core.mailbox import Queue
from actors.memory.commit import Unit
from daemon import assembly, host
from daemon.home import Home
from daemon.settings import Settings
from daemon.storage.store import Committed, WritingSide
from tests.lives.life import Life, lived, opened

Event = tuple[str, dict[str, Any]]

PYTEST: Final = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}}
KNOWN: Final = "Remember: the staging database listens on port 5432."
COMMIT: Final = {
    "tool_name": "Bash",
    "tool_input": {"command": "git commit -m 'Set SHOP_CURRENCY, because the tests need it'"},
}
BEFORE: Final = "We decided to use pnpm in the web workspace, never npm: npm breaks the lockfile."
# A failure is mended, a fact corrected and a commit made: one memory ends, two are made.
EVENTS: Final[tuple[Event, ...]] = (
    (
        "PostToolUseFailure",
        {**PYTEST, "tool_use_id": "t1", "error": "Exit code 1\nE  KeyError: 'SHOP_CURRENCY'"},
    ),
    ("PostToolUse", {**PYTEST, "tool_use_id": "t2", "tool_response": {"stdout": "14 passed"}}),
    (
        "UserPromptSubmit",
        {"prompt": "No, actually the staging database listens on port 5433."},
    ),
    ("PostToolUse", {**COMMIT, "tool_use_id": "t3", "tool_response": {"stdout": ""}}),
)
# What must be the same, and not twice. Left out is the number of a row: one that is refused,
# because the event is known already, may take a number with it.
STATE: Final = {
    "memories": "SELECT text, kind, tier, project, created_at, ended, round(importance, 3),"
    " status, rule FROM memory ORDER BY text",
    "journal": "SELECT hex(event_id), kind, received_at, done FROM journal ORDER BY seq",
    "decisions": "SELECT d.action, m.text FROM decision d JOIN memory m ON m.id = d.memory_id"
    " ORDER BY d.action, m.text",
}
State = dict[str, list[tuple[Any, ...]]]


class Killed(BaseException):
    """The process is gone; no actor and no supervisor hears of it."""


class Fate(Struct):
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
    """The writing side of the store, but commits meet their fate first."""

    def __init__(self, store: WritingSide, fate: Fate) -> None:
        self._store, self._fate = store, fate

    async def commit(self, units: Sequence[Unit]) -> Committed:
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

    built = assembly.builders

    def builders(queues: dict[str, Queue[Any]], given: assembly.Surroundings) -> Any:
        store = given.store
        doomed = cast("WritingSide", FatefulStore(store.writing, fate))
        return built(queues, structs.replace(given, store=replace(store, writing=doomed)))

    monkeypatch.setattr(host, "Queue", FatefulQueue)
    monkeypatch.setattr(host, "builders", builders)


async def report(life: Life, done: list[int]) -> None:
    """Report each event at its moment, a minute apart; note which were acknowledged."""
    for number, (name, fields) in enumerate(EVENTS, start=1):
        if number in done:
            continue
        await life.reach(60.0 * (10 + number), rhythm=0.0)
        life.events = 10 + number
        await life.report(name, **fields)
        done.append(number)


def lived_through(home: Home, fate: Fate) -> State:
    """The end of the scenario on this home, whatever its fate; two hours later."""
    done: list[int] = []

    async def live() -> State:
        while True:
            try:
                async with opened(home, Settings()) as life:
                    await report(life, done)
                    await life.reach(7_200.0, rhythm=0.0)
                    return {name: await life.rows(query) for name, query in STATE.items()}
            except BaseExceptionGroup as errors:
                if not isinstance(first_leaf(errors), Killed):
                    raise

    return lived(live)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which a session has begun."""
    home = Home(tmp_path_factory.mktemp("begun") / "home")

    async def live() -> None:
        async with opened(home, Settings()) as life:
            await life.report("SessionStart", source="startup")
            await life.report("UserPromptSubmit", prompt=BEFORE)
            await life.report("UserPromptSubmit", prompt=KNOWN)

    lived(live)
    return home.root


def copied(begun: Path, folder: Path) -> Home:
    """A home of one's own to die in."""
    shutil.copytree(begun, folder)
    return Home(folder)


def test_the_scenario_makes_memories_and_is_long_enough_to_die_in(
    begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fate = Fate()
    fateful(fate, monkeypatch)
    found = lived_through(copied(begun, tmp_path / "home"), fate)

    assert len(found["memories"]) >= 3
    assert all(done for *_, done in found["journal"])
    assert {"commit", "gate: Proposed"} <= set(fate.log)


@pytest.mark.slow
def test_death_before_any_message_or_commit_changes_nothing(
    begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fate = Fate()
    fateful(fate, monkeypatch)
    expected = lived_through(copied(begun, tmp_path / "whole"), fate)
    during = last_of_the_events(fate.log)
    different: dict[str, list[str]] = {}
    for k in range(1, during + 1):
        fate.dies_before, fate.counted, fate.log = k, 0, []
        found = lived_through(copied(begun, tmp_path / f"home-{k}"), fate)
        names = [name for name in STATE if found[name] != expected[name]]
        if names:
            different[f"{k}: {fate.log[k - 1]}"] = names
        shutil.rmtree(tmp_path / f"home-{k}")

    assert during > 30
    assert different == {}


def last_of_the_events(log: Sequence[str]) -> int:
    """Where the last message stands that has to do with the events: after it time passes."""
    last = max(
        at
        for at, what in enumerate(log, start=1)
        if what.startswith(("gate: Proposed", "extraction: "))
    )
    return last + 4
