"""Transcripts of Claude Code as events, and what a person says in refusing a call; the lines are those of the real client, shortened."""

from __future__ import annotations

import json
from typing import Any

import pytest

from actors.policy.events.events import Event, EventKind, parsed, refused
from actors.policy.events.transcripts import (
    CALLS,
    Open,
    Refusal,
    TranscriptEvent,
    ended,
    events_of_line,
    refusals,
)

AT = "2026-03-04T10:00:00.500Z"
SECONDS = 1_772_618_400.5


def line(kind: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {
        "type": kind, "uuid": f"u{content!r}"[:40], "timestamp": AT, "cwd": "/shop",
        "isSidechain": False, "message": {"id": "m1", "content": content}, **fields,
    }  # fmt: skip


def call(name: str, use_id: str = "t1", **given: Any) -> dict[str, Any]:
    return line("assistant", [{"type": "tool_use", "id": use_id, "name": name, "input": given}])


def result(text: str, use_id: str = "t1", *, failed: bool = False, **fields: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": use_id, "content": text, "is_error": failed}
    return line("user", [block], **fields)


def words(text: str, **fields: Any) -> dict[str, Any]:
    return line("assistant", [{"type": "text", "text": text}], **fields)


def events(*lines: dict[str, Any]) -> list[TranscriptEvent]:
    left, found = Open(), list[TranscriptEvent]()
    for one in lines:
        left, more = events_of_line(one, left)
        found += more
    return [*found, *ended(left)]


def kinds(*lines: dict[str, Any]) -> list[EventKind]:
    found = [parsed("claude", one.event) for one in events(*lines)]
    return [one.kind for one in found if isinstance(one, Event)]


def test_a_turn_is_its_prompt_its_calls_and_its_last_words() -> None:
    found = events(
        line("user", "Commit it."),
        words("I commit."),
        call("Bash", command="git commit -m x"),
        result("[main 50f786a] x", toolUseResult={"stdout": "[main 50f786a] x"}),
        words("Done,"),
        words("as you said."),
        line("user", [{"type": "text", "text": "Thanks."}], promptSource="typed"),
    )

    assert [one.event["hook_event_name"] for one in found] == [
        "UserPromptSubmit", "PostToolUse", "Stop", "UserPromptSubmit",
    ]  # fmt: skip
    assert found[1].event["tool_response"] == {"stdout": "[main 50f786a] x"}
    assert found[2].event["last_assistant_message"] == "Done,\nas you said."
    assert found[3].event["prompt"] == "Thanks."
    assert {one.at for one in found} == {SECONDS}
    assert len({one.id for one in found}) == 4


def test_a_failure_and_a_refusal_are_told_as_such() -> None:
    denied = {"toolDenialKind": "user-rejected", "userFeedback": "Use pnpm."}
    found = events(
        call("Bash", command="make"),
        result("Exit code 2", failed=True, toolUseResult="Error: Exit code 2"),
        call("mcp__db__query"),
        result("no", failed=True),
        call("Bash", "t2", command="npm install"),
        result("The user doesn't want to proceed", "t2", failed=True, **denied),
    )

    assert found[0].event["error"] == "Exit code 2"
    assert found[1].event["user_feedback"] == "Use pnpm."
    assert len(found) == 2


def test_a_summary_is_that_of_a_compaction_and_no_prompt() -> None:
    (found,) = events(line("user", "This session is being continued", isCompactSummary=True))

    assert found.event["compact_summary"] == "This session is being continued"


def test_a_compaction_ends_the_turn_before_it() -> None:
    found = events(
        words("The cache keeps an hour."),
        line("user", "This session is being continued", isCompactSummary=True),
    )

    assert [one.event["hook_event_name"] for one in found] == ["Stop", "PostCompact"]


def test_what_was_typed_while_the_agent_worked_is_a_prompt() -> None:
    def queued(**given: Any) -> dict[str, Any]:
        return line("attachment", "", attachment={"type": "queued_command", **given})

    typed = queued(commandMode="prompt", prompt="Use tabs.")
    others = [
        queued(commandMode="task-notification", prompt="It is done."),
        queued(commandMode="prompt", prompt="Go on.", origin={"kind": "plugin"}),
        line("attachment", "", attachment={"type": "hook_additional_context", "prompt": "A note."}),
    ]

    assert [one.event["prompt"] for one in events(typed, *others)] == ["Use tabs."]


def test_what_the_client_and_subagents_write_tells_nothing() -> None:
    lines = [
        line("user", "I look around.", isSidechain=True),
        line("user", "Caveat", isMeta=True),
        line("user", "[Request interrupted by user]"),
        line("user", "Without a time.", timestamp="yesterday"),
        words("API Error: 500", isApiErrorMessage=True),
        line("summary", "A title"),
        {"type": ["user"], "message": 7},
    ]

    assert events(*lines) == []


def test_a_turn_that_was_interrupted_has_no_end() -> None:
    interrupted = line("user", "[Request interrupted by user]")

    assert kinds(line("user", "Go."), words("I shall"), interrupted) == [EventKind.PROMPT]


def test_calls_that_never_return_are_let_go() -> None:
    many = [call("Bash", f"t{number}", command="sleep 9") for number in range(CALLS + 1)]

    assert kinds(*many, result("late", "t0")) == []
    assert kinds(*many, result("", "t1")) == [EventKind.TOOL]


def test_a_tool_whose_name_is_no_text_is_no_tool() -> None:
    strange: Any = ["Bash"]

    assert events(call(strange, command="ls"), result("a.py")) == []


# ---- refusals: found where clients write them, and nowhere else


SAID = "use pnpm here, never npm"
HEAD = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a"
    " file edit, the new_string was NOT written to the file). "
)
WITH_WORDS = f"{HEAD}To tell you how to proceed, the user said:\n{SAID}"
WITHOUT = f"{HEAD}STOP what you are doing and wait for the user to tell you how to proceed."


def denied(**changes: Any) -> str:
    """A line of the transcript of Claude Code 2.1.330."""
    result = {
        "type": "tool_result", "content": WITH_WORDS, "is_error": True, "tool_use_id": "toolu_1",
    }  # fmt: skip
    entry = {
        "type": "user",
        "message": {"role": "user", "content": [result]},
        "toolUseResult": f"Error: {WITH_WORDS}",
        "toolDenialKind": "user-rejected",
        "userFeedback": SAID,
        **changes,
    }
    return json.dumps({name: value for name, value in entry.items() if value is not None})


def test_a_transcript_says_which_call_was_refused_with_which_words() -> None:
    assert refusals(["{}", denied(), "no json"]) == [Refusal("toolu_1", SAID)]


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
        {"message": {"content": [{"type": "text", "text": SAID}]}},
    ],
)
def test_any_other_line_is_none(other: dict[str, Any]) -> None:
    assert refusals([denied(**other)]) == []


def test_a_tool_that_prints_such_a_line_refuses_nothing() -> None:
    printed = {"type": "tool_result", "tool_use_id": "toolu_2", "content": denied()}
    entry = {"type": "user", "message": {"content": [printed]}, "toolUseResult": denied()}

    assert refusals([json.dumps(entry), denied()[:-5], '{"userFeedback":' * 5_000]) == []


@pytest.mark.parametrize(
    ("tool", "error", "words"),
    [
        ("Bash", WITH_WORDS, SAID),
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
    assert (event.kind, event.tool, event.refusal) == (EventKind.REFUSED, None, SAID)
