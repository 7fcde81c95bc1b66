"""A real daemon: a failure that one session ended is told to the next, and `about` knows both."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, wait_for
from tests.patience import PATIENCE
from tests.repositories import laid

ERROR = "Exit code 1\nsrc/cart.go:12:3: the result of Close is not checked (errcheck)"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return laid(tmp_path)


def hook(daemon: Daemon, project: Path, number: int, session: str, name: str, **fields: Any) -> str:
    """What the hook prints for one event."""
    event = {"hook_event_name": name, "session_id": session, "cwd": str(project), **fields}
    return daemon.hook(number.to_bytes(16, "big"), event).decode()


def bash(command: str, **fields: Any) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command}, **fields}


def edit(path: Path) -> dict[str, Any]:
    given = {"file_path": str(path), "old_string": "a", "new_string": "b"}
    return {"tool_name": "Edit", "tool_input": given, "tool_response": {"ok": True}}


def a_session(daemon: Daemon, project: Path) -> None:
    """Fails, edits a file, passes."""
    done = {"tool_response": {"stdout": "", "stderr": ""}}
    life: list[tuple[str, dict[str, Any]]] = [
        ("PostToolUseFailure", bash("make lint", error=ERROR)),
        ("PostToolUse", edit(project / "src" / "cart.go")),
        ("PostToolUse", bash("make lint", **done)),
    ]
    for number, (name, fields) in enumerate(life, 1):
        assert hook(daemon, project, number, "first", name, **fields) == ""


def about(daemon: Daemon, path: Path) -> Any:
    return daemon.ask("about", path=str(path))


def learnt(daemon: Daemon, path: Path) -> Any:
    """What is known of a file, once the end was taken in: events are derived beside the answers."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = about(daemon, path)
        if found["ended"]:
            return found
        time.sleep(0.02)
    raise AssertionError("the end was never taken in")


def test_a_failure_is_told_nothing_when_that_is_switched_off(make: Make, project: Path) -> None:
    daemon = make(REVERIE_INJECTION_FAILURES="false").start()
    a_session(daemon, project)
    learnt(daemon, project / "src" / "cart.go")

    failed = bash("make lint", error=ERROR)
    assert hook(daemon, project, 20, "second", "PostToolUseFailure", **failed) == ""


def test_about_a_file_tells_what_an_edit_of_it_ended(daemon: Daemon, project: Path) -> None:
    a_session(daemon, project)
    found = learnt(daemon, project / "src" / "cart.go")
    other = about(daemon, project / "src" / "tax.go")
    looked = daemon.ask("backfill", failure=ERROR, project=str(project))

    (ended,) = found["ended"]
    assert (ended["family"], ended["paths"]) == ("make lint", ["src/cart.go"])
    assert other["ended"] == []
    assert looked["ended"] == ended
    # It makes no memory, and stands in no prompt.
    assert daemon.ask("list")["memories"] == []


def commit(daemon: Daemon, project: Path, message: str, stdout: str) -> None:
    """A session's commit is reported, until it is known at `pay.py`."""
    ran = bash(f"git commit -m '{message}'", tool_response={"stdout": stdout})
    hook(daemon, project, 1, "first", "PostToolUse", **ran)
    wait_for(lambda: bool(about(daemon, project / "pay.py")["found"]["results"]), daemon.running)


def test_about_a_file_tells_the_commit_that_says_it_and_when_sure_not_what_it_only_uses(
    daemon: Daemon, project: Path
) -> None:
    (project / "pay.py").write_text("def charge_card(order):\n    return order\n")
    (project / "shop.py").write_text("from pay import charge_card\n\ncharge_card(1)\n")
    message = "Never retry charge_card\n\nWe decided so because the bank books every call."
    stdout = "[main 1a2b3c4] Never retry charge_card\n"

    commit(daemon, project, message, stdout)
    defined = daemon.ask("about", path=str(project / "pay.py"), sure=True)
    used = about(daemon, project / "shop.py")
    surely = daemon.ask("about", path=str(project / "shop.py"), sure=True)

    (one,) = defined["found"]["results"]
    assert defined["sources"] == {
        one["id"]: {"session": "first", "commit": "1a2b3c4", "author": ""}
    }
    assert one["origin"] == "from commit 1a2b3c4"
    assert [each["id"] for each in used["found"]["results"]] == [one["id"]]
    assert surely["found"]["results"] == []
