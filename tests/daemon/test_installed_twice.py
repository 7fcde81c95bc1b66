"""Hooks installed twice, as processes side by side: each event counts once, and one copy answers."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.conftest import Make
from tests.daemon.process import Daemon
from tests.hooks.clients import Client, Home, native_client, python_client
from tests.patience import PATIENCE

FACT = "The staging database listens on port 5433, because 5432 is taken by the proxy."
QUESTION = "Which port does the staging database listen on?"


def session(name: str = "s1") -> list[dict[str, Any]]:
    """One prompt's events as Claude Code sends them."""
    fields = {"session_id": name, "cwd": "/", "prompt_id": "p1"}
    call = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1"}
    return [
        {"session_id": name, "cwd": "/", "hook_event_name": "SessionStart", "source": "startup"},
        {**fields, "hook_event_name": "UserPromptSubmit", "prompt": QUESTION},
        {**fields, "hook_event_name": "PostToolUse", **call, "tool_response": {"stdout": "a" * 40_000}},
        {**fields, "hook_event_name": "Stop", "last_assistant_message": "On 5433."},
        {**fields, "hook_event_name": "SessionEnd", "reason": "other"},
    ]  # fmt: skip


@pytest.fixture
def both(hooks: Path, tmp_path: Path) -> tuple[Client, Client]:
    """The Python client and the native one, as two installations run them."""
    native = native_client(hooks, tmp_path)
    if native is None:
        pytest.skip("NOT TESTED: no C compiler, the native client is not built")
    return python_client(hooks), native


@pytest.fixture
def alone(make: Make) -> Daemon:
    """A daemon that is not started, and that no hook starts."""
    daemon = make()
    (daemon.home.root / "command").write_text("/bin/true\n")
    return daemon


def printed(daemon: Daemon, clients: tuple[Client, ...], event: dict[str, Any]) -> list[bytes]:
    """What each client prints of one event that all get at the same time."""
    environ = Home(daemon.home.root).environ
    running = [
        subprocess.Popen(one.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ)
        for one in clients
    ]
    raw = json.dumps(event).encode()
    for process in running:
        assert process.stdin is not None
        process.stdin.write(raw)
        process.stdin.close()
        process.stdin = None
    return [process.communicate(timeout=PATIENCE)[0] for process in running]


def test_a_copy_that_came_before_the_daemon_was_killed_counts_once_with_the_one_that_was_spooled(
    alone: Daemon, both: tuple[Client, Client]
) -> None:
    alone.start()
    named = session()[
        1:3
    ]  # a prompt and a tool call: copies of the others are known in memory alone
    for event in named:
        printed(alone, both[:1], event)
    alone.kill()
    for event in named:
        printed(alone, both[1:], event)
    assert len(list(alone.home.spool.glob("*.json"))) == len(named)
    alone.start().settled()

    assert len(alone.journal()) == len(named)
