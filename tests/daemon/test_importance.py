"""Turns that moments captured, and looking back, on a real daemon."""

from __future__ import annotations

import secrets
from typing import Any

from tests.daemon.process import Daemon, prompt, stop, wait_for

DECIDED = "We decided to number the invoices by year, because the tax office asks for it."
CORRECTED = "No, that's wrong: number the invoices by year, not by customer."
OTHER = "Write the changelog entry of the release notes."


def say(daemon: Daemon, text: str, session: str = "s1") -> None:
    """A turn: what is asked, and that it is answered; two answers that are the same count as copies."""
    for event in (prompt(text, session), stop(f"Done {len(text)}.", session)):
        daemon.hook(secrets.token_bytes(16), event)
    daemon.settled()


def episode(daemon: Daemon, kind: str) -> dict[str, Any]:
    """The episode of a kind of moment, once it is there."""

    def found() -> list[dict[str, Any]]:
        page = daemon.ask("episodes", project="/")
        return [one for one in page["episodes"] if one["kind"] == kind]

    wait_for(lambda: bool(found()), daemon.running)
    return found()[0]


def test_a_correction_keeps_the_turns_that_it_is_about_and_why_says_so(daemon: Daemon) -> None:
    for turn in (DECIDED, OTHER, CORRECTED):
        say(daemon, turn)
    wait_for(lambda: len(episode(daemon, "correction")["members"]) == 2, daemon.running)
    members = episode(daemon, "correction")["members"]
    (memory,) = next(one["memories"] for one in members if one["said"] == DECIDED)
    sentences = " ".join(daemon.ask("why", id=memory)["sentences"])

    assert {one["said"] for one in members} == {DECIDED, CORRECTED}
    assert "was kept because you corrected the agent at " in sentences
    assert daemon.ask("episodes", project="/elsewhere")["episodes"] == []
