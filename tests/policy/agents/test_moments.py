"""When agents can be told something, as the table and the documents say it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from actors.policy.events.agents import TABLE, told_at

DOCUMENT = Path(__file__).parents[3] / "docs" / "hooks.md"


@pytest.mark.parametrize("agent", TABLE)
def test_the_document_says_when_an_agent_can_be_told(agent: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|", DOCUMENT.read_text(), re.MULTILINE)

    assert dict(rows)[agent] == ", ".join(told_at(TABLE[agent]))


def test_an_agent_that_summarises_is_told_before_a_compaction() -> None:
    assert [one for one, row in TABLE.items() if "compaction" in told_at(row)] == [
        "claude",
        "opencode",
    ]
