"""What of a hook's answer the simulated session has in its context."""

from __future__ import annotations

import pytest

from lab.simulation.world import told


@pytest.mark.parametrize(
    ("printed", "context"),
    [
        (b"", ""),
        (b'{"hookSpecificOutput": {"additionalContext": "a note"}}', "a note"),
        (b'{"systemMessage": "notes are off"}', ""),
        (b"End the summary with a list.", ""),  # instructions for a compaction
    ],
)
def test_only_context_is_told(printed: bytes, context: str) -> None:
    assert told(printed) == context
