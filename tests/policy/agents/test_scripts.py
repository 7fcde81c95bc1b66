"""What runs a client in a person's place."""

from __future__ import annotations

import pytest

from actors.policy.events.agents import is_script, normal
from actors.policy.events.events import Event, parsed


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
