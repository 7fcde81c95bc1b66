"""The graph of memories: all of it, and its pairs of nearly equal memories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from daemon.api.operation import HERE, Offer, Operation
from daemon.shapes.replies import Reply, check_limit
from daemon.views import memory_view, short_id

if TYPE_CHECKING:
    from actors.memory.rows import Memory
    from daemon.context import Parts, Progress

MOST: Final = 10_000  # memories of the whole graph in one answer
WRITTEN: Final = 2_000  # unless more are asked for
EDGES_EACH: Final = 10  # edges told for each memory that is told
NODES_ONCE: Final = 50  # nodes and edges made before others have a turn
EDGES_ONCE: Final = 500
WITHIN: Final = 60.0  # seconds for the look through the store
TITLE: Final = 200  # characters


# ---- all of it


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A memory in the graph. Its text is not there, only its title."""

    id: str
    title: str
    kind: str
    tier: str
    state: str
    project: str | None
    created: float  # seconds since the epoch, UTC


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """Edge between two memories; ``directed``: from ``one`` to ``other``, else either way."""

    one: str
    other: str
    kind: str
    strength: float
    evidence: str
    found_by: str  # dreaming, vectors, text (it says so itself), gate, person
    directed: bool


class GraphTold(Reply, frozen=True, kw_only=True):
    """All of it was told."""

    connected: int  # memories of the scope that are joined with another one
    nodes: int  # of them were told: those that are joined most strongly
    edges: int
    edges_left_out: int  # between these: the weakest


class ExportGraph(Operation[GraphTold], frozen=True, kw_only=True):
    """Tell the whole graph, those that are joined most strongly first.

    Progress frames are ``{"nodes": […]}`` and then ``{"edges": […]}``, a piece at a time.
    """

    NAME = "export-graph"
    project: str | None = None  # with the memories for everywhere
    everywhere: bool = False
    limit: int = WRITTEN  # memories

    async def answer(self, parts: Parts, progress: Progress) -> GraphTold:
        import trio

        from actors.memory.rows import Scope
        from daemon.context import sliced
        from daemon.storage import graph

        check_limit(self.limit, MOST)
        scope = Scope(parts.project_meant(self.project), self.everywhere)
        with trio.fail_after(WITHIN):
            ids, connected = await parts.reader.read(graph.joined, scope, self.limit)
            rows, known = await parts.reader.read(graph.edges_among, ids, EDGES_EACH * self.limit)
        for some in sliced(tuple(ids), NODES_ONCE):
            memories = await parts.reader.memories(some)
            nodes = [_node(parts, memories[one]) for one in some if one in memories]
            await progress({"nodes": msgspec.to_builtins(nodes)})
        for piece in sliced(tuple(rows), EDGES_ONCE):
            await progress({"edges": [_edge(row) for row in piece]})
        return GraphTold(
            connected=connected, nodes=len(ids), edges=len(rows), edges_left_out=known - len(rows)
        )


def _node(parts: Parts, memory: Memory) -> Node:
    from daemon.states import state_of

    return memory_view(
        Node,
        memory,
        title=(memory.title or memory.kind)[:TITLE],
        state=state_of(memory, parts.clock.now(), parts.settings.fading),
        created=memory.created_at,
    )


def _edge(row: Sequence[Any]) -> dict[str, Any]:
    from daemon.answers.graph import ONE_WAY

    one, other, kind, strength, evidence, found_by = row
    edge = Edge(
        one=short_id(one), other=short_id(other), kind=kind, strength=round(strength, 3),
        evidence=evidence, found_by=found_by, directed=kind in ONE_WAY,
    )  # fmt: skip
    return dict(msgspec.to_builtins(edge))


# ---- what an agent asks to find duplicates


class PairView(msgspec.Struct, frozen=True, kw_only=True):
    """Two living memories that are alike."""

    one: str
    other: str
    one_title: str
    other_title: str
    likeness: float  # cosine of their vectors, 0…1


class AlikeFound(Reply, frozen=True, kw_only=True):
    """Pairs of memories, the most alike first."""

    pairs: list[PairView]
    total: int


class Alike(Operation[AlikeFound], frozen=True, kw_only=True):
    """Find pairs of memories that may say the same, by the vectors that were compared.

    What is only alike need not.
    """

    NAME = "alike"
    least: Annotated[float, Meta(ge=0.5, le=1.0)] = 0.8  # likeness
    limit: int = 20
    project: Annotated[str | None, HERE] = None
    everywhere: bool = False

    OFFERS = (
        Offer(
            "find_duplicates",
            "Find duplicates",
            "Find pairs of memories that may say the same. Alike is not the same: read both.",
            "similarity_threshold=least limit",
            unused="tags exhaustive",
            reads_only=True,
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> AlikeFound:
        from actors.memory.rows import Scope
        from daemon.storage import graph

        check_limit(self.limit)
        scope = Scope(parts.project_meant(self.project), self.everywhere)
        rows, total = await parts.reader.read(graph.alike, scope, self.least, self.limit)
        memories = await parts.reader.memories(sorted({end for row in rows for end in row[:2]}))
        return AlikeFound(
            pairs=[
                PairView(
                    one=short_id(one),
                    other=short_id(other),
                    one_title=memories[one].title,
                    other_title=memories[other].title,
                    likeness=round(likeness, 4),
                )
                for one, other, likeness in rows
                if one in memories and other in memories
            ],
            total=total,
        )
