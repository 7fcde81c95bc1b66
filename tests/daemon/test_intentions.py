"""Intentions against a daemon that runs: reminders reach hooks, and erasing leaves nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.daemon.process import Daemon, Refusal, prompt, wait_for
from tests.daemon.process import told as context
from tests.holders import holders

TEXT = "polish the brass sextant"


def once_reminded(daemon: Daemon) -> Any:
    """The intention i1, once it is noted that it was told: that comes after the answer."""

    def found() -> Any:
        return daemon.ask("list-intentions")["intentions"][0]

    wait_for(lambda: found()["status"] == "triggered", daemon.running)
    return found()


def tool(name: str, cwd: str, **given: Any) -> dict[str, Any]:
    return {
        "hook_event_name": "PostToolUse", "session_id": "s1", "cwd": cwd, "tool_name": name,
        "tool_input": given, "tool_response": {},
    }  # fmt: skip


def test_an_intention_is_in_the_next_matching_prompt_once_and_not_again(
    daemon: Daemon,
) -> None:
    made = daemon.ask("intend", text=TEXT, trigger={"words": "harbour"})["intention"]
    silent = context(daemon.hook(b"a" * 16, prompt("rename this variable")))
    told = context(daemon.hook(b"b" * 16, prompt("sail into the harbour")))
    again = context(daemon.hook(b"c" * 16, prompt("leave the harbour")))
    shown = once_reminded(daemon)

    assert made["id"] == "i1"
    assert silent == ""
    assert told.count(f"Reminder set by the user today: {TEXT} [i1]") == 1
    assert told.startswith("<reverie-notes>")
    assert again == ""
    assert shown["due"]
    assert daemon.ask("status")["actors"]["prospective"]["due"] == 1


@pytest.mark.parametrize("way", ["erase-intention", "purge", "forget"])
def test_erasing_leaves_no_byte_of_it(daemon: Daemon, way: str) -> None:
    daemon.hook(b"a" * 16, prompt(f"remind me to {TEXT} when we reach the harbour"))
    daemon.settled()
    (found,) = daemon.ask("list-intentions", everything=True)["intentions"]
    assert holders(daemon.home.root, "sextant")

    if way == "erase-intention":
        daemon.ask("erase-intention", id=found["id"])
    elif way == "purge":
        daemon.ask("purge", everything=True, yes=True)
    else:
        daemon.ask("erase", ids=[daemon.remember(TEXT)], yes=True)

    assert found["text"] == TEXT
    assert daemon.ask("list-intentions", everything=True)["total"] == 0
    assert holders(daemon.home.root, "sextant") == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"text": " ", "trigger": {"at": 1}}, "bad_request"),
        ({"text": "x" * 2_001, "trigger": {"at": 1}}, "bad_request"),
        ({"text": "x", "trigger": {}}, "bad_request"),
        ({"text": "x", "trigger": {"at": 1, "file": "x"}}, "bad_request"),
        ({"text": "x", "trigger": {"words": "AKIAIOSFODNN7EXAMPLE"}}, "bad_request"),
    ],
)
def test_what_cannot_be_intended_is_refused(
    shared: Daemon, body: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refusal, match=code):
        shared.ask("intend", **body)


def test_a_session_is_resumed_with_what_was_left_open(daemon: Daemon, tmp_path: Path) -> None:
    here = str(tmp_path)
    daemon.hook(b"a" * 16, prompt("mend the login", cwd=here))
    daemon.hook(b"b" * 16, tool("Edit", here, file_path=f"{here}/login.py"))
    failed = {
        **tool("Bash", here, command="pytest tests/test_login.py"),
        "error": "Exit code 1\nE x",
    }
    daemon.hook(b"c" * 16, {**failed, "hook_event_name": "PostToolUseFailure"})
    daemon.hook(b"d" * 16, {"hook_event_name": "SessionEnd", "session_id": "s1", "cwd": here})
    daemon.settled()
    project = daemon.ask("list-sessions")["sessions"][0]["project"]
    daemon.ask("intend", text=TEXT, trigger={"file": "*.py"}, project=project)
    resumed = daemon.ask("show-session", project=project)

    assert resumed["session"]["task"] == "mend the login"
    assert [one["command"] for one in resumed["failures"]] == ["pytest tests/test_login.py"]
    assert resumed["edited"] == [f"{here}/login.py"]
    assert [one["text"] for one in resumed["intentions"]] == [TEXT]
    with pytest.raises(Refusal, match="no_such_session"):
        daemon.ask("show-session", project="/elsewhere")
