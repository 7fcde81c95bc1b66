"""Rendering of a hook's output: the daemon does it, per agent.

The table of agents (``actors/policy/events/agents.py``) says to which events an agent takes context and in which JSON
object; some refuse unknown keys, so there are no others. Nothing to say is nothing: an empty reply. Whether and how
is decided by whose event it is, not by whose hook it was: some agents run the hooks of another, and one takes the
answer as the other does. Of tools only a failure with a known fix is answered, and a call about to be made. A prompt
for switching notes off or on is answered to the person alone, with a ``systemMessage``: the client shows it and the
model never sees it. Before a compaction the plain text printed is added to the instructions for the summary
(``hooks.hook``).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from actors.policy.events.agents import FIELD, NESTED, TABLE
from actors.policy.events.events import UPCOMING, Event, EventKind, Upcoming
from actors.policy.events.payloads import event_called
from actors.policy.events.switch import switched
from actors.policy.text.wording import HARD

if TYPE_CHECKING:
    from actors.policy.events.agents import Row  # a name for the checkers alone

# The events that carry what is recalled into the model's context, as Claude Code calls them.
# PreCompact has no such field: its plain text becomes instructions.
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


def takes_context(event: Event | Upcoming) -> bool:
    """Return whether the answer to this event reaches the model of its agent."""
    return _name(event) in _row(event.agent)["speaks"]


def rendered(event: Event | Upcoming, block: str, agent: str) -> bytes:
    """The bytes for the hook's standard output; empty when there is nothing to say.

    ``agent``: the name under which the hook was run, which may go on with ``/event``.
    """
    name, row = _name(event), _row(event.agent)
    if name not in row["speaks"] or not block:
        return b""
    # An agent that gets more writes it to a file and shows a preview (agents.md section 2).
    context = block[:HARD]
    asked, _, alone = agent.partition("/")
    if alone in row["plain"]:
        return context.encode()
    form = asked if asked in row["maps"] else event.agent
    field = _row(form)["speaks"].get(name, NESTED)
    nested = {"hookEventName": event_called(form, name), FIELD: context}
    return json.dumps({field: nested if field == NESTED else context}).encode("ascii")


def _row(agent: str) -> Row:
    """An agent's row; Claude Code's for one outside of the table, as others took over its hooks."""
    return TABLE.get(agent.strip().casefold(), TABLE["claude"])


def _name(event: Event | Upcoming) -> str:
    if isinstance(event, Upcoming):
        return UPCOMING
    if event.tool is None:
        return _SPEAKING.get(event.kind, "")
    # An event of a failure has no response, whatever else failed has.
    return "PostToolUse" if event.tool.response is not None else "PostToolUseFailure"


def asks_to_summarize(event: Event) -> bool:
    """Return whether the agent adds the answer to this event to its instructions for a summary."""
    adds = event.agent in TABLE and TABLE[event.agent]["summarises"]
    return adds and event.kind is EventKind.PRE_COMPACT and not event.agent_id


def acknowledged(event: Event, *, enabled: bool) -> bytes:
    """Acknowledgement of switching notes off or on; empty when the event does not switch, or the agent
    has no line for a person.

    ``enabled``: whether there are notes at all (``injection.enabled``).
    """
    if not event.is_typed_prompt:
        return b""
    silent = switched(event.prompt)
    if silent is None or not event.session:
        return b""
    return told_person(event.agent, OFF if silent else ON if enabled else STAYS_OFF)


def told_person(agent: str, line: str) -> bytes:
    """The bytes by which an agent shows a line to the person, not to the model; empty without a way."""
    notice = _row(agent)["notice"]
    return json.dumps({notice: line}).encode("ascii") if notice else b""
