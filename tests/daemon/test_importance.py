"""Importance, captures and looking back on a real daemon."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, Refusal, prompt, wait_for

ON = {"REVERIE_TAGGING_ENABLED": "true"}
FLAG = "Remember this: the invoices are numbered by year."


def say(daemon: Daemon, text: str, session: str = "s1") -> None:
    daemon.hook(secrets.token_bytes(16), prompt(text, session))
    daemon.settled()


def start(daemon: Daemon, session: str, source: str = "startup") -> str:
    """What a session that starts is told."""
    event = {
        "hook_event_name": "SessionStart", "session_id": session, "cwd": "/", "source": source,
    }  # fmt: skip
    return daemon.hook(secrets.token_bytes(16), event).decode()


def importance(daemon: Daemon, memory: str) -> dict[str, Any]:
    found: dict[str, Any] = daemon.ask("why", id=memory)["importance"]
    return found


def causes(daemon: Daemon, memory: str) -> list[str]:
    return [change["cause"] for change in importance(daemon, memory)["changes"]]


def until_changed_by(daemon: Daemon, memory: str, *wanted: str) -> None:
    wait_for(lambda: set(wanted) <= set(causes(daemon, memory)), daemon.running)


def test_a_session_starts_without_a_word_of_what_was_captured(make: Make) -> None:
    daemon = make(**ON).start()
    memory = daemon.remember(
        "the invoices are numbered by year", project="/", triggers=["invoices"]
    )
    say(daemon, FLAG)
    until_changed_by(daemon, memory, "capture")

    assert start(daemon, "s2") == ""


def test_tags_candidates_and_the_episodes_of_a_memory(make: Make) -> None:
    daemon = make(**ON).start()
    memory = daemon.remember(
        "the invoices are numbered by year", project="/", triggers=["invoices"]
    )
    loose = daemon.ask("tags", project="/")
    between = daemon.ask("tags", project="/", begin=0.0, end=1.0)
    say(daemon, FLAG)
    until_changed_by(daemon, memory, "capture")
    taken = daemon.ask("tags", project="/")
    page = daemon.ask("episodes-of", id=memory)

    assert [(tag["id"], tag["episode"]) for tag in loose["tags"]] == [(memory, None)]
    assert loose["tags"][0]["strength"] == pytest.approx(1.0, abs=0.01)
    assert between["tags"] == []
    assert (taken["active"], taken["captured"]) == (0, 1)
    assert daemon.ask("tags", project="/elsewhere")["tags"] == []
    assert [member["id"] for episode in page["episodes"] for member in episode["members"]] == [
        memory
    ]
    with pytest.raises(Refusal, match="no_such_memory"):
        daemon.ask("episodes-of", id="mzzz")


def test_a_failure_looks_back_and_why_tells_of_it(make: Make) -> None:
    daemon = make(**ON).start()
    cause = daemon.remember("we renamed PAYMENT_URL in deploy/prod.yml", project="/")
    failure = daemon.remember("checkout crashed: PAYMENT_URL is not set", project="/")
    seen = daemon.ask("backfill", id=failure)
    applied = daemon.ask("backfill", id=failure, apply=True)
    again = daemon.ask("backfill", id=failure, apply=True)
    sentences = " ".join(daemon.ask("why", id=cause)["sentences"])

    assert [one["id"] for one in seen["causes"]] == [cause]
    assert seen["causes"][0]["shared"] == ["PAYMENT_URL"]
    assert (seen["applied"], applied["applied"]) == (False, True)
    assert [one["proposed"] for one in applied["causes"]] == [
        one["proposed"] for one in seen["causes"]
    ]
    assert again["causes"] == []
    assert f"It was strengthened as it may explain a failure told in {failure}" in sentences
    for wrong in ({}, {"id": failure, "failure": "x"}):
        with pytest.raises(Refusal, match="bad_request"):
            daemon.ask("backfill", **wrong)
    with pytest.raises(Refusal, match="no_such_memory"):
        daemon.ask("backfill", id="mzzz")


def test_a_very_important_memory_is_proposed_in_words_and_not_promoted(make: Make) -> None:
    daemon = make(**ON).start()
    memory = daemon.remember(
        "the invoices are numbered by year", project="/", triggers=["invoices"]
    )
    say(daemon, FLAG)
    until_changed_by(daemon, memory, "capture")
    why = daemon.ask("why", id=memory)

    assert why["importance"]["promotable"] is True
    assert "It may deserve a higher tier" in " ".join(why["sentences"])
    assert why["memory"]["tier"] == "normal"
