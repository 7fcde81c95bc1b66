"""How a session's prompts were answered, asked of a real daemon."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from actors.policy.recall.considered import LEAST
from actors.policy.recall.evidence import THRESHOLD
from tests.daemon.process import Daemon, Refusal, prompt, wait_for

PORT = "The staging database listens on port 5433."
ASKED = "which port is the staging database on?"
NUMBERS = itertools.count(1)


@pytest.fixture
def clean(shared: Daemon) -> Daemon:
    """The shared daemon without a memory."""
    shared.ask("purge", what="everything")
    return shared


def tell(daemon: Daemon, event: dict[str, Any]) -> str:
    printed = daemon.hook(f"injected{next(NUMBERS):08d}".encode(), event)
    return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"]) if printed else ""


def answered(daemon: Daemon, session: str, many: int) -> list[dict[str, Any]]:
    """The prompts of a session, once so many of them are written down."""

    def told() -> list[dict[str, Any]]:
        try:
            found = daemon.ask("injections", session=session)["prompts"]
        except Refusal:  # the session itself is written down after the answer, too
            return []
        return [one for one in found if one["answered"]]

    wait_for(lambda: len(told()) >= many, daemon.running)
    return told()


def test_each_prompt_says_what_it_was_told_and_why_and_what_was_not_told(clean: Daemon) -> None:
    memory = clean.remember(PORT)
    block = tell(clean, prompt(ASKED, "inj-1"))
    tell(clean, prompt(ASKED, "inj-1"))
    first, second = answered(clean, "inj-1", 2)

    assert (first["text"], first["characters"]) == (ASKED, len(block))
    assert [(one["id"], one["fate"], one["used"]) for one in first["considered"]] == [
        (memory, "told", None)
    ]
    assert first["considered"][0]["confidence"] >= THRESHOLD
    assert first["milliseconds"] > 0
    assert second["characters"] == 0
    assert [one["fate"] for one in second["considered"]] == ["known in this session"]


def test_a_memory_tells_why_prompts_were_not_told_of_it_and_what_its_project_said_of_it(
    clean: Daemon,
) -> None:
    memory = clean.remember(PORT)
    for _ in range(2):
        tell(clean, prompt(ASKED, "inj-3"))
    answered(clean, "inj-3", 2)
    clean.ask("feedback", id=memory, useful=False, project="shop")
    clean.ask("feedback", id=memory, useful=False, project="shop", agent_in="shop")
    why = clean.ask("why", id=memory)

    assert why["usage"]["untold"] == {"known in this session": 1}
    assert why["usage"]["verdicts"] == [{"project": "shop", "useful": 0, "useless": 2}]
    assert why["usage"]["validations"] == 1  # an agent's verdict is none of a person
    assert (
        "It was weighed for prompts and not told: once known in this session." in why["sentences"]
    )
    assert "In shop it was called useless 2 times: prompts there heed that." in why["sentences"]


def test_a_use_of_what_was_told_stands_beside_it(clean: Daemon) -> None:
    clean.remember(PORT)
    tell(clean, prompt(ASKED, "inj-2"))
    answered(clean, "inj-2", 1)
    stop = {
        "hook_event_name": "Stop", "session_id": "inj-2", "cwd": "/",
        "last_assistant_message": "It is on 5433.",
    }  # fmt: skip
    tell(clean, stop)

    def used() -> Any:
        return answered(clean, "inj-2", 1)[0]["considered"][0]["used"]

    wait_for(lambda: used() == "cited", clean.running)


def test_a_text_is_answered_like_a_prompt_and_leaves_no_trace(clean: Daemon) -> None:
    memory = clean.remember(PORT)
    recalled = clean.ask("recall", query=ASKED, as_prompt=True)
    silent = clean.ask("recall", query="thanks, that will do", as_prompt=True)
    shown = clean.ask("show", id=memory)["memory"]

    assert PORT in recalled["prompt"]
    assert [(one["id"], one["fate"]) for one in recalled["considered"]] == [(memory, "told")]
    assert silent["prompt"] == ""
    assert all(LEAST <= one["confidence"] < THRESHOLD for one in silent["considered"])
    assert shown["exposures"] == 0
