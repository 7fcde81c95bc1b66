"""Answers to an agent's tool events: of a command that failed, what ended this failure before.

The event is durable already. What cannot be told within the hook's time is not told.
"""

import logging

import trio

from actors.intake.messages import WhatEndedIt
from actors.intake.rows import EndedFailure
from actors.memory.commit import PASSING
from actors.policy.events.events import Event, EventKind
from actors.policy.events.trail import has_failed
from actors.policy.recall import notes
from actors.session.messages import IsSilent
from daemon.context import Parts
from daemon.rendering import rendered

log = logging.getLogger(__name__)

LINE = 2 * 1024  # characters of a command that is read before an answer


async def after_tool(parts: Parts, event: Event, project: str | None, within: float) -> bytes:
    """Tell what ended this failure before; nothing when nobody knows, or it would be late."""
    session, asks = event.session, parts.mailboxes
    if not parts.settings.injection.failures:
        return b""
    if project is None or not session or not _may_have_failed(event):
        return b""
    found: EndedFailure | None = None
    try:
        with trio.fail_after(max(within, 0.0)):
            if await wants_none(parts, session, within):
                return b""
            found = await asks.extraction.ask(
                lambda reply: WhatEndedIt(event, project, reply), within=within
            )
    except PASSING as error:
        log.warning("failure_unanswered why=%s", type(error).__name__)
    if found is None:
        return b""
    ago = parts.clock.now() - found.at
    return rendered(
        event, notes.ended(found.paths, found.repairs, found.commit, found.session, ago)
    )


async def wants_none(parts: Parts, session: str, within: float) -> bool:
    """Return whether a person wants no notes in this session, or nobody can tell."""
    try:
        silent: bool = await parts.mailboxes.sessions.ask(
            lambda reply: IsSilent(session, reply), within=max(within, 0.0)
        )
    except PASSING as error:
        log.warning("silence_unknown why=%s", type(error).__name__)
        return True
    return silent


def _may_have_failed(event: Event) -> bool:
    """Tell whether a command failed, as far as a look tells; a long line is not read for it."""
    tool = event.tool
    if tool is None or not tool.command:
        return False
    return event.kind is EventKind.TOOL_ERROR or (len(tool.command) <= LINE and has_failed(event))
