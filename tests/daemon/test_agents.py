"""A real daemon and the hooks of other agents: a prompt in each one's words brings the note back in its form."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.process import Daemon
from tests.hooks.clients import Home, shell_client
from tests.patience import HOOKS, PATIENCE

FACT = "The staging database listens on port 5433, because 5432 is taken by the proxy."
QUESTION = "Which port does the staging database listen on?"
FORMS = Path(__file__).parents[1] / "policy" / "agents"
# Where the answer to a prompt stands: in the reply to it, or to the tool call after it.
TOLD: list[tuple[str, str, list[str]]] = [
    ("codex", "prompt", ["hookSpecificOutput", "additionalContext"]),
    ("gemini", "prompt", ["hookSpecificOutput", "additionalContext"]),
    ("opencode", "prompt", ["additionalContext"]),
    ("cursor", "tool", ["additional_context"]),
    ("copilot", "tool", ["additionalContext"]),
    ("vscode", "tool", ["hookSpecificOutput", "additionalContext"]),
]


def documented(agent: str, kind: str, session: str) -> dict[str, Any]:
    """The first documented payload of this kind, in a session of its own."""
    page = json.loads((FORMS / "payloads" / f"{agent}.json").read_text(encoding="utf-8"))
    sent: dict[str, Any] = next(r["payload"] for r in page["payloads"] if r["kind"] == kind)
    names = {"session_id", "sessionId", "sessionID", "conversation_id"}
    return {key: session if key in names else value for key, value in sent.items()}


def printed(daemon: Daemon, agent: str, event: dict[str, Any]) -> bytes:
    """What the hook prints, run as the agent runs it."""
    run = subprocess.run(
        shell_client(HOOKS).command(agent),
        input=json.dumps(event).encode(),
        capture_output=True,
        env=Home(daemon.home.root).environ,
        timeout=PATIENCE,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    return run.stdout


@pytest.mark.parametrize(("agent", "event", "way"), TOLD)
def test_a_prompt_brings_the_note_back_in_the_agents_form(
    shared: Daemon, agent: str, event: str, way: list[str]
) -> None:
    shared.remember(FACT)
    prompt = {**documented(agent, "prompt", agent), "prompt": QUESTION}
    before = len(shared.journal())
    answers = {
        "prompt": printed(shared, agent, prompt),
        "tool": printed(shared, agent, documented(agent, "tool", agent)),
    }
    told = json.loads(answers.pop(event))
    for name in way:
        told = told[name]

    assert len(shared.journal()) == before + 2
    assert FACT in told
    assert list(answers.values()) == [b""]


def test_cursor_runs_the_hooks_of_claudes_settings_too_and_nothing_counts_twice(
    shared: Daemon,
) -> None:
    shared.remember(FACT)
    prompt = {**documented("cursor", "prompt", "twice"), "prompt": QUESTION}
    call = documented("cursor", "tool", "twice")
    before = len(shared.journal())
    told = [printed(shared, name, one) for one in (prompt, call) for name in ("claude", "cursor")]

    assert len(shared.journal()) == before + 2
    assert [b"5433" in one for one in told] == [False, False, True, False]


@pytest.mark.parametrize("raw", [{}, {"prompt": 1}, {"hookEventName": ["x"]}, {"toolName": None}])
def test_what_no_agent_sends_is_answered_with_nothing(shared: Daemon, raw: dict[str, Any]) -> None:
    assert {printed(shared, agent, raw) for agent in ("copilot", "cursor", "nobody")} == {b""}
