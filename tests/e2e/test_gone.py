"""A checkout that was deleted without ``reverie uninstall``, with the real Claude Code: the prompt arrives.

Opt-in, as ``test_claude.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import Claude
from tests.e2e.messages_api import said
from tests.e2e.test_claude import succeeded

pytestmark = pytest.mark.real_client


def test_hooks_of_an_installation_that_is_gone_erase_no_prompt(claude: Claude) -> None:
    claude.reverie.document("install", "claude")
    settings = Path(claude.reverie.environ["HOME"]) / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace("/hooks/hook.sh", "/gone/hook.sh"))

    run = claude.run("Hello there.", said("Hi."))

    assert succeeded(run)
    assert len(run.asked) == 1
