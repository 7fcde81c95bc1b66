"""What who begins a session is told: what is missing, with the command that brings it; what begins."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from daemon.settings import Storage
from tests.hooks.clients import Client, Home, program
from tests.patience import HOOKS, PATIENCE, ROOT

START = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "cwd": "/"}


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """The plugin as the client copies it: no environment beside it."""
    root = tmp_path / "the plugin"
    shutil.copytree(HOOKS, root / "hooks")
    (root / "actors").symlink_to(ROOT / "actors")
    return root


def run(plugin: Path, home: Home, event: dict[str, Any], *tools: str) -> str:
    """What the Python client prints for an event, where only these installers are."""
    bare = home.root / "bin"
    bare.mkdir(exist_ok=True)
    for tool in tools:
        program(bare / tool)
    (home.root / "command").unlink(missing_ok=True)
    script = str(plugin / "hooks" / "hook.py")
    client = Client("python", (sys.executable, "-I", "-S", script))
    done = client.run(home, json.dumps(event).encode(), PATH=str(bare))
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("tool", "begins"),
    [("uv", "uv tool install"), ("pipx", "pipx install"), ("", "python3 -m venv")],
)
def test_a_session_that_starts_without_a_program_is_told_the_command_for_what_is_there(
    plugin: Path, home: Home, tool: str, begins: str
) -> None:
    said = json.loads(run(plugin, home, START, *filter(None, [tool])))

    (line,) = [line for line in said["systemMessage"].splitlines() if line.startswith(begins)]
    assert set(said) == {"systemMessage"}  # for the person alone: the model is told nothing
    assert f"'{plugin}[tools]'" in line
    assert line.endswith(" install claude")
    assert [kept["event"]["hook_event_name"] for kept in home.spooled()] == ["SessionStart"]


@pytest.mark.parametrize(
    "event", [{**START, "source": "compact"}, {**START, "hook_event_name": "UserPromptSubmit"}]
)
def test_nothing_else_is_told_so(plugin: Path, home: Home, event: dict[str, Any]) -> None:
    assert run(plugin, home, event) == ""


def test_with_a_program_where_uv_puts_it_a_session_starts_it(plugin: Path, home: Home) -> None:
    program(home.root / ".local" / "bin" / "reverie")

    said = json.loads(run(plugin, home, START))["systemMessage"]

    assert (home.root / "starting").exists()
    # It begins here: what is kept, for how long, how to stop.
    assert f"{Storage().journal_kept / 86400:.0f} days" in said
    assert "/reverie:off" in said


def test_a_session_that_starts_in_a_pause_is_told_so_and_how_to_go_on(
    plugin: Path, home: Home
) -> None:
    program(home.root / ".local" / "bin" / "reverie")
    (home.root / "pauses.json").write_text(
        '[{"since": 1.0, "until": null, "folders": [], "session": ""}]'
    )

    said = json.loads(run(plugin, home, START))["systemMessage"]

    assert "reverie resume" in said
    assert "from now on" not in said


def test_where_there_are_memories_a_start_says_nothing(
    plugin: Path, home: Home, client: Client
) -> None:
    (home.root / "reverie.db").touch()

    assert client.run(home, json.dumps(START).encode()).stdout == b""


def test_a_folder_whose_name_would_end_its_quotes_is_left_to_the_person(
    plugin: Path, home: Home
) -> None:
    said = json.loads(run(plugin.rename(plugin.with_name('it\'s "$(x)"')), home, START, "uv"))

    assert "uv tool install 'PLUGIN[tools]'" in said["systemMessage"]


def test_without_a_python_the_shell_says_it(plugin: Path, home: Home) -> None:
    text = (plugin / "hooks" / "hook.sh").read_text()
    alone = text.replace("/usr/bin/python3", "/no/python3").replace(
        "/usr/local/bin/python3", "/no/python3"
    )
    (plugin / "hooks" / "hook.sh").write_text(alone)
    client = Client("shell", ("/bin/sh", str(plugin / "hooks" / "hook.sh")))

    told = client.run(home, json.dumps(START).encode()).stdout
    silent = client.run(home, json.dumps({**START, "hook_event_name": "Stop"}).encode()).stdout

    assert "not installed" in json.loads(told)["systemMessage"]
    assert silent == b""


def test_the_tool_server_that_is_missing_says_the_same(plugin: Path, home: Home) -> None:
    (home.root / "command").unlink()
    done = subprocess.run(
        ["/bin/sh", str(plugin / "hooks" / "tools.sh")],
        env={**home.environ, "PATH": "/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert f"install '{plugin}[tools]'" in done.stderr
