"""A real daemon and the hooks of a subagent: heard with its task, answered as it starts, once."""

from __future__ import annotations

from typing import Any

from tests.daemon.process import Daemon

FACT = "The staging database listens on port 5433, because 5432 is taken by the proxy."
TASK = "Find out which port the staging database listens on."


def task(number: int = 1, text: str = TASK) -> dict[str, Any]:
    """The call that gives a task, as Claude Code reports it."""
    return {
        "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": "/", "prompt_id": "p1",
        "tool_name": "Agent", "tool_use_id": f"toolu_{number}",
        "tool_input": {"description": "look", "prompt": text, "subagent_type": "Explore"},
    }  # fmt: skip


def start(number: int = 1) -> dict[str, Any]:
    """The start of the subagent, as Claude Code reports it."""
    return {
        "hook_event_name": "SubagentStart", "session_id": "s1", "cwd": "/", "prompt_id": "p1",
        "agent_id": f"a{number}", "agent_type": "Explore",
    }  # fmt: skip


def printed(daemon: Daemon, *events: dict[str, Any]) -> list[bytes]:
    return [
        daemon.hook(number.to_bytes(16, "big"), event) for number, event in enumerate(events, 1)
    ]


def test_hooks_that_are_installed_twice_give_each_subagent_its_own_notes(daemon: Daemon) -> None:
    daemon.remember(FACT)
    other = task(2, "Rename the variable in this loop.")
    first, second = printed(daemon, task(), task(), other, other, start(), start(2))[-2:]

    assert b"5433" in first
    assert second == b""
