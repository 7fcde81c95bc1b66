"""A pause with the real Claude Code: nothing of its session is kept, and the person is told why.

Opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

import pytest

from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said, used
from tests.e2e.test_claude import succeeded

pytestmark = pytest.mark.real_client


def test_a_session_in_a_pause_leaves_nothing_and_its_person_is_told(claude: Claude) -> None:
    claude.reverie.document("up")
    claude.reverie.run("pause", "--for", "1h")
    paused = claude.run(
        "The code word is quetzalcoatl from now on.",
        used("Bash", command="echo quetzalcoatl"),
        said("Noted: quetzalcoatl."),
    )
    claude.reverie.settle()
    during = claude.reverie.journal()
    claude.reverie.run("resume")
    heard = claude.run("Which port is it?", said("5433."))
    claude.reverie.settle()

    assert succeeded(paused)
    assert succeeded(heard)
    assert during == []
    assert claude.reverie.files_with("quetzalcoatl") == []
    told = [str(m.get("stdout")) for m in paused.messages if m.get("subtype") == "hook_response"]
    assert any("recording is off since" in output for output in told)
    assert claude.reverie.journal() != []
