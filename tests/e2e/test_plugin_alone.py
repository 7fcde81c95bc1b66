"""The plugin alone, as the client copies it: without a program it says what is missing.

Opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

import json
import shutil

import pytest

from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said
from tests.patience import ROOT

pytestmark = pytest.mark.real_client

PARTS = (".claude-plugin", ".mcp.json", "actors", "commands", "hooks", "skills")


@pytest.fixture
def alone(claude: Claude) -> Claude:
    """The client with a copy of the plugin that has no environment, and no ``reverie`` on its path."""
    claude.plugin = claude.reverie.folder.parent / "plugin"
    claude.plugin.mkdir()
    for part in PARTS:
        source = ROOT / part
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, claude.plugin / part)
    claude.reverie.environ["PATH"] = "/usr/bin:/bin"
    return claude


def told(claude: Claude, event: str) -> list[str]:
    """Lines that hooks of this event had for the person alone, in the last run."""
    answers = [
        str(message["stdout"])
        for message in claude.runs[-1].messages
        if message.get("subtype") == "hook_response" and message["hook_event"] == event
    ]
    return [json.loads(answer)["systemMessage"] for answer in answers if answer]


def test_a_session_without_a_program_says_so_once_and_its_events_wait(alone: Claude) -> None:
    alone.runs.append(alone.run("Hello.", said("Hello.")))

    (line,) = told(alone, "SessionStart")
    assert f"'{alone.plugin}[tools]'" in line
    assert line not in json.dumps(alone.runs[-1].asked)  # the model is told nothing
    assert told(alone, "UserPromptSubmit") == []
    assert len(list(alone.reverie.home.spool.glob("*.json"))) > 1


def test_off_ends_recording_in_the_session_and_on_begins_it_again(claude: Claude) -> None:
    off = claude.run("/reverie:off", said("It is off."), asks=True)
    paused = claude.reverie.document("status")["recording"]
    on = claude.run("/reverie:on", said("It is on."), resume=off.session, asks=True)

    assert (off.code, on.code) == (0, 0)
    assert off.session in str(paused)
    assert off.session not in str(claude.reverie.document("status")["recording"])
