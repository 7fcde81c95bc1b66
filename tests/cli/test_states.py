"""How settings of states, and of other names, are told."""

from __future__ import annotations

import json

import pytest

from daemon.home import Home
from tests.cli.conftest import Run


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
