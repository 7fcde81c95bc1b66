"""``session``: what a session attends to, against the real daemon."""

from __future__ import annotations

import time
from typing import Any

from tests.cli.conftest import Hooked, Program, document


def seen(command: Program, session: str, **wanted: Any) -> dict[str, Any]:
    """The session, once what was told of it is durable."""
    for _ in range(100):
        for row in document(command("session", "list", "--json"))["sessions"]:
            if row["session"] == session and wanted.items() <= row.items():
                found: dict[str, Any] = row
                return found
        time.sleep(0.02)
    raise AssertionError(f"session {session} never was {wanted}")


def test_a_session_shows_what_it_attends_to(command: Program, hooked: Hooked) -> None:
    command("remember", "blue whale database port is 5432", "--trigger", "blue whale")
    note = hooked("UserPromptSubmit", "s-one", prompt="which port has the blue whale?")
    seen(command, "s-one", delivered=1)

    listed = document(command("session", "list", "--json"))["sessions"]
    shown = document(command("session", "show", "s-o", "--json"))
    again = hooked("UserPromptSubmit", "s-one", prompt="which port has the blue whale?")

    assert "5432" in note
    assert again == ""
    assert 0 < shown["working_memory"][0]["attention"] <= 1
    assert [one["title"] for one in shown["delivered"]] == [
        held["title"] for held in shown["working_memory"]
    ]
    assert [one["faded"] for one in shown["delivered"]] == [False]
    assert listed == [shown["session"]]
    assert (len(shown["working_memory"]), shown["session"]["delivered"]) == (1, 1)
    assert shown["session"]["task"] == "which port has the blue whale?"


def test_a_name_that_more_than_one_session_has_is_explained(
    command: Program, hooked: Hooked
) -> None:
    for name in ("s-one", "s-two"):
        hooked("UserPromptSubmit", name, prompt="hello there")
        seen(command, name)

    unclear = command("session", "show", "s-")

    assert unclear.returncode == 1
    assert "more than one session's name" in unclear.stderr
