"""The benchmark of corrections, on rows that are made up here, without vectors."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from lab.benchmarks.corrections import Row, lines, outcome, question, replayed
from lab.world import repeatable

STORED = ["The session cookie lives for 24 hours.", "Backups are encrypted with age."]


def row(prompt: str, ends: int | None, *says: str) -> Row:
    asks = "How many hours does the session cookie live for?"
    return {"stored": STORED, "prompt": prompt, "ends": ends, "says": says, "asks": asks}


def test_the_next_session_is_told_the_new_value_and_a_look_alike_ends_nothing() -> None:
    given = [
        row("No, the session cookie lives for 8 hours. Can you check the login?", 0, "8 hours"),
        row("The refresh token lives for 8 hours, add a column for it", None),
    ]
    with repeatable(11):
        found = trio.run(replayed, given, None, clock=MockClock(autojump_threshold=0.0))

    assert [one.told for one in found] == ["the new alone", ""]
    assert found[0].made == ("The session cookie lives for 8 hours.",)
    assert lines(given, found) == [
        "1 corrections: 1 set right",
        "known: the new alone 1, both 0, only the old 0, nothing 0",
        "the next session is told the new alone 1, both 0, only the old 0, nothing 0",
        "1 that look like it: 0 ended something; rows in which another text ended: 0",
    ]


def test_what_was_told_counts_by_whole_texts() -> None:
    given = row("the cookie lives for 8 hours now", 0, "8 Hours")
    kept = [(STORED[0], 1), (STORED[1], 1)]
    new = "The cookie lives for 8 hours now."

    assert outcome(given, kept, f"- {STORED[0]}").told == "only the old"
    assert outcome(given, [*kept, (new, 1)], f"- {new}\n- {STORED[0]}").told == "both"
    assert outcome(given, [*kept, (new, 1)], "").told == "nothing"
    assert not outcome(given, [*kept, (new, 1)], f"- {new}").right


def test_without_a_prompt_of_its_own_the_next_session_asks_for_the_text_but_its_value() -> None:
    asked = question(STORED[0], ["8 hours"])

    assert "session cookie lives for" in asked
    assert "24" not in asked
