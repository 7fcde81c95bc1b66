"""Answers to an agent's tool events: after a failure what ended it before, before a call the rules about it.

What happened is durable already, and a call that is about to be made is kept by nobody. What cannot be told
within the hook's time is not told.
"""

import logging
from itertools import islice

import trio

from actors.core.receipt import Receipt
from actors.intake.messages import Untold, WhatEndedIt
from actors.intake.rows import EndedFailure
from actors.memory.commit import PASSING
from actors.memory.rows import Memory
from actors.policy.decay.suppression import Suppression, is_suppressed
from actors.policy.events.events import Event, EventKind, Upcoming
from actors.policy.events.trail import has_failed
from actors.policy.recall import notes
from actors.policy.references.calls import is_rule
from actors.policy.session.ledger import Context, has
from actors.policy.text import budget
from actors.recall.messages import Note
from actors.recall.ordering import block_of, true_now
from actors.recall.sieves import made
from actors.session.messages import IsSilent, WhatItHas
from actors.session.writes import Delivered
from actors.staleness.messages import WhatBearsOn
from actors.strength.writes import Exposed
from daemon.context import Parts

log = logging.getLogger(__name__)

LINE = 2 * 1024  # characters of a command that is read before an answer
RULES = 2  # notes before one call
ROOM = 1_200  # characters of them


async def after_tool(
    parts: Parts, event: Event, project: str | None, within: float, receipt: Receipt
) -> str:
    """Tell what ended this failure before; nothing when nobody knows, or it would be late."""
    session, asks = event.session, parts.mailboxes
    if not parts.settings.injection.failures:
        return ""
    if project is None or not session or not _may_have_failed(event):
        return ""
    found: EndedFailure | None = None
    try:
        with trio.fail_after(max(within, 0.0)):
            if await wants_none(parts, session, within):
                return ""
            found = await asks.extraction.ask(
                lambda reply: WhatEndedIt(event, project, reply), within=within
            )
    except PASSING as error:
        log.warning("failure_unanswered why=%s", type(error).__name__)
    if found is None:
        return ""
    untold = Untold(event)
    receipt.if_lost(lambda: asks.extraction.hint(untold))
    ago = parts.clock.now() - found.at
    return notes.ended(found.paths, found.repairs, found.commit, found.session, ago)


async def before_tool(
    parts: Parts, call: Upcoming, project: str | None, within: float, receipt: Receipt
) -> str:
    """Tell the rules and traps about what a call touches, each once a session; mostly nothing."""
    session, now = call.session, parts.clock.now()
    if not parts.settings.injection.before_tools or call.agent_id:
        return ""
    if project is None or not session:
        return ""
    chosen: list[Memory] = []
    try:
        with trio.fail_after(max(within, 0.0)):
            chosen = await _rules(parts, call, project, now, within)
            if not chosen or await wants_none(parts, session, within):
                return ""
    except PASSING as error:
        log.warning("call_unanswered why=%s", type(error).__name__)
        return ""
    injection = parts.settings.injection
    room = budget.Settings(characters=min(ROOM, injection.characters), note=injection.note)
    block, ids = block_of(
        [Note(memory, 1.0, "standing", {}) for memory in chosen], room, now,
        heading=notes.RULES_HEADING,
    )  # fmt: skip
    hashes = tuple(memory.content_hash for memory in chosen if memory.id in ids)
    told, seen = Delivered(session, hashes, now), Exposed(ids, session, "tool", now)
    receipt.if_taken(lambda: parts.mailboxes.working_memory.hint(told))
    receipt.if_taken(lambda: parts.mailboxes.strength.hint(seen))
    return block


async def _rules(
    parts: Parts, call: Upcoming, project: str, now: float, within: float
) -> list[Memory]:
    """The newest rules about what a call touches that the session does not know from its context."""
    asks, session = parts.mailboxes, call.session
    ids: tuple[int, ...] = await asks.staleness.ask(
        lambda reply: WhatBearsOn(call.tool, session, project, reply), within=within
    )
    if not ids:
        return []
    had: Context = await asks.working_memory.ask(
        lambda reply: WhatItHas(session, project, now, reply), within=within
    )
    known, opinions = await parts.reader.memories(ids), await parts.reader.opinions(ids)
    living = true_now([known[i] for i in ids if i in known and known[i].ended is None], now)
    hidden = {
        i
        for i, one in opinions.items()
        if is_suppressed(Suppression(one.suppressions, one.suppressed_at), now)
    }
    rules = (one for one in living if is_rule(one.kind, one.status, one.source))
    wanted = (one for one in rules if one.id not in hidden and not has(had, session, made(one)))
    return list(islice(wanted, RULES))


async def wants_none(parts: Parts, session: str, within: float) -> bool:
    """Return whether a person wants no notes in this session, or nobody can tell."""
    try:
        silent: bool = await parts.mailboxes.working_memory.ask(
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
