"""Conduct: what a session's events say of how it goes about its work."""

from __future__ import annotations

from typing import Any

from actors.policy.capture.importance import Conduct, is_learning
from actors.policy.events.conduct import TOPICS, Doings, conduct, went_on
from actors.policy.events.events import Event, parsed


def event(name: str, **fields: Any) -> Event:
    found = parsed("claude", {"hook_event_name": name, **fields})
    assert isinstance(found, Event)
    return found


def used(tool: str, **given: Any) -> Event:
    return event("PostToolUse", tool_name=tool, tool_input=given)


def after(*events: Event, apart: float = 60.0) -> Doings:
    """A session of these events, a minute between two."""
    doings: Doings | None = None
    for number, one in enumerate(events):
        doings = went_on(doings, one, 1000 + apart * number, person=True)
    assert doings is not None
    return doings


def test_prompts_reads_and_searches_are_queries() -> None:
    doings = after(
        event("UserPromptSubmit", prompt="Where is it?"),
        used("Grep", pattern="invoice"),
        used("Read", file_path="/p/a.py"),
        used("Read", file_path="/p/a.py"),
        used("Edit", file_path="/p/a.py"),
        used("Bash", command="ls"),
    )

    assert conduct(doings) == Conduct(queries=4, edits=1, minutes=5.0, depth=2 / 3, topics=3)


def test_a_session_that_looked_nothing_up_has_no_depth() -> None:
    assert conduct(after(event("UserPromptSubmit", prompt="hi"))).depth == 0.0


def test_what_a_machine_said_and_what_failed_is_no_query() -> None:
    prompt = went_on(None, event("UserPromptSubmit", prompt="done"), 0.0, person=False)
    failed = went_on(
        prompt, event("PostToolUseFailure", tool_name="Read", error="no file"), 1.0, person=True
    )

    assert conduct(failed).queries == 0


def test_topics_are_told_apart_by_what_was_asked_for() -> None:
    same = after(*(used("WebSearch", query=f"How  to {word}") for word in ("x", "X", "y")))
    many = after(*(used("Grep", pattern=str(number)) for number in range(TOPICS + 9)))
    nameless = after(used("Grep"))

    assert (len(same.topics), len(many.topics), len(nameless.topics)) == (2, TOPICS, 0)


def test_an_event_that_comes_late_does_not_turn_the_time_back() -> None:
    doings = went_on(Doings(100.0, 200.0), used("Read", file_path="a"), 150.0, person=True)

    assert (doings.began, doings.last) == (100.0, 200.0)


def test_twenty_minutes_of_looking_up_are_learning() -> None:
    doings = after(*(used("Read", file_path=str(n)) for n in range(60)), apart=20.0)

    assert is_learning(conduct(doings))
