"""A life of ninety days, with use and without: five states, what is put away, what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lab.simulation.player import Life
from tests.lab.simulation.lives import BEGINS, DAY, Timing, played, seen_by, whats

pytestmark = pytest.mark.slow

SHOP = "/shop"
MOST = 200  # times the CPU of the baseline, see below


def day(memory: str, question: str) -> list[dict[str, Any]]:
    """A day on which somebody asks, and what is known is of use."""
    return [
        {"prompt": question, "session": "day-{n}", "project": SHOP, "at": "09:00"},
        {"use": memory, "by": "cited"},
    ]


NINETY: list[dict[str, Any]] = [
    {"settings": {"tagging.enabled": True}},
    {"start": "first", "project": SHOP},
    {"remember": "The staging database listens on port 5432", "project": SHOP, "as": "old"},
    {"remember": "The billing report goes to finance every Friday", "project": SHOP, "as": "bill"},
    {"remember": "Never touch the legacy payments", "tier": "critical", "as": "legacy"},
    {
        "remember": "The staging database listens on port 5433",
        "project": SHOP,
        "intent": "supersede",
        "target": "@old",
        "as": "port",
    },
    {"prompt": "No, actually the tests need SHOP_CURRENCY=EUR to pass.", "as": "currency"},
    {"repeat": 45, "steps": day("@port", "Which port does the staging database listen on?")},
    {"restart": True},
    {"repeat": 45, "steps": day("@port", "Which port does the staging database listen on?")},
    {"expect": {"recalled": "@port", "not_recalled": "@old"}},
    {"sleep": "3h"},
    {"archive": "@bill"},
    {"archive": "@legacy"},
]


@pytest.fixture(scope="module")
def ninety(tmp_path_factory: pytest.TempPathFactory) -> tuple[Life, float]:
    """The ninety days, and their CPU as a multiple of the baseline's."""
    life, witness = seen_by(Timing, tmp_path_factory.mktemp("ninety"), *NINETY)
    return life, witness.cost()


def states_of(life: Life, memory: str) -> list[str]:
    """Each state that the memory came into, in order."""
    return [one["after"] for one in whats(life, "state") if one["memory"] == memory]


def test_ninety_days_bring_all_five_states_to_what_nobody_uses(
    ninety: tuple[Life, float],
) -> None:
    """HOT until days without use or retrievability say otherwise, archivable at 90 days."""
    life, _ = ninety
    fell = [(one["at"], one["after"]) for one in whats(life, "state") if one["memory"] == "m2"]

    assert life.failed == []
    assert [state for _, state in fell] == ["WARM", "COLD", "DORMANT", "archivable", "archived"]
    days = [round((at - BEGINS) / DAY, 2) for at, _ in fell]
    assert days == sorted(days)
    assert days[-2] == pytest.approx(90, abs=0.01)


def test_what_is_archivable_is_put_away_and_what_is_critical_is_not(
    ninety: tuple[Life, float],
) -> None:
    life, _ = ninety
    table = {memory["id"]: memory for memory in life.memories}

    assert table["m2"]["ended"] == "archived"
    assert table["m3"]["ended"] is None


def test_what_is_used_each_day_stays_hot_and_what_is_critical_never_fades(
    ninety: tuple[Life, float],
) -> None:
    life, _ = ninety
    table = {memory["id"]: memory for memory in life.memories}

    assert states_of(life, "m4") == []
    assert table["m4"]["uses"] == 90
    assert table["m4"]["stability"] > 100
    assert (table["m3"]["state"], states_of(life, "m3")) == ("HOT", [])


def test_what_was_corrected_is_ended_and_does_not_come_back(ninety: tuple[Life, float]) -> None:
    life, _ = ninety
    table = {memory["id"]: memory for memory in life.memories}
    shown = [one["memory"] for one in whats(life, "shown")]

    assert (table["m1"]["ended"], table["m1"]["superseded_by"]) == ("deprecated", "m4")
    assert "m1" not in shown
    assert shown.count("m4") >= 90


def test_a_correction_captures_what_was_made_of_it(ninety: tuple[Life, float]) -> None:
    """Importance is raised by the capture, never lowered."""
    life, _ = ninety
    captured = whats(life, "captured")

    assert {one["kind"] for one in whats(life, "moment")} == {"correction"}
    assert {one["memory"] for one in captured} == {"m5"}
    assert all(one["importance"] >= min(one["before"], one["score"]) for one in captured)


@pytest.mark.slow
def test_the_restart_in_the_middle_changes_nothing(
    ninety: tuple[Life, float], tmp_path: Path
) -> None:
    life, _ = ninety
    whole = [line for line in NINETY if "restart" not in line]
    other = played(tmp_path, *whole)

    assert len(whats(life, "restart")) == 1
    assert [one["after"] for one in whats(life, "state")] == [
        one["after"] for one in whats(other, "state")
    ]
    kept = ("id", "text", "state", "uses", "reviews", "ended")
    assert [[memory[name] for name in kept] for memory in life.memories] == [
        [memory[name] for name in kept] for memory in other.memories
    ]


def test_the_background_jobs_ran_on_their_days(ninety: tuple[Life, float]) -> None:
    life, _ = ninety
    ran: dict[str, int] = {}
    for one in whats(life, "jobs"):
        for job, count in one["ran"].items():
            ran[job] = ran.get(job, 0) + count

    assert ran["fade"] == pytest.approx(90 * 24 + 3, abs=1)
    assert ran["tidy"] == pytest.approx(90 * 24 + 3, abs=1)


def test_ninety_days_cost_little(ninety: tuple[Life, float]) -> None:
    """Ten seconds, as a multiple of the named baseline's CPU on the same machine.

    Measured: 103 to 111 times; ten seconds are 215 where the baseline takes 0.046 s.
    """
    _, cost = ninety

    assert cost < MOST
