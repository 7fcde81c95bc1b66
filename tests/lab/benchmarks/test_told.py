"""Fate of a useful note as a session started."""

from __future__ import annotations

from lab.benchmarks.told import Start, fate

PLAN = "The user wants to see a plan first."
PAGE = (
    "<reverie-notes>\n- The user wants to see a plan\n  first. (m1: the user, today)\n- m2 Ports\n"
)
WRITTEN = {PLAN: (1, True), "The port is 5432.": (2, True), "It was 5433.": (3, False)}


def start(told: str = PAGE) -> Start:
    return Start("a", 1, told, {**WRITTEN, "Retries begin at three.": (4, True)})


def test_a_note_stood_whole_as_a_line_or_not_at_all() -> None:
    notes = [PLAN, "The port is 5432.", "Retries begin at three.", "It was 5433.", "Nobody wrote."]

    assert [fate(one, [start()]) for one in notes] == [
        "whole", "line", "left out", "ended", "not written yet",
    ]  # fmt: skip


def test_of_several_starts_of_a_session_the_best_counts() -> None:
    assert fate(PLAN, [start(""), start()]) == "whole"
    assert fate(PLAN, [start("")]) == "left out"
