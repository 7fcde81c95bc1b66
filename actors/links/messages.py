"""Messages about links: associations, edges, chains."""

from dataclasses import dataclass

from actors.core.mailbox import Reply
from actors.embedding.messages import VectorsArrived
from actors.links.rows import GraphTotals
from actors.links.writes import Connected, Disconnected
from actors.memory.messages import MemoriesChanged
from actors.memory.rows import Scope
from actors.policy.graph.causal import Direction, Lineage
from actors.policy.graph.connections import Density
from actors.policy.graph.exploring import Chain


@dataclass(frozen=True, slots=True)
class Association:
    """A memory that was brought to mind: how strongly, and by which way."""

    memory_id: int
    score: float  # 0..1
    hops: int
    path: tuple[int, ...]  # memories from the seed to it, both included


@dataclass(frozen=True, slots=True)
class WhatComesToMind:
    """What do these memories (id, activation 0..1) bring to mind besides themselves?"""

    seeds: tuple[tuple[int, float], ...]
    scope: Scope
    limit: int
    reply: Reply[tuple[Association, ...]]


ActivationMessage = WhatComesToMind | VectorsArrived | MemoriesChanged


@dataclass(frozen=True, slots=True)
class Connect:
    """Draw this edge, or give the one that is there its strength and evidence.

    The answer is whether it is new; ``InvalidLink`` when it can be none.
    """

    edge: Connected
    reply: Reply[bool]


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Take this edge out; the answer is whether there was one."""

    edge: Disconnected
    reply: Reply[bool]


@dataclass(frozen=True, slots=True)
class WhatLedTo:
    """Which edges are around this memory, within ``depth`` hops?"""

    memory_id: int
    depth: int
    direction: Direction
    reply: Reply[Lineage]


@dataclass(frozen=True, slots=True)
class HowAreTheyLinked:
    """By which ways does one lead to the other?"""

    one_id: int
    other_id: int
    direction: Direction
    reply: Reply[tuple[Chain, ...]]


@dataclass(frozen=True, slots=True)
class Connections:
    """How well the memories are connected."""

    density: Density
    totals: GraphTotals


@dataclass(frozen=True, slots=True)
class HowConnected:
    """How well are the memories connected?"""

    reply: Reply[Connections]


@dataclass(frozen=True, slots=True)
class HowWellLinked:
    """What do their edges add to the scores of these memories (row L05)?"""

    memory_ids: tuple[int, ...]
    reply: Reply[dict[int, float]]


CausalMessage = (
    Connect
    | Disconnect
    | WhatLedTo
    | HowAreTheyLinked
    | HowConnected
    | HowWellLinked
    | MemoriesChanged
)
