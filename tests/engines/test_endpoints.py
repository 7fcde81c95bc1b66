"""Endpoints of clients and engines: a session of another endpoint is not read."""

import json
from pathlib import Path

import pytest

from daemon.engines import endpoints
from daemon.engines.endpoints import elsewhere
from daemon.engines.process import Place

GATE = {"ANTHROPIC_BASE_URL": "https://gate.acme.com/v1"}


def write(place: Place, path: str, text: str) -> None:
    """Write a file below the user's folder."""
    file = place.root.parent / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.fixture(autouse=True)
def managed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings of an administrator; none until a test writes them."""
    file = tmp_path / "managed-settings.json"
    monkeypatch.setattr(endpoints, "MANAGED", file)
    return file


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
    assert elsewhere("claude", place.environ, seen=seen).startswith(f"its client asks {endpoint}, ")


def test_a_hook_that_saw_the_engines_own_endpoint_lets_it_read(place: Place) -> None:
    set_environment(place, **GATE)

    assert elsewhere("claude", place.environ, seen=["api.anthropic.com"]) == ""


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


@pytest.mark.parametrize(
    ("agent", "file", "text", "endpoint"),
    [
        ("claude", ".claude/settings.json", json.dumps({"env": GATE}), "gate.acme.com"),
        ("claude", ".claude/settings.local.json", '{"env": {"CLAUDE_CODE_USE_BEDROCK": "1"}}',
         "Amazon Bedrock"),
        ("codex", ".codex/config.toml", 'chatgpt_base_url = "https://gate.acme.com"', "gate.acme.com"),
        ("gemini", ".gemini/.env", "GOOGLE_GENAI_USE_VERTEXAI=true", "Google Vertex AI"),
        ("gemini", ".env", "export GOOGLE_GEMINI_BASE_URL='https://gate.acme.com'", "gate.acme.com"),
        ("gemini", "../.env", 'GOOGLE_GEMINI_BASE_URL="https://gate.acme.com"', "gate.acme.com"),
        ("gemini", ".gemini/settings.json", '{"security": {"auth": {"selectedType": "vertex-ai"}}}',
         "Google Vertex AI"),
    ],
)  # fmt: skip
def test_a_project_whose_client_asks_another_endpoint_is_not_read(
    agent: str, file: str, text: str, endpoint: str, place: Place
) -> None:
    write(place, "work/shop/README", "")
    write(place, f"work/shop/{file}", text)
    home = place.root.parent
    folders = [str(home / "notes"), str(home / "work" / "shop")]

    assert elsewhere(agent, place.environ, folders).startswith(f"its client asks {endpoint}, ")
    assert elsewhere(agent, place.environ, folders[:1]) == ""


def test_codex_with_an_address_of_its_own_login_is_named_with_it(place: Place) -> None:
    write(place, ".codex/config.toml", 'chatgpt_base_url = "https://gate.acme.com/backend-api"')

    assert elsewhere("codex", place.environ).startswith("its client asks gate.acme.com, ")


def test_gemini_of_the_persons_own_files_reads(place: Place) -> None:
    write(place, ".gemini/settings.json", '{"security": {"auth": {"selectedType": "vertex-ai"}}}')
    write(place, ".gemini/.env", "GOOGLE_VERTEX_BASE_URL=https://gate.acme.com")

    assert elsewhere("gemini", place.environ, [str(place.root)]) == ""


def test_what_an_administrator_set_holds_for_the_engine_too(place: Place, managed: Path) -> None:
    set_environment(place, ANTHROPIC_BASE_URL="https://other.acme.com")
    managed.write_text(json.dumps({"env": GATE}))

    assert endpoints.endpoint("claude", place.environ) == "gate.acme.com"
    assert elsewhere("claude", place.environ) == ""


@pytest.mark.parametrize("text", ["", "{}", '{"env": []}'])
def test_settings_without_an_endpoint_say_nothing(text: str, place: Place) -> None:
    write(place, ".claude/settings.json", text)

    assert elsewhere("claude", place.environ) == ""


@pytest.mark.parametrize(
    ("agent", "file", "text"),
    [
        ("claude", "shop/.claude/settings.json", "no JSON"),
        ("claude", ".claude/settings.json", "[]"),
        ("claude", ".claude/settings.json", "[" * 100_000),
        ("claude", "shop/.claude/settings.json/folder", ""),
        ("codex", ".codex/config.toml", "no TOML"),
        ("gemini", "shop/.gemini/settings.json", "// of ours\n{}"),
    ],
)
def test_a_session_whose_settings_cannot_be_read_is_not_read(
    agent: str, file: str, text: str, place: Place
) -> None:
    write(place, file, text)

    line = elsewhere(agent, place.environ, [str(place.root.parent / "shop")])

    named = place.root.parent / file.removesuffix("/folder")
    assert line == f"where its client asks cannot be told: {named} cannot be read"
