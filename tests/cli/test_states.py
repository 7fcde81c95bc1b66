"""How the two axes of a memory's state, and settings of other names, are printed."""

from __future__ import annotations

import json

import msgspec
import pytest

from daemon.api.show import Show, Shown
from daemon.home import Home
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.test_memories import VIEW

SILENT = msgspec.structs.replace(
    VIEW, state="DORMANT", accessibility="silent", accessibility_value=0.284
)


def test_each_axis_is_named_with_its_value_and_in_words(daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Show, Shown(memory=SILENT, decisions=[], history=[]))
    lines = [line.split(maxsplit=1) for line in run("show", "m1").output.splitlines() if line]
    told = {words[0]: words[1] for words in lines if len(words) == 2}

    assert told["lifecycle"].startswith("DORMANT (93% recallable")
    assert told["accessibility"] == "silent (0.28): needs a strong cue"


def test_config_says_what_is_set_and_what_is_gone(
    run: Run, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_STATES_HOT", "0.9")
    monkeypatch.setenv("REVERIE_DREAMING_PROFILE", "four_phases")
    said = json.loads(run("config", "--json").stdout)
    origins = {one["key"]: one["origin"] for one in said["settings"]}

    assert origins["states.hot"] == "REVERIE_STATES_HOT"
    assert ["dreaming.profile is gone" in warning for warning in said["warnings"]] == [True]
    assert "warning: REVERIE_DREAMING_PROFILE: dreaming.profile is gone" in run("config").output


def test_doctor_warns_of_what_is_set_and_not_used(
    run: Run, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_STATES_HOT", "0.1")
    found = json.loads(run("doctor", "--json").stdout.splitlines()[0])
    (settings,) = [one for one in found["checks"] if one["name"] == "settings"]

    assert settings["state"] == "warn"
    assert "REVERIE_STATES_HOT" in settings["detail"]
