"""Moments at which an agent can be told something, in words, by its row of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from actors.policy.agents.table import Row

# In the order of a session; a start is one that goes on as well. Nothing is recalled before a usual call.
_MOMENTS: Final = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool call",
    "PostToolUseFailure": "failure",
    "SubagentStart": "subagent",
}


def told_at(row: Row) -> tuple[str, ...]:
    """Moments with an answer for the agent's model."""
    said = tuple(moment for event, moment in _MOMENTS.items() if event in row["speaks"])
    return (*said, "compaction") if row["summarises"] else said
