"""Marks that use and people make on a memory: useful, pinned, promoted, suppressed."""

from typing import Any

from actors.memory.rows import Memory
from actors.memory.unit import Unit
from actors.memory.writes import Pinned
from actors.policy.decay import dual_strength, suppression
from actors.policy.decay.reinforcement import Use
from actors.policy.decay.relevance import relevances
from actors.policy.session.citation import effectiveness
from actors.strength import messages
from actors.strength.messages import Review
from actors.strength.rows import Opinion
from actors.strength.writes import Retiered
from daemon.context import (
    PAGE,
    WRITE_DEADLINE,
    Parts,
    commit,
    known_memories,
    project_meant,
    table,
)
from daemon.requests.shapes import Done
from daemon.requests.strength import (
    Feedback,
    Graded,
    Pin,
    Rate,
    ReviewPage,
    Reviews,
    SetTier,
    Suppress,
    Usage,
)
from daemon.states import retrievability_of
from daemon.storage import edit, strength, why
from daemon.views import memory_number, short_id


async def set_tier(parts: Parts, request: SetTier) -> Done:
    """Set a memory's tier."""
    (memory,) = await known_memories(parts, [request.id])
    unit: Unit = (Retiered(memory.id, request.tier, parts.clock.now()),)
    changed = sum(await commit(parts, unit))
    return Done(count=changed, note=f"it was {memory.tier}" if changed else f"it is {memory.tier}")


async def rate(parts: Parts, request: Rate) -> Done:
    """Promote or demote a memory."""
    number, at = memory_number(request.id), parts.clock.now()
    changed: bool = await parts.mailboxes.strength.ask(
        lambda reply: messages.Rate(number, request.up, at, reply), within=WRITE_DEADLINE
    )
    return Done(count=int(changed))


async def pin(parts: Parts, request: Pin) -> Done:
    """Pin or release memories."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    outcome = await commit(
        parts, tuple(Pinned(memory.id, request.pinned, at) for memory in memories)
    )
    return Done(count=sum(outcome))


async def feedback(parts: Parts, request: Feedback) -> Done:
    """A person or an agent says that a memory was useful, or not."""
    number, project = memory_number(request.id), project_meant(parts, request.project)
    use = Use.USEFUL if request.useful else Use.USELESS
    by_agent, at = request.agent_in is not None, parts.clock.now()
    changed: bool = await parts.mailboxes.strength.ask(
        lambda reply: Review(number, use, at, reply, project, by_agent), within=WRITE_DEADLINE
    )
    return Done(count=int(changed))


async def suppress(parts: Parts, request: Suppress) -> Done:
    """Suppress a memory, or take that back."""
    number, at = memory_number(request.id), parts.clock.now()
    times: int = await parts.mailboxes.strength.ask(
        lambda reply: messages.Suppress(number, request.back, at, reply), within=WRITE_DEADLINE
    )
    return Done(count=times)


async def usage_of(parts: Parts, memory: Memory) -> Usage:
    """Figures of how a memory served, and what people said of it."""
    read, now = parts.reader.read, parts.clock.now()
    said = (await parts.reader.opinions([memory.id])).get(memory.id, Opinion())
    credited = await read(strength.credits_of, memory.id)
    sessions = await read(strength.sessions_shown, memory.id)
    made: list[dict[str, Any]] = await read(strength.promotions_of, memory.id)
    windows: list[dict[str, Any]] = await read(edit.settled_windows, memory.id)
    verdicts: list[dict[str, Any]] = await read(strength.verdicts_of, memory.id)
    untold = await read(why.untold, memory.id)
    uses = await read(strength.uses_of_living, now, memory.id - 1, 1)
    cited = sum(one.cause == Use.CITED.value for one in credited)
    storage = dual_strength.storage_of(memory.uses, memory.lapses)
    recallable = retrievability_of(memory, now, parts.settings.strength.decay)
    standing = suppression.Suppression(said.suppressions, said.suppressed_at)
    hidden = suppression.is_suppressed(standing, now) and said.suppressed_at is not None
    return Usage(
        confidence=memory.confidence,
        validations=said.validations,
        storage=round(storage, 6),
        retention=round(dual_strength.retention(recallable, storage), 6),
        sessions=sessions,
        cited=cited,
        effectiveness=effectiveness(cited, sessions),
        credits=[{"session": one.session, "cause": one.cause, "at": one.at} for one in credited],
        suppressions=said.suppressions,
        hidden_until=(said.suppressed_at or 0.0) + suppression.DURATION if hidden else None,
        proposals=made,
        verdicts=verdicts,
        untold=untold,
        windows=windows,
        relevance=next(
            (round(relevances([use])[0], 6) for one, use in uses if one == memory.id), None
        ),
    )


async def reviews(parts: Parts, request: Reviews) -> ReviewPage:
    """A page of the log of reviews."""
    limit = max(1, min(request.limit, PAGE))
    total, rows = await parts.reader.read(strength.reviews, request.after, limit)
    return ReviewPage(
        reviews=[
            Graded(memory=short_id(memory_id), at=at, grade=grade)
            for _, memory_id, at, grade in rows
        ],
        total=total,
        after=rows[-1][0] if len(rows) == limit else None,
    )


ANSWERS = table(pin, feedback, set_tier, rate, suppress, reviews)
