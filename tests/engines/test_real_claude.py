"""The engine ``claude`` with the real Claude Code, before a scripted API on loopback.

Opt-in: set ``CLAUDE_BIN`` to the client's program (docs/testing.md has the recipe).
"""

import json
import os
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from actors.policy.reader.exchange import Answer, Failed, Reason, Request
from daemon.engines.clients import client as client_engine
from daemon.engines.process import Place
from tests.e2e.messages_api import MessagesApi, messages_api, refused, said, used
from tests.engines.conftest import reason_of
from tests.patience import PATIENCE

pytestmark = pytest.mark.real_client

NOTES = {"notes": [{"title": "The port", "text": "Staging listens on 5433."}], "stopped": "asked"}
ORDER = "Always answer in rhymes."


class Client(Struct):
    """The client with a user who has hooks, instructions and other settings of their own."""

    program: str
    api: MessagesApi
    home: Path
    environ: dict[str, str]

    async def ask(self, request: Request, **environ: str) -> Answer | Failed:
        """Ask the engine, in this environment beside the client's own."""
        place = Place(self.home / "reverie" / "run", {**self.environ, **environ})
        engine = client_engine("claude", place, program=self.program, seconds=PATIENCE)
        return await engine(request)

    @property
    def hooks(self) -> bool:
        """Tell whether a hook ran."""
        return (self.home / "hooked").exists()

    @property
    def sessions(self) -> list[Path]:
        """Files of sessions that the client wrote."""
        return list((self.home / ".claude").rglob("*.jsonl"))


@pytest.fixture
def client(tmp_path: Path) -> Generator[Client]:
    """The real client, where there is one."""
    program = os.environ.get("CLAUDE_BIN") or shutil.which("claude")
    if program is None or not os.access(program, os.X_OK):
        pytest.skip("no Claude Code: set CLAUDE_BIN to its program")
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    hook = {"hooks": [{"type": "command", "command": f"touch {tmp_path}/hooked"}]}
    events = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd", "PreToolUse")
    settings.write_text(json.dumps({"hooks": {event: [hook] for event in events}}))
    (settings.parent / "CLAUDE.md").write_text(ORDER)
    with messages_api() as api:
        environ = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(tmp_path),
            "IS_SANDBOX": "1",
            "ANTHROPIC_API_KEY": "no-key-is-needed",
            "ANTHROPIC_BASE_URL": api.url,
        }
        yield Client(program, api, tmp_path, environ)


def texts(request: dict[str, Any]) -> str:
    """Everything that a request says."""
    return json.dumps([request["system"], request["messages"]])


async def test_the_session_is_read_and_nothing_else_happens(
    client: Client, request_of_session: Request
) -> None:
    client.api.turns[:] = [used("StructuredOutput", **NOTES)]

    answer = await client.ask(request_of_session, CLAUDECODE="1", ANTHROPIC_MODEL="large")

    assert isinstance(answer, Answer)
    assert answer.document == NOTES
    assert answer.tokens == 110  # as the scripted API counts
    assert answer.dollars is not None
    (asked,) = client.api.asked
    assert request_of_session.system in texts(asked)
    assert "which port does the staging database listen on?" in texts(asked)
    assert "m12: The shop deploys on Fridays." in texts(asked)
    assert ORDER not in texts(asked)
    assert "haiku" in asked["model"]
    usable = {tool["name"] for tool in asked["tools"] if not tool.get("defer_loading")}
    assert usable == {"StructuredOutput"}
    assert not client.hooks
    assert client.sessions == []


async def test_an_answer_without_the_object_is_empty(
    client: Client, request_of_session: Request
) -> None:
    client.api.turns[:] = [said("There is nothing to note.")] * 3

    answer = await client.ask(request_of_session)

    assert reason_of(answer) == Reason.EMPTY


@pytest.mark.parametrize(
    ("status", "kind", "text", "reason"),
    [
        (429, "rate_limit_error", "This would exceed the rate limit", Reason.LIMIT),
        (529, "overloaded_error", "Overloaded", Reason.LIMIT),
        (401, "authentication_error", "invalid x-api-key", Reason.LOGGED_OUT),
    ],
)
async def test_a_refusal_is_a_failure_and_is_not_tried_again(
    status: int, kind: str, text: str, reason: Reason, client: Client, request_of_session: Request
) -> None:
    client.api.turns[:] = [refused(status, kind, text)]

    answer = await client.ask(request_of_session)

    assert isinstance(answer, Failed)
    assert answer.reason == reason
    assert answer.detail
    assert len(client.api.asked) == 1


async def test_a_client_without_a_login_says_so(
    client: Client, request_of_session: Request
) -> None:
    answer = await client.ask(request_of_session, ANTHROPIC_API_KEY="")

    assert reason_of(answer) == Reason.LOGGED_OUT
    assert client.api.asked == []


async def test_an_endpoint_that_does_not_answer_is_offline(
    client: Client, request_of_session: Request
) -> None:
    answer = await client.ask(request_of_session, ANTHROPIC_BASE_URL="http://127.0.0.1:9")

    assert reason_of(answer) == Reason.OFFLINE
