"""The sentences of ``why``: each says what is known, and what is not known it does not invent."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from daemon.answers.why import Known, sentences
from daemon.shapes.memory import MemoryView, Related
from daemon.storage.why import Provenance
from tests.shapes import memory_view

NOW = 1_800_000_000.0
DAY = 86_400.0
NOWHERE = Provenance(None, None, False, None, None, None, None)
DECISION: dict[str, Any] = {
    "action": "CREATE_LINKED", "memory": "m1", "existing": "m0", "similarity": 0.62,
    "reason": "near but not the same.", "contradiction": None, "at": NOW - 3 * DAY,
}  # fmt: skip


def memory(**other: Any) -> MemoryView:
    return memory_view(**{"created_at": NOW - 3 * DAY, "updated_at": NOW, **other})


def told(of: MemoryView | None = None, *, unjudged: bool = False, **other: Any) -> list[str]:
    known: dict[str, Any] = {
        "memory": of or memory(), "origin": NOWHERE, "decision": None, "later": [], "supersedes": [],
        "shown": None, "used_at": None, **other,
    }  # fmt: skip
    return sentences(Known(**known, unjudged=unjudged, now=NOW))


def test_of_what_nothing_is_known_it_says_so() -> None:
    assert told() == [
        "It was remembered by hand, 3 days ago.",
        "No decision of the gate that made it is on record.",
        "It was never shown.",
        "It was never used.",
    ]


def test_the_reason_that_its_keeper_gave_comes_after_its_origin() -> None:
    lines = told(memory(why="a laptop was stolen."))

    assert lines[1] == "Why it is so, as it was said: a laptop was stolen."


def test_a_memory_of_a_tool_names_session_tool_and_event() -> None:
    made_of = replace(NOWHERE, tool="Bash", event="tool_error", agent="claude", redacted=True)
    found = memory(origin="noticed in a session (fix)", session="s1", versions=3)

    lines = told(found, origin=made_of)

    assert lines[0] == (
        "It was noticed in a session (fix), 3 days ago, in session s1, from the tool Bash"
        " (the event: tool error, of claude)."
    )
    assert lines[1] == "Secrets were taken out of its text before it was stored."
    assert lines[2] == "Its text was rewritten 2 times; earlier ones are kept."


def test_a_decision_is_told_with_its_reason_and_the_memory_it_was_compared_with() -> None:
    alone = {**DECISION, "existing": None, "similarity": 0.0, "reason": ""}

    assert told(decision=DECISION, unjudged=True)[1:3] == [
        "The gate made it: CREATE_LINKED, near but not the same (similarity 0.62 to m0).",
        "It was kept without vectors; the gate looks at it again when it has them.",
    ]
    assert told(decision=alone)[1] == "The gate made it: CREATE_LINKED, no reason noted."


def test_an_ended_memory_says_how_and_who_took_its_place() -> None:
    ended = replace(NOWHERE, ended_at=NOW - DAY)
    superseded = memory(ended="deprecated", state="deprecated", superseded_by="m2")
    forgotten = memory(ended="forgotten", state="forgotten")

    assert "m2 took its place, yesterday: it is deprecated." in told(superseded, origin=ended)
    assert "It is forgotten, since yesterday." in told(forgotten, origin=ended)


def test_uses_and_showings_are_counted() -> None:
    found = memory(uses=2, exposures=1)

    lines = told(found, shown=(NOW - DAY, "prompt"), used_at=NOW, supersedes=["m0", "m8"])

    assert "It took the place of m0, m8." in lines
    assert "It was shown once, last with a prompt, yesterday." in lines
    assert "It was used 2 times, last today." in lines


# ---- links


def related(how: str, *, incoming: bool = False, **other: Any) -> Related:
    known: dict[str, Any] = {
        "id": "m2", "title": "the other", "strength": 1.0, "ended": None, **other,
    }  # fmt: skip
    return Related(how=how, incoming=incoming, link=f"m1:{how}:m2", **known)


@pytest.mark.parametrize(
    ("relation", "forth", "back"),
    [
        ("caused", "caused", "was caused by"),
        ("enabled", "made possible", "was made possible by"),
        ("supersedes", "supersedes", "is superseded by"),
        ("contradicts", "contradicts", "is contradicted by"),
        ("derived_from", "is derived from", "is what was drawn on for"),
        ("supports", "supports", "is supported by"),
    ],
)
def test_a_link_is_read_from_both_ends(relation: str, forth: str, back: str) -> None:
    there = told(links=[related(relation, strength=0.8, evidence="it was said.")])
    here = told(links=[related(relation, incoming=True, ended="forgotten")])

    assert f"It {forth} m2 “the other”, 80% sure: it was said." in there
    assert f"It {back} m2 “the other” (forgotten)." in here


def test_what_took_whose_place_is_said_once() -> None:
    lines = told(links=[related("supersedes")], supersedes=["m2"])

    assert [one for one in lines if "m2" in one] == ["It took the place of m2."]


def test_links_that_are_not_told_are_mentioned() -> None:
    other = related("caused", title="")

    assert "It has more links than these 1, the surest." in told(links=[other], more_links=True)
    assert not [line for line in told(links=[other]) if "more links" in line]
