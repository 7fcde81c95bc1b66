"""Payloads of other agents, in their documented forms, are read as events of one form; when they can be told something."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.agents import TABLE, client_of, is_script, normal, told_at
from actors.policy.events.events import Event, Unknown, parsed
from actors.policy.session.tasks import unfinished
from tests.policy.adversarial import FOREIGN

PAYLOADS = sorted(Path(__file__).with_name("payloads").glob("*.json"))


def rows() -> list[Any]:
    """Every documented payload: the agent it is of, the name its hook is run under, and the row."""
    found: list[Any] = []
    for path in PAYLOADS:
        page = json.loads(path.read_text(encoding="utf-8"))
        for at, row in enumerate(page["payloads"]):
            name = f"{page['agent']}-{at}-{row['kind'] or 'unknown'}"
            found.append(pytest.param(page["agent"], row, id=name))
    return found


def test_every_agent_has_documented_payloads() -> None:
    assert {path.stem for path in PAYLOADS} == TABLE.keys() - {"claude"}


@pytest.mark.parametrize(("agent", "row"), rows())
def test_a_documented_payload_is_read(agent: str, row: dict[str, Any]) -> None:
    client, body = normal(row.get("as", agent), row["payload"])
    event = parsed(client, body)

    assert client == agent
    if isinstance(event, Unknown):
        assert event.name == row["kind"]
        return
    assert isinstance(event, Event)
    assert (event.kind.value, event.session, event.cwd) == (row["kind"], "s1", "/projects/shop")
    tool = event.tool
    told = ("prompt", "source", "reason", "message", "agent_id", "agent_type", "task")
    seen = {name: getattr(event, name) for name in told}
    if tool is not None:
        seen |= {"tool": tool.name, "command": tool.command, "path": tool.path}
        seen |= {"output": tool.output, "error": tool.error}
    assert {name: seen[name] for name in row["expect"]} == row["expect"]


def test_a_payload_in_the_one_form_stays_as_it_is() -> None:
    given = [(row.get("as", agent), row["payload"]) for agent, row in (p.values for p in rows())]
    once = [normal(agent, payload) for agent, payload in given]

    assert [normal(client, payload) for client, payload in once] == once


def test_the_task_lists_of_all_agents_are_read_alike() -> None:
    def open_tasks(agent: str, tool: str, **given: Any) -> tuple[str, ...]:
        sent: Any = {"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": given}
        event = parsed(*normal(agent, sent))
        assert isinstance(event, Event)
        assert event.tool is not None
        return unfinished([event.tool])

    entry = {"status": "in_progress"}

    assert open_tasks("codex", "update_plan", plan=[{"step": "a", **entry}]) == ("a",)
    assert open_tasks("vscode", "manage_todo_list", todoList=[{"title": "a", **entry}]) == ("a",)
    assert open_tasks("gemini", "write_todos", todos=[{"description": "a", **entry}]) == ("a",)
    assert open_tasks("opencode", "todowrite", todos=[{"content": "a", **entry}]) == ("a",)


def test_what_claude_code_sends_is_not_touched() -> None:
    sent: dict[str, Any] = {"hook_event_name": "PostToolUse", "tool_name": "edit", "tool": 1}

    assert normal("claude-code", sent) == ("claude", sent)
    assert normal("claude", sent)[1] is sent


def test_an_agent_that_runs_the_hooks_of_another_is_known_by_what_it_sends() -> None:
    assert client_of("claude", {"cursor_version": "2.4"}) == "cursor"
    assert client_of("copilot", {"hookEventName": "Stop"}) == "vscode"
    assert client_of(" Codex ", {}) == "codex"


def test_an_event_that_names_nothing_is_left_alone() -> None:
    sent: dict[str, Any] = {"a": 1, "error": {"message": "m"}}

    assert normal("copilot", sent) == ("copilot", sent)


FIELDS = sorted({key for param in rows() for key in param.values[1]["payload"]})


@given(
    st.sampled_from([*TABLE, "other", "copilot/postToolUse"]),
    st.dictionaries(st.sampled_from(FIELDS), FOREIGN),
)
def test_no_field_of_any_type_raises(agent: str, sent: dict[str, Any]) -> None:
    client, body = normal(agent, sent)

    parsed(client, body)


def test_what_hooks_said_is_no_word_of_a_prompt_in_gemini() -> None:
    said = "<hook_context>&lt;reverie-notes&gt;\n- Never push.\n&lt;/reverie-notes&gt;</hook_context>\n\nGo on."
    for name, kind in (("BeforeAgent", "UserPromptSubmit"), ("AfterAgent", "Stop")):
        _, body = normal("gemini", {"hook_event_name": name, "session_id": "s", "prompt": said})

        assert (body["hook_event_name"], body["prompt"]) == (kind, "Go on.")


# ---- when agents can be told something


DOCUMENT = Path(__file__).parents[3] / "docs" / "hooks.md"


@pytest.mark.parametrize("agent", TABLE)
def test_the_document_says_when_an_agent_can_be_told(agent: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|", DOCUMENT.read_text(), re.MULTILINE)

    assert dict(rows)[agent] == ", ".join(told_at(TABLE[agent]))


def test_an_agent_that_summarises_is_told_before_a_compaction() -> None:
    assert [one for one, row in TABLE.items() if "compaction" in told_at(row)] == [
        "claude",
        "opencode",
    ]


# ---- what runs a client in a person's place


@pytest.mark.parametrize("entrypoint", ["sdk-ts", "sdk-py", "claude-code-github-action"])
def test_kits_are_scripts(entrypoint: str) -> None:
    assert is_script(entrypoint)


@pytest.mark.parametrize(
    "entrypoint", ["", "cli", "sdk-cli", "claude-vscode", "claude-desktop", "remote"]
)
def test_a_terminal_with_p_or_without_and_an_editor_are_a_persons(entrypoint: str) -> None:
    assert not is_script(entrypoint)


@pytest.mark.parametrize(
    ("agent", "endpoint", "entrypoint"),
    [
        ("claude@!sdk-py", "", "sdk-py"),
        ("claude@gate.acme.com!sdk-cli", "gate.acme.com", "sdk-cli"),
        ("claude@gate.acme.com", "gate.acme.com", ""),
    ],
)
def test_what_runs_the_client_comes_with_the_agents_name(
    agent: str, endpoint: str, entrypoint: str
) -> None:
    client, said = normal(agent, {"hook_event_name": "SessionStart", "session_id": "s"})
    event = parsed(client, said)

    assert client == "claude"
    assert isinstance(event, Event)
    assert (event.endpoint, event.entrypoint) == (endpoint, entrypoint)
