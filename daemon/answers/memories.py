"""Memories with their states, then, now and to come; the wanted ones of them, and insights."""

import math
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

from msgspec.structs import replace

from actors.core.mailbox import MailboxClosed
from actors.memory.commit import PASSING
from actors.memory.rows import Memory
from actors.memory.use import fading_of, fading_stability, origin_of, retrievability_of, state_of
from actors.night.shapes import InsightRow
from actors.policy.decay.states import STATES, Rules, falls_at, named, standing_at
from actors.policy.night.insights import score
from actors.policy.times.stated_times import DAY, is_valid
from actors.staleness.messages import WhatIsStale
from daemon.context import Parts
from daemon.shapes.memory import MemoryView
from daemon.shapes.replies import BadRequest
from daemon.storage import gate
from daemon.storage import memories as memories_stored
from daemon.views import memory_view, short_id

LOOKED_WITHIN: Final = 0.3  # seconds for a look at files: a person waits


async def stale_now(parts: Parts, ids: Sequence[int]) -> dict[int, str]:
    """Look at the files of memories; returns the remark on each memory with references.

    Nothing when it takes too long: then the stored remarks hold.
    """
    with suppress(*PASSING, MailboxClosed):
        return await parts.mailboxes.staleness.ask(WhatIsStale(tuple(ids)), within=LOOKED_WITHIN)
    return {}


async def decisions_of(parts: Parts, memory_id: int) -> list[dict[str, Any]]:
    """The gate's decisions about a memory, by the ids people type."""
    decisions = await parts.reader.read(gate.decisions, memory_id)
    for decision in decisions:
        for name in ("memory", "existing"):
            number = decision[name]
            decision[name] = short_id(number) if isinstance(number, int) else None
    return decisions


def seen(parts: Parts, memory: Memory, now: float) -> MemoryView:
    """The memory as a person sees it."""
    rules = parts.settings.fading
    return memory_view(
        MemoryView,
        memory,
        state=state_of(memory, now, rules),
        retrievability=round(retrievability_of(memory, now, rules.decay), 6),
        stability=min(round(fading_stability(memory, rules.decay), 6), 1e9),
        triggers=[*memory.triggers, *memory.derived],
        origin=origin_of(memory),
        superseded_by=None if memory.superseded_by is None else short_id(memory.superseded_by),
        valid=is_valid(memory.validity, now),
    )


# ---- a list that goes on where it stopped

LOOKED_AT: Final = 2_000  # memories of which a page is chosen, with a turn for others behind it
COMPUTED: Final = 500  # of them where a state is asked for, which no index knows


async def chosen(
    parts: Parts,
    scope: memories_stored.Conditions,
    conditions: memories_stored.Conditions,
    words: str,
    state: str | None,
    limit: int,
    after: int | None,
) -> tuple[list[Memory], int | None]:
    """A page of memories, and the number of the one behind which the next begins.

    ``words``: an expression of FTS5, "" for none. A state is computed, never stored: it changes with the time
    of day. Raises ``BadRequest`` for an unknown one.
    """
    wanted = None if state is None else state.upper()
    names = {name.upper() for name in STATES}
    if wanted is not None and wanted not in names:
        raise BadRequest(f"{wanted[:40]!r} is no state of lifecycle: {', '.join(STATES)}")
    at, rules, read = parts.clock.now(), parts.settings.fading, parts.reader.read
    looked_at = LOOKED_AT if wanted is None else COMPUTED
    found, more = list[Memory](), True
    while more and len(found) < limit:
        every = (after, limit if wanted is None else looked_at, looked_at)
        if words:
            both = [*scope, *conditions]
            page, after = await read(memories_stored.worded_before, words, both, *every)
        else:
            page, after = await read(memories_stored.made_before, scope, conditions, *every)
        found += [
            one for one in page if wanted is None or state_of(one, at, rules).upper() == wanted
        ]
        more = after is not None
    return found[:limit], found[limit - 1].id if len(found) > limit else after


# ---- the course of one: the effect of each review, and its fading from now on


POINTS: Final = 120  # of a part of the curve, besides those of the reviews
FALLS: Final = 8  # there are fewer states
AFTER: Final = 1.0  # seconds behind a border

Curve = list[tuple[float, float]]


def past_of(memory: Memory, reviews: Sequence[dict[str, Any]], now: float, decay: float) -> Curve:
    """The curve from when it was made until now: it fades, and each review lifts it.

    A review is kept with the stability after it; before the first one a memory fades as its kind does.
    """
    began = replace(memory, last_review=None, reviews=0, lapses=0)
    stages = [(memory.created_at, began)]
    for one in reviews:
        reviewed = replace(
            memory,
            stability=one["stability"],
            difficulty=one["difficulty"],
            last_review=one["at"],
            lapses=stages[-1][1].lapses + (one["grade"] == 1),
        )
        stages.append((max(one["at"], stages[-1][0]), reviewed))
    step = max(now - memory.created_at, 1.0) / POINTS
    curve: Curve = []
    for (begin, stage), (end, _) in pairwise([*stages, (now, memory)]):
        if begin < end:
            curve += _sampled(stage, begin, end, step, decay)
    return curve


def ahead_of(memory: Memory, now: float, days: float, decay: float) -> Curve:
    """The curve from now on, if nothing is used."""
    return _sampled(memory, now, now + days * DAY, days * DAY / POINTS, decay)


def _sampled(memory: Memory, begin: float, end: float, step: float, decay: float) -> Curve:
    count = max(1, math.ceil((end - begin) / step))
    times = [begin + (end - begin) * place / count for place in range(count + 1)]
    return [(at, round(retrievability_of(memory, at, decay), 4)) for at in times]


def falls_of(memory: Memory, now: float, days: float, rules: Rules) -> list[tuple[float, str]]:
    """States reached within so many days, with their times; none for an ended memory."""
    found: list[tuple[float, str]] = []
    fading, at = fading_of(memory, rules.decay), now
    while memory.ended is None and len(found) < FALLS:
        at = falls_at(fading, at, rules) + AFTER
        if not at <= now + days * DAY:
            break
        found.append((at, named(standing_at(fading, at, rules))))
    return found


def best_first(rows: Sequence[InsightRow]) -> list[InsightRow]:
    """Insights that nobody rejected, best first."""
    worth = {row.memory_id: score(row.confidence, row.feedback) for row in rows}
    shown = [row for row in rows if worth[row.memory_id]]
    return sorted(shown, key=lambda row: (-worth[row.memory_id], row.memory_id))
