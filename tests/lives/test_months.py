"""Months by themselves: work days, idle nights, a week asleep, restarts; use and none."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from daemon.home import Home
from daemon.settings import Settings
from daemon.views import short_id
from tests.lives.life import BEGINS, DAY, HOUR, SHOP, Life, life_of, lived, opened

WEEKS, ASLEEP = 6, 3  # the laptop sleeps through the week before the third of work
IDLE = 3 * HOUR  # without anybody: a work day has something every two and a half hours
OLD = 24  # memories that were there when it began, half a year old
ACTS = ("failed", "was moved", "was measured", "was rewritten", "was reviewed", "was shipped")
THINGS = ("checkout", "billing", "search", "login", "export", "mail", "cache", "queue", "label")
KEPT = (
    "SELECT id, text, title, kind, tier, project, ended, pinned FROM memory WHERE source != 'dream'"
)
DREAMS = "SELECT began_at FROM dream WHERE outcome = 'finished' ORDER BY id"


def idle_soon() -> Settings:
    """Shipped settings, but an idle night begins after three hours."""
    shipped = Settings()
    return replace(
        shipped,
        daemon=replace(shipped.daemon, idle=IDLE),
        dreaming=replace(shipped.dreaming, at_session_start=False),
    )


class Months(Struct):
    """Sightings of them, in seconds after their beginning."""

    busy: list[float] = field(default_factory=list[float])  # when somebody did something
    woke: float = 0.0  # when the laptop woke after its week
    dreams: list[float] = field(default_factory=list[float])
    before: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    after: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])


async def begun(life: Life) -> None:
    """Memories from the start: old facts, and two that are protected."""
    rows = [
        {
            "key": f"old{n}", "text": f"The {THINGS[n % 9]} of shop {n} {ACTS[n % 6]} in spring",
            "project": SHOP, "created_at": BEGINS - 200 * DAY - n * HOUR,
        }
        for n in range(OLD)
    ]  # fmt: skip
    await life.ask("import", rows=rows, gate=False)
    await life.remember("Never deploy on a Friday", tier="critical")
    await life.remember("The owner is Ines", tier="constitutional")


async def workday(life: Life, number: int, seen: Months) -> None:
    """From nine to five: something is learnt, an old thing is of use."""
    session, morning = f"day-{number}", life.now
    await life.report("SessionStart", session, source="startup")
    asked = f"What about the {THINGS[number % 9]}?"
    await life.report("UserPromptSubmit", session, prompt=asked)
    learnt = f"Ticket {number}: the {THINGS[number % 9]} {ACTS[number % 6]} by team {number % 7}"
    await life.remember(learnt)
    seen.busy.append(life.now)
    for hours in (2.5, 5.0, 7.5):
        await life.reach(morning + hours * HOUR, rhythm=0.0)
        await life.report(
            "PostToolUse", session, tool_name="Bash", tool_use_id=f"t{number}-{hours}",
            tool_input={"command": "pytest -q"}, tool_response={"stdout": "9 passed"},
        )  # fmt: skip
        await life.use(short_id(1 + number % OLD))
        seen.busy.append(life.now)
    await life.report("SessionEnd", session, reason="exit")
    seen.busy.append(life.now)


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> Months:
    """Six weeks of work with a restart on each Monday, and one asleep, lived once."""
    home, seen = Home(tmp_path_factory.mktemp("months") / "home"), Months()

    async def live() -> None:
        morning = 0.0
        for week in range(WEEKS):
            async with opened(home, idle_soon()) as life:
                life.events = 100 * week
                if week == 0:
                    await begun(life)
                    seen.before = await life.rows(KEPT)
                if week == ASLEEP:
                    await life.remember("Back in a week")
                    seen.busy.append(life.now)
                    await life.asleep(7 * DAY)
                    seen.woke = life.now
                    morning += 7 * DAY
                for day in range(5):
                    await life.reach(morning + day * DAY, rhythm=0.0)
                    await workday(life, 5 * week + day, seen)
                morning += 7 * DAY
                await life.reach(morning)
                if week == WEEKS - 1:
                    seen.dreams = [at - BEGINS for (at,) in await life.rows(DREAMS)]
                    seen.after = await life.rows(KEPT)

    lived(live)
    return seen


@pytest.mark.slow
def test_months_change_no_text_and_put_nothing_away_by_themselves(months: Months) -> None:
    """Memories from before they began are as they were; those learnt since live."""
    after = {row[0]: row for row in months.after}

    assert [after[row[0]] for row in months.before] == months.before
    assert len(after) == OLD + 2 + 1 + 5 * WEEKS
    assert all(row[6] is None for row in months.after)


@pytest.mark.slow
def test_it_dreams_in_idle_nights_and_not_twice_in_six_hours(months: Months) -> None:
    """Each work day is followed by one dream; a weekend without anything new by none. One begins as the lid opens."""
    idle = [min(at - before for before in months.busy if before < at) for at in months.dreams]

    assert len(months.dreams) == pytest.approx(5 * WEEKS, abs=3)
    assert min(idle) >= IDLE
    assert min(b - a for a, b in pairwise(months.dreams)) >= 6 * HOUR


@pytest.mark.slow
def test_after_a_week_asleep_it_dreams_once(months: Months) -> None:
    """Work that was slept through is caught up once."""
    fell = months.woke - 7 * DAY

    assert [at for at in months.dreams if fell < at < months.woke] == []
    assert len([at for at in months.dreams if months.woke <= at < months.woke + 8 * HOUR]) <= 1


@pytest.mark.slow
def test_ninety_days_without_use_go_through_all_states_and_use_keeps_one_hot(home: Home) -> None:
    """HOT until days without use or retrievability say otherwise, archivable at 90 days."""

    async def live(life: Life) -> dict[str, list[tuple[int, str]]]:
        used = await life.remember("The staging database listens on port 5433")
        unused = await life.remember("The billing report goes to finance every Friday")
        critical = await life.remember("Never touch the legacy payments", tier="critical")
        states: dict[str, list[tuple[int, str]]] = {used: [], unused: [], critical: []}
        for day in range(92):
            await life.reach(day * DAY + HOUR)
            await life.use(used)
            for id_, reached in states.items():
                state = str((await life.memory(id_))["state"])
                if not reached or reached[-1][1] != state:
                    reached.append((day, state))
        return states

    used, unused, critical = life_of(home, live, Settings()).values()

    assert [state for _, state in used] == [state for _, state in critical] == ["HOT"]
    assert [state for _, state in unused] == ["HOT", "WARM", "COLD", "DORMANT", "archivable"]
    assert unused[-1][0] == pytest.approx(90, abs=1)
