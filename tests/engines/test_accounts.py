"""Endpoints of clients and engines, by their settings: a session of another endpoint is not read."""

import json
from pathlib import Path

import pytest

from daemon.engines.choice import Choice, Elsewhere
from daemon.engines.process import Place


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project's folder below the user's."""
    folder = tmp_path / "work" / "shop"
    folder.mkdir(parents=True)
    return folder


def write(path: Path, text: str) -> None:
    """Write a file with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def environ_of(**variables: str) -> str:
    """Settings of Claude Code with these variables."""
    return json.dumps({"env": variables})


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_clients_as_they_come_are_read(agent: str, place: Place, project: Path) -> None:
    assert Elsewhere(Choice(agent), place)(agent, str(project)) == ""


@pytest.mark.parametrize(
    ("file", "variables", "endpoint"),
    [
        ("~/.claude/settings.json", {"ANTHROPIC_BASE_URL": "https://gate.acme.com/v1"}, "gate.acme.com"),
        ("./.claude/settings.json", {"ANTHROPIC_BASE_URL": "http://127.0.0.1:4000"}, "127.0.0.1:4000"),
        ("./.claude/settings.local.json", {"CLAUDE_CODE_USE_BEDROCK": "1"}, "Amazon Bedrock"),
        ("~/.claude/settings.json", {"CLAUDE_CODE_USE_VERTEX": "true"}, "Google Vertex AI"),
    ],
)  # fmt: skip
def test_a_client_of_another_endpoint_is_named_with_it(
    file: str, variables: dict[str, str], endpoint: str, place: Place, project: Path
) -> None:
    folder = place.root.parent if file.startswith("~") else project
    write(folder / file[2:], environ_of(**variables))

    line = Elsewhere(Choice("claude"), place)("claude", str(project))

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
    seen: tuple[str, ...], endpoint: str, place: Place, project: Path
) -> None:
    line = Elsewhere(Choice("claude"), place)("claude", str(project), seen)

    assert line.startswith(f"its client asks {endpoint}, ")


def test_a_hook_that_saw_the_engines_own_endpoint_lets_it_read(place: Place, project: Path) -> None:
    settings = place.root.parent / ".claude" / "settings.json"
    write(settings, environ_of(ANTHROPIC_BASE_URL="https://gate.acme.com"))

    assert Elsewhere(Choice("claude"), place)("claude", str(project), ("api.anthropic.com",)) == ""


def test_a_cloud_that_is_switched_off_is_none(place: Place, project: Path) -> None:
    write(place.root.parent / ".claude" / "settings.json", environ_of(CLAUDE_CODE_USE_BEDROCK="0"))

    assert Elsewhere(Choice("claude"), place)("claude", str(project)) == ""


def test_an_engine_of_the_same_endpoint_reads(place: Place, project: Path) -> None:
    variables = {"ANTHROPIC_BASE_URL": "https://gate.acme.com"}
    write(place.root.parent / ".claude" / "settings.json", environ_of(**variables))
    there = Place(place.root, {**place.environ, **variables})

    assert Elsewhere(Choice("claude"), there)("claude", str(project)) == ""


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
    config: str, endpoint: str, place: Place, project: Path
) -> None:
    write(place.root.parent / ".codex" / "config.toml", config)

    line = Elsewhere(Choice("codex"), place)("codex", str(project))

    assert line.startswith(f"its client asks {endpoint}, ")


def test_gemini_of_another_address_is_named_with_it(place: Place, project: Path) -> None:
    write(project.parent / ".env", "export GOOGLE_GEMINI_BASE_URL='https://gate.acme.com'\n")

    line = Elsewhere(Choice("gemini"), place)("gemini", str(project))

    assert line.startswith("its client asks gate.acme.com, ")


def test_gemini_of_the_same_user_file_reads(place: Place, project: Path) -> None:
    settings = {"security": {"auth": {"selectedType": "vertex-ai"}}}
    write(place.root.parent / ".gemini" / "settings.json", json.dumps(settings))

    assert Elsewhere(Choice("gemini"), place)("gemini", str(project)) == ""


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"env": []}', "[" * 100_000])
def test_settings_that_cannot_be_read_say_nothing(text: str, place: Place, project: Path) -> None:
    write(place.root.parent / ".claude" / "settings.json", text)

    assert Elsewhere(Choice("claude"), place)("claude", str(project)) == ""


def test_another_agents_session_is_a_question_of_consent_alone(place: Place, project: Path) -> None:
    write(
        place.root.parent / ".claude" / "settings.json",
        environ_of(ANTHROPIC_BASE_URL="https://gate.acme.com"),
    )

    assert Elsewhere(Choice("command", ("cat",)), place)("claude", str(project)) == ""
