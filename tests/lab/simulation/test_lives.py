"""Lives: a year of being shown, deaths and restarts, what is expected, and how time passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.simulation.script import ScriptError
from tests.lab.simulation.lives import BEGINS, DAY, played, whats

SHOP = "/shop"


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
