"""Hypotheses with a real daemon: a wrong intermediate hypothesis never comes back as fact."""

from __future__ import annotations

from typing import Any

from tests.daemon.process import Daemon, prompt

GUESS = "The failure is probably caused by the stale TTL in src/cache.py."
ASKED = "why did the failure of the stale TTL in src/cache.py happen?"


def said(text: str, session: str = "s1") -> dict[str, Any]:
    return {
        "hook_event_name": "Stop", "session_id": session, "cwd": "/",
        "last_assistant_message": text,
    }  # fmt: skip


def shell(command: str, output: str, *, failed: bool) -> dict[str, Any]:
    done: dict[str, Any] = (
        {"hook_event_name": "PostToolUseFailure", "error": output}
        if failed
        else {"hook_event_name": "PostToolUse", "tool_response": {"stdout": output}}
    )
    return {
        **done, "session_id": "s1", "cwd": "/", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": "t",
    }  # fmt: skip


def edited(path: str) -> dict[str, Any]:
    return {
        "hook_event_name": "PostToolUse", "session_id": "s1", "cwd": "/", "tool_name": "Edit",
        "tool_input": {"file_path": path, "old_string": "a", "new_string": "b"},
        "tool_response": {}, "tool_use_id": "e",
    }  # fmt: skip


def tell(daemon: Daemon, *events: dict[str, Any]) -> None:
    """Each is derived before the next happens."""
    for event in events:
        number = len(daemon.journal())
        daemon.hook((number + 1).to_bytes(16, "big"), event)
        daemon.settled()


def standing(daemon: Daemon) -> list[tuple[str, str | None]]:
    found = [
        *daemon.ask("list", limit=50)["memories"],
        *daemon.ask("list", ended=True, limit=50)["memories"],
    ]
    return [(one["status"], one["ended"]) for one in found if one["text"] == GUESS]


def test_a_wrong_guess_is_told_as_a_guess_and_then_not_at_all(daemon: Daemon) -> None:
    tell(daemon, said(GUESS))
    as_guess = daemon.hook(b"p" * 16, prompt(ASKED, "s2")).decode()
    daemon.settled()
    tell(daemon, prompt("No, actually src/cache.py is fine.", "s1"))
    after = standing(daemon)
    daemon.kill()
    daemon.start()
    told = daemon.hook(b"q" * 16, prompt(ASKED, "s3")).decode()

    assert "unconfirmed" in as_guess
    assert after == [("refuted", "refuted")]
    assert "stale TTL" not in told
    assert GUESS not in daemon.recall(ASKED)


def test_a_guess_that_held_is_a_fact(daemon: Daemon) -> None:
    tests = "pytest tests/test_shop.py"
    tell(
        daemon,
        shell(tests, "FAILED tests/test_shop.py::test_price - 1 failed", failed=True),
        said(GUESS),
        edited("/p/src/cache.py"),
        shell(tests, "4 passed", failed=False),
    )

    assert standing(daemon) == [("confirmed", None)]


def test_a_guess_about_something_else_stays_a_guess(daemon: Daemon) -> None:
    tests = "pytest tests/test_shop.py"
    tell(
        daemon,
        shell(tests, "FAILED tests/test_shop.py::test_price - 1 failed", failed=True),
        said(GUESS),
        edited("/p/src/pool.py"),
        shell(tests, "4 passed", failed=False),
        prompt("No, actually the release branch is called main.", "s1"),
    )

    assert standing(daemon) == [("hypothesis", None)]
