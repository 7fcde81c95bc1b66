"""A quarter of a year by itself: work, idle nights, a week asleep, restarts.

Twelve weeks of work days with everything the daemon does by the clock, on its real actors and its
real store. A witness looks after every hour and holds what happened by itself to what may happen.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from actors.policy.dreams import plans
from actors.policy.dreams.plans import Act
from daemon.storage.database.sql import Row, Sql
from daemon.views import short_id
from lab.simulation.player import Life
from lab.simulation.witness import Happening
from lab.simulation.world import World
from tests.lab.simulation.lives import BEGINS, DAY, Timing, seen_by, whats

SHOP = "/shop"
HOUR = 3_600.0
WEEKS, ASLEEP = 12, 6  # the laptop sleeps through the week before the seventh of work
IDLE = 3 * HOUR  # without anybody: a work day has something every two and a half hours
OLD = 24  # memories that were there when it began, half a year old
MOST = 600  # times the CPU of the baseline, see below
ACTS = ("failed", "was moved", "was measured", "was rewritten", "was reviewed", "was shipped")
THINGS = ("checkout", "billing", "search", "login", "export", "mail", "cache", "queue", "label")
UNTOUCHED = (
    "id", "text", "title", "content_hash", "kind", "tier", "memory_type", "project", "ended",
    "pinned",
)  # fmt: skip
COLUMNS: tuple[str, ...] = (*UNTOUCHED, "importance", "relevance.value", "source")
ENDED = COLUMNS.index("ended")
ROWS = f"SELECT {', '.join(COLUMNS)} FROM memory LEFT JOIN relevance ON memory_id = id"
STEPS = (
    "SELECT s.memory_id, p.source, p.proposed_at, m.pinned, m.tier, m.kind, m.created_at,"
    " m.importance FROM plan_step s JOIN plan p ON p.id = s.plan_id"
    " JOIN memory m ON m.id = s.memory_id WHERE p.id = ?"
)
SOMEBODY = frozenset({"start", "prompt", "tool", "remember", "end", "ask", "pin", "useless"})
SETTINGS = {
    "dreaming.at_session_start": False,
    "daemon.idle": IDLE,
    "consolidation.forget": True,
    "consolidation.forgetting_every": 30 * DAY,
}


def script() -> list[dict[str, Any]]:
    """The quarter, line by line."""
    rows = [
        {
            "key": f"old{n}", "text": f"The {THINGS[n % 9]} of shop {n} {ACTS[n % 6]} in spring",
            "project": SHOP, "created_at": BEGINS - 200 * DAY - n * HOUR,
            "type": "decision" if n % 5 == 0 else "fact",
        }
        for n in range(OLD)
    ]  # fmt: skip
    lines: list[dict[str, Any]] = [
        {"settings": SETTINGS},
        {"ask": "import", "body": {"rows": rows, "gate": False}},
        {"remember": "Never deploy on a Friday", "tier": "critical", "project": SHOP, "as": "law"},
        {"remember": "The owner is Ines", "tier": "constitutional", "project": SHOP, "as": "who"},
        {"remember": "The staging port is 5433", "project": SHOP, "as": "port"},
        {"pin": "@port"},
        *({"useless": short_id(n)} for n in range(2, 12, 3)),
    ]
    for week in range(WEEKS):
        if week == ASLEEP:
            lines += [{"remember": "Back in a week", "project": SHOP}, {"away": "7d"}]
        for day in range(5):
            lines += workday(5 * week + day, restart=day == 0)
        lines.append({"sleep": "2d"})
    return [*lines, {"kill": True}, {"sleep": "12h"}]


def workday(number: int, *, restart: bool) -> list[dict[str, Any]]:
    """From nine to five: something is learnt, an old thing is of use."""
    learnt = {
        "remember": f"Ticket {number}: the {THINGS[number % 9]} {ACTS[number % 6]} by team"
        f" {number % 7}", "project": SHOP, "intent": "new",
    }  # fmt: skip
    name = f"day-{number}"
    return [
        *([{"restart": True, "at": "09:00"}] if restart else []),
        {"start": name, "project": SHOP, **({} if restart else {"at": "09:00"})},
        {"prompt": f"What about the {THINGS[number % 9]}?", "session": name, "at": "09:20"},
        learnt,
        {"tool": "Bash", "input": "pytest -q", "output": "9 passed", "at": "11:30"},
        {"tool": "Bash", "input": "pytest -q", "output": "9 passed", "at": "14:00"},
        {"use": short_id(1 + number % OLD), "at": "15:00"},
        {"tool": "Bash", "input": "pytest -q", "output": "9 passed", "at": "16:30"},
        {"end": name, "at": "17:00"},
    ]


@dataclass(slots=True)
class Watching(Timing):
    """Looks after every hour whether what happened by itself may happen."""

    wrong: list[str] = field(default_factory=list[str])
    rows: dict[int, Row] = field(default_factory=dict[int, Row])

    async def look(self, world: World) -> list[Happening]:
        found = await Timing.look(self, world)
        self.wrong += await world.store.reading.read(lambda sql: self._broken(sql, found))
        return found

    def _broken(self, sql: Sql, found: list[Happening]) -> list[str]:
        rows: dict[int, Row] = {int(row[0]): row for row in sql.rows(ROWS)}
        told = {one["memory"] for one in found if one["what"] in ("weighed", "captured")}
        wrong = [f"m{number} is gone" for number in self.rows.keys() - rows.keys()]
        for number, before in self.rows.items():
            after = rows.get(number, before)
            if after != before:
                pair = [dict(zip(COLUMNS, row, strict=True)) for row in (before, after)]
                wrong += _changes(number, *pair, is_told=short_id(number) in told)
        wrong += [*_connections(sql), *self._planned(sql, found)]
        self.rows = rows
        return wrong

    def _planned(self, sql: Sql, found: list[Happening]) -> list[str]:
        """A run's plans take no more than a twentieth away, and nothing that is protected."""
        living = sum(row[ENDED] is None for row in self.rows.values())
        taken: Counter[str] = Counter()
        wrong: list[str] = []
        for one in found:
            if one["what"] == "proposed":
                taken[one["source"]] += plans.taken([Act(one["act"])] * one["memories"])
                wrong += _protected(sql, one["plan"])
        return wrong + [
            f"{source} would take {count} of {living}"
            for source, count in taken.items()
            if count > plans.most(living)
        ]


def _changes(
    number: int, before: dict[str, Any], after: dict[str, Any], *, is_told: bool
) -> list[str]:
    """What may not have become of a memory by itself.

    Nothing says something else, is another kind of thing or has ended, but for an insight that a
    later one takes the place of. What its importance rose by is in the log of importance.
    """
    wrong = [
        f"{name} of m{number}: {before[name]!r}, then {after[name]!r}"
        for name in UNTOUCHED
        if before[name] != after[name]
        and name != "pinned"
        and not (name == "ended" and before["source"] == "dream")
    ]
    old, new = before["importance"], after["importance"]
    if (before["pinned"] or before["tier"] != "normal") and new < old:
        wrong.append(f"m{number} is protected and went from {old} to {new}")
    if old != new and new == after["relevance.value"]:
        wrong.append(f"the importance of m{number} is its relevance")
    if new > old and not is_told:
        wrong.append(f"m{number} went from {old} to {new}, and nobody says why")
    return wrong


def _protected(sql: Sql, plan: int) -> list[str]:
    """What may not be in a plan: what is pinned or of a protected tier."""
    wrong: list[str] = []
    for number, source, at, pinned, tier, kind, made, importance in sql.rows(STEPS, (plan,)):
        if pinned or tier != "normal":
            wrong.append(f"a plan is about m{number}, which is protected")
        if source == "consolidation" and (
            kind in ("decision", "discovery") or at - made < 90 * DAY or importance >= 0.7
        ):
            wrong.append(f"protected from forgetting: m{number} may not be proposed")
    return wrong


def _connections(sql: Sql) -> list[str]:
    """Their ends are in the store, their strengths from 0 to 2."""
    bad = sql.rows(
        "SELECT one_id, other_id, strength FROM connection WHERE strength NOT BETWEEN 0 AND 2"
        " OR one_id NOT IN (SELECT id FROM memory) OR other_id NOT IN (SELECT id FROM memory)"
    )
    return [f"a connection of m{one} and m{other} at {strength}" for one, other, strength in bad]


@dataclass(frozen=True, slots=True)
class Quarter:
    """The life, who watched it, and its CPU as a multiple of the baseline's."""

    life: Life
    witness: Watching
    cost: float


def quarter_of(folder: Path, *lines: dict[str, Any]) -> Quarter:
    """These lines before a watching witness."""
    life, witness = seen_by(Watching, folder, *lines)
    return Quarter(life, witness, witness.cost())


@pytest.fixture(scope="module")
def quarter(tmp_path_factory: pytest.TempPathFactory) -> Quarter:
    """Twelve weeks of work and one asleep, lived once."""
    return quarter_of(tmp_path_factory.mktemp("quarter"), *script())


def dreams(quarter: Quarter) -> list[float]:
    """When each dream began, in seconds after the beginning."""
    return [one["began"] - BEGINS for one in whats(quarter.life, "dreamt")]


@pytest.mark.slow
def test_nothing_that_may_not_happen_happens_by_itself(quarter: Quarter) -> None:
    """Looked at after every hour of the quarter."""
    assert quarter.witness.wrong == []
    assert quarter.witness.looks > 12 * 7 * 24
    assert quarter.life.failed == []


@pytest.mark.slow
def test_every_job_runs_as_often_as_it_should(quarter: Quarter) -> None:
    """In twelve weeks awake, and once for the one asleep."""
    ran: Counter[str] = Counter()
    for one in whats(quarter.life, "jobs"):
        ran.update(one["ran"])
    days = 7 * WEEKS

    for job in ("tidy", "fade"):
        assert ran[job] == pytest.approx(24 * days, abs=30)
    assert ran["archive"] == pytest.approx(12 * days, abs=15)
    assert ran["dim"] == pytest.approx(days, abs=2)
    assert ran["decay"] == pytest.approx(days, abs=2)
    assert ran["associations"] == pytest.approx(WEEKS, abs=1)
    assert ran["forgetting"] == pytest.approx((days + 7) // 30, abs=1)
    assert ran["dream"] == len(dreams(quarter))


@pytest.mark.slow
def test_it_dreams_in_idle_nights_and_not_twice_in_six_hours(quarter: Quarter) -> None:
    """Each work day is followed by one dream; a weekend without anything new by none."""
    began = dreams(quarter)
    used = [
        one["at"] - BEGINS for one in quarter.life.timeline if one["what"] in SOMEBODY
    ]  # fmt: skip
    idle = [min(at - before for before in used if before <= at) for at in began]

    assert len(began) == pytest.approx(5 * WEEKS, abs=3)
    assert min(idle) >= IDLE
    assert min(b - a for a, b in pairwise(began)) >= 6 * HOUR


@pytest.mark.slow
def test_after_a_week_asleep_it_dreams_once(quarter: Quarter) -> None:
    """Design 4: what was slept through is caught up once."""
    (slept,) = whats(quarter.life, "away")
    fell = slept["at"] - BEGINS
    woke = fell + 7 * DAY
    asleep = [at for at in dreams(quarter) if fell <= at < woke]
    after = [at for at in dreams(quarter) if woke <= at < woke + 8 * HOUR]

    assert asleep == []
    assert len(after) == 1


@pytest.mark.slow
def test_it_draws_connections_proposes_and_takes_nothing_away(quarter: Quarter) -> None:
    living = [one for one in quarter.life.memories if one["ended"] is None]
    kept = [one for one in quarter.life.memories if one["kind"] != "insight"]

    assert any(one["connections"] for one in whats(quarter.life, "dreamt"))
    assert {one["source"] for one in whats(quarter.life, "proposed")} >= {"consolidation"}
    assert len(kept) == OLD + 4 + 5 * WEEKS
    assert all(one["ended"] is None for one in kept)
    assert len(living) >= len(kept)


@pytest.mark.slow
def test_a_quarter_costs_little(quarter: Quarter) -> None:
    """As a multiple of the named baseline's CPU on the same machine.

    Measured: 400 to 432 times, where one baseline took from 0.09 to 0.19 s.
    """
    assert quarter.cost < MOST


def test_forgetting_runs_by_itself_only_when_somebody_wants_it(tmp_path: Path) -> None:
    """Off by default, however short its rhythm."""
    off = quarter_of(
        tmp_path, {"settings": {"consolidation.forgetting_every": DAY}}, {"sleep": "4d"}
    )
    ran = [job for one in whats(off.life, "jobs") for job in one["ran"]]

    assert "decay" in ran
    assert "forgetting" not in ran


@pytest.mark.slow
def test_relevance_is_computed_beside_importance_and_changes_nothing_else(tmp_path: Path) -> None:
    """Finding 10: hourly or never, importance and states are the same after three weeks."""
    lives: list[Life] = []
    for name, every in (("hourly", HOUR), ("never", 1_000 * DAY)):
        settings = {"consolidation.decay_every": every}
        body = [
            {"remember": f"The {thing} of the shop {ACTS[0]}", "intent": "new"} for thing in THINGS
        ]
        lives.append(
            quarter_of(tmp_path / name, {"settings": settings}, *body, {"sleep": "21d"}).life
        )
    kept = ("id", "importance", "state", "stability", "ended")
    tables = [[[memory[name] for name in kept] for memory in life.memories] for life in lives]

    assert tables[0] == tables[1]
