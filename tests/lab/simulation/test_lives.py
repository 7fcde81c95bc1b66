"""Lives: ninety days with use and without, a year of being shown, deaths and restarts.

Five states, captures, and that what is shown is not what is used.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import apsw
import pytest

from daemon.storage.database.sql import Sql
from lab.simulation.player import Life
from lab.simulation.script import ScriptError
from tests.lab.simulation.lives import BEGINS, DAY, played, whats

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


def work() -> float:
    """CPU seconds of the baseline: twenty thousand inserts and look-ups in SQLite."""
    began = time.process_time()
    sql = Sql(apsw.Connection(":memory:"))
    sql.rows("CREATE TABLE t (id INTEGER PRIMARY KEY, x REAL)")
    for number in range(20_000):
        sql.rows("INSERT INTO t VALUES (?, ?)", (number, number / 7))
        sql.rows("SELECT x FROM t WHERE id = ?", (number // 2,))
    return time.process_time() - began


@pytest.fixture(scope="module")
def ninety(tmp_path_factory: pytest.TempPathFactory) -> tuple[Life, float]:
    """The ninety days, and what they cost in CPU seconds."""
    began = time.process_time()
    life = played(tmp_path_factory.mktemp("ninety"), *NINETY)
    return life, time.process_time() - began


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

    Measured: the life 5.2 s where the baseline is 0.046 s, 111 times; ten seconds are 215.
    """
    _, cost = ninety
    baseline = min(work() for _ in range(3))

    assert cost < MOST * baseline


@pytest.mark.slow
def test_a_year_of_being_shown_makes_nothing_unforgettable(tmp_path: Path) -> None:
    """A stale fact that is shown 200 times fades; one that is used does not."""
    question = {
        "recall": "how is the nightly export of orders started", "k": 2, "project": SHOP,
        "at": "10:00",
    }  # fmt: skip
    life = played(
        tmp_path,
        {"remember": "The nightly export of orders is started by cron at 2:00",
         "project": SHOP, "as": "stale"},
        {"remember": "The nightly export of orders is started by the queue worker",
         "project": SHOP, "intent": "new", "as": "fresh"},
        {"repeat": 200, "steps": [question, {"use": "@fresh", "by": "cited"}, {"away": "19h"}]},
        {"repeat": 23, "steps": [{"away": "7d"}, {"use": "@fresh", "by": "cited"}]},
        {"expect": {"exposures": {">=": 200}, "uses": 0, "stability": {"<": 1.5}, "pinned": False,
                    "state": {"in": ["DORMANT", "archivable"]}}, "of": "@stale"},
        {"expect": {"exposures": {">=": 200}, "uses": {">=": 199}, "stability": {">": 100},
                    "state": "HOT"}, "of": "@fresh"},
    )  # fmt: skip

    assert life.failed == []
    assert (life.ends - life.begins) / DAY == pytest.approx(361, abs=1)
    stale, fresh = life.memories
    assert stale["retrievability"] < 0.5 < 0.9 < fresh["retrievability"]


def test_one_memory_is_strengthened_by_use_once_a_day_at_most(tmp_path: Path) -> None:
    """An implicit use within 24 hours of the last one changes nothing."""
    life = played(
        tmp_path,
        {"remember": "The deploy key lies in the vault", "as": "key"},
        {"use": "@key"},
        {"sleep": "23h"},
        {"use": "@key"},
        {"sleep": "2h"},
        {"use": "@key"},
    )

    assert len(whats(life, "reviewed")) == 2
    assert len(whats(life, "unmoved")) == 1


@pytest.mark.parametrize("ending", ["restart", "kill"])
def test_an_event_whose_hook_was_answered_survives_any_ending(tmp_path: Path, ending: str) -> None:
    """Killed while it is being made into a memory, the daemon makes it at its next start."""
    life = played(
        tmp_path,
        {"start": "s", "project": SHOP},
        {"prompt": "We decided to use pnpm in the web workspace, never npm.", "hurry": True},
        {ending: True},
        {"recall": "pnpm web workspace"},
        {"expect": {"memories": 1, "contains": "pnpm"}},
    )

    assert life.failed == []
    assert len(whats(life, "decided")) == 1


def test_what_a_script_expects_and_does_not_get_is_said(tmp_path: Path) -> None:
    life = played(
        tmp_path,
        {"remember": "The deploy key lies in the vault", "as": "key"},
        {"recall": "deploy key"},
        {"expect": {"not_recalled": "@key", "memories": 2, "silent": True, "error": True}},
        {"expect": {"state": "COLD", "colour": "red", "importance": {">": 2}}, "of": "@key"},
        {"expect": {"action": "SUPERSEDE", "happened": ["captured"], "contains": "tree"}},
        {"expect": {"reply": {"results.0.id": "m9", "results.7.id": "m1"}, "lacks": "vault"}},
    )

    assert [failure.split(": ", 1)[0] for failure in life.failed] == [
        "life.jsonl:3", "life.jsonl:3", "life.jsonl:3", "life.jsonl:3",
        "life.jsonl:4", "life.jsonl:4", "life.jsonl:4",
        "life.jsonl:5", "life.jsonl:5", "life.jsonl:5",
        "life.jsonl:6", "life.jsonl:6",
    ]  # fmt: skip
    assert len(whats(life, "failed")) == len(life.failed)


def test_what_did_not_happen_is_said_with_the_line_since_when(tmp_path: Path) -> None:
    """What happened before the last question is not looked at: the message says so."""
    life = played(
        tmp_path,
        {"expect": {"happened": "captured"}},
        {"remember": "The deploy key lies in the vault"},
        {"recall": "deploy key"},
        {"expect": {"happened": "decided"}},
    )

    assert life.failed == [
        "life.jsonl:1: captured did not happen since the beginning; there was nothing",
        (
            "life.jsonl:4: decided did not happen since line 3 (recall);"
            " there was answered, recall, shown"
        ),
    ]


def test_what_a_request_refuses_is_told_and_goes_on(tmp_path: Path) -> None:
    life = played(
        tmp_path,
        {"show": "m99"},
        {"expect": {"error": "no memory with this id"}},
        {"useful": "m99"},
        {"use": "m99"},
        {"remember": "The deploy key lies in the vault"},
        {"expect": {"memories": 1}},
    )

    assert life.failed == []
    assert len(whats(life, "refused")) == 3


def test_a_moment_that_is_over_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"life\.jsonl:2: 2026-01-05 08:00:00 is over already"):
        played(tmp_path, {"say": "now"}, {"prompt": "hello", "at": "2026-01-05T08:00"})


def test_a_label_for_nothing_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"life\.jsonl:1: nothing was remembered here"):
        played(tmp_path, {"prompt": "hello", "as": "greeting"})


def test_time_passes_as_the_script_says(tmp_path: Path) -> None:
    life = played(
        tmp_path,
        {"say": "beginning"},
        {"say": "three hours later", "at": "+3h"},
        {"say": "the next morning", "at": "07:30"},
        {"until": "2026-02-01T00:00"},
        {"sleep": "1d12h"},
        {"say": "end"},
    )
    at = [round(one["at"] - BEGINS) for one in whats(life, "say")]
    slept = 27 * DAY - 9 * 3_600 + 1.5 * DAY  # to the first of February, then a day and a half

    assert at[:3] == [0, 10_800, 81_000]
    assert at[3] == pytest.approx(slept, abs=3)


def test_the_borders_of_states_that_a_script_sets_hold(tmp_path: Path) -> None:
    borders = {"states.hot_days": 0.5, "states.warm_days": 1.0, "states.cold_days": 2.0}
    life = played(
        tmp_path, {"settings": borders}, {"remember": "The port is 5432."}, {"sleep": "13h"}
    )

    assert [one["after"] for one in whats(life, "state")] == ["WARM"]
    assert [memory["state"] for memory in life.memories] == ["WARM"]
