"""Use and opinions through a real daemon."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.daemon.process import Daemon, Refusal, prompt, stop, told, wait_for

PORT = "The staging database listens on port 5433."
ASKED = "which port is the staging database on?"
NUMBERS = itertools.count(1)


def tell(daemon: Daemon, event: dict[str, Any]) -> str:
    """Send an event; what the agent is told."""
    return told(daemon.hook(f"opinions{next(NUMBERS):08d}".encode(), event))


def causes(daemon: Daemon, memory: str) -> list[str]:
    return [credit["cause"] for credit in daemon.ask("why", id=memory)["usage"]["credits"]]


def once_shown(daemon: Daemon, memory: str, times: int = 1) -> None:
    """Wait until it is noted that it was shown so often: that comes after the answer."""
    wait_for(lambda: daemon.ask("show", id=memory)["memory"]["exposures"] >= times, daemon.running)


def test_an_answer_that_cites_a_note_is_a_review_and_another_is_not(clean: Daemon) -> None:
    memory = clean.remember(PORT)
    answers = (("cites", "It is on 5433."), ("does not", "I'll look it up."))
    for times, (session, said) in enumerate(answers, start=1):
        assert "5433" in tell(clean, prompt(ASKED, session))
        once_shown(clean, memory, times)
        tell(clean, stop(said, session))
    wait_for(lambda: causes(clean, memory) == ["cited"], clean.running)
    clean.settled()
    why = clean.ask("why", id=memory)

    assert [review["cause"] for review in why["reviews"]] == ["cited"]
    assert any("cited by the agent on" in sentence for sentence in why["sentences"])
    figures = clean.ask("stats")
    assert (figures["shown"], figures["cited"]) == (2, 1)


def test_what_is_called_useless_comes_later_and_fades_as_before(clean: Daemon) -> None:
    one = clean.remember(PORT)
    other = clean.remember("The staging database is backed up nightly.")
    asked = "staging database"
    first, *_ = [found["id"] for found in clean.ask("recall", query=asked)["results"]]
    before = clean.ask("show", id=first)["memory"]
    for _ in range(8):
        clean.ask("feedback", id=first, useful=False)
    after = clean.ask("show", id=first)["memory"]
    found = [one["id"] for one in clean.ask("recall", query=asked)["results"]]

    assert found == [({one, other} - {first}).pop(), first]
    assert after["stability"] == before["stability"]
    assert after["uses"] == before["uses"] == 0


def test_a_suppressed_memory_is_in_no_prompt_and_later_in_a_search(clean: Daemon) -> None:
    memory = clean.remember(PORT)
    before = clean.ask("recall", query=ASKED)["results"][0]["score"]
    assert clean.ask("suppress", id=memory)["count"] == 1
    after = clean.ask("recall", query=ASKED)["results"][0]["score"]

    assert after == pytest.approx(before * 0.85)
    assert tell(clean, prompt(ASKED, "hidden")) == ""
    assert clean.ask("suppress", id=memory, back=True)["count"] == 0
    assert "5433" in tell(clean, prompt(ASKED, "back"))
    with pytest.raises(Refusal, match="too_late"):
        clean.ask("suppress", id=memory, back=True)


def test_an_edit_is_seen_at_once_and_edits_of_one_window_are_one_version(clean: Daemon) -> None:
    memory = clean.remember(PORT)
    assert clean.recall(ASKED) == [PORT]  # now it is labile
    once_shown(clean, memory)
    for number in range(1, 11):
        edited = clean.ask("edit", id=memory, text=f"The staging database is on {6000 + number}.")
        assert edited["settles_at"] is not None
    with pytest.raises(Refusal, match="edited 10 times"):
        clean.ask("edit", id=memory, text="The staging database is on 7000.")

    assert clean.recall(ASKED) == ["The staging database is on 6010."]
    shown = clean.ask("show", id=memory)
    assert shown["memory"]["versions"] == 2
    assert [window["edits"] for window in shown["usage"]["windows"]] == [10]
    assert clean.ask("edit", id=memory, undo=True)["settles_at"] is None
    assert clean.recall(ASKED) == [PORT]
