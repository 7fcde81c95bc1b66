"""Messages about links: what comes to mind, and edges that are drawn."""

from dataclasses import dataclass

from actors.core.mailbox import Reply
from actors.embedding.messages import VectorsArrived
from actors.links.writes import Connected, Disconnected
from actors.memory.messages import MemoriesChanged
from actors.memory.rows import Scope


@dataclass(frozen=True, slots=True)
class Association:
    """A memory that was brought to mind: how strongly, and by which way."""

    memory_id: int
    score: float  # 0..1
    hops: int
    path: tuple[int, ...]  # memories from the seed to it, both included


@dataclass(frozen=True, slots=True)
class WhatComesToMind:
    """Question for what memories (id, activation 0..1) bring to mind besides themselves."""

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


CausalMessage = Connect | Disconnect | MemoriesChanged
