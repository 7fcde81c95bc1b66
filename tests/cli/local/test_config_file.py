"""Setting one key of ``config.toml`` and nothing else; what is told of settings that are gone or not used."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.commands.local.config import set_value, with_value
from daemon.home import Home
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[embedding]\nmodel = "m"\n'),
        ("[gate]\nhigh = 0.9 # mine\n", '[gate]\nhigh = 0.9 # mine\n\n[embedding]\nmodel = "m"\n'),
        ("[embedding]\nfetch = true\n", '[embedding]\nmodel = "m"\nfetch = true\n'),
        (
            '# top\n[embedding] # here\nmodel="old"\nfetch = true\n[gate]\nlow = 0.1\n',
            '# top\n[embedding] # here\nmodel = "m"\nfetch = true\n[gate]\nlow = 0.1\n',
        ),
        ('[other]\nmodel = "x"\n', '[other]\nmodel = "x"\n\n[embedding]\nmodel = "m"\n'),
    ],
)
def test_only_the_line_of_the_key_changes(before: str, after: str) -> None:
    assert with_value(before, "embedding", "model", "m") == after


@pytest.mark.parametrize(
    "inline", ['embedding = {model = "x"}\n', 'embedding.model = "x"\n', "= ["]
)
def test_what_cannot_be_changed_safely_is_left_to_a_person(inline: str) -> None:
    with pytest.raises(click.ClickException, match="by hand"):
        with_value(inline, "embedding", "model", "m")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(value: str) -> None:
    text = with_value("[embedding]\nfetch = true\n", "embedding", "model", value)

    assert tomllib.loads(text) == {"embedding": {"model": value, "fetch": True}}


def test_the_file_is_private_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"

    set_value(path, "embedding", "model", "/a/ü.gguf")

    assert path.stat().st_mode & 0o777 == 0o600
    assert tomllib.loads(path.read_text())["embedding"]["model"] == "/a/ü.gguf"
    assert list(tmp_path.iterdir()) == [path]


# ---- what is set and gone, and what is set and not used


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
