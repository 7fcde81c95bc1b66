"""Turns: what was said, up to the answer."""

from typing import Any

from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.passages import NOTHING_SAID, PROMPTS, Exchange, after


def prompt(text: str, **other: Any) -> Event:
    return Event("claude", EventKind.PROMPT, "s1", prompt=text, **other)


def ended(message: str) -> Event:
    return Event("claude", EventKind.TURN_END, "s1", message=message)


def through(*events: Event) -> list[Exchange | None]:
    """What each event settles, the events numbered from 1."""
    turn, settled = NOTHING_SAID, list[Exchange | None]()
    for seq, event in enumerate(events, start=1):
        turn, done = after(turn, event, seq)
        settled.append(done)
    return settled


def test_an_answer_settles_every_prompt_since_the_last_one() -> None:
    said = through(prompt("Do it"), prompt("No, the other one"), ended("Done."), ended("And more."))

    assert said == [None, None, Exchange(("Do it", "No, the other one"), 1), Exchange((), 4)]


def test_what_a_client_or_a_subagent_wrote_is_nobodys_word() -> None:
    notified = "<task-notification>done</task-notification>"
    said = through(prompt(notified), prompt("count", agent_id="a1"), ended("Reviewed."))

    assert said[-1] == Exchange((), 3)


def test_a_choice_that_was_asked_for_is_said_too() -> None:
    answers = {"answers": {"Which store?": "SQLite"}}
    asking = Event("claude", EventKind.TOOL, "s1", tool=Tool("AskUserQuestion", response=answers))

    assert through(prompt("Build it"), asking, ended("Built."))[-1] == Exchange(
        ("Build it", "Asked “Which store?”: SQLite"), 1
    )


def test_a_session_that_ends_in_the_middle_of_a_turn_settles_it() -> None:
    end = Event("claude", EventKind.SESSION_END, "s1")

    assert through(prompt("One more thing"), end, end) == [
        None,
        Exchange(("One more thing",), 1),
        None,
    ]


def test_of_a_turn_without_end_the_last_words_stay() -> None:
    said = through(*(prompt(str(number)) for number in range(20)), ended("."))[-1]

    assert said is not None
    assert said.said == tuple(str(number) for number in range(20 - PROMPTS, 20))
