"""Both ways of installing at once, with the real Claude Code: each event counts once, notes come once.

Opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said, used
from tests.e2e.test_claude import succeeded

pytestmark = pytest.mark.real_client

FACT = "The staging database listens on port 5433, because 5432 is taken by the proxy."


def test_with_hooks_of_the_settings_and_of_the_plugin_each_event_counts_once(
    claude: Claude,
) -> None:
    reverie = claude.reverie
    reverie.document("up")
    reverie.document("install", "claude")
    reverie.document("remember", FACT)
    run = claude.run(
        "Which port does the staging database listen on?",
        used("Bash", command="echo 5433", description="look"),
        said("On 5433."),
    )
    reverie.settle()

    assert succeeded(run)
    hooked = Counter(event for event, _ in run.hooks)
    assert set(hooked.values()) == {2}  # the client ran both
    heard = Counter(e["kind"] for e in reverie.journal())
    assert dict(heard) == dict.fromkeys(
        ("session_start", "prompt", "tool", "turn_end", "session_end"), 1
    )
    assert sum("5433" in note for note in run.notes) == 1
