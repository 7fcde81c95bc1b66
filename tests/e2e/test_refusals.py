"""A permission that a person denies the real Claude Code, with words: they are learnt as the person's.

Opt-in, as ``test_claude.py``. The client asks for permissions in a terminal alone.
"""

from __future__ import annotations

import json
import time

import pytest

from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said, used
from tests.e2e.terminal import DOWN, ENTER, TAB, terminal
from tests.patience import PATIENCE, ROOT

pytestmark = pytest.mark.real_client

WISH = "We should always use pnpm here, never npm."
KEY = "no-key-is-needed-on-loopback"


def test_the_words_of_a_refusal_are_in_the_next_session(claude: Claude) -> None:
    reverie = claude.reverie
    reverie.document("up")
    known = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    reverie.folder.parent.joinpath(".claude.json").write_text(
        json.dumps({
            "hasCompletedOnboarding": True, "theme": "dark", "numStartups": 5,
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(reverie.folder.resolve()): known},
        })
    )  # fmt: skip
    claude.api.turns[:] = [
        used("Bash", command="npm install left-pad", description="install"),
        said("Then I shall use pnpm."),
    ]
    environ = {**claude.environ, "TERM": "xterm-256color", "ANTHROPIC_API_KEY": KEY}
    command = [claude.program, "--plugin-dir", str(ROOT), "--model", "claude-sonnet-4-5"]
    with terminal(command, reverie.folder, environ) as screen:
        screen.until("manual mode on")
        screen.press("Please install it.", ENTER)
        screen.until("Do you want to proceed?", "Tab to amend")
        screen.press(DOWN, DOWN, TAB, *WISH, ENTER)
        screen.until("I shall use pnpm.")
    # A model that answers at once ends its turn before the client has written the refusal down: then
    # it is found at the end of the session.
    deadline = time.monotonic() + PATIENCE
    while "refused" not in (kinds := [event["kind"] for event in reverie.journal()]):
        assert time.monotonic() < deadline, kinds
        time.sleep(0.1)
    reverie.settle()

    assert kinds.count("refused") == 1
    (memory,) = [one for one in reverie.document("list")["memories"] if "pnpm here" in one["text"]]
    assert memory["status"] == "confirmed"
    second = claude.run("Which package manager do we use here, pnpm or npm?", said("pnpm."))
    assert any(WISH in note for note in second.notes)
