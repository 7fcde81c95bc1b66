"""``config``, ``model``, ``install`` and ``doctor``: what works without a daemon."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from actors.policy.recall import ways
from daemon.api.status import Status
from daemon.commands.terminal import failure
from daemon.embedding import gguf
from daemon.home import Home, shared_models
from tests.cli.conftest import Run
from tests.cli.fake_daemon import FakeDaemon
from tests.cli.test_status import STATUS


@pytest.fixture
def agent(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings of an agent, and no compiler."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "claude").mkdir()
    return tmp_path / "claude" / "settings.json"


def small_model(folder: Path, name: str) -> Path:
    path = folder / name
    metadata: dict[str, gguf.Value] = {
        "general.architecture": "bert",
        "general.name": name.removesuffix(".gguf"),
        "bert.embedding_length": 4,
        "bert.pooling_type": 1,
    }
    with path.open("wb") as file:
        gguf.write(file, metadata, {})
    return path


def test_config_names_every_setting_and_its_origin(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_GATE_HIGH", "0.9")

    document = json.loads(run("config", "--json").stdout)

    settings = {row["key"]: row for row in document["settings"]}
    assert settings["gate.high"]["value"] == 0.9
    assert settings["gate.high"]["origin"] == "REVERIE_GATE_HIGH"
    assert settings["gate.low"]["origin"] == "default"
    assert all(row["description"] for row in settings.values())


def test_config_for_people_marks_what_was_changed(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_GATE_HIGH", "0.9")

    lines = run("config").output.splitlines()

    assert [line.split()[1] for line in lines if line.startswith("*")] == ["gate.high"]


def test_what_of_recall_can_be_switched_is_listed_with_its_meaning(home: Home, run: Run) -> None:
    home.config.write_text("[recall]\nwith = ['rerank', 'composite']\n")

    rows = json.loads(run("recall", "--stages", "--json").stdout)["switches"]
    lines = run("recall", "--stages").output.splitlines()

    assert [row["name"] for row in rows] == [way.name for way in ways.TABLE]
    assert {row["kind"] for row in rows} == {"channel", "fusion", "score", "stage"}
    assert all(row["meaning"] for row in rows)
    (rerank,) = (row for row in rows if row["name"] == "rerank")
    assert (rerank["default"], rerank["on"]) == (False, True)
    assert any("rerank" in line and "off (set: on)" in line for line in lines)
    assert any("composite" in line and "off (set: on)" in line for line in lines)


@pytest.mark.parametrize("command", [["config"], ["model", "list"]])
def test_a_wrong_setting_is_one_line(home: Home, run: Run, command: list[str]) -> None:
    home.prepare()
    home.config.write_text("[gate]\nhihg = 1\n")

    done = run(*command)

    assert done.exit_code == failure.FAILED
    assert "gate.hihg is not a setting" in done.output


def test_a_model_is_listed_and_chosen(home: Home, run: Run, tmp_path: Path) -> None:
    shared_models().mkdir(parents=True, exist_ok=True)
    path = small_model(shared_models(), "small.gguf")
    before = json.loads(run("model", "list", "--json").stdout)
    chosen = run("model", "use", "small")
    after = json.loads(run("model", "list", "--json").stdout)
    other = small_model(tmp_path, "other.gguf")
    elsewhere = run("model", "use", str(other))

    assert [one["path"] for one in before["models"]] == [str(path)]
    assert before["used"] is None
    assert chosen.exit_code == 0, chosen.output
    assert after["used"] == str(path)
    assert elsewhere.exit_code == 0, elsewhere.output
    assert tomllib.loads(home.config.read_text()) == {"embedding": {"model": str(other)}}


def test_one_model_serves_every_home_and_a_home_with_its_own_goes_on(
    home: Home, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared_models().mkdir(parents=True, exist_ok=True)
    small_model(shared_models(), "small.gguf")
    other = Home(tmp_path / "other")
    monkeypatch.setenv("REVERIE_HOME", str(other.root))
    run("model", "use", "small.gguf")
    shared = json.loads(run("model", "list", "--json").stdout)
    (shared_models() / "small.gguf").rename(other.models / "small.gguf")
    own = json.loads(run("model", "list", "--json").stdout)

    assert shared["used"] == str(shared_models() / "small.gguf")
    assert own["used"] == str(other.models / "small.gguf")
    assert list(home.models.glob("*")) == []


def test_an_agent_is_connected_and_disconnected(agent: Path, run: Run) -> None:
    agent.write_text('{"theme": "dark"}')

    connected = run("install", "claude", "--json")
    hooks = json.loads(agent.read_text())["hooks"]
    disconnected = run("uninstall", "claude")

    assert connected.exit_code == 0, connected.output
    assert json.loads(connected.stdout)["done"]
    assert "UserPromptSubmit" in hooks
    assert disconnected.exit_code == 0, disconnected.output
    assert json.loads(agent.read_text()) == {"theme": "dark"}


def test_what_changes_is_shown(agent: Path, run: Run) -> None:
    agent.write_text('{"theme": "dark"}')

    assert '+  "hooks": {' in run("install", "claude", "--yes").stdout


def test_without_a_name_the_agents_that_are_here_are_told(
    agent: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    (tmp_path / ".codex").mkdir()
    before = run("install", "--json")
    run("install", "all")
    after = run("install", "--json")
    run("uninstall", "all")

    told = [
        {row["agent"]: row["connected"] for row in json.loads(one.stdout)["agents"]}
        for one in (before, after)
    ]
    assert told == [{"claude": False, "codex": False}, {"claude": True, "codex": True}]
    assert not (tmp_path / ".codex" / "hooks.json").exists()


def test_doctor_prints_one_document_and_repairs(agent: Path, home: Home, run: Run) -> None:
    home.prepare()
    home.root.chmod(0o755)

    sick = run("doctor", "--json")
    cured = run("doctor", "--json", "--fix")

    before = {check["name"]: check for check in json.loads(sick.stdout)["checks"]}
    after = {check["name"]: check for check in json.loads(cured.stdout)["checks"]}
    assert sick.exit_code == failure.FAILED
    assert before["home"]["state"] == "fail"
    assert cured.exit_code == 0, cured.output
    assert json.loads(cured.stdout)["ok"]
    assert after["home"]["state"] == "ok"
    assert after["home"]["repaired"]
    assert not after["daemon"]["repaired"]


def test_doctor_asks_the_daemon_that_runs(agent: Path, daemon: FakeDaemon, run: Run) -> None:
    daemon.reply(Status, STATUS)

    document = json.loads(run("doctor", "--json").stdout)

    states = {check["name"]: check["state"] for check in document["checks"]}
    assert states["daemon"] == "warn"
    assert "database" not in states
