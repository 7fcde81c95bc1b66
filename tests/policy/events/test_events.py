"""Hook events of agents in one normal form, in the shapes that real clients send; copies of one event."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events import events
from actors.policy.events.events import Event, EventKind, Tool, Unknown, Upcoming, alike, named
from tests.policy.adversarial import FOREIGN

SESSION: dict[str, object] = {
    "session_id": "s1",
    "transcript_path": "/home/user/.claude/projects/p/s1.jsonl",
    "cwd": "/home/user/proj",
    "permission_mode": "default",
}


def event(name: str, **fields: object) -> Event:
    found = events.parsed("claude-code", SESSION | {"hook_event_name": name} | fields)
    assert isinstance(found, Event)
    return found


def tool(name: str = "PostToolUse", **fields: object) -> Tool:
    found = event(name, **fields).tool
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("SessionStart", EventKind.SESSION_START),
        ("InstructionsLoaded", EventKind.INSTRUCTIONS),
        ("UserPromptSubmit", EventKind.PROMPT),
        ("PostToolUse", EventKind.TOOL),
        ("PostToolUseFailure", EventKind.TOOL_ERROR),
        ("PreCompact", EventKind.PRE_COMPACT),
        ("PostCompact", EventKind.POST_COMPACT),
        ("Stop", EventKind.TURN_END),
        ("SubagentStop", EventKind.SUBAGENT_END),
        ("SessionEnd", EventKind.SESSION_END),
    ],
)
def test_each_event_has_its_kind(name: str, kind: EventKind) -> None:
    found = event(name)

    assert found.kind is kind
    assert (found.agent, found.session, found.cwd) == ("claude", "s1", "/home/user/proj")
    assert found.transcript.endswith("s1.jsonl")


def test_loaded_instructions_are_known_by_their_path_and_why() -> None:
    found = event("InstructionsLoaded", file_path="/shop/CLAUDE.md", load_reason="include")

    assert (found.instructions, found.reason) == ("/shop/CLAUDE.md", "include")


@pytest.mark.parametrize("name", ["PostToolBatch", "Notification", "", "Newer"])
def test_an_event_without_content_is_unknown(name: str) -> None:
    raw: Mapping[str, object] = SESSION | {"hook_event_name": name}

    assert events.parsed("codex", raw) == Unknown("codex", name, "s1", "/home/user/proj")


def test_a_call_that_is_about_to_be_made_is_no_event() -> None:
    given = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "t1"}
    found = events.parsed("claude-code", {**SESSION, "hook_event_name": "PreToolUse", **given})

    tool = Tool("Bash", {"command": "make"}, use_id="t1")
    assert found == Upcoming("claude", "s1", "/home/user/proj", "", tool)


def test_a_prompt_carries_the_users_words() -> None:
    found = event("UserPromptSubmit", prompt="please read hello", source="user")

    assert (found.prompt, found.source, found.tool) == ("please read hello", "user", None)


def test_a_shell_call_carries_its_command_and_output() -> None:
    found = tool(
        tool_name="Bash",
        tool_input={"command": "pytest -q"},
        tool_response={"stdout": "12 passed\n", "stderr": "warn\n", "interrupted": False},
        tool_use_id="toolu_1",
    )

    assert (found.name, found.command, found.path) == ("Bash", "pytest -q", "")
    assert (found.output, found.error) == ("12 passed\nwarn", "")
    assert (found.interrupted, found.use_id) == (False, "toolu_1")


def test_a_failed_call_carries_its_error() -> None:
    found = event(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "npm test"},
        error="Exit code 1\nError: Cannot find module 'express'",
        is_interrupt=True,
    )

    assert found.kind is EventKind.TOOL_ERROR
    assert found.tool is not None
    assert found.tool.error.endswith("'express'")
    assert found.tool.interrupted


@pytest.mark.parametrize(
    ("response", "output"),
    [
        ("hi\n", "hi\n"),
        ({"type": "text", "file": {"filePath": "/a", "content": "print('hi')\n"}}, "print('hi')\n"),
        ([{"type": "text", "text": "one"}, {"type": "image"}, "two"], "one\ntwo"),
        ({"filePath": "/a", "content": "x"}, "x"),
        ({"url": "https://example.com/1"}, ""),
        (None, ""),
        (7, ""),
    ],
)
def test_the_output_is_what_a_person_would_have_seen(response: object, output: str) -> None:
    assert tool(tool_name="Read", tool_response=response).output == output


@pytest.mark.parametrize(
    "response",
    [
        "Exit code 2\nno such file",
        {"stdout": "no such file", "exit_code": 2},
        {"stdout": "no such file", "exitCode": 2},
    ],
)
def test_a_failure_reported_as_done_is_a_failure(response: object) -> None:
    found = event("PostToolUse", tool_name="Bash", tool_response=response)

    assert found.kind is EventKind.TOOL_ERROR
    assert found.tool is not None
    assert found.tool.error == "Exit code 2\nno such file"


@pytest.mark.parametrize("response", ["Exit code 0\nfine", {"stdout": "fine", "exit_code": 0}])
def test_code_zero_is_success(response: object) -> None:
    assert event("PostToolUse", tool_response=response).kind is EventKind.TOOL


def test_an_edit_carries_its_file() -> None:
    assert tool(tool_name="Edit", tool_input={"file_path": "/p/app.py"}).path == "/p/app.py"
    assert tool(tool_name="Grep", tool_input={"path": "src"}).path == "src"


def test_the_other_fields_arrive() -> None:
    assert event("PostCompact", compact_summary="all").summary == "all"
    assert event("SessionEnd", reason="clear").reason == "clear"
    assert event("SessionStart", source="resume", context_tokens=50_022).context_tokens == 50_022
    ended = event("SubagentStop", agent_id="a1", agent_type="Explore", last_assistant_message="ok")
    assert (ended.agent_id, ended.message) == ("a1", "ok")


def test_the_transcript_may_be_named_for_the_subagent() -> None:
    raw: Mapping[str, object] = {
        "hook_event_name": "SubagentStop",
        "transcript_path": None,
        "agent_transcript_path": "/t/agent.jsonl",
    }

    found = events.parsed("claude", raw)

    assert isinstance(found, Event)
    assert found.transcript == "/t/agent.jsonl"


def test_claude_code_is_claude() -> None:
    assert events.agent_name("Claude-Code ") == "claude"
    assert events.agent_name("codex") == "codex"


FIELDS = (
    "session_id", "cwd", "prompt", "tool_name", "tool_input", "tool_response", "error", "duration_ms",
    "is_interrupt", "source", "last_assistant_message", "compact_summary", "context_tokens",
)  # fmt: skip


@given(st.sampled_from([*events.KINDS, "Other"]), st.dictionaries(st.sampled_from(FIELDS), FOREIGN))
def test_no_field_of_any_type_raises(name: str, raw: dict[str, object]) -> None:
    found = events.parsed("claude", {"hook_event_name": name} | raw)

    if isinstance(found, Event) and found.tool is not None:
        assert isinstance(found.tool.command, str)
        assert isinstance(found.tool.path, str)


@given(FOREIGN)
def test_no_event_name_of_any_type_raises(name: object) -> None:
    found = events.parsed("claude", {"hook_event_name": name})

    assert isinstance(found, Unknown) or name in events.KINDS


@pytest.mark.parametrize("tool", ["Agent", "Task"])
def test_the_call_that_starts_a_subagent_is_its_task(tool: str) -> None:
    given = {"prompt": "Find the port.", "subagent_type": "Explore"}
    called = event("PreToolUse", tool_name=tool, tool_input=given)

    assert (called.kind, called.task) == (EventKind.SUBAGENT_TASK, "Find the port.")
    assert (called.agent_type, called.prompt, called.tool) == ("Explore", "", None)


def test_a_subagent_that_starts_says_its_type_and_its_id() -> None:
    started = event("SubagentStart", agent_id="a1", agent_type="Explore")

    assert (started.kind, started.agent_id) == (EventKind.SUBAGENT_START, "a1")
    assert (started.agent_type, started.task) == ("Explore", "")


# ---- copies: known by their tool-use id, by their prompt id, or by all they say


CALL: dict[str, object] = {
    "hook_event_name": "PostToolUse",
    "session_id": "s1",
    "tool_name": "Bash",
    "tool_use_id": "toolu_1",
    "tool_response": {"stdout": "hi"},
}
ASKED: dict[str, object] = {
    "hook_event_name": "UserPromptSubmit",
    "session_id": "s1",
    "prompt_id": "p1",
    "prompt": "yes",
}
STOPPED: dict[str, object] = {"hook_event_name": "Stop", "session_id": "s1", "prompt_id": "p1"}


def said(body: Mapping[str, object]) -> bytes:
    return json.dumps(body).encode()


def test_a_tool_call_has_one_name_whatever_a_copy_lost_of_its_text() -> None:
    withheld = {key: value for key, value in CALL.items() if key != "tool_response"}

    assert named(CALL) == named(withheld) is not None


@pytest.mark.parametrize(
    "other",
    [{"tool_use_id": "toolu_2"}, {"session_id": "s2"}, {"hook_event_name": "PostToolUseFailure"}],
)
def test_another_call_session_or_event_has_another_name(other: dict[str, object]) -> None:
    assert named(CALL) != named({**CALL, **other})


def test_a_prompt_is_named_by_its_id_and_its_words() -> None:
    assert named(ASKED) == named(dict(ASKED))
    assert named(ASKED) != named({**ASKED, "prompt_id": "p2"})
    assert named(ASKED) != named({**ASKED, "prompt": "no"})


def test_a_prompt_and_a_tool_call_without_an_id_are_never_copies() -> None:
    for body, lost in ((ASKED, "prompt_id"), (CALL, "tool_use_id")):
        bare = {key: value for key, value in body.items() if key != lost}
        assert named(bare) is None
        assert alike(bare, said(bare)) is None


def test_other_events_are_copies_when_they_say_the_same() -> None:
    assert named(STOPPED) is None
    assert alike(STOPPED, said(STOPPED)) == alike(dict(STOPPED), said(STOPPED)) is not None
    longer = {**STOPPED, "last_assistant_message": "Done."}
    assert alike(STOPPED, said(STOPPED)) != alike(longer, said(longer))


@pytest.mark.parametrize("lost", ["session_id", "hook_event_name"])
def test_without_a_session_or_an_event_nothing_is_a_copy(lost: str) -> None:
    bare = {key: value for key, value in STOPPED.items() if key != lost}

    assert (named(bare), alike(bare, said(bare))) == (None, None)


@pytest.mark.parametrize("wrong", [7, None, ["toolu_1"], {"a": 1}, ""])
def test_an_id_of_another_type_names_nothing(wrong: object) -> None:
    assert named({**CALL, "tool_use_id": wrong}) is None
    assert named({**ASKED, "prompt_id": wrong}) is None


def test_without_ids_the_moment_tells_copies_of_a_prompt_and_of_a_call() -> None:
    prompt = {key: value for key, value in ASKED.items() if key != "prompt_id"}
    call = {key: value for key, value in CALL.items() if key != "tool_use_id"}
    at, later = {"timestamp": "2026-11-23T10:00:00Z"}, {"timestamp": "2026-11-23T10:00:01Z"}

    for event in (prompt, call):
        assert named(event) is None
        assert named(event | at) == named(event | at) is not None
        assert named(event | at) != named(event | later)
    assert named(call | at) != named(call | at | {"tool_input": {"command": "ls"}})
