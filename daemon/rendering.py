"""Rendering of what a hook prints: the daemon does it, per agent.

Claude Code and those that took over its hooks want one JSON object with
``hookSpecificOutput``; some refuse unknown keys, so there are no others. Nothing to
say is nothing: an empty reply. The events that may be answered with context are those
whose schema has ``additionalContext``; for all others the answer is empty. Of tools only a failure
that was ended before is answered, and a call that is about to be made. A prompt that switches
notes off or on is answered to the person alone, with a ``systemMessage``: the client shows it and
the model never sees it. Before a compaction the plain text that is printed is added to the
instructions for the summary, in Claude Code alone: it is always the same, never a note.
"""

import json

from actors.policy.events.events import UPCOMING, Event, EventKind, Upcoming
from actors.policy.events.fence import is_machine_made
from actors.policy.events.switch import switched
from actors.policy.text.budget import HARD

# The events that carry what is recalled into the model's context, by the agent's name
# for them. PreCompact has no such field: its plain text becomes instructions.
_SPEAKING = {
    EventKind.PROMPT: "UserPromptSubmit",
    EventKind.SESSION_START: "SessionStart",
    EventKind.SUBAGENT_START: "SubagentStart",
}

# What a person who switched is told, one line.
OFF = "reverie: no notes in this session any more; '.memory on' brings them back"
ON = "reverie: notes are on again in this session; '.memory off' ends them"
STAYS_OFF = "reverie: notes stay off: the setting injection.enabled is false"


def wants_context(event: Event) -> bool:
    """Return whether the agent takes context in answer to this event.

    A subagent is told something only as it starts.
    """
    return event.kind is EventKind.SUBAGENT_START or (
        event.kind in _SPEAKING and not event.agent_id
    )


def rendered(event: Event | Upcoming, block: str) -> bytes:
    """The bytes for the hook's standard output; empty when there is nothing to say."""
    name = UPCOMING if isinstance(event, Upcoming) else _SPEAKING.get(event.kind)
    # An event of a failure has no response, whatever else failed has.
    if isinstance(event, Event) and event.tool is not None:
        name = "PostToolUse" if event.tool.response is not None else "PostToolUseFailure"
    if name is None or not block:
        return b""
    # An agent that gets more writes it to a file and shows a preview (agents.md section 2).
    context = block[:HARD]
    reply = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}}
    return json.dumps(reply).encode("ascii")


def asks_to_summarize(event: Event) -> bool:
    """Return whether the agent adds the answer to this event to its instructions for a summary."""
    return event.kind is EventKind.PRE_COMPACT and event.agent == "claude" and not event.agent_id


def acknowledged(event: Event, *, enabled: bool) -> bytes:
    """Acknowledgement of switching notes off or on; empty when the event does not switch.

    ``enabled``: whether there are notes at all (``injection.enabled``).
    """
    if event.kind is not EventKind.PROMPT or event.agent_id or is_machine_made(event.prompt):
        return b""
    silent = switched(event.prompt)
    if silent is None or not event.session:
        return b""
    line = OFF if silent else ON if enabled else STAYS_OFF
    return json.dumps({"systemMessage": line}).encode("ascii")
