"""A daemon that was not running when it was asked: what it would have told comes with a later event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.daemon.conftest import Make
from tests.daemon.process import Daemon, prompt, wait_for
from tests.daemon.test_given_up import FACT, QUESTION, TOOL
from tests.hooks.clients import Home, python_client


def test_the_first_prompt_of_a_cold_daemon_is_answered_with_the_next_tool(
    make: Make, hooks: Path
) -> None:
    daemon = knowing(make)

    assert printed(daemon, hooks, prompt(QUESTION)) == b""
    warmed(daemon)
    context = json.loads(printed(daemon, hooks, TOOL))["hookSpecificOutput"]
    assert context["hookEventName"] == "PostToolUse"
    assert FACT in context["additionalContext"]
    assert printed(daemon, hooks, TOOL | {"tool_use_id": "toolu_2"}) == b""
    answers = daemon.ask("status")["actors"]["answers"]
    assert (answers["late"], answers["told_later"]) == (1, 1)


def knowing(make: Make) -> Daemon:
    """A daemon that knows the fact, has ended, and that no hook starts."""
    daemon = make().start()
    daemon.remember(FACT)
    daemon.end()
    (daemon.home.root / "command").write_text("/bin/true\n")
    return daemon


def warmed(daemon: Daemon) -> None:
    """Start it and wait until it has taken its spool in."""
    daemon.start()
    wait_for(lambda: not list(daemon.home.spool.glob("*.json")), daemon.running)
    daemon.settled()


def printed(daemon: Daemon, hooks: Path, event: dict[str, Any]) -> bytes:
    """What the hook prints of an event."""
    return python_client(hooks).run(Home(daemon.home.root), json.dumps(event).encode()).stdout
