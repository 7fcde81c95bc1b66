"""A subagent of the real Claude Code starts with what is known about its task.

Opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.conftest import NOTES, Claude
from tests.e2e.messages_api import said, used
from tests.e2e.test_claude import succeeded

pytestmark = pytest.mark.real_client

FACT = "The staging database listens on port 5433, because 5432 is taken by the proxy."
TASK = "Find out which port the staging database listens on."


def notes_of(request: dict[str, Any]) -> list[str]:
    return NOTES.findall(json.dumps(request["messages"]))


@pytest.mark.parametrize(("task", "told"), [(TASK, True), ("Write a haiku about rain.", False)])
def test_it_is_told_what_bears_on_its_task_and_the_session_is_not(
    claude: Claude, task: str, told: bool
) -> None:
    claude.reverie.document("up")
    claude.reverie.document("remember", FACT)
    run = claude.run(
        "Please ask somebody.",
        used("Agent", description="look", prompt=task, subagent_type="general-purpose"),
        said("Asked."),
        said("Done."),
    )
    claude.reverie.settle()
    asked = [request for request in run.asked if request.get("tools")]
    subagents = [one for one in asked if task in json.dumps(one["messages"][0])]
    others = [one for one in asked if one not in subagents]

    assert succeeded(run)
    assert subagents
    assert others
    assert [FACT in "".join(notes_of(one)) for one in subagents] == [told] * len(subagents)
    assert all(notes_of(one) == [] for one in others)
    kinds = [e["kind"] for e in claude.reverie.journal()]
    assert (kinds.count("subagent_task"), kinds.count("subagent_start")) == (1, 1)
