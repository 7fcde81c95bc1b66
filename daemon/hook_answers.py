"""Answers to hooks: how they are rendered for each agent, and those that came too late."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Latest
from actors.policy.events.agents import FIELD, NESTED, TABLE, event_called
from actors.policy.events.events import UPCOMING, Event, EventKind, Upcoming
from actors.policy.events.switch import switched
from actors.policy.text.wording import HARD

if TYPE_CHECKING:
    from actors.policy.events.agents import Row  # a name for the checkers alone


# ---- rendering of a hook's output: the daemon does it, per agent
#
# The table of agents (``actors/policy/events/agents.py``) says to which events an agent takes context and in which JSON
# object; some refuse unknown keys, so there are no others. Nothing to say is nothing: an empty reply. Whether and how
# is decided by whose event it is, not by whose hook it was: some agents run the hooks of another, and one takes the
# answer as the other does. Of tools only a failure with a known fix is answered, and a call about to be made. A prompt
# for switching notes off or on is answered to the person alone, with a ``systemMessage``: the client shows it and the
# model never sees it. Before a compaction the plain text printed is added to the instructions for the summary
# (``hooks.hook``).

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


# ---- late answers: notes a prompt or a start did not get in time, until an event can carry them
#
# An agent goes on when its hook gives up, so a later answer is for nobody. The question is kept instead
# and asked again with the next event of its session able to carry context: then it is answered by the
# knowledge of the moment. In memory alone, and not for long.

LASTS: Final = 120.0  # seconds after which an answer is of no use any more
TRIES: Final = 3  # times that one is asked again: a model that is away may stay away
LATE_KEPT: Final = 200  # sessions times two
ANSWERED: Final = (EventKind.SESSION_START, EventKind.PROMPT)  # in this order also when late
# What each event makes moot: a prompt the one before it, an emptied context everything.
MOOT: Final[Mapping[EventKind, tuple[EventKind, ...]]] = MappingProxyType(
    {
        EventKind.PROMPT: (EventKind.PROMPT,),
        EventKind.SESSION_START: ANSWERED,
        EventKind.PRE_COMPACT: ANSWERED,
        EventKind.SESSION_END: ANSWERED,
    }
)


class Late(Struct, frozen=True):
    """A prompt or a start with a late answer, and the time of its question, in seconds UTC."""

    event: Event
    project: str | None
    at: float
    tries: int = 0

    def beside(self, event: Event) -> Late:
        """The start of a session beside its first prompt, which has its task."""
        if self.event.kind is EventKind.SESSION_START and event.kind is EventKind.PROMPT:
            return replace(self, event=replace(self.event, task=event.prompt))
        return self


Key = tuple[str, EventKind]


class LateAnswers(Struct):
    """Questions of sessions without an answer in time."""

    late: int = 0
    later: int = 0  # told with a later event
    moot: int = 0
    _since: Latest[Key, float] = field(default_factory=lambda: Latest(LATE_KEPT))
    _kept: Latest[Key, Late] = field(default_factory=lambda: Latest(LATE_KEPT))

    def statistics(self) -> dict[str, Any]:
        """Late answers, the ones of them told later, and the ones moot by then."""
        return {
            "late": self.late, "told_later": self.later, "moot": self.moot,
            "waiting": len(self._kept),
        }  # fmt: skip

    def heard(self, event: Event, at: float) -> None:
        """Let go of the questions an event of an agent makes moot."""
        if not _is_of_a_person(event):
            return
        for kind in MOOT.get(event.kind, ()):
            key = (event.session, kind)
            self._since[key] = max(at, self._since.get(key, at))
            kept = self._kept.get(key)
            if kept is not None and kept.at < at:
                del self._kept[key]
                self.moot += 1

    def unanswered(self, event: Event, project: str | None, at: float, now: float) -> None:
        """No hook got an answer to it: it was spooled, and comes in any order and however late."""
        self.heard(event, at)
        if now - at <= LASTS:
            self.again(Late(event, project, at))

    def again(self, late: Late) -> None:
        """There is, or may be, more to tell than was told in time."""
        event, key = late.event, (late.event.session, late.event.kind)
        if event.kind not in ANSWERED or not _is_of_a_person(event):
            return
        self.late += not late.tries
        if late.at < self._since.get(key, late.at):
            self.moot += 1
        elif late.tries < TRIES:
            self._kept[key] = replace(late, tries=late.tries + 1)

    def count_later(self, count: int) -> None:
        """So many were told with a later event."""
        self.later += count

    def taken(self, session: str, now: float) -> list[Late]:
        """Questions to ask again for this session now, by whoever tells the answer."""
        if not self._kept:
            return []
        kept = [self._kept.pop((session, kind), None) for kind in ANSWERED]
        found = [one for one in kept if one is not None]
        fresh = [one for one in found if now - one.at <= LASTS]
        self.moot += len(found) - len(fresh)
        return fresh


def _is_of_a_person(event: Event) -> bool:
    """Return whether it is of a session itself: no subagent's, and no prompt written by the client."""
    machine_made = event.kind is EventKind.PROMPT and not event.is_typed_prompt
    return bool(event.session) and not event.agent_id and not machine_made
