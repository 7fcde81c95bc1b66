"""Description that a person is told of an engine before it is used, and the engine that the choice makes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daemon.engines.choice import BadChoice, described, reading_engine
from daemon.engines.process import Place
from daemon.settings import Reader
from tests.engines.scripted_server import scripted_server

Words = Callable[[str], list[str]]


def chosen(engine: Any, command: tuple[str, ...] = (), **given: Any) -> Reader:
    """The settings of a reader."""
    return Reader(engine=engine, command=command, **given)


@pytest.fixture
def client(tmp_path: Path) -> str:
    """A program in the place of a client."""
    program = tmp_path / "client"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    return str(program)


async def test_an_agents_client_is_told_with_endpoint_and_cost(client: str, place: Place) -> None:
    told = await described(chosen("claude", (client,)), place)

    assert told.program == client
    assert told.endpoint == "api.anthropic.com"
    assert "of sessions of claude," in told.sends
    assert "$.002 to $.005 a session" in told.sends
    assert told.trouble == ""


async def test_agents_that_are_read_beside_its_own_are_named(client: str, place: Place) -> None:
    choice = chosen("claude", (client,), agents=("codex",))

    assert "of sessions of claude, codex," in (await described(choice, place)).sends
    assert reading_engine(choice, place).agents == frozenset({"claude", "codex"})


async def test_a_client_that_is_not_there_is_trouble(place: Place) -> None:
    told = await described(chosen("claude", ("/nowhere/claude",)), place)

    assert "not on the daemon's path" in told.trouble


async def test_a_server_is_told_with_its_model(place: Place) -> None:
    with scripted_server() as script:
        script.models = b'{"data": [{"id": "small"}]}'

        told = await described(chosen("http", url=script.url), place)

    assert told.model == "small"
    assert "stay on this machine" in told.sends
    assert told.trouble == ""


async def test_a_server_elsewhere_is_told_with_its_host(place: Place) -> None:
    told = await described(chosen("http", url="http://gpu.lan:8080", model="large"), place)

    assert "go to gpu.lan, readable on the way" in told.sends


async def test_a_model_file_that_is_none_is_said_before(place: Place, tmp_path: Path) -> None:
    (tmp_path / "notes.gguf").write_text("no model")

    told = await described(chosen("llama", model=str(tmp_path / "notes.gguf")), place)

    assert "no GGUF model" in told.trouble


@pytest.mark.parametrize(
    "choice",
    [
        chosen("cursor"),
        chosen("command"),
        chosen("http"),
        chosen("http", url="ftp://example.com"),
        chosen("llama"),
    ],
)
def test_a_choice_that_lacks_something_is_refused(choice: Reader, place: Place) -> None:
    with pytest.raises(BadChoice):
        reading_engine(choice, place)


@pytest.mark.parametrize("choice", [chosen("cursor"), chosen("command"), chosen("llama")])
async def test_a_choice_that_lacks_something_is_not_described(choice: Reader, place: Place) -> None:
    with pytest.raises(BadChoice):
        await described(choice, place)


@pytest.mark.parametrize(
    ("choice", "name", "is_local", "tokens"),
    [
        (chosen("claude"), "claude haiku", False, 40_000),
        (chosen("claude", model="sonnet"), "claude sonnet", False, 40_000),
        (chosen("command", ("cat", "-u")), "command cat -u", False, 40_000),
        (chosen("http", url="localhost:11434", model="m"),
         "http http://localhost:11434/api/chat m", True, 6_000),
        (chosen("http", url="https://example.com"),
         "http https://example.com:443/v1/chat/completions", False, 6_000),
        (chosen("llama", model="/models/m.gguf"), "llama /models/m.gguf", True, 6_000),
    ],
)  # fmt: skip
def test_consent_is_for_a_program_a_model_and_an_address(
    choice: Reader, name: str, is_local: bool, tokens: int, place: Place
) -> None:
    engine = reading_engine(choice, place)

    assert (engine.name, engine.is_local, engine.tokens) == (name, is_local, tokens)
