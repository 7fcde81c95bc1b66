"""What a hook prints, held to each agent's published form of a reply."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from actors.policy.events.agents import TABLE, normal
from actors.policy.events.events import Unknown, parsed
from daemon.hook_answers import acknowledged, rendered, takes_context

PAGE = json.loads(
    (Path(__file__).parents[1] / "policy" / "agents" / "replies.json").read_text(encoding="utf-8")
)
NOTE = "<reverie-notes>\n- Port 5433.\n</reverie-notes>"
SENT: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": ".memory off"},
    "PreToolUse": {"tool_name": "Bash", "tool_input": {}},
    "PostToolUse": {"tool_name": "Bash", "tool_response": ""},
    "PostToolUseFailure": {"tool_name": "Bash", "error": "no"},
    "SubagentStart": {"agent_id": "a1"},
    "PreCompact": {"trigger": "auto"},
    "Stop": {},
}


def event(agent: str, name: str) -> Any:
    client, body = normal(agent, {"session_id": "s1", "hook_event_name": name, **SENT[name]})
    found = parsed(client, body)
    assert not isinstance(found, Unknown)
    return found


def problems(value: Any, schema: dict[str, Any]) -> list[str]:
    """What a value has against the few words of JSON Schema that the forms are written in."""
    if "const" in schema:
        return [] if value == schema["const"] else [f"{value!r} is not {schema['const']!r}"]
    if schema["type"] == "string":
        return [] if isinstance(value, str) else [f"{value!r} is no text"]
    known: dict[str, Any] = schema["properties"]
    found = [f"{key} is not known" for key in value if key not in known]
    found += [f"{key} is missing" for key in schema["required"] if key not in value]
    return found + [
        one for key in known if key in value for one in problems(value[key], known[key])
    ]


@pytest.mark.parametrize("agent", sorted(TABLE.keys() - {"claude"}))
@pytest.mark.parametrize("name", SENT)
def test_a_reply_has_the_form_that_the_agent_publishes(agent: str, name: str) -> None:
    schema = PAGE["replies"][agent].get(name)
    printed = rendered(event(agent, name), NOTE, agent)

    assert takes_context(event(agent, name)) is (schema is not None)
    if schema is None:
        assert printed == b""
    else:
        assert not problems(json.loads(printed), schema)
        assert json.dumps(NOTE)[1:-1] in printed.decode()


@pytest.mark.parametrize(
    ("asked", "mark", "form"),
    [
        ("claude", {"cursor_version": "2"}, "hookSpecificOutput"),  # Cursor maps Claude's hooks
        ("cursor", {"cursor_version": "2"}, "additional_context"),
        ("copilot", {"hookEventName": "PostToolUse"}, "hookSpecificOutput"),  # VS Code's own form
        ("copilot", {}, "additionalContext"),
    ],
)
def test_the_form_is_that_of_the_agent_that_sent_it_whoevers_hook_it_ran(
    asked: str, mark: dict[str, Any], form: str
) -> None:
    sent = {"session_id": "s1", "hook_event_name": "PostToolUse", "tool_name": "Shell"}
    client, body = normal(asked, {**sent, "tool_response": "ok", **mark})
    found = parsed(client, body)
    assert not isinstance(found, Unknown)

    (field,) = json.loads(rendered(found, NOTE, asked))

    assert field == form


def test_a_failure_that_the_command_line_names_is_answered_by_the_bare_text() -> None:
    failed = event("copilot", "PostToolUseFailure")

    assert rendered(failed, NOTE, "copilot/postToolUseFailure") == NOTE.encode()


def test_a_person_is_told_of_a_switch_where_the_agent_has_a_line_for_it() -> None:
    lines = {agent: acknowledged(event(agent, "UserPromptSubmit"), enabled=True) for agent in TABLE}

    assert {agent for agent, line in lines.items() if line} == {
        agent for agent, row in TABLE.items() if row["notice"] == "systemMessage"
    }
