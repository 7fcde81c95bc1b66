"""What a hook prints: the daemon renders the reply, per agent.

Claude Code and those that took over its hooks want one JSON object with
``hookSpecificOutput``; some refuse unknown keys, so there are no others. Nothing to
say is nothing: an empty reply. The events that may be answered with context are those
whose schema has ``additionalContext``; for all others the answer is empty.
"""

from __future__ import annotations

import json

from actors.policy.budget import HARD
from actors.policy.events import Event, EventKind

# The events that carry what is recalled into the model's context, by the agent's name
# for them. PreCompact has no such field: its plain text would become instructions.
_SPEAKING = {
    EventKind.PROMPT: "UserPromptSubmit",
    EventKind.SESSION_START: "SessionStart",
}


def wants_context(event: Event) -> bool:
    """Whether the agent takes context in answer to this event."""
    return event.kind in _SPEAKING and not event.agent_id


def rendered(event: Event, block: str) -> bytes:
    """The bytes for the hook's standard output; empty when there is nothing to say."""
    name = _SPEAKING.get(event.kind)
    if name is None or not block:
        return b""
    # An agent that gets more writes it to a file and shows a preview (agents.md section 2).
    context = block[:HARD]
    reply = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}}
    return json.dumps(reply).encode("ascii")
