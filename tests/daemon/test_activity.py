"""Presence: when somebody last did something."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from daemon.conditions import FILES, Activity, by_supplies, said_by_pmset
from daemon.dispatch import asked_by


@pytest.mark.trio
async def test_where_nothing_ever_happened_nobody_is_there() -> None:
    activity = Activity()

    assert activity.idle_for() == math.inf


@pytest.mark.trio
@pytest.mark.parametrize("kind", ["hook", "oversize", "remember", "recall", "list", "dream"])
async def test_events_and_commands_are_somebody(kind: str) -> None:
    activity = Activity()
    activity.heard(asked_by(kind), {})

    assert activity.idle_for() < 1


@pytest.mark.trio
@pytest.mark.parametrize("kind", ["status", "greet", "watch", "await-embedded", "follow", "stop"])
async def test_clients_that_look_on_are_nobody(kind: str) -> None:
    activity = Activity()
    activity.heard(asked_by(kind), {})

    assert activity.idle_for() == math.inf
    assert activity.came == 0


@pytest.mark.trio
async def test_an_editor_counts_when_its_text_changes_and_not_when_it_asks_again() -> None:
    activity = Activity()
    for text in ("one", "one", "two", "two", "one"):
        activity.heard("editor", {"text": text, "path": "/p/a.py", "limit": 200})
    activity.heard("editor", {"text": "one", "path": "/p/b.py", "limit": 200})

    assert activity.came == 4


@pytest.mark.trio
@pytest.mark.parametrize("body", [None, [], {"text": None}, {"text": "\ud800"}, b"x"])
async def test_nonsense_from_a_client_does_no_harm(body: object) -> None:
    activity = Activity()
    activity.heard("editor", body)

    assert activity.came == 1


@pytest.mark.trio
async def test_the_texts_of_many_files_take_a_bounded_room() -> None:
    activity = Activity()
    for number in range(2 * FILES):
        activity.heard("editor", {"text": "t", "path": str(number)})

    assert len(activity._texts) == FILES  # pyright: ignore[reportPrivateUsage]


# ---- the machine


def supply(folder: Path, name: str, **files: str) -> None:
    (folder / name).mkdir()
    for file, text in files.items():
        (folder / name / file).write_text(f"{text}\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("online", "status", "on_battery"),
    [("0", "Discharging", True), ("1", "Charging", False), ("1", "Discharging", False),
     ("0", "Full", False)],
)  # fmt: skip
def test_linux_tells_of_mains_and_battery(
    tmp_path: Path, online: str, status: str, on_battery: bool
) -> None:
    supply(tmp_path, "AC", type="Mains", online=online)
    supply(tmp_path, "BAT0", type="Battery", status=status)

    assert by_supplies(tmp_path) is on_battery


def test_where_the_platform_does_not_tell_it_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()

    assert by_supplies(tmp_path) is None
    assert by_supplies(tmp_path / "not there") is None


@pytest.mark.parametrize(
    ("said", "on_battery"),
    [
        ("Now drawing from 'Battery Power'\n -InternalBattery-0 50%; discharging", True),
        ("Now drawing from 'AC Power'\n", False),
        ("", None),
    ],
)
def test_macos_tells_in_its_first_line(said: str, on_battery: bool | None) -> None:
    assert said_by_pmset(said) is on_battery


@pytest.mark.trio
@pytest.mark.parametrize(
    ("kind", "body", "is_person"),
    [
        pytest.param("list", {"limit": 5}, True, id="a command"),
        pytest.param("match", {"text": "x", "path": "/p/a.py"}, True, id="an edit"),
        pytest.param("recall", {"query": "x", "agent_in": "/p"}, False, id="a tool of an agent"),
        pytest.param("hook", [], False, id="an event of an agent, whose prompts say so themselves"),
        pytest.param("anchors", {"path": "/p/a.py"}, False, id="what an editor asks by itself"),
    ],
)
async def test_a_person_is_a_command_or_an_edit_and_no_agent(
    kind: str, body: object, is_person: bool
) -> None:
    activity = Activity()
    activity.heard(asked_by(kind), body)

    assert (activity.person_idle_for() < 1) is is_person
