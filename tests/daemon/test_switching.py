"""What a person sees who switches the notes of a session off or on."""

from __future__ import annotations

import json

import pytest

from actors.policy.events.events import Event, EventKind
from daemon import hook_answers
from daemon.hook_answers import acknowledged
from tests.daemon.process import Daemon, prompt

STANDING = "Never push to the main branch of the whale project."


def event(
    text: str, kind: EventKind = EventKind.PROMPT, session: str = "s1", agent_id: str = ""
) -> Event:
    return Event("claude", kind, session, prompt=text, agent_id=agent_id)


@pytest.mark.parametrize(
    ("text", "enabled", "line"),
    [
        (".memory off", True, hook_answers.OFF),
        ("/memory off", False, hook_answers.OFF),
        ("mend the build\n.nomemory", True, hook_answers.OFF),
        (" .memory on ", True, hook_answers.ON),
        (".memory on", False, hook_answers.STAYS_OFF),
    ],
)
def test_who_switches_is_told_in_one_line_that_no_model_reads(
    text: str, enabled: bool, line: str
) -> None:
    printed = json.loads(acknowledged(event(text), enabled=enabled))

    assert printed == {"systemMessage": line}
    assert "\n" not in line
    assert len(line) <= 80


@pytest.mark.parametrize(
    "other",
    [
        event("mend the build"),
        event("what does .memory off do?"),
        event("<task-notification>\n.nomemory\n</task-notification>"),
        event(".memory off", EventKind.SESSION_START),
        event(".memory off", agent_id="a1"),
        event(".memory off", session=""),
    ],
)
def test_whatever_switches_nothing_is_not_acknowledged(other: Event) -> None:
    assert acknowledged(other, enabled=True) == b""


def test_the_line_comes_with_each_switch_and_the_notes_go_and_come(daemon: Daemon) -> None:
    daemon.remember(STANDING)
    asked = prompt("may I push to the main branch of the whale project?")
    with daemon.line() as line:
        off = line.hook(b"1" * 16, prompt(".memory off"))
        again = line.hook(b"1" * 16, prompt(".memory off"))
        without = line.hook(b"2" * 16, asked)
        on = line.hook(b"3" * 16, prompt(".memory on"))
        answered = line.hook(b"4" * 16, asked)

    assert json.loads(off) == {"systemMessage": hook_answers.OFF}
    assert again == b""  # an event counts once
    assert without == b""
    assert json.loads(on) == {"systemMessage": hook_answers.ON}
    assert "additionalContext" in json.loads(answered)["hookSpecificOutput"]
