"""Endpoints of clients and engines: a session of another endpoint is not read."""

import json

import pytest

from daemon.engines.clients import elsewhere
from daemon.engines.process import Place

GATE = {"ANTHROPIC_BASE_URL": "https://gate.acme.com/v1"}


def write(place: Place, path: str, text: str) -> None:
    """Write a file below the user's folder."""
    file = place.root.parent / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def set_environment(place: Place, **variables: str) -> None:
    """Let the user's settings of Claude Code set these variables."""
    write(place, ".claude/settings.json", json.dumps({"env": variables}))


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_clients_as_they_come_are_read(agent: str, place: Place) -> None:
    assert elsewhere(agent, place.environ) == ""


@pytest.mark.parametrize(
    ("variables", "endpoint"),
    [
        (GATE, "gate.acme.com"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:4000"}, "127.0.0.1:4000"),
        ({"CLAUDE_CODE_USE_VERTEX": "true"}, "Google Vertex AI"),
    ],
)
def test_a_client_of_another_endpoint_is_named_with_it(
    variables: dict[str, str], endpoint: str, place: Place
) -> None:
    set_environment(place, **variables)

    line = elsewhere("claude", place.environ)

    assert line == f"its client asks {endpoint}, the reader would ask api.anthropic.com"


@pytest.mark.parametrize(
    ("seen", "endpoint"),
    [
        (("bedrock",), "Amazon Bedrock"),
        (("Gate.acme.com:8443",), "gate.acme.com:8443"),
        (("api.anthropic.com", "vertex"), "Google Vertex AI"),
    ],
)
def test_what_the_sessions_hooks_saw_is_believed_first(
    seen: tuple[str, ...], endpoint: str, place: Place
) -> None:
    assert elsewhere("claude", place.environ, seen).startswith(f"its client asks {endpoint}, ")


def test_a_hook_that_saw_the_engines_own_endpoint_lets_it_read(place: Place) -> None:
    set_environment(place, **GATE)

    assert elsewhere("claude", place.environ, ("api.anthropic.com",)) == ""


def test_a_cloud_that_is_switched_off_is_none(place: Place) -> None:
    set_environment(place, CLAUDE_CODE_USE_BEDROCK="0")

    assert elsewhere("claude", place.environ) == ""


def test_an_engine_of_the_same_endpoint_reads(place: Place) -> None:
    set_environment(place, **GATE)

    assert elsewhere("claude", {**place.environ, **GATE}) == ""


@pytest.mark.parametrize(
    ("config", "endpoint"),
    [
        ('model_provider = "azure"\n[model_providers.azure]\nbase_url = "https://a.acme.com/o"',
         "a.acme.com"),
        ('model_provider = "amazon-bedrock"', "amazon-bedrock"),
        ('openai_base_url = "https://gate.acme.com/v1"', "gate.acme.com"),
    ],
)  # fmt: skip
def test_codex_of_another_provider_is_named_with_it(
    config: str, endpoint: str, place: Place
) -> None:
    write(place, ".codex/config.toml", config)

    assert elsewhere("codex", place.environ).startswith(f"its client asks {endpoint}, ")


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"env": []}', "[" * 100_000])
def test_settings_that_cannot_be_read_say_nothing(text: str, place: Place) -> None:
    write(place, ".claude/settings.json", text)

    assert elsewhere("claude", place.environ) == ""
