"""Reasons for a memory to be there, in figures and in words."""

from dataclasses import asdict
from typing import Any

import msgspec

from actors.memory.rows import Memory
from actors.policy.capture.importance import is_promotable, priority
from actors.policy.recall.listing import NEVER
from daemon.answers.link import lineage_of
from daemon.answers.memories import decisions_of, seen
from daemon.answers.quotations import read_of
from daemon.answers.reasons import Known, sentences
from daemon.answers.usage import usage_of
from daemon.context import Parts, known_memories, seen_by, table
from daemon.requests.why import Reasons, Why
from daemon.storage import episodes
from daemon.storage import why as why_stored
from daemon.views import short_id

# What the gate calls making a memory; all else is about one that is there.
_MAKING = frozenset({"CREATE", "CREATE_LINKED", "SUPERSEDE"})


async def why(parts: Parts, request: Why) -> Reasons:
    """Reasons of a memory, in figures and in words."""
    (memory,) = await known_memories(parts, [request.id])
    read, number = parts.reader.read, memory.id
    made_of = await read(why_stored.provenance, number)
    decisions = await decisions_of(parts, number)
    before = await read(why_stored.predecessors, number)
    reviews = await read(why_stored.reviews, number)
    shown = await read(why_stored.last_shown, number)
    making = next(
        (d for d in decisions if d["memory"] == short_id(number) and d["action"] in _MAKING),
        None,
    )
    view = seen(parts, memory, parts.clock.now())
    used = [float(review["at"]) for review in reviews if review["grade"] > 1]
    found = Reasons(
        memory=view,
        sentences=[],
        provenance=asdict(made_of),
        decision=making,
        later=[decision for decision in decisions if decision is not making],
        supersedes=[short_id(one) for one in before],
        shown_at=shown[0] if shown is not None else None,
        shown_where=shown[1] if shown is not None else None,
        used_at=used[-1] if used else None,
        reviews=reviews,
        phrases={"given": list(memory.triggers), "derived": list(memory.derived)},
        captures=await parts.reader.read(episodes.captures_of, memory.id),
        usage=await usage_of(parts, memory),
        importance=importance_of(memory),
        lineage=await lineage_of(
            parts, memory.id, request.depth, request.direction, seen_by(parts, request)
        ),
    )
    read_in = await read_of(parts, memory.id)
    listing = (await parts.reader.listings([number])).get(number, NEVER)
    now = parts.clock.now()
    known = Known(found, memory.memory_type, memory.unjudged, now, read_in, listing)
    return msgspec.structs.replace(found, sentences=sentences(known))


def importance_of(memory: Memory) -> dict[str, Any]:
    """An importance, in the shape of when something changed it by itself; nothing does any more."""
    return {
        "value": memory.importance,
        "priority": priority(memory.importance).value,
        "promotable": is_promotable(memory.importance) and memory.tier == "normal",
        "channels": None,
        "changes": [],
        "backfills": [],
    }


ANSWERS = table(why)
