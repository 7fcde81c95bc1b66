"""What a person says in refusing a tool's call is found where clients write it, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from actors.policy.events.events import Event, EventKind, parsed, refused
from actors.policy.events.transcripts import Refusal, refusals

WORDS = "use pnpm here, never npm"
HEAD = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a"
    " file edit, the new_string was NOT written to the file). "
)
WITH_WORDS = f"{HEAD}To tell you how to proceed, the user said:\n{WORDS}"
WITHOUT = f"{HEAD}STOP what you are doing and wait for the user to tell you how to proceed."


def line(**changes: Any) -> str:
    """A line of the transcript of Claude Code 2.1.330."""
    result = {
        "type": "tool_result", "content": WITH_WORDS, "is_error": True, "tool_use_id": "toolu_1",
    }  # fmt: skip
    entry = {
        "type": "user",
        "message": {"role": "user", "content": [result]},
        "toolUseResult": f"Error: {WITH_WORDS}",
        "toolDenialKind": "user-rejected",
        "userFeedback": WORDS,
        **changes,
    }
    return json.dumps({name: value for name, value in entry.items() if value is not None})


def test_a_transcript_says_which_call_was_refused_with_which_words() -> None:
    assert refusals(["{}", line(), "no json"]) == [Refusal("toolu_1", WORDS)]


@pytest.mark.parametrize(
    "other",
    [
        {"userFeedback": None},
        {"userFeedback": "  "},
        {"userFeedback": 7},
        {"toolDenialKind": "classifier"},
        {"type": "assistant"},
        {"message": {"content": "text"}},
        {"message": {"content": []}},
        {"message": {"content": [{"type": "text", "text": WORDS}]}},
    ],
)
def test_any_other_line_is_none(other: dict[str, Any]) -> None:
    assert refusals([line(**other)]) == []


def test_a_tool_that_prints_such_a_line_refuses_nothing() -> None:
    printed = {"type": "tool_result", "tool_use_id": "toolu_2", "content": line()}
    entry = {"type": "user", "message": {"content": [printed]}, "toolUseResult": line()}

    assert refusals([json.dumps(entry), line()[:-5], '{"userFeedback":' * 5_000]) == []


@pytest.mark.parametrize(
    ("tool", "error", "words"),
    [
        ("Bash", WITH_WORDS, WORDS),
        ("Edit", WITHOUT, ""),
        ("Bash", f"Exit code 1\n{WITH_WORDS}", None),
        ("Bash", "Exit code 1", None),
        ("mcp__tracker__create", WITH_WORDS, None),  # the words are the server's
    ],
)
def test_an_error_is_a_refusal_by_the_clients_own_words(
    tool: str, error: str, words: str | None
) -> None:
    assert refused(tool, error) == words


def test_a_call_that_was_refused_did_not_run_and_did_not_fail() -> None:
    raw = {"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "error": WITH_WORDS,
           "tool_input": {"command": "npm install"}}  # fmt: skip
    event = parsed("claude", raw)

    assert isinstance(event, Event)
    assert (event.kind, event.tool, event.refusal) == (EventKind.REFUSED, None, WORDS)
