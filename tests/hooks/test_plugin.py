"""The repository root is an agent plugin: its manifests are valid and name what exists."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from daemon import __version__
from tests.patience import HOOKS, ROOT

EVENTS = {
    "SessionStart",
    "InstructionsLoaded",
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PostCompact",
    "SubagentStop",
    "PreToolUse",
    "SubagentStart",
    "Stop",
    "SessionEnd",
}


def handlers() -> dict[str, list[dict[str, Any]]]:
    """The handlers of each event in hooks.json."""
    groups = json.loads((HOOKS / "hooks.json").read_text())["hooks"]
    return {
        event: [handler for group in listed for handler in group["hooks"]]
        for event, listed in groups.items()
    }


def test_each_event_has_exactly_one_handler() -> None:
    assert {event: len(listed) for event, listed in handlers().items()} == dict.fromkeys(EVENTS, 1)


def test_each_handler_runs_the_script_that_is_there_without_a_shell_line() -> None:
    for (handler,) in handlers().values():
        script, agent = handler["args"]
        assert (handler["type"], handler["command"], agent) == ("command", "/bin/sh", "claude")
        assert script.startswith("${CLAUDE_PLUGIN_ROOT}/")
        assert (ROOT / script.removeprefix("${CLAUDE_PLUGIN_ROOT}/")).is_file()


def test_no_handler_runs_unawaited() -> None:
    # The client ends without waiting for "async" handlers: events were lost (docs/hooks.md).
    assert not any(handler.get("async") for (handler,) in handlers().values())


def test_timeouts_are_seconds_and_leave_the_hook_its_quarter() -> None:
    assert all(1 <= handler["timeout"] <= 10 for (handler,) in handlers().values())


def test_the_tool_server_is_run_by_a_script_that_is_there_without_a_shell_line() -> None:
    (server,) = json.loads((ROOT / ".mcp.json").read_text())["mcpServers"].items()
    name, started = server
    (script,) = started["args"]

    assert (name, started["command"]) == ("reverie", "/bin/sh")
    assert (ROOT / script.removeprefix("${CLAUDE_PLUGIN_ROOT}/")).is_file()


def test_each_skill_says_what_it_is_for_when_and_when_not() -> None:
    for page in (ROOT / "skills").glob("*/SKILL.md"):
        _, heading, text = page.read_text().split("---\n", 2)

        assert f"name: {page.parent.name}\n" in heading
        assert "Use when" in heading
        assert "Do not" in text
        assert len(text) < 2_000


def test_each_command_is_for_the_person_alone_and_says_what_it_does() -> None:
    pages = {page.stem: page.read_text() for page in (ROOT / "commands").glob("*.md")}

    assert set(pages) == {"forget", "off", "on", "recall", "why"}
    for page in pages.values():
        _, heading, text = page.split("---\n", 2)
        assert "description: " in heading
        assert "disable-model-invocation: true" in heading  # it costs no session a word
        assert len(text) < 1_000


def test_the_plugin_is_this_project() -> None:
    plugin = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert (plugin["name"], plugin["version"]) == (project["name"], __version__)
    assert plugin["license"] == project["license"]


def test_the_marketplace_offers_the_plugin_of_this_folder() -> None:
    market = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())

    assert [(plugin["name"], plugin["source"]) for plugin in market["plugins"]] == [
        ("reverie", "./")
    ]
