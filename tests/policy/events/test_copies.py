"""Copies of one event are known by their tool-use id, by their prompt id, or by all they say."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from actors.policy.events.events import alike, named

TOOL: dict[str, object] = {
    "hook_event_name": "PostToolUse",
    "session_id": "s1",
    "tool_name": "Bash",
    "tool_use_id": "toolu_1",
    "tool_response": {"stdout": "hi"},
}
PROMPT: dict[str, object] = {
    "hook_event_name": "UserPromptSubmit",
    "session_id": "s1",
    "prompt_id": "p1",
    "prompt": "yes",
}
STOP: dict[str, object] = {"hook_event_name": "Stop", "session_id": "s1", "prompt_id": "p1"}


def said(body: Mapping[str, object]) -> bytes:
    return json.dumps(body).encode()


def test_a_tool_call_has_one_name_whatever_a_copy_lost_of_its_text() -> None:
    withheld = {key: value for key, value in TOOL.items() if key != "tool_response"}

    assert named(TOOL) == named(withheld) is not None


@pytest.mark.parametrize(
    "other",
    [{"tool_use_id": "toolu_2"}, {"session_id": "s2"}, {"hook_event_name": "PostToolUseFailure"}],
)
def test_another_call_session_or_event_has_another_name(other: dict[str, object]) -> None:
    assert named(TOOL) != named({**TOOL, **other})


def test_a_prompt_is_named_by_its_id_and_its_words() -> None:
    assert named(PROMPT) == named(dict(PROMPT))
    assert named(PROMPT) != named({**PROMPT, "prompt_id": "p2"})
    assert named(PROMPT) != named({**PROMPT, "prompt": "no"})


def test_a_prompt_and_a_tool_call_without_an_id_are_never_copies() -> None:
    for body, lost in ((PROMPT, "prompt_id"), (TOOL, "tool_use_id")):
        bare = {key: value for key, value in body.items() if key != lost}
        assert named(bare) is None
        assert alike(bare, said(bare)) is None


def test_other_events_are_copies_when_they_say_the_same() -> None:
    assert named(STOP) is None
    assert alike(STOP, said(STOP)) == alike(dict(STOP), said(STOP)) is not None
    longer = {**STOP, "last_assistant_message": "Done."}
    assert alike(STOP, said(STOP)) != alike(longer, said(longer))


@pytest.mark.parametrize("lost", ["session_id", "hook_event_name"])
def test_without_a_session_or_an_event_nothing_is_a_copy(lost: str) -> None:
    bare = {key: value for key, value in STOP.items() if key != lost}

    assert (named(bare), alike(bare, said(bare))) == (None, None)


@pytest.mark.parametrize("wrong", [7, None, ["toolu_1"], {"a": 1}, ""])
def test_an_id_of_another_type_names_nothing(wrong: object) -> None:
    assert named({**TOOL, "tool_use_id": wrong}) is None
    assert named({**PROMPT, "prompt_id": wrong}) is None


def test_without_ids_the_moment_tells_copies_of_a_prompt_and_of_a_call() -> None:
    prompt = {key: value for key, value in PROMPT.items() if key != "prompt_id"}
    call = {key: value for key, value in TOOL.items() if key != "tool_use_id"}
    at, later = {"timestamp": "2026-11-23T10:00:00Z"}, {"timestamp": "2026-11-23T10:00:01Z"}

    for event in (prompt, call):
        assert named(event) is None
        assert named(event | at) == named(event | at) is not None
        assert named(event | at) != named(event | later)
    assert named(call | at) != named(call | at | {"tool_input": {"command": "ls"}})
