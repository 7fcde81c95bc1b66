"""Answers to prompts and starts of sessions: at once, or with a later event of the session."""

import logging
from functools import partial
from typing import Final

import trio

from actors.core.answers import Receipt
from actors.core.failures import Unreadable
from actors.core.mailbox import Crashed, SwitchedOff
from actors.policy.recall.degradation import Degradation, Retry
from actors.recall.messages import Bring
from daemon.context import Parts
from daemon.late import Late

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
                asked.event,
                asked.project,
                parts.clock.now(),
                within,
                receipt,
                asked_at=asked.at,
                again=asked.tries > 0,
            ),
            within=max(0.0, within),
        )
    except (trio.TooSlowError, Crashed, SwitchedOff, Unreadable) as error:
        log.warning("prompt_unanswered why=%s", type(error).__name__)
        parts.late.again(asked)
        return ""
    if lacking := _lacking(found.degraded):
        log.info("answered_in_part without=%s", lacking)
        parts.late.again(asked)
    elif found.block:
        receipt.if_lost(partial(parts.late.again, asked))
    return found.block


def _lacking(degraded: Degradation | None) -> str:
    """Name the channels late this time, where asking again may help; without vectors words alone answered."""
    failures = degraded.failures if degraded is not None else ()
    lacking = (one.channel for one in failures if one.retry is not Retry.NONE)
    return ",".join(channel for channel in lacking if channel in AGAIN)
