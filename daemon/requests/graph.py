"""The graph of memories: all of it, and what connects them, around one or between two."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

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


class ExportGraph(Request[GraphTold], frozen=True, kw_only=True):
    """Request for the whole graph.

    Progress frames are ``{"nodes": […]}`` and then ``{"edges": […]}``, a piece at a time.
    """

    NAME = "export-graph"
    project: str | None = None  # with the memories for everywhere
    everywhere: bool = False
    limit: int = 2_000  # memories


Action = Literal["associations", "chains", "bridges"]


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One link of a way, as it is walked."""

    source: str
    target: str
    kind: str  # a relation, a kind of connection, or similar
    directed: bool  # whether the link has a direction
    forward: bool  # whether it is walked in its direction
    strength: float  # 0..1


class WayView(msgspec.Struct, frozen=True, kw_only=True):
    """A way from one memory to another."""

    memories: list[str]
    steps: list[StepView]
    sure: float  # product of the strengths


class BridgeView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that stands between two."""

    memory: str
    ways: int
    best: WayView


class Explored(Reply, frozen=True, kw_only=True):
    """Memories around, the surest first."""

    start: str
    end: str | None
    titles: dict[str, str]  # of every memory named
    ways: list[WayView]  # with ``bridges``: empty
    bridges: list[BridgeView]
    total: int
    cut: bool  # there are more links around than were read


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


class Alike(Request[AlikeFound], frozen=True, kw_only=True):
    """Request for pairs of memories that may say the same. What is only alike need not."""

    NAME = "alike"
    least: Annotated[float, Meta(ge=0.5, le=1.0)] = 0.8  # likeness
    limit: int = 20
    project: str | None = None
    everywhere: bool = False


class Explore(Request[Explored], frozen=True, kw_only=True):
    """Request for what a memory is connected with, and how it leads to another."""

    NAME = "explore"
    start: str  # an id, or what the memory is about
    to: str | None = None  # the same; needed for chains and bridges
    action: Action = "associations"
    depth: int = 3
    limit: int = 10
    project: str | None = None  # where a text is looked for, and whose memories ways lead over
    everywhere: bool = False
