"""A hook that gave up on an answer that was there: what it would have printed is told with the next event."""

from __future__ import annotations

import json
import select
import time
from typing import Any

import pytest

from daemon.wire import Frame, encoded
from tests.daemon.process import Daemon, prompt, told, wait_for
from tests.daemon.test_before_tools import RULE, with_rule
from tests.daemon.test_before_tools import project as project  # the fixture
from tests.daemon.test_changes import bash
from tests.patience import PATIENCE

FACT = "The staging database listens on port 5433, because 5432 is taken by the proxy."
QUESTION = "Which port does the staging database listen on?"
TOOL = {
    "hook_event_name": "PostToolUse", "session_id": "s1", "cwd": "/", "tool_name": "Bash",
    "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"},
}  # fmt: skip


def given_up(daemon: Daemon, event_id: bytes, event: dict[str, Any]) -> None:
    """Send an event, and leave when its answer is there, unread."""
    raw = json.dumps(event).encode()
    with daemon.line() as line:
        line.send(encoded(Frame(0, "hook", ["claude", event_id, time.time_ns(), raw])))
        there, _, _ = select.select([line.stream], [], [], PATIENCE)
        assert there


def answers(daemon: Daemon) -> dict[str, int]:
    return dict(daemon.ask("status")["actors"]["answers"])


def test_the_note_is_told_once_with_the_next_event(daemon: Daemon) -> None:
    daemon.remember(FACT)

    given_up(daemon, b"1" * 16, prompt(QUESTION))
    wait_for(lambda: answers(daemon)["late"] == 1, daemon.running)

    assert FACT in told(daemon.hook(b"2" * 16, TOOL))
    wait_for(lambda: answers(daemon)["told_later"] == 1, daemon.running)
    assert told(daemon.hook(b"3" * 16, TOOL)) == ""
    assert told(daemon.hook(b"4" * 16, prompt(QUESTION))) == ""


def test_what_is_told_later_and_given_up_as_well_comes_again(daemon: Daemon) -> None:
    daemon.remember(FACT)

    given_up(daemon, b"1" * 16, prompt(QUESTION))
    wait_for(lambda: answers(daemon)["waiting"] == 1, daemon.running)
    given_up(daemon, b"2" * 16, TOOL)
    wait_for(lambda: answers(daemon)["waiting"] == 1, daemon.running)

    assert FACT in told(daemon.hook(b"3" * 16, TOOL))
    assert answers(daemon)["late"] == 1


def test_a_rule_before_a_call_is_told_before_the_next_one(daemon: Daemon, project: Any) -> None:
    with_rule(daemon, project)
    call = {
        "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(project),
        **bash("make schema"),
    }  # fmt: skip

    given_up(daemon, b"1" * 16, call)

    assert RULE in told(daemon.hook(b"2" * 16, call))
    assert told(daemon.hook(b"3" * 16, call)) == ""


@pytest.mark.parametrize("asks_on", [True, False])
def test_who_reads_its_answer_was_told(daemon: Daemon, *, asks_on: bool) -> None:
    daemon.remember(FACT)
    line = daemon.line()
    with line:
        assert FACT in told(line.hook(b"1" * 16, prompt(QUESTION)))
        if asks_on:  # on the same connection, as no hook does
            assert told(line.hook(b"2" * 16, prompt(QUESTION))) == ""

    assert told(daemon.hook(b"3" * 16, prompt(QUESTION))) == ""
    assert answers(daemon)["late"] == 0
