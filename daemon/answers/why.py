"""All facts behind a memory's being there."""

from collections.abc import Set
from dataclasses import asdict
from typing import Any, Final

from actors.memory.rows import Memory
from actors.policy.decay.capture import is_promotable, priority
from actors.policy.recall.listing import NEVER
from daemon.answers.link import lineage_of
from daemon.answers.memories import decisions_of, seen
from daemon.answers.quotations import read_of
from daemon.answers.reasons import AllReasons
from daemon.answers.usage import usage_of
from daemon.context import Parts
from daemon.storage import episodes, why
from daemon.views import short_id

# What the gate calls making a memory; all else is about one that is there.
_MAKING: Final = frozenset({"CREATE", "CREATE_LINKED", "SUPERSEDE"})


async def known_of(
    parts: Parts, memory: Memory, depth: int, direction: str, projects: Set[str | None] | None
) -> AllReasons:
    """All facts of a memory; its lineage to memories of these projects, ``None``: of all."""
    read, number, now = parts.reader.read, memory.id, parts.clock.now()
    decisions = await decisions_of(parts, number)
    reviews = await read(why.reviews, number)
    shown_at, shown_where = await read(why.last_shown, number) or (None, None)
    making = next(
        (d for d in decisions if d["memory"] == short_id(number) and d["action"] in _MAKING),
        None,
    )
    used = [float(review["at"]) for review in reviews if review["grade"] > 1]
    return AllReasons(
        memory=seen(parts, memory, now),
        provenance=asdict(await read(why.provenance, number)),
        decision=making,
        later=[decision for decision in decisions if decision is not making],
        supersedes=[short_id(one) for one in await read(why.predecessors, number)],
        shown_at=shown_at,
        shown_where=shown_where,
        used_at=used[-1] if used else None,
        reviews=reviews,
        phrases={"given": list(memory.triggers), "derived": list(memory.derived)},
        captures=await read(episodes.captures_of, number),
        usage=await usage_of(parts, memory),
        importance=_importance_of(memory),
        lineage=await lineage_of(parts, number, depth, direction, projects),
        memory_type=memory.memory_type,
        unjudged=memory.unjudged,
        now=now,
        read=await read_of(parts, number),
        listing=(await parts.reader.listings([number])).get(number, NEVER),
    )


def _importance_of(memory: Memory) -> dict[str, Any]:
    """An importance, in the shape of when something changed it by itself; nothing does any more."""
    return {
        "value": memory.importance,
        "priority": priority(memory.importance).value,
        "promotable": is_promotable(memory.importance) and memory.tier == "normal",
        "channels": None,
        "changes": [],
        "backfills": [],
    }
