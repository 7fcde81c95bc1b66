"""Counts of what a replay told, and the fate of a useful note in its session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.benchmarks.told import Judged, Start, Telling, Watched, fate, judged, table, unjudged

PLAN = "The user wants to see a plan first."
PORT = "The port is 5432."
PAGE = (
    "<reverie-notes>\nNotes of old.\n- The user wants to see a plan\n  first. (m1: the user, today)\n"
    "- m2z Ports\n</reverie-notes>"
)
WRITTEN = {PLAN: (1, True), PORT: (107, True), "It was 5433.": (3, False)}
START = Start("a", 1, {**WRITTEN, "Retries begin at three.": (4, True)})


def told(text: str = PAGE, moment: str = "start", line: int = 1) -> Telling:
    return Telling("a", line, moment, "push it", text)


@pytest.fixture
def known(tmp_path: Path) -> Judged:
    """Two recorded notes; the plan was useful at line 7, the port noise before a command at line 5."""
    notes = [{"id": "0.1", "text": PLAN}, {"id": "0.2", "text": PORT}]
    rows = [
        {"session": "a", "event": 7, "moment": "prompt", "note": "0.1", "v": "useful"},
        {"session": "a", "event": 5, "moment": "action", "note": "0.2", "v": "noise"},
        {"session": "a", "event": 5, "moment": "prompt", "missing": "the host"},
    ]
    (tmp_path / "reader.shop.jsonl").write_text(json.dumps({"session": "a", "notes": notes}))
    (tmp_path / "told.shop.jsonl").write_text("\n".join(map(json.dumps, rows)))
    later = {"session": "a", "event": 6, "moment": "failure", "note": "By hand.", "v": "harmless"}
    (tmp_path / "later.jsonl").write_text(json.dumps(later))
    return judged(tmp_path, "shop", [tmp_path / "later.jsonl"])


def test_a_note_stood_whole_as_a_line_or_not_at_all() -> None:
    notes = [PLAN, PORT, "Retries begin at three.", "It was 5433.", "Nobody wrote."]

    assert [fate(one, [START], [told()]) for one in notes] == [
        "whole", "line", "left out", "ended", "not written yet",
    ]  # fmt: skip


def test_of_several_tellings_of_a_session_the_best_counts() -> None:
    assert fate(PLAN, [START], [told(""), told(moment="action")]) == "whole"
    assert fate(PLAN, [START], [told("")]) == "left out"


def test_what_was_told_is_counted_by_its_moment_and_its_verdict(known: Judged) -> None:
    before = f"<reverie-notes>\nNotes.\n- {PORT} (m2: an agent, today)\n</reverie-notes>"
    after = "<reverie-notes>\nNotes.\n- By hand. (m9: the user, today)\n</reverie-notes>"
    seen = Watched(
        [told(), told(before, "action", 5), told(after, "failure", 6), told(after, "prompt", 6)],
        [START], [0.01],
    )  # fmt: skip

    lines = "\n".join(table("shop", seen, known))

    assert "of 1 notes that proved useful in a session 100% whole" in lines
    assert "start: told 1 notes, useful 1 (100%)" in lines
    assert "action: told 1 notes, useful 0 (0%), harmless 0 (0%), noise 1 (100%)" in lines
    assert "failure: told 1 notes, useful 0 (0%), harmless 1 (100%)" in lines
    assert "prompt: told 1 notes, useful 0 (0%), harmless 0 (0%), noise 0 (0%), without verdict 1" in lines  # fmt: skip


def test_a_judge_gets_what_has_no_verdict_without_where_it_comes_from(known: Judged) -> None:
    at_prompt = told(f"- {PORT} (m2: an agent, today)\n", "prompt", 5)
    seen = Watched([told(), at_prompt], [START])

    assert unjudged("shop", seen, known) == [
        {
            "project": "shop", "session": "a", "event": 5, "moment": "prompt", "note": "0.2",
            "text": PORT, "at": "push it", "v": "",
        }
    ]  # fmt: skip
