"""``list --fading``, ``timeline``, ``why``, ``stats`` and ``session``, against the real daemon."""

from __future__ import annotations

import json
import time
from typing import Any

from daemon.home import Home
from tests.cli.conftest import Hooked, Program, document


def imported(command: Program, *rows: dict[str, Any]) -> dict[str, str]:
    """Keep these rows as they are; the id of each by its key."""
    lines = "".join(json.dumps({"project": "p", **row}) + "\n" for row in rows)
    done = command("import", "-", "--no-gate", "--json", stdin=lines)
    assert done.returncode == 0, done.stderr
    listed = document(command("list", "--json"))["memories"]
    return {memory["key"]: memory["id"] for memory in listed}


def seen(command: Program, session: str, **wanted: Any) -> dict[str, Any]:
    """The session, once what was told of it is durable."""
    for _ in range(100):
        for row in document(command("session", "list", "--json"))["sessions"]:
            if row["session"] == session and wanted.items() <= row.items():
                found: dict[str, Any] = row
                return found
        time.sleep(0.02)
    raise AssertionError(f"session {session} never was {wanted}")


# ---- list --fading and stats


def test_stats_count_what_there_is(command: Program, home: Home) -> None:
    ids = imported(
        command,
        {"key": "a", "text": "amber queue", "type": "decision"},
        {"key": "b", "text": "blue lamp", "tier": "important"},
        {"key": "c", "text": "red door"},
    )
    command("remember", "the port is 4711")
    command("useful", ids["a"])
    command("forget", ids["c"])
    command("recall", "amber queue", "--project", "p")

    found = document(command("stats", "--json"))
    while found["exposures"] == 0:  # what was shown is written after the answer
        found = document(command("stats", "--json"))

    assert found["memories"] == 3
    assert found["kinds"] == {"fact": 2, "decision": 1}
    assert found["tiers"] == {"normal": 2, "important": 1}
    assert found["states"] == {"HOT": 3, "WARM": 0, "COLD": 0, "DORMANT": 0, "archivable": 0}
    assert found["projects"] == {"p": 2, "": 1}
    # made just now: .40 + .30 of the tiers' average + .20 * n / 5 + .05
    assert found["folders"] == {"p": 0.725, "": 0.64}
    assert found["ended"] == {"forgotten": 1}
    assert found["actions"] == {"CREATE": 1}  # rows without the gate are not its decisions
    assert found["journal"] == {"events": 0, "undone": 0}
    assert found["vectors"] == {"memories": 0, "chunks": 0, "with_tokens": 0, "token_bytes": 0}
    assert found["bytes"] >= home.database.stat().st_size > 0
    assert found["in_memory"].keys() == {
        "memories", "words", "mapped", "vectors", "vectors_mapped", "phrases", "passages",
    }  # fmt: skip
    assert found["on_disk"]["database"] >= found["bytes"] > found["on_disk"]["journal"] > 0
    assert found["on_disk"].keys() == {
        "database", "journal", "index", "models", "spool", "backups", "logs"
    }  # fmt: skip
    assert (found["days"], found["uses"]) == (30, 0)  # an opinion is no use


# ---- timeline and why


def test_why_names_the_decision_the_successor_the_use_and_the_phrases(command: Program) -> None:
    old = document(command("remember", "the port is 4711", "--trigger", "harbour door", "--json"))[
        "id"
    ]
    command("recall", "which port")
    command("useful", old)
    before = document(command("why", old, "--json"))
    new = document(command("remember", "the port is 4712", "--supersede", old, "--json"))["id"]
    after = document(command("why", old, "--json"))
    successor = document(command("why", new, "--json"))
    told = " ".join(before["sentences"])

    assert before["decision"]["action"] == "CREATE"
    assert before["decision"]["reason"].rstrip(".") in told
    assert "remembered by hand, today" in told
    assert "shown once, last by a search, today" in told
    assert "It was never used" in told  # an opinion is no use
    assert "after 1 verdict" in told
    assert "“harbour door” (set by a person)" in told
    assert (before["shown_where"], len(before["reviews"])) == ("recall", 0)
    assert after["memory"]["superseded_by"] == new
    assert f"{new} took its place, today: it is deprecated." in after["sentences"]
    assert successor["supersedes"] == [old]
    assert successor["decision"]["action"] == "SUPERSEDE"
    assert f"It took the place of {old}." in successor["sentences"]
    assert "It was never used." in successor["sentences"]


# ---- sessions


def test_a_session_shows_what_it_attends_to_and_is_emptied(
    command: Program, hooked: Hooked
) -> None:
    command("remember", "blue whale database port is 5432", "--trigger", "blue whale")
    note = hooked("UserPromptSubmit", "s-one", prompt="which port has the blue whale?")
    seen(command, "s-one", delivered=1)

    listed = document(command("session", "list", "--json"))["sessions"]
    shown = document(command("session", "show", "s-o", "--json"))
    again = hooked("UserPromptSubmit", "s-one", prompt="which port has the blue whale?")
    cleared = document(command("session", "clear", "s-one", "--json"))
    empty = document(command("session", "show", "s-one", "--json"))
    after = hooked("UserPromptSubmit", "s-one", prompt="which port has the blue whale?")

    assert "5432" in note
    assert again == ""
    assert 0 < shown["working_memory"][0]["attention"] <= 1
    assert [one["title"] for one in shown["delivered"]] == [
        held["title"] for held in shown["working_memory"]
    ]
    assert [one["faded"] for one in shown["delivered"]] == [False]
    assert listed == [shown["session"]]
    assert (shown["session"]["held"], shown["session"]["delivered"]) == (1, 1)
    assert shown["session"]["task"] == "which port has the blue whale?"
    assert cleared["count"] == 1
    assert (empty["working_memory"], empty["delivered"]) == ([], [])
    assert "5432" in after


def test_a_session_that_is_not_known_or_not_the_only_one_is_explained(
    command: Program, hooked: Hooked
) -> None:
    for name in ("s-one", "s-two"):
        hooked("UserPromptSubmit", name, prompt="hello there")
        seen(command, name)

    unknown, unclear = command("session", "show", "x"), command("session", "clear", "s-")

    assert (unknown.returncode, unclear.returncode) == (1, 1)
    assert "no session of this name" in unknown.stderr
    assert "more than one session's name" in unclear.stderr


# ---- what people read
