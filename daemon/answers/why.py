"""What was remembered when, and why a memory is there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import msgspec

from actors.memory.rows import Scope
from actors.policy.times import temporal
from daemon.answers.episodes import captures_of
from daemon.answers.importance import importance_of
from daemon.answers.link import lineage_of
from daemon.answers.memories import seen
from daemon.answers.reasons import Known, sentences
from daemon.answers.recall import PAGE_LIMIT, known_memories, project_meant
from daemon.answers.usage import usage_of
from daemon.context import Parts, Progress, Table
from daemon.requests.shapes import BadRequest
from daemon.requests.timeline import Past, Remembered, Timeline, TimelinePage
from daemon.requests.why import Reasons, Why
from daemon.states import short_id, state_of
from daemon.storage import recall
from daemon.storage import why as why_stored

WINDOW_LIMIT = 366 * 86_400.0  # seconds


async def timeline(parts: Parts, request: Timeline, _: Progress) -> TimelinePage:
    """Memories by their time, or the neighbours of one (row G05)."""
    if not 0 < request.limit <= PAGE_LIMIT:
        raise BadRequest(f"the limit is {request.limit}: it must be between 1 and {PAGE_LIMIT}")
    if not 0 < request.window <= WINDOW_LIMIT:
        raise BadRequest(f"a window of {request.window:g} s: it must be between 0 and a year")
    scope = Scope(project_meant(parts, request.project), everywhere=request.everywhere)
    if request.id is not None:
        return await _around(parts, request, request.id, scope)
    total, moments = await parts.reader.read(
        lambda sql: why_stored.newest(sql, scope, request.limit)
    )
    # Ids of one length sort as text as they do as numbers.
    order = temporal.timeline((f"{number:020d}", at) for number, at in moments)
    return TimelinePage(
        memories=await _remembered(parts, [(int(name), None) for name in order]),
        total=total,
        about=None,
    )


async def _around(parts: Parts, request: Timeline, short: str, scope: Scope) -> TimelinePage:
    (memory,) = await known_memories(parts, [short])
    if request.project is None:
        scope = Scope(memory.project, everywhere=request.everywhere)
    begin, end = memory.created_at - request.window, memory.created_at + request.window
    moments = await parts.reader.read(lambda sql: why_stored.moments(sql, scope, begin, end))
    there = {f"{number:020d}": at for number, at in [*moments, (memory.id, memory.created_at)]}
    near = temporal.neighbours(f"{memory.id:020d}", there, request.window)
    (about,) = await _remembered(parts, [(memory.id, None)])
    first = [(int(name), apart) for name, apart in near[: request.limit]]
    return TimelinePage(memories=await _remembered(parts, first), total=len(near), about=about)


async def _remembered(parts: Parts, wanted: Sequence[tuple[int, float | None]]) -> list[Remembered]:
    ids = [number for number, _ in wanted]
    memories = await parts.reader.memories(ids)
    happened: dict[int, list[Past]] = defaultdict(list)
    for one in await parts.reader.read(lambda sql: why_stored.happened(sql, ids)):
        happened[one.memory_id].append(Past(at=one.at, what=one.what, detail=one.detail))
    now = parts.clock.now()
    return [
        Remembered(
            id=short_id(number),
            title=memory.title,
            kind=memory.kind,
            project=memory.project,
            created_at=memory.created_at,
            state=state_of(memory, now, parts.settings.fading),
            apart=apart,
            past=happened[number],
        )
        for number, apart in wanted
        if (memory := memories.get(number)) is not None  # erased meanwhile
    ]


# What the gate calls making a memory; all else is about one that is there.
_MAKING = frozenset({"CREATE", "CREATE_LINKED", "SUPERSEDE"})


async def why(parts: Parts, request: Why, _: Progress) -> Reasons:
    """Why a memory is there, in figures and in words."""
    (memory,) = await known_memories(parts, [request.id])
    read, number = parts.reader.read, memory.id
    made_of = await read(lambda sql: why_stored.provenance(sql, number))
    decisions = _with_short_ids(await read(lambda sql: recall.decisions(sql, number)))
    before = await read(lambda sql: why_stored.predecessors(sql, number))
    reviews = await read(lambda sql: why_stored.reviews(sql, number))
    shown = await read(lambda sql: why_stored.last_shown(sql, number))
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
        captures=await captures_of(parts, memory.id),
        usage=await usage_of(parts, memory),
        importance=await importance_of(parts, memory),
        lineage=await lineage_of(parts, memory.id, request.depth, request.direction),
    )
    known = Known(found, memory.memory_type, memory.unjudged, parts.clock.now())
    return msgspec.structs.replace(found, sentences=sentences(known))


def _with_short_ids(decisions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            **decision,
            **{
                name: short_id(decision[name]) if isinstance(decision[name], int) else None
                for name in ("memory", "existing")
            },
        }
        for decision in decisions
    ]


ANSWERS: Table = {Timeline: timeline, Why: why}
