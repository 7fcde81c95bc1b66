"""The graph of memories, whole: what belongs together and why (issue item 7 of dreaming)."""

import msgspec

from daemon.requests.shapes import Reply, Request

MOST = 10_000  # memories in one answer


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
    """What joins two memories; ``directed``: from ``one`` to ``other``, else either way."""

    one: str
    other: str
    kind: str
    strength: float
    evidence: str
    found_by: str  # dreaming, consolidation, vectors, text (it says so itself), gate, person
    directed: bool


class GraphTold(Reply, frozen=True, kw_only=True):
    """All of it was told."""

    connected: int  # memories of the scope that are joined with another one
    nodes: int  # of them were told: those that are joined most strongly
    edges: int
    edges_left_out: int  # between these: the weakest


class ExportGraph(Request[GraphTold], frozen=True, kw_only=True):
    """What is joined with what?

    Progress frames are ``{"nodes": […]}`` and then ``{"edges": […]}``, a piece at a time.
    """

    NAME = "export-graph"
    project: str | None = None  # with the memories for everywhere
    everywhere: bool = False
    limit: int = 2_000  # memories
