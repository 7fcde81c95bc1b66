"""Links, lineages and associations, as clients see them."""

from collections.abc import Set
from typing import Any

import trio

from actors.core.mailbox import Crashed, SwitchedOff
from actors.links import looking
from actors.links.spreading import associations
from actors.links.writes import Connected, Disconnected
from actors.memory.ports import Unreadable
from actors.memory.rows import Memory, Scope
from actors.policy.graph import activation, connections
from actors.policy.graph.causal import (
    DEPTH_LIMIT,
    Direction,
    Edge,
    InvalidLink,
    Relation,
    Step,
    edge,
)
from daemon.context import Parts, check_seen, commit, known_memories, table
from daemon.requests import link as asked
from daemon.requests.shapes import BadRequest, Done
from daemon.storage import link as link_stored
from daemon.views import memory_number, memory_view, short_id, view

LOOK_DEADLINE = 10.0  # seconds
ASIDE = 0.5  # seconds that a person's search waits for what its best result brings to mind
EVIDENCE = 1_000  # characters
RELATED = 20  # memories that are shown beside one
BY_AGENT = "noted by an agent"  # how the evidence of its links begins

# What takes an extra away, and no more than that.
_AWAY = (trio.TooSlowError, Crashed, SwitchedOff, Unreadable)


# ---- requests


async def link(parts: Parts, request: asked.Link) -> asked.LinkDrawn:
    """Draw a link."""
    source, target = await _two(parts, request.source, request.target)
    if len(request.evidence) > EVIDENCE:
        raise BadRequest(
            f"the evidence has {len(request.evidence)} characters, the limit is {EVIDENCE}"
        )
    evidence, _kinds = parts.redact(request.evidence.encode("utf-8", "replace").decode())
    if request.agent_in is not None:
        there = await parts.reader.read(link_stored.drawn, source, request.relation, target)
        if there is not None and not there.evidence.startswith(BY_AGENT):
            return asked.LinkDrawn(link=_link_view_of(there), new=False)
        evidence = f"{BY_AGENT}: {evidence}" if evidence else BY_AGENT
    wanted = Connected(
        source, target, request.relation, request.strength, evidence, parts.clock.now()
    )
    wanted.to_edge()  # raises InvalidLink for what can be none
    (new,) = await commit(parts, (wanted,))
    drawn = link_view(source, request.relation, target, request.strength, evidence)
    return asked.LinkDrawn(link=drawn, new=bool(new))


async def unlink(parts: Parts, request: asked.Unlink) -> Done:
    """Take a link out."""
    match request.link.split(":"):
        case [source, relation, target]:
            ends = memory_number(source), memory_number(target)
        case _:
            raise InvalidLink(f"{request.link[:60]!r} is no link: write it as m1:supersedes:m2")
    edge("", str(ends[0]), str(ends[1]), relation)  # raises InvalidLink for what can be none
    if request.agent_in is not None:
        check_seen(parts, request, await known_memories(parts, [source, target]))
        there = await parts.reader.read(link_stored.drawn, ends[0], relation, ends[1])
        if there is not None and not there.evidence.startswith(BY_AGENT):
            raise BadRequest(
                f"no agent drew {request.link}: it stays, unless the user takes it out"
            )
    (gone,) = await commit(parts, (Disconnected(*ends, relation),))
    return Done(count=gone, note="" if gone else "there is no such link")


# ---- parts of other answers


async def lineage_of(
    parts: Parts,
    memory_id: int,
    depth: int,
    direction: str,
    projects: Set[str | None] | None = None,
) -> asked.LineageView:
    """The links around a memory, to memories of these projects; ``None``: of all."""
    if not 1 <= depth <= DEPTH_LIMIT:
        raise BadRequest(f"a depth of {depth}: it must be between 1 and {DEPTH_LIMIT}")
    with trio.fail_after(LOOK_DEADLINE):
        found = await looking.lineage(parts.reader, memory_id, depth, Direction(direction))
    steps = [step for group in found.groups.values() for step in group]
    memories = await parts.reader.memories(sorted({int(step.memory_id) for step in steps}))
    return view(
        asked.LineageView,
        found,
        groups={
            relation.value: [
                _met(step, memories)
                for step in group
                if projects is None
                or ((there := memories.get(int(step.memory_id))) and there.project in projects)
            ]
            for relation, group in found.groups.items()
        },
        depth=depth,
        direction=direction,
    )


def _met(step: Step, memories: dict[int, Memory]) -> asked.LinkMet:
    number = int(step.memory_id)
    there = memories.get(number)  # None: erased meanwhile
    return view(
        asked.LinkMet,
        step,
        link=view_of_edge(step.edge),
        memory=short_id(number),
        title=there.title if there is not None else "",
        ended=there.ended if there is not None else None,
        weight=round(step.weight, 6),
        path=[short_id(int(name)) for name in step.path],
    )


async def related_to(parts: Parts, memory: Memory) -> list[asked.Related]:
    """Relations of a memory to others: its links, then what it is like."""
    scope = Scope(memory.project, everywhere=memory.project is None)
    edges = await parts.reader.edges_around([memory.id], 1, RELATED)
    near = await parts.reader.associations([memory.id], scope, RELATED)
    ends = {end for row in edges for end in (row.source_id, row.target_id)} - {memory.id}
    memories = await parts.reader.memories(sorted(ends | {pair.other for pair in near}))
    found: list[asked.Related] = []
    for row in edges:
        incoming = row.target_id == memory.id
        other = memories.get(row.source_id if incoming else row.target_id)
        if other is not None:
            id_ = link_view(row.source_id, row.relation, row.target_id).id
            found.append(_related(other, row.relation, row.strength, incoming=incoming, link=id_))
    if memory.ended is None:
        found += [
            _related(memories[pair.other], pair.kind, pair.strength)
            for pair in near
            if pair.other in memories
        ]
    return found[:RELATED]


def _related(
    other: Memory, how: str, strength: float, *, incoming: bool = False, link: str | None = None
) -> asked.Related:
    return memory_view(
        asked.Related, other, how=how, incoming=incoming, strength=round(strength, 6), link=link
    )


async def degree_boost_of(parts: Parts, memory_id: int) -> float:
    """Addition to a memory's score by its links; 0 when nobody can tell."""
    try:
        with trio.fail_after(ASIDE):
            boosts = await looking.boosts(parts.reader, [memory_id])
    except _AWAY:
        return 0.0
    return round(boosts.get(memory_id, 0.0), 6)


async def associations_of(
    parts: Parts, best: Memory, scope: Scope, breadth: activation.Breadth
) -> list[asked.AssociationView]:
    """Associations of the best result of a search; nothing when they are late."""
    limit = activation.ASSOCIATIONS[breadth]
    if not limit:
        return []
    try:
        with trio.fail_after(ASIDE):
            found = await associations(parts.reader, best.id, scope, limit)
        memories = await parts.reader.memories([one.memory_id for one in found])
    except _AWAY:
        return []
    return [
        memory_view(
            asked.AssociationView,
            memory,
            score=one.score,
            hops=one.hops,
            path=[short_id(number) for number in one.path],
        )
        for one in found
        if (memory := memories.get(one.memory_id)) is not None and memory.ended is None
    ]


async def graph_in_numbers(parts: Parts) -> dict[str, Any]:
    """Density of the links between memories."""
    try:
        with trio.fail_after(LOOK_DEADLINE):
            density, totals = await looking.density(parts.reader)
    except _AWAY as error:
        return _figures(connections.UNCOUNTED) | {"uncounted": str(error) or "too slow"}
    return _figures(density) | {
        "relations": {one.value: totals.relations.get(one.value, 0) for one in Relation},
        "unresolved": totals.waiting,
        "associations": totals.associations,
        "associated": totals.associated,
    }


def _figures(density: connections.Density) -> dict[str, Any]:
    return {
        "edges": density.edges,
        "nodes": density.nodes,
        "density": round(density.density, 6),
        "per_memory": round(density.per_memory, 6),
        "class": density.band.value,
        "needed": density.needed,
        "to_dense": density.to_dense,
        "mean_degree": round(density.mean_degree, 6),
        "coverage": round(density.coverage, 6),
    }


# ---- values


def link_view(
    source: int, relation: str, target: int, strength: float = 1.0, evidence: str = ""
) -> asked.LinkView:
    """A link by the ids that people type."""
    one, other = short_id(source), short_id(target)
    return asked.LinkView(
        id=f"{one}:{relation}:{other}",
        source=one,
        relation=relation,
        target=other,
        strength=strength,
        evidence=evidence,
    )


def _link_view_of(row: Connected) -> asked.LinkView:
    return link_view(row.source_id, row.relation, row.target_id, row.strength, row.evidence)


def view_of_edge(one: Edge) -> asked.LinkView:
    """The policy's edge by the ids that people type."""
    return link_view(
        int(one.source), one.relation.value, int(one.target), one.strength, one.evidence
    )


async def _two(parts: Parts, one: str, other: str) -> tuple[int, int]:
    """Raises ``NoSuchMemory`` when one of them is not there."""
    source, target = await known_memories(parts, [one, other])
    return source.id, target.id


ANSWERS = table(link, unlink)
