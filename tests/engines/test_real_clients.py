"""The engines ``codex`` and ``gemini`` with the real clients, before a server that records.

Opt-in: set ``CODEX_BIN`` and ``GEMINI_BIN`` to the clients' programs (docs/testing.md has the recipe).
"""

import json
import os
import shutil
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from actors.policy.reader.exchange import Answer, Engine, Reason, Request
from daemon.engines.clients import client
from daemon.engines.process import Place
from tests.engines.conftest import reason_of
from tests.engines.scripted_server import Scripted, scripted_server
from tests.patience import PATIENCE

pytestmark = pytest.mark.real_client

NOTES = {"notes": [{"title": "The port", "text": "Staging listens on 5433."}], "stopped": "asked"}
ORDER = "Always answer in rhymes."


@pytest.fixture
def script() -> Generator[Scripted]:
    """The server that is asked."""
    with scripted_server() as made:
        made.headers["content-type"] = "text/event-stream"
        yield made


def program(variable: str, name: str) -> str:
    """The client's program, where there is one."""
    named = os.environ.get(variable) or shutil.which(name)
    if named is None or not os.access(named, os.X_OK):
        pytest.skip(f"no {name}: set {variable} to its program")
    return named


def events(*values: dict[str, Any]) -> bytes:
    """Server-sent events."""
    return b"".join(
        f"event: {value.get('type', 'message')}\ndata: {json.dumps(value)}\n\n".encode()
        for value in values
    )


def responses(text: str) -> bytes:
    """Tell what the API of Codex streams for a message."""
    content = [{"type": "output_text", "text": text}]
    item = {"type": "message", "role": "assistant", "id": "m1", "content": content}
    usage = {"input_tokens": 90, "output_tokens": 10, "total_tokens": 100}
    details = {"input_tokens_details": {"cached_tokens": 0},
               "output_tokens_details": {"reasoning_tokens": 0}}  # fmt: skip
    return events(
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "item": item},
        {"type": "response.completed", "response": {"id": "r1", "usage": {**usage, **details}}},
    )


def generated(text: str) -> bytes:
    """Tell what the API of Gemini CLI streams for a message."""
    usage = {"promptTokenCount": 90, "candidatesTokenCount": 10, "totalTokenCount": 100}
    content = {"role": "model", "parts": [{"text": text}]}
    candidates = [{"content": content, "finishReason": "STOP"}]
    return f"data: {json.dumps({'candidates': candidates, 'usageMetadata': usage})}\n\n".encode()


@pytest.fixture
def codex_engine(script: Scripted, tmp_path: Path) -> Engine:
    """Codex of a user who has instructions, hooks and a login of their own.

    A script beside it names the server, because the engine lets no configuration in.
    """
    real = program("CODEX_BIN", "codex")
    folder = tmp_path / ".codex"
    folder.mkdir()
    (folder / "auth.json").write_text('{"OPENAI_API_KEY": "sk-of-a-test"}')
    (folder / "AGENTS.md").write_text(ORDER)
    (folder / "config.toml").write_text(f'notify = ["touch", "{tmp_path}/hooked"]\n')
    script_file = tmp_path / "codex"
    script_file.write_text(
        f"#!{sys.executable}\nimport os, sys\n"
        f"more = ['-c', 'openai_base_url=\"{script.url}/v1\"']\n"
        f"os.execv({real!r}, [{real!r}, *sys.argv[1:-1], *more, sys.argv[-1]])\n"
    )
    script_file.chmod(0o700)
    place = Place(tmp_path / "run", {"PATH": os.environ["PATH"], "HOME": str(tmp_path)})
    return client("codex", place, program=str(script_file), seconds=PATIENCE)


@pytest.fixture
def gemini_engine(script: Scripted, tmp_path: Path) -> Engine:
    """Gemini CLI of a user who has instructions, hooks and a key of their own."""
    real = program("GEMINI_BIN", "gemini")
    folder = tmp_path / ".gemini"
    folder.mkdir()
    (folder / ".env").write_text("GEMINI_API_KEY=of-a-test\n")
    (folder / "GEMINI.md").write_text(ORDER)
    hook = {"hooks": [{"type": "command", "command": f"touch {tmp_path}/hooked"}]}
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "hooks": {"SessionStart": [hook], "BeforeAgent": [hook], "SessionEnd": [hook]},
    }
    (folder / "settings.json").write_text(json.dumps(settings))
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path),
               "GOOGLE_GEMINI_BASE_URL": script.url}  # fmt: skip
    return client("gemini", Place(tmp_path / "run", environ), program=real, seconds=PATIENCE)


def asked(script: Scripted) -> list[Any]:
    """The bodies of the requests that were sent to a model."""
    return [
        body for path, body in script.asked if body and ("/responses" in path or "models/" in path)
    ]


def left(folder: Path) -> list[str]:
    """Files below the folder that engines run in, and whatever a hook left."""
    files = [path for path in (folder / "run").rglob("*") if path.is_file()]
    return [path.name for path in (*files, *folder.glob("hooked"))]


async def test_codex_reads_the_session_and_nothing_else_happens(
    codex_engine: Engine, script: Scripted, tmp_path: Path, request_of_session: Request
) -> None:
    script.body = responses(json.dumps(NOTES))

    answer = await codex_engine(request_of_session)

    assert answer == Answer(NOTES, 100)
    (body,) = asked(script)
    said = json.dumps(body["input"])
    assert request_of_session.system in said
    assert "which port does the staging database listen on?" in said
    assert ORDER not in said
    assert "SKILL.md" not in said
    assert body["text"]["format"]["schema"] == request_of_session.schema
    assert {tool.get("name") for tool in body["tools"]} <= {"request_user_input"}
    assert left(tmp_path) == []
    assert not list((tmp_path / ".codex").rglob("*.jsonl"))
    assert json.loads((tmp_path / ".codex" / "auth.json").read_text())


async def test_gemini_reads_the_session_and_nothing_else_happens(
    gemini_engine: Engine, script: Scripted, tmp_path: Path, request_of_session: Request
) -> None:
    script.body = generated(json.dumps(NOTES))

    answer = await gemini_engine(request_of_session)

    assert answer == Answer(NOTES, 100)
    (body,) = asked(script)
    assert request_of_session.system in json.dumps(body["systemInstruction"])
    assert "which port does the staging database listen on?" in json.dumps(body["contents"])
    assert ORDER not in json.dumps(body)
    assert body.get("tools", [{"functionDeclarations": []}]) == [{"functionDeclarations": []}]
    assert left(tmp_path) == []
    assert not list((tmp_path / ".gemini").rglob("*.jsonl"))


async def test_codex_without_a_login_says_so(
    codex_engine: Engine, script: Scripted, tmp_path: Path, request_of_session: Request
) -> None:
    (tmp_path / ".codex" / "auth.json").unlink()
    script.say({"error": {"message": "Missing bearer authentication", "code": 401}}, 401)

    answer = await codex_engine(request_of_session)

    assert reason_of(answer) == Reason.LOGGED_OUT


async def test_gemini_without_a_login_says_so(
    gemini_engine: Engine, script: Scripted, tmp_path: Path, request_of_session: Request
) -> None:
    (tmp_path / ".gemini" / ".env").unlink()
    (tmp_path / ".gemini" / "settings.json").unlink()

    answer = await gemini_engine(request_of_session)

    assert reason_of(answer) == Reason.LOGGED_OUT
    assert asked(script) == []
