"""Suppression and edits through a real daemon."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest

from tests.daemon.process import Daemon, Refusal, prompt, told

PORT = "The staging database listens on port 5433."
ASKED = "which port is the staging database on?"
NUMBERS = itertools.count(1)


def tell(daemon: Daemon, event: dict[str, Any]) -> str:
    """Send an event; what the agent is told."""
    return told(daemon.hook(f"opinions{next(NUMBERS):08d}".encode(), event))


def test_a_suppressed_memory_is_in_no_prompt_and_later_in_a_search(clean: Daemon) -> None:
    memory = clean.remember(PORT)
    before = clean.ask("recall", query=ASKED)["results"][0]["score"]
    assert clean.ask("suppress", id=memory)["count"] == 1
    after = clean.ask("recall", query=ASKED)["results"][0]["score"]

    assert after == pytest.approx(before * 0.85)
    assert tell(clean, prompt(ASKED, "hidden")) == ""
    assert clean.ask("suppress", id=memory, back=True)["count"] == 0
    assert "5433" in tell(clean, prompt(ASKED, "back"))
    assert clean.ask("suppress", id=memory, back=True)["count"] == 0


def test_opinions_that_come_at_once_all_count(clean: Daemon) -> None:
    memory = clean.remember(PORT)
    with ThreadPoolExecutor(4) as together:
        useful = [together.submit(clean.ask, "feedback", id=memory, useful=True) for _ in range(4)]
        less = [together.submit(clean.ask, "suppress", id=memory) for _ in range(4)]
        times = sorted(one.result()["count"] for one in less)
        wait(useful)

    assert times == [1, 2, 3, 4]
    assert clean.ask("show", id=memory)["usage"]["confidence"] == 0.9


def test_an_opinion_moves_the_confidence_and_never_the_clock(clean: Daemon) -> None:
    """A faded memory that is called useless must not be fresh for months."""
    memory = clean.remember(PORT)
    before = clean.ask("show", id=memory)
    for useful in (True, False, False, False):
        clean.ask("feedback", id=memory, useful=useful)
    after = clean.ask("show", id=memory)

    assert after["usage"]["confidence"] == 0.45
    assert after["memory"]["stability"] == before["memory"]["stability"]
    with pytest.raises(Refusal, match="no_such_memory"):
        clean.ask("feedback", id="m99", useful=True)


def test_an_edit_is_seen_at_once_and_edits_of_five_minutes_are_one_version(clean: Daemon) -> None:
    memory = clean.remember(PORT)
    for number in (6001, 6002):
        clean.ask("edit", id=memory, text=f"The staging database is on {number}.")

    assert clean.recall(ASKED) == ["The staging database is on 6002."]
    assert clean.ask("show", id=memory)["memory"]["versions"] == 2
    clean.ask("edit", id=memory, undo=True)
    assert clean.recall(ASKED) == [PORT]
