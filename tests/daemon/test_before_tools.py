"""A real daemon: before a call a session is told the rules about what it touches."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.conftest import Make
from tests.daemon.process import Daemon
from tests.patience import PATIENCE

RULE = "Never edit src/schema.py by hand: `make schema` writes it."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("objects", "refs"):
        (tmp_path / ".git" / name).mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "schema.py").write_text("VERSION = 1\n")
    (tmp_path / "Makefile").write_text("schema:\n\tpython -m shop.schema\n")
    return tmp_path


def before(daemon: Daemon, project: Path, number: int, session: str, **fields: Any) -> str:
    """What the hook before a call prints."""
    event = {"hook_event_name": "PreToolUse", "session_id": session, "cwd": str(project), **fields}
    return daemon.hook(number.to_bytes(16, "big"), event).decode()


def edit(path: Path) -> dict[str, Any]:
    given = {"file_path": str(path), "old_string": "VERSION = 1", "new_string": "VERSION = 2"}
    return {"tool_name": "Edit", "tool_input": given}


def bash(command: str) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command}}


def with_rule(daemon: Daemon, project: Path) -> None:
    """A rule by hand, of which it is known what it is about."""
    daemon.remember(RULE, type="convention", project=str(project))
    until = time.monotonic() + PATIENCE
    while not daemon.ask("status")["actors"]["staleness"]["referring"]:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_rule_about_the_file_or_the_command_is_told_once_before_it(
    make: Make, project: Path
) -> None:
    daemon = make(REVERIE_INJECTION_BEFORE_TOOLS="true").start()
    with_rule(daemon, project)
    file = edit(project / "src" / "schema.py")

    other = before(daemon, project, 1, "first", **edit(project / "src" / "cart.py"))
    told = before(daemon, project, 2, "first", **file)
    again = before(daemon, project, 3, "first", **file)
    command = before(daemon, project, 4, "second", **bash("make schema && git diff"))
    aside = before(daemon, project, 5, "third", **file, agent_id="a1")
    daemon.hook(
        b"o" * 16,
        {"hook_event_name": "UserPromptSubmit", "session_id": "fourth", "cwd": str(project),
         "prompt": ".memory off"},
    )  # fmt: skip
    silent = before(daemon, project, 6, "fourth", **file)

    said = json.loads(told)["hookSpecificOutput"]
    assert said["hookEventName"] == "PreToolUse"
    assert RULE in said["additionalContext"]
    assert RULE in json.loads(command)["hookSpecificOutput"]["additionalContext"]
    assert (other, again, aside, silent) == ("", "", "", "")
    assert "PreToolUse" not in {one["kind"] for one in daemon.ask("journal")["events"]}


def test_nothing_is_told_before_a_call_unless_that_is_switched_on(
    make: Make, project: Path
) -> None:
    daemon = make().start()
    with_rule(daemon, project)

    assert before(daemon, project, 1, "first", **edit(project / "src" / "schema.py")) == ""
