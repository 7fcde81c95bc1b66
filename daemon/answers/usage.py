"""What use and people made of a memory, for ``show`` and ``why``."""

from __future__ import annotations

from typing import Any

from actors.memory.rows import Memory
from actors.policy.decay import dual_strength, suppression
from actors.policy.decay.reinforcement import Use
from actors.policy.session.citation import effectiveness
from actors.strength.rows import Credit, Opinion
from daemon.context import Parts
from daemon.requests.strength import Usage
from daemon.states import retrievability_of
from daemon.storage import consolidation, strength


async def usage_of(parts: Parts, memory: Memory) -> Usage:
    """How a memory served, and what people said of it."""
    read, now = parts.reader.read, parts.clock.now()
    said = (await parts.reader.opinions([memory.id])).get(memory.id, Opinion())
    credited = await read(lambda sql: strength.credits_of(sql, memory.id))
    sessions = await read(lambda sql: strength.sessions_shown(sql, memory.id))
    made: list[dict[str, Any]] = await read(lambda sql: strength.proposals_of(sql, memory.id))
    windows: list[dict[str, Any]] = await read(lambda sql: strength.settled_windows(sql, memory.id))
    relevant = await read(lambda sql: consolidation.relevance_of(sql, memory.id))
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
        credits=[_credit(one) for one in credited],
        suppressions=said.suppressions,
        hidden_until=(said.suppressed_at or 0.0) + suppression.DURATION if hidden else None,
        proposals=made,
        windows=windows,
        relevance=None if relevant is None else round(relevant[0], 6),
        relevance_at=None if relevant is None else relevant[1],
    )


def _credit(one: Credit) -> dict[str, Any]:
    return {"session": one.session, "cause": one.cause, "at": one.at}
