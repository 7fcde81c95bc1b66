"""What sessions are told as they start or go on, through the hooks that an agent runs.

With the real Claude Code where it is there: opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

import json

import pytest

from tests.e2e.conftest import Claude, Reverie
from tests.e2e.messages_api import said, used
from tests.e2e.test_claude import succeeded

TASK = "Write a haiku about rain."
RULE = "Run the tests of the payments with nox, never with tox."


def keep(reverie: Reverie, text: str) -> None:
    """Keep a rule of the user."""
    reverie.document("remember", text, "--type", "convention", "--project", ".")


def start(reverie: Reverie, source: str, session: str = "s1") -> bytes:
    """A session starts; what its hook prints."""
    event = {"hook_event_name": "SessionStart", "session_id": session, "source": source}
    return reverie.told(cwd=str(reverie.folder), **event).stdout


def test_a_resumed_session_is_told_once_what_the_user_kept_meanwhile(reverie: Reverie) -> None:
    reverie.document("up")
    start(reverie, "startup")
    keep(reverie, RULE)
    told, again = start(reverie, "resume"), start(reverie, "resume")

    assert RULE.encode() in told
    assert again == b""


@pytest.mark.real_client
@pytest.mark.parametrize(
    ("entrypoint", "told"), [("claude-desktop", True), ("", True), ("sdk-py", False)]
)
def test_a_session_that_a_script_runs_starts_without_the_page(
    claude: Claude, entrypoint: str, told: bool
) -> None:
    claude.entrypoint = entrypoint
    claude.reverie.document("up")
    keep(claude.reverie, RULE)
    run = claude.run("Say hello.", said("Hello."))

    assert succeeded(run)
    assert (RULE in "".join(run.notes)) is told


@pytest.mark.real_client
@pytest.mark.parametrize("forks", [False, True])
def test_what_was_learnt_meanwhile_is_in_the_request_of_a_resumed_session_and_of_a_fork(
    claude: Claude, forks: bool
) -> None:
    claude.reverie.document("up")
    first = claude.run("Say hello.", said("Hello."))
    keep(claude.reverie, RULE)
    second = claude.run("And again.", said("Hello."), resume=first.session, forks=forks)

    assert succeeded(second)
    assert (second.session != first.session) is forks
    assert RULE not in "".join(first.notes)
    assert RULE in "".join(second.notes)


@pytest.mark.real_client
def test_a_subagents_first_request_has_the_rules_of_the_user(claude: Claude) -> None:
    claude.reverie.document("up")
    keep(claude.reverie, RULE)
    run = claude.run(
        "Please ask somebody.",
        used("Agent", description="look", prompt=TASK, subagent_type="general-purpose"),
        said("Asked."),
        said("Done."),
    )
    subagents = [json.dumps(one) for one in run.asked if TASK in json.dumps(one["messages"][:1])]

    assert succeeded(run)
    assert [RULE in one for one in subagents] == [True] * len(subagents) != []


@pytest.mark.real_client
@pytest.mark.parametrize(("typed", "opened"), [("reverie show m1", True), ("reverie list", False)])
def test_a_note_is_opened_without_asking_and_nothing_else_is_run(
    claude: Claude, typed: str, opened: bool
) -> None:
    claude.reverie.document("up")
    assert claude.reverie.run("install", "claude", "--yes").returncode == 0
    keep(claude.reverie, RULE)
    run = claude.run(
        "Open it.", used("Bash", command=typed, description="open"), said("Done."), asks=True
    )
    answers = [
        json.dumps(part)
        for message in run.asked[-1]["messages"]
        for part in message["content"]
        if isinstance(part, dict) and part["type"] == "tool_result"
    ]

    assert len(answers) == 1
    assert (RULE in answers[0]) is opened
