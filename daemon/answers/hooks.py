"""A hook's event: made durable, and answered with the notes for the agent, at once or with a later event."""

import logging
from functools import partial
from importlib.util import find_spec
from typing import Final

import trio

from actors.core.equipment import Receipt
from actors.core.failures import Unreadable
from actors.core.mailbox import Crashed, SwitchedOff
from actors.intake.messages import Accepted, Receive, ReceiveOversized
from actors.policy.events.agents import bare_name
from actors.policy.events.events import Event, EventKind
from actors.policy.recall import notes
from actors.policy.recall.answers import Failure
from actors.policy.text.wording import joined
from actors.recall.shapes import Bring
from daemon.answers.tool_events import after_tool, before_tool, wants_none
from daemon.context import Parts
from daemon.hook_answers import (
    Late,
    acknowledged,
    asks_to_summarize,
    rendered,
    takes_context,
    told_person,
    wants_context,
)
from daemon.recording import pause_line
from daemon.shapes.replies import BadRequest

# A hook gives up after about an eighth of a second and spools; this is only so that a
# question nobody waits for any more ends some time.
ACCEPT_DEADLINE = 10.0  # seconds
NOTES_SHARE = 0.25  # of its time that a start waits for a look at the notes of its repository
HAS_TOOLS = find_spec("mcp") is not None  # then an agent is asked for notes of its own
DELEGATED = frozenset({EventKind.SUBAGENT_TASK, EventKind.SUBAGENT_START})
BEGINNINGS = frozenset({"startup", "resume", ""})  # sources of a session's start; "": not said


async def hook(parts: Parts, body: object, receipt: Receipt) -> bytes:
    """The bytes for the hook to print; the notes in them count by the ``receipt``.

    Raises ``BadRequest`` when the body is not a hook's.
    """
    match body:
        case [str(agent), bytes(event_id), int(nanoseconds), bytes(raw)] if len(event_id) == 16:
            pass
        case _:
            raise BadRequest("a hook's body is [agent, 16-byte event id, nanoseconds, raw]")
    client = bare_name(agent)
    until, at = trio.current_time() + parts.settings.injection.deadline, nanoseconds / 1e9
    accepted = await parts.mailboxes.intake.ask(
        Receive(agent, event_id, at, raw), within=ACCEPT_DEADLINE
    )
    await _notes_seen(parts, accepted, until - trio.current_time())
    enabled = parts.settings.injection.enabled
    left = max(0.0, until - trio.current_time())
    if (call := accepted.upcoming) is not None:
        if accepted.duplicate or not enabled or not takes_context(call):
            return b""
        told = await before_tool(parts, call, accepted.project, left, receipt)
        return rendered(call, told, client)
    if (off := accepted.off) is not None and off.pause is not None:
        line = f"reverie: recording is {pause_line(off.pause, parts.clock.now())}"
        return told_person(client, line)
    event = accepted.event
    if event is not None and not accepted.duplicate and begins_session(event):
        parts.schedule.session_began()
    if event is None or accepted.duplicate or (event.agent_id and not delegates(event)):
        return b""
    if event.is_typed_prompt:
        parts.activity.person_came()
    parts.late.heard(event, at)
    if asks_to_summarize(event):
        if not enabled or await wants_none(parts, event.session, left):
            return b""
        left = max(0.0, until - trio.current_time())
        kept = await brought(parts, Late(event, accepted.project, at), left, receipt)
        texts = (notes.SURVIVES, kept, notes.SETTLED if HAS_TOOLS else "")
        return joined(*texts).encode()
    if event.tool is None and not (wants_context(event) or delegates(event)):
        return b""
    if switched := acknowledged(event, enabled=enabled):
        return switched
    if not enabled:
        return b""
    if event.kind is not EventKind.SUBAGENT_TASK and not takes_context(event):
        parts.late.again(Late(event, accepted.project, at))  # for the next one whose answer is read
        return b""
    # What a subagent is told is not told to its session.
    waiting = [] if delegates(event) else parts.late.taken(event.session, parts.clock.now())
    if event.tool is not None:
        own = await after_tool(parts, event, accepted.project, left, receipt)
    else:
        own = await brought(parts, Late(event, accepted.project, at), left, receipt)
    later = [one.beside(event) for one in waiting]
    every = [own, *await told_later(parts, later, until, receipt)]
    return rendered(event, "\n\n".join(text for text in every if text), client)


async def _notes_seen(parts: Parts, accepted: Accepted, left: float) -> None:
    """Have the project's notes looked at; a session's start waits a moment for the notes of a pull."""
    if accepted.project is None or accepted.duplicate:
        return
    if accepted.event is not None and begins_session(accepted.event):
        await parts.looks.look(accepted.project, left * NOTES_SHARE)
    else:
        parts.looks.heard(accepted.project)


def delegates(event: Event) -> bool:
    """Return whether a subagent is about to start, or starts; the first is heard and not answered."""
    return event.kind in DELEGATED


def begins_session(event: Event) -> bool:
    """Return whether somebody sits down to work; a compacted context goes on."""
    return event.kind is EventKind.SESSION_START and event.source in BEGINNINGS


async def oversize(parts: Parts, body: object, _receipt: Receipt) -> bytes:
    """An event too large to be sent: its size is noted, and nothing is told.

    Raises ``BadRequest`` when the body is not a hook's.
    """
    match body:
        case [str(agent), bytes(event_id), int(nanoseconds), int(size)] if len(event_id) == 16:
            pass
        case _:
            raise BadRequest("an oversize body is [agent, 16-byte event id, nanoseconds, size]")
    await parts.mailboxes.intake.ask(
        ReceiveOversized(agent, event_id, nanoseconds / 1e9, size), within=ACCEPT_DEADLINE
    )
    return b""


# ---- prompts and starts: at once, or with a later event of the session


log = logging.getLogger(__name__)

AGAIN: Final = ("vectors", "session", "page")  # an answer without one of them is asked again


async def told_later(
    parts: Parts, waiting: list[Late], until: float, receipt: Receipt
) -> list[str]:
    """Blocks a session was not told in time, as far as they can be had by ``until``."""
    told = [await brought(parts, one, until - trio.current_time(), receipt) for one in waiting]
    found = [block for block in told if block]
    if found:
        log.info("told_later blocks=%d", len(found))
        receipt.if_taken(partial(parts.late.count_later, len(found)))
    return found


async def brought(parts: Parts, asked: Late, within: float, receipt: Receipt) -> str:
    """The notes for a prompt or a start.

    Notes possibly due later are kept to be told then; so are notes the hook does not take.
    """
    try:
        found = await parts.mailboxes.recall.ask(
            Bring(
                asked.event, asked.project, parts.clock.now(), within, receipt,
                asked_at=asked.at, again=asked.tries > 0,
            ),
            within=max(0.0, within),
        )  # fmt: skip
    except (trio.TooSlowError, Crashed, SwitchedOff, Unreadable) as error:
        log.warning("prompt_unanswered why=%s", type(error).__name__)
        parts.late.again(asked)
        return ""
    if lacking := _lacking(found.missing):
        log.info("answered_in_part without=%s", lacking)
        parts.late.again(asked)
    elif found.block:
        receipt.if_lost(partial(parts.late.again, asked))
    return found.block


def _lacking(missing: tuple[Failure, ...]) -> str:
    """Name the channels late this time, where asking again may help; without vectors words alone answered."""
    lacking = (one.channel for one in missing if not one.lasting)
    return ",".join(channel for channel in lacking if channel in AGAIN)
